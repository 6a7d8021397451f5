# Times over the number of ranks, a panel an instance, up to three in a row, all of one scale.
columns = nuce_panels < 3 ? nuce_panels : 3
rows = int(ceil(nuce_panels / (1.0 * columns)))
set logscale x 2
set logscale y 10
set format y '%g'
set xtics ()
unset key
width = 0.80 / columns
height = 0.70 / rows
stats nuce_data using c_ranks nooutput name 'ranks'
set xrange [ranks_min / 1.3:ranks_max * 1.3]
stats nuce_data using c_ms nooutput name 'ms'
set yrange [ms_min * 0.7:ms_max * 1.4]

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen 0.09 + i * width
    set rmargin at screen 0.04 + (i + 1) * width
    set tmargin at screen 0.87 - j * height
    set bmargin at screen 0.94 - (j + 1) * height
    set title nuce_panel_name[p] noenhanced offset 0, -0.7
    if (j == rows - 1) { set xlabel 'ranks' noenhanced } else { unset xlabel }
    if (i == 0) { set ylabel 'time, ms' noenhanced } else { unset ylabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_ranks:(nuce_panel_of[b] == p ? column(c_ms) : NaN):xtic(sprintf("%d", column(c_ranks))) \
             with linespoints linetype nuce_style[nuce_series_of[b]] notitle
    unset label
}
eval nuce_key
unset multiplot
