# Gain over ratio, a panel each number of ranks and array, two in a row; series beside one another.
columns = nuce_panels < 2 ? 1 : 2
rows = int(ceil(nuce_panels / (1.0 * columns)))
set logscale x 2
set logscale y 2
set format x '%g'
set format y '%g'
unset key
width = 0.80 / columns
height = 0.70 / rows
stats nuce_data using c_ratio nooutput name 'ratio'
set xrange [ratio_min / 1.25:ratio_max * 1.25]
eval 'set xtics (' . nuce_fine_steps . ')'
eval 'set ytics (' . nuce_fine_steps . ')'
stats nuce_data using (nuce_known(c_gain_low, c_gain)) nooutput name 'low'
stats nuce_data using (nuce_known(c_gain_high, c_gain)) nooutput name 'high'
set yrange [(low_min < 1 ? low_min : 1) / 1.15:(high_max > 1 ? high_max : 1) * 1.15]
apart(s) = (1.5625 * ratio_max / ratio_min) ** (0.013 * (s - (nuce_series + 1) / 2.0))

eval nuce_side_by_side
set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen 0.08 + i * width
    set rmargin at screen 0.04 + (i + 1) * width
    set tmargin at screen 0.87 - j * height
    set bmargin at screen 0.93 - (j + 1) * height
    set title nuce_panel_name[p] noenhanced offset 0, -0.7
    if (j == rows - 1) { set xlabel 'fastest rank over slowest' noenhanced } else { unset xlabel }
    if (i == 0) { set ylabel 'speed-up over grid' noenhanced } else { unset ylabel }
    plot 1 with lines linecolor rgb '#999999' dashtype 2 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_ratio) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_gain) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.6 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_ratio) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_gain) : NaN):c_gain_low:c_gain_high \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle
    unset label
}
eval nuce_key
unset multiplot
