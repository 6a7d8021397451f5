# Heap operations over (d / lambda) ln d: a straight line through the origin is the paper's finding. One
# panel has the paper's experiment, the other the algorithm's own count, on the same axes.
width = 0.80 / nuce_panels
set xlabel '(d / lambda) ln d' noenhanced
set xrange [0:*]
stats nuce_data using c_value nooutput name 'value'
set yrange [0:1.05 * value_max]
unset key

set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.18
do for [p=1:nuce_panels] {
    set lmargin at screen 0.06 + (p - 1) * width
    set rmargin at screen 0.025 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.7
    if (p == 1) { set ylabel 'heap operations / n' noenhanced } else { unset ylabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
        using c_x:(nuce_panel_of[b] == p ? column(c_value) : NaN) \
        with linespoints linetype nuce_style[nuce_series_of[b]] notitle
    unset label
}
eval nuce_key
unset multiplot
