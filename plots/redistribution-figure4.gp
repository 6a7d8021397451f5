# Communication time over K, one panel per rank count. Measured times are solid with bars. Times of the same networks
# are thin: dashed if simulated, dotted if modelled.
eval nuce_spread('c_factor', 'factor K')
set xlabel 'K, the factor by which blocks grow' noenhanced
set format y '%g'
set yrange [0:*]
unset key
width = 0.84 / nuce_panels
array least[nuce_panels]
array most[nuce_panels]
do for [p=1:nuce_panels] { least[p] = 1e300; most[p] = 0 }
do for [b=1:nuce_blocks] {
    p = nuce_panel_of[b]
    stats nuce_data index b - 1 using c_factor nooutput name 'factor'
    if (factor_min < least[p]) { least[p] = factor_min }
    if (factor_max > most[p]) { most[p] = factor_max }
}
# K are whole numbers: a tick at each, or at every second, fourth and so on, from 0.
step(span) = span <= 16.0 / nuce_panels ? 1 : 2 * step(span / 2.0)

# Lines of numbers that were not measured are dashed or dotted, in the legend too.
array key_dash[nuce_series]
array key_point[nuce_series]
do for [s=1:nuce_series] { key_dash[s] = 3; key_point[s] = 0 }
do for [b=1:nuce_blocks] {
    if (has_simulated_ms[b] > 0 && key_dash[nuce_series_of[b]] == 3) { key_dash[nuce_series_of[b]] = 2 }
    if (has_ms[b] > 0) { key_dash[nuce_series_of[b]] = 1; key_point[nuce_series_of[b]] = 0.7 }
}

set multiplot
set tmargin at screen 0.86
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.065 + (p - 1) * width
    set rmargin at screen 0.02 + p * width
    set xrange [least[p] - 0.5:most[p] + 0.5]
    set xtics 0, step(most[p] - least[p])
    set title nuce_panel_name[p] noenhanced offset 0, -0.6
    if (p == 1) { set ylabel 'communication time, ms' noenhanced } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.86 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_factor:(nuce_panel_of[b] == p ? column(c_model_ms) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth 0.9 dashtype 3 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_factor:(nuce_panel_of[b] == p ? column(c_simulated_ms) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth 1.2 dashtype 2 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_factor:(nuce_panel_of[b] == p ? column(c_ms) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_factor:(nuce_panel_of[b] == p ? column(c_ms) : NaN):c_low_ms:c_high_ms \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             dashtype key_dash[s] pointsize key_point[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
