# Over the number of processes: time, both logarithmic, and links of a message.
set xlabel 'processes' noenhanced
set logscale x
set format xy '%g'
set xtics (4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144)
stats nuce_data using c_ranks nooutput name 'ranks'
set xrange [ranks_min / 1.5:ranks_max * 1.5]
unset key
width = 0.84 / nuce_panels

set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.21
do for [p=1:nuce_panels] {
    set lmargin at screen 0.06 + (p - 1) * width
    set rmargin at screen 0.01 + p * width
    set title nuce_panel_name[p] noenhanced font ',10' offset 0, -0.6
    if (p == 1) { set logscale y } else { unset logscale y; set yrange [0:*] }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.84 right top Left reverse samplen 2.5 spacing 1.3 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_ranks:(nuce_panel_of[b] == p ? column(c_value) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
