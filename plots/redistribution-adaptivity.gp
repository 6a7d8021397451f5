# A place on the axis for each state of the links, the series beside one another.
set xlabel 'state of the links' noenhanced
set format y '%g'
set yrange [0:*]
unset key
width = 0.80 / nuce_panels
stats nuce_data using c_state nooutput name 'state'
set xrange [state_min - 0.5:state_max + 0.5]
set xtics 1
apart(s) = 0.08 * (s - (nuce_series + 1) / 2.0)

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.065 + (p - 1) * width
    set rmargin at screen 0.01 + p * width
    set ylabel nuce_panel_name[p] noenhanced
    if (p == nuce_panels) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_state) + apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_value) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.6 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_state) + apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_value) : NaN):c_low:c_high \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] linewidth 0.6 \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
