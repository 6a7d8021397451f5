# A panel for each array: saved time over the remaining iterations; on the line at 0 a new cut makes no difference.
set logscale x 2
set format x '%g'
set format y '%g'
set xlabel 'iterations after the change' noenhanced
unset key
width = 0.80 / nuce_panels
stats nuce_data using c_iterations nooutput name 'left'
set xrange [left_min / 1.3:left_max * 1.3]
apart(s) = 1 + 0.03 * (s - (nuce_series + 1) / 2.0)

eval nuce_side_by_side
set multiplot
set tmargin at screen 0.85
set bmargin at screen 0.22
do for [p=1:nuce_panels] {
    set lmargin at screen 0.065 + (p - 1) * width
    set rmargin at screen 0.02 + p * width
    set title nuce_panel_name[p] noenhanced font ',9' offset 0, -0.7
    if (p == 1) { set ylabel 'time saved, percent' noenhanced } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.85 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot 0 with lines linecolor rgb '#a0a0a0' linewidth 0.7 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_iterations) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_value) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.8 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_iterations) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_value) : NaN):c_low:c_high \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] linewidth 0.8 \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
