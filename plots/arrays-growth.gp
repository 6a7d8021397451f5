# Time over the number of parts, both logarithmic, a panel a latency; the paper's dashed and hollow.
set xlabel 'parts' noenhanced
set logscale xy
set format y '%g'
set format x '%g'
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
    if (p == 1) { set ylabel 'us' noenhanced offset 0.5, 0 } else { unset ylabel }
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
