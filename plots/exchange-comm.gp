# Communication time over unit size, for figures of columns unit, ours_ms, low_ms, high_ms, simulated_ms,
# model_ms and paper_ms: solid with bars what was measured; in the algorithm's colour, thin, dash-dotted
# what was simulated, dotted what the cost model says and dashed what the paper measured.
set logscale x 2
set logscale y 10
set format y '%g'
set xlabel 'bytes per unit' noenhanced
set xtics (16, 64, 256, '1K' 1024, '4K' 4096, '16K' 16384)
set mxtics 2
unset key
width = 0.82 / nuce_panels

# What was not measured is dashed in the legend too.
array key_dash[nuce_series]
array key_point[nuce_series]
do for [s=1:nuce_series] { key_dash[s] = 2; key_point[s] = 0 }
do for [b=1:nuce_blocks] {
    if (has_ours_ms[b] > 0) { key_dash[nuce_series_of[b]] = 1; key_point[nuce_series_of[b]] = 0.8 }
}

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.065 + (p - 1) * width
    set rmargin at screen 0.02 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.6
    if (p == 1) { set ylabel 'communication time, ms' noenhanced } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_unit:(nuce_panel_of[b] == p ? column(c_paper_ms) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth 0.8 dashtype 2 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_unit:(nuce_panel_of[b] == p ? column(c_simulated_ms) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth 0.9 dashtype 4 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_unit:(nuce_panel_of[b] == p ? column(c_model_ms) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth 0.8 dashtype 3 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_unit:(nuce_panel_of[b] == p ? column(c_ours_ms) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_unit:(nuce_panel_of[b] == p ? column(c_ours_ms) : NaN):c_low_ms:c_high_ms \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             dashtype key_dash[s] pointsize key_point[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
