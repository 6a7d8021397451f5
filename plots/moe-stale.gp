# How many times as long as posting all at once, over the steps that a schedule is kept for: above without what it
# costs to make schedules and, where that is known, below with it; a column a panel, the first four.
set logscale xy
set logscale x 2
set format y '%g'
set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
unset key
panels = nuce_panels < 4 ? nuce_panels : 4
width = 0.78 / panels
stats nuce_data using c_kept_for nooutput name 'kept'
stats nuce_data using c_ratio nooutput name 'ratio'
stats nuce_data using (nuce_known(c_costing, c_ratio)) nooutput name 'costing'
halves = 1
do for [b=1:nuce_blocks] { if (has_costing[b] > 0) { halves = 2 } }
most = costing_max > ratio_max ? costing_max : ratio_max
if (most / ratio_min < 10) { set ytics (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7) }
# Series side by side, so that their intervals can be told apart.
apart(s) = halves == 2 ? 1.03 ** (s - (nuce_series + 1) / 2.0) : 1
set yrange [ratio_min / 1.15:most * 1.15]
set xrange [kept_min / 1.3:kept_max * 1.3]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb '#808080' back

# The name of a panel in lines of up to so many letters.
array lines[panels]
do for [p=1:panels] {
    lines[p] = ''
    line = ''
    do for [w=1:words(nuce_panel_name[p])] {
        if (strlen(line) + strlen(word(nuce_panel_name[p], w)) > 28) { lines[p] = lines[p] . line . "\n"; line = '' }
        line = line . word(nuce_panel_name[p], w) . ' '
    }
    lines[p] = lines[p] . line
}

if (halves == 2) { eval nuce_side_by_side }
set multiplot
do for [half=1:halves] {
    set tmargin at screen half == 1 ? 0.81 : 0.48
    set bmargin at screen half == 1 && halves == 2 ? 0.53 : 0.20
    do for [p=1:panels] {
        set lmargin at screen 0.06 + (p - 1) * width
        set rmargin at screen 0.02 + p * width
        if (half == 1) { set title lines[p] noenhanced offset 0, -0.5 } else { unset title }
        if (half == halves) { set xlabel 'steps that a schedule is kept for' noenhanced } else { unset xlabel }
        if (p == 1) { set ylabel (half == 1 ? 'times as long as posting all at once' : 'with gathering and scheduling') noenhanced } \
            else { unset ylabel }
        value = half == 1 ? c_ratio : c_costing
        low = half == 1 ? c_low : c_costing_low
        high = half == 1 ? c_high : c_costing_high
        plot for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (column(c_kept_for) * apart(nuce_series_of[b])): \
                       (nuce_panel_of[b] == p ? column(value) : NaN) \
                 with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.8 notitle, \
             for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (column(c_kept_for) * apart(nuce_series_of[b])): \
                       (nuce_panel_of[b] == p ? column(value) : NaN):(column(low)):(column(high)) \
                 with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle
        unset label
    }
}
unset arrow 1
eval nuce_key
unset multiplot
