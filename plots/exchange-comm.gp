# Communication time over item size, for figures of columns panel ("d = 8, measured"), item size, ms, low_ms
# and high_ms: a column of panels for each kind of number, each in a range of its own. The time is divided by the size
# of an item, because otherwise all lines coincide: it grows by 500 times from 16 bytes to 8 KiB, and by 2 from one
# algorithm to another.
kinds = 'measured simulated model paper'
kind_of(name) = name[strstrt(name, ', ') + 2:]
pattern_of(name) = name[1:strstrt(name, ', ') - 1]

# Which kinds there are, how many patterns, and where each panel stands; its range.
across = 0
array column_of[4]
do for [k=1:4] {
    column_of[k] = 0
    do for [p=1:nuce_panels] {
        if (kind_of(nuce_panel_name[p]) eq word(kinds, k)) { column_of[k] = across + 1 }
    }
    if (column_of[k] > 0) { across = across + 1 }
}
down = 1
array column_at[nuce_panels]
array row_at[nuce_panels]
array least[nuce_panels]
array most[nuce_panels]
do for [p=1:nuce_panels] {
    do for [k=1:4] {
        if (kind_of(nuce_panel_name[p]) eq word(kinds, k)) { column_at[p] = column_of[k] }
    }
    if (p > 1) {
        if (pattern_of(nuce_panel_name[p]) ne pattern_of(nuce_panel_name[p - 1])) { down = down + 1 }
    }
    row_at[p] = down
    least[p] = 1e300
    most[p] = 0
}
do for [b=1:nuce_blocks] {
    p = nuce_panel_of[b]
    stats nuce_data index b - 1 \
        using (1000.0 * nuce_known(c_low_ms, c_ms) / column(c_item_bytes)) nooutput name 'low'
    stats nuce_data index b - 1 \
        using (1000.0 * nuce_known(c_high_ms, c_ms) / column(c_item_bytes)) nooutput name 'high'
    if (low_min > 0 && low_min < least[p]) { least[p] = low_min }
    if (high_max > most[p]) { most[p] = high_max }
}
stats nuce_data using c_item_bytes nooutput name 'item_bytes'

set logscale x 2
set logscale y 10
set xrange [item_bytes_min / 1.25:item_bytes_max * 1.25]
set xtics (16, 64, 256, '1K' 1024, '4K' 4096, '16K' 16384, '64K' 65536)
unset key
width = 0.81 / across
height = 0.72 / down

set multiplot
do for [p=1:nuce_panels] {
    i = column_at[p] - 1
    j = row_at[p] - 1
    set lmargin at screen 0.065 + i * width
    set rmargin at screen 0.025 + (i + 1) * width
    set tmargin at screen 0.875 - j * height
    set bmargin at screen 0.945 - (j + 1) * height
    eval 'set ytics (' . (most[p] < 15 * least[p] ? nuce_fine_steps : nuce_steps) . ')'
    set yrange [0.85 * least[p]:1.15 * most[p]]
    set title nuce_panel_name[p] noenhanced offset 0, -0.6
    if (row_at[p] == down) { set xlabel 'bytes of an item' noenhanced } else { unset xlabel }
    if (i == 0) { set ylabel 'time / item size, us per byte' noenhanced offset 0.5, 0 } \
        else { unset ylabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_item_bytes:(nuce_panel_of[b] == p ? 1000 * column(c_ms) / column(c_item_bytes) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 1.1 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_item_bytes:(nuce_panel_of[b] == p ? 1000 * column(c_ms) / column(c_item_bytes) : NaN): \
                   (1000 * column(c_low_ms) / column(c_item_bytes)): \
                   (1000 * column(c_high_ms) / column(c_item_bytes)) \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] linewidth 1 dashtype 1 notitle
    unset label
}
eval nuce_key
unset multiplot
