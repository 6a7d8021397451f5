# How many times as long as alltoallv over the imbalance: above without, below with the cost of the
# schedule in each step; a column a panel, the first four.
set logscale y 10
set format y '%g'
set ytics (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
unset key
panels = nuce_panels < 4 ? nuce_panels : 4
width = 0.80 / panels
stats nuce_data using c_imbalance nooutput name 'imbalance'
stats nuce_data using c_ratio nooutput name 'ratio'
stats nuce_data using (nuce_known(c_scheduled, c_ratio)) nooutput name 'scheduled'
set yrange [ratio_min / 1.25:scheduled_max * 1.25]
spread = imbalance_max - imbalance_min
margin = spread > 0 ? 0.06 * spread : 0.5
set xrange [imbalance_min - margin:imbalance_max + margin]
apart(s) = spread > 0 ? 0.006 * spread * panels * (s - (nuce_series + 1) / 2.0) : 0
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb '#808080' back

eval nuce_side_by_side
set multiplot
do for [half=1:2] {
    set tmargin at screen half == 1 ? 0.86 : 0.50
    set bmargin at screen half == 1 ? 0.56 : 0.20
    do for [p=1:panels] {
        set lmargin at screen 0.07 + (p - 1) * width
        set rmargin at screen 0.03 + p * width
        if (half == 1) { set title nuce_panel_name[p] noenhanced offset 0, -0.6; unset xlabel } \
            else { unset title; set xlabel 'load of the busiest expert over the mean' noenhanced }
        if (p == 1) { set ylabel (half == 1 ? 'times as long as alltoallv' : 'with the schedule, each step') noenhanced } \
            else { unset ylabel }
        value = half == 1 ? c_ratio : c_scheduled
        low = half == 1 ? c_low : c_scheduled_low
        high = half == 1 ? c_high : c_scheduled_high
        if (half == 1 && p == panels) {
            set key at screen 0.99, 0.86 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
        } else { unset key }
        plot for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (column(c_imbalance) + apart(nuce_series_of[b])): \
                       (nuce_panel_of[b] == p ? column(value) : NaN) \
                 with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.8 notitle, \
             for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (column(c_imbalance) + apart(nuce_series_of[b])): \
                       (nuce_panel_of[b] == p ? column(value) : NaN):(column(low)):(column(high)) \
                 with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
             for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] linewidth 0.8 \
                 title nuce_series_name[s] noenhanced
        unset label
    }
}
unset multiplot
