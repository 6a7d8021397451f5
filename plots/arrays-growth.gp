# Time over the number of parts, both logarithmic, a panel a latency; the paper's dashed and hollow.
set xlabel 'parts' noenhanced
set logscale xy
set format x '%g'
stats nuce_data using c_processors nooutput name 'parts'
set xrange [parts_min / 1.3:parts_max * 1.3]
if (parts_max < 30 * parts_min) { set xtics (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150) } \
    else { set xtics (1, 10, 100, 1000, '10K' 1e4, '100K' 1e5, '1M' 1e6) }
set ytics ('100 ns' 0.1, '1 us' 1, '10 us' 10, '100 us' 100, '1 ms' 1e3, '10 ms' 1e4, \
    '100 ms' 1e5, '1 s' 1e6, '10 s' 1e7, '100 s' 1e8, '1000 s' 1e9)
unset key
width = 0.82 / nuce_panels
is_paper(name) = name[strlen(name) - 5:] eq ' paper'
stats nuce_data using (column(c_us)) nooutput name 'us'
set yrange [us_min / 2:us_max * 2]
array dash[nuce_series]
array dots[nuce_series]
do for [s=1:nuce_series] {
    dash[s] = is_paper(nuce_series_name[s]) ? 3 : 1
    dots[s] = is_paper(nuce_series_name[s]) ? 6 : 7
}

set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.21
do for [p=1:nuce_panels] {
    set lmargin at screen 0.07 + (p - 1) * width
    set rmargin at screen p * width
    set title nuce_panel_name[p] noenhanced font ',10' offset 0, -0.6
    if (p == 1) { set ylabel 'time to decompose' noenhanced offset 0.5, 0 } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.84 right top Left reverse samplen 2.5 spacing 1.3 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_processors:(nuce_panel_of[b] == p ? column(c_us) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] \
             dashtype dash[nuce_series_of[b]] \
             pointtype dots[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             dashtype dash[s] \
             pointtype dots[s] title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
