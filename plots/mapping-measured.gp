# The ratio to the reference over the modelled links per byte: a panel for each problem, a point for each placement,
# with its interval if known; grey: the noise.
set format y '%g'
set xlabel 'links per byte, modelled' noenhanced
set yrange [0:*]
stats nuce_data using c_links nooutput name 'all'
unset key
width = 0.84 / nuce_panels

set multiplot
set tmargin at screen 0.86
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.065 + (p - 1) * width
    set rmargin at screen 0.015 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.6
    if (p == 1) { set ylabel 'ratio to the reference' noenhanced } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.86 right top Left reverse spacing 1.2 noenhanced
    }
    set xrange [0:1.08 * all_max]
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? 0.54 * all_max : NaN):(1):(0):(1.08 * all_max):c_noise_low:c_noise_high \
             with boxxyerror fillstyle solid noborder linecolor rgb '#e4e4e4' notitle, \
         1 with lines linecolor rgb '#a0a0a0' linewidth 0.7 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_links) : NaN):c_ratio_low:c_ratio_low:c_ratio_high:c_ratio_high \
             with candlesticks linetype nuce_style[nuce_series_of[b]] notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_links) : NaN):c_ratio \
             with points linetype nuce_style[nuce_series_of[b]] pointsize 1.2 notitle, \
         for [s=1:nuce_series] keyentry with points linetype nuce_style[s] pointsize 1.2 \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
