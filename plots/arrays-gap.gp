# Distributions of the excess over the optimum, a panel a kind of array. Each line is thinner than the
# one before it, so that those that agree are seen beside one another.
wide(s) = 1.2 + 1.3 * (nuce_series - s)
set ytics font ',8'
set format y '%g'
unset key
across = nuce_panels < 2 ? 1 : 2
down = int((nuce_panels + across - 1) / across)
width = 0.86 / across
height = 0.80 / down

stats nuce_data using (column(c_x) == column(c_x) ? column(c_value) : NaN) nooutput name 'excess'
set xrange [0:100]
set yrange [0:excess_max]

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % across
    j = (p - 1) / across
    set lmargin at screen 0.06 + i * width
    set rmargin at screen 0.02 + (i + 1) * width
    set tmargin at screen 0.90 - j * height
    set bmargin at screen 0.90 - (j + 1) * height + 0.075
    set title nuce_panel_name[p] noenhanced font ',9' offset 0, -0.7
    if (i == 0) { set ylabel 'excess, % at most' noenhanced font ',9' offset 0.3, 0 } else { unset ylabel }
    if (p > nuce_panels - across) { set xlabel 'percent of the draws' noenhanced offset 0, 0.4 } \
        else { unset xlabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.90 right top Left reverse samplen 2.5 spacing 1.3 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_x:(nuce_panel_of[b] == p ? column(c_value) : NaN) \
             with lines linetype nuce_style[nuce_series_of[b]] linewidth wide(nuce_series_of[b]) notitle, \
         for [s=1:nuce_series] keyentry with lines linetype nuce_style[s] linewidth wide(s) \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
