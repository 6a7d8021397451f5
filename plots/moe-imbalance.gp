# The ratio to alltoallv over the imbalance. Top: without the cost of the schedule. Below, where the cost is known:
# with the cost in each step. Bottom: the steps with one schedule that compensate for the cost. One column per panel,
# the first four.
set logscale y 10
set format y '%g'
unset key
panels = nuce_panels < 4 ? nuce_panels : 4
width = 0.80 / panels
stats nuce_data using c_imbalance nooutput name 'imbalance'
stats nuce_data using c_ratio nooutput name 'ratio'
stats nuce_data using (nuce_known(c_costing, c_ratio)) nooutput name 'costing'
rows = 1
pays = 0
array pays_of[panels]
do for [p=1:panels] { pays_of[p] = 0 }
do for [b=1:nuce_blocks] {
    if (has_costing[b] > 0) { rows = 3 }
    if (nuce_panel_of[b] <= panels) { pays_of[nuce_panel_of[b]] = pays_of[nuce_panel_of[b]] + has_pays_after_high[b] }
    pays = pays + has_pays_after_high[b]
}
most_steps = 10
if (pays > 0) {
    stats nuce_data using c_pays_after_high nooutput name 'steps'
    most_steps = steps_max > 10 ? steps_max : 10
}
most = costing_max > ratio_max ? costing_max : ratio_max
spread = imbalance_max - imbalance_min
margin = spread > 0 ? 0.06 * spread : 0.5
set xrange [imbalance_min - margin:imbalance_max + margin]
apart(s) = spread > 0 ? 0.006 * spread * panels * (s - (nuce_series + 1) / 2.0) : 0
# A schedule is kept for one step at least.
drawn(v) = row == 3 && v < 1 ? 1 : v
height = 0.69 / rows
said(row) = row == 1 ? 'ratio to alltoallv' : row == 2 ? 'made again in each step' : 'steps until it pays'

eval nuce_side_by_side
set multiplot
do for [row=1:rows] {
    set tmargin at screen 0.86 - (row - 1) * height
    set bmargin at screen 0.86 - row * height + (row < rows ? 0.045 : 0)
    if (row < 3) {
        set yrange [ratio_min / 1.25:most * 1.25]
        set ytics (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
        set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb '#808080' back
    } else {
        set yrange [0.8:most_steps * 1.5]
        set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000, 100000, 1000000)
        unset arrow 1
    }
    value = row == 1 ? c_ratio : row == 2 ? c_costing : c_pays_after_steps
    low = row == 1 ? c_low : row == 2 ? c_costing_low : c_pays_after_low
    high = row == 1 ? c_high : row == 2 ? c_costing_high : c_pays_after_high
    do for [p=1:panels] {
        set lmargin at screen 0.07 + (p - 1) * width
        set rmargin at screen 0.03 + p * width
        if (row == 1) { set title nuce_panel_name[p] noenhanced offset 0, -0.6 } else { unset title }
        if (row == rows) { set xlabel 'load of the busiest expert over the mean' noenhanced } else { unset xlabel }
        if (p == 1) { set ylabel said(row) noenhanced } else { unset ylabel }
        if (row == 3 && pays_of[p] == 0) {
            set label 1 'none is significantly faster than alltoallv' at graph 0.5, graph 0.5 center noenhanced
        }
        if (row == 1 && p == panels) {
            set key at screen 0.99, 0.86 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
        } else { unset key }
        plot for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (column(c_imbalance) + apart(nuce_series_of[b])): \
                       (nuce_panel_of[b] == p ? drawn(column(value)) : NaN) \
                 with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.8 notitle, \
             for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (column(c_imbalance) + apart(nuce_series_of[b])): \
                       (nuce_panel_of[b] == p ? drawn(column(value)) : NaN): \
                       (drawn(column(low))):(drawn(column(high))) \
                 with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
             for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] linewidth 0.8 \
                 title nuce_series_name[s] noenhanced
        unset label
    }
}
unset multiplot
