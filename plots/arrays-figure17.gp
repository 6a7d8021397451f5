# Costs over how much larger the four parts are, and how far above the least. Each line is thinner than
# the one before it, so that those that agree are seen beside one another.
wide(s) = 1.2 + 0.9 * (nuce_series - s)
set xlabel 'r = area of each large part / area of the small part' noenhanced
set logscale x
set xrange [1:20]
set xtics (1, 1.5, 2, 3, 4, 6, 8, 10, 15, 20)
set yrange [*:*]
set format y '%g'
unset key
width = 0.83 / nuce_panels
set arrow 1 from 1.5 + sqrt(3), graph 0 to 1.5 + sqrt(3), graph 1 nohead dashtype 3 \
    linecolor rgb '#808080'
array dash[nuce_series]
do for [s=1:nuce_series] { dash[s] = nuce_series_name[s] eq 'pinwheel' ? 2 : 1 }

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.21
do for [p=1:nuce_panels] {
    set lmargin at screen 0.065 + (p - 1) * width
    set rmargin at screen p * width
    set ylabel nuce_panel_name[p] noenhanced offset 0.5, 0
    if (p == nuce_panels) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.3 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_r:(nuce_panel_of[b] == p ? column(c_value) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth wide(nuce_series_of[b]) \
             dashtype dash[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with lines linetype nuce_style[s] linewidth wide(s) \
             dashtype dash[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
