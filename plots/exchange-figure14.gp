# The overhead fraction over item size, a panel a degree.
set logscale x 2
set logscale y 10
stats nuce_data using c_fraction nooutput name 'fraction'
set yrange [fraction_min / 1.5:fraction_max * 1.5]
eval 'set ytics (' . nuce_steps . ')'
set xlabel 'bytes of an item' noenhanced
set xtics (16, 64, 256, '1K' 1024, '4K' 4096, '16K' 16384, '64K' 65536)
unset key
width = 0.82 / nuce_panels

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.08 + (p - 1) * width
    set rmargin at screen 0.025 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.6
    if (p == 1) { set ylabel 'scheduling / communication' noenhanced } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_item_bytes:(nuce_panel_of[b] == p ? column(c_fraction) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
