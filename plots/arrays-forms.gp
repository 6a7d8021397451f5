# Costs over the shape of the array, a panel a measure: formulas as lines, decompositions as hollow
# points of growing size, so that those that agree are seen around one another.
set xlabel 'n / m, width over height' noenhanced
set offsets 0, 0, graph 0.03, graph 0.03
set xrange [*:*]
set yrange [*:*]
set format y '%g'
unset key
width = 0.81 / nuce_panels
array is_form[nuce_series]
do for [b=1:nuce_blocks] {
    stats nuce_data index b - 1 using c_is_form nooutput
    is_form[nuce_series_of[b]] = int(STATS_max)
}
size(s) = 0.5 + 0.55 * (nuce_series - s)

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.21
do for [p=1:nuce_panels] {
    set lmargin at screen 0.06 + (p - 1) * width
    set rmargin at screen p * width
    set ylabel nuce_panel_name[p] noenhanced offset 0.5, 0
    if (p == nuce_panels) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.3 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_x:(nuce_panel_of[b] == p && is_form[nuce_series_of[b]] ? column(c_value) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth 1.3 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_x:(nuce_panel_of[b] == p && !is_form[nuce_series_of[b]] ? column(c_value) : NaN) \
             with points linetype nuce_style[nuce_series_of[b]] pointtype 6 linewidth 1 \
             pointsize size(nuce_series_of[b]) notitle, \
         for [s=1:nuce_series] keyentry with lines linetype nuce_style[s] linewidth 1.3 \
             title (is_form[s] ? nuce_series_name[s] : '') noenhanced, \
         for [s=1:nuce_series] keyentry with points linetype nuce_style[s] pointtype 6 \
             linewidth 1 pointsize size(s) title (is_form[s] ? '' : nuce_series_name[s]) noenhanced
    unset label
}
unset multiplot
