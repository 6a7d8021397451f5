# Communication time over unit size, a panel an instance, with the interval of the median where there
# is one. Where algorithms were measured at the same size they stand a little apart, so that no bar
# hides another.
set logscale x 2
set logscale y 10
set format y '%g'
unset key
columns = nuce_panels <= 3 ? nuce_panels : nuce_panels <= 8 ? int((nuce_panels + 1) / 2) : 4
rows = int((nuce_panels + columns - 1) / columns)
left = 0.07
right = 0.86
bottom = 0.19
top = 0.88
width = (right - left + 0.04) / columns
height = (top - bottom + 0.1) / rows

# Units as tick labels: those that occur in any panel.
stats nuce_data using c_unit nooutput name 'unit'
set xrange [unit_min / 1.6:unit_max * 1.6]
low(ms, end) = end == end ? end : ms # NaN is not itself: no interval
stats nuce_data using (low(column(c_ms), column(c_low_ms))) nooutput name 'low'
stats nuce_data using (low(column(c_ms), column(c_high_ms))) nooutput name 'high'
set yrange [low_min / 1.3:high_max * 1.3]
set xtics () font ',8'
exponent = floor(log(unit_min) / log(2))
step = int(log(unit_max / unit_min) / log(2) * columns / 20) + 1
do for [e=exponent:ceil(log(unit_max) / log(2)):step] {
    set xtics add (nuce_bytes(2.0**e) 2**e)
}
set ytics font ',8'
apart(s) = 1.025**(s - (nuce_series + 1) / 2.0)

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen left + i * width
    set rmargin at screen left + (i + 1) * width - 0.04
    set tmargin at screen top - j * height
    set bmargin at screen top - (j + 1) * height + 0.1
    set title nuce_panel_name[p] noenhanced font ',9' offset 0, -0.7
    if (i == 0) { set ylabel 'ms' noenhanced offset 1, 0 } else { unset ylabel }
    if (p > nuce_panels - columns) { set xlabel 'unit, bytes' noenhanced offset 0, 0.4 } \
        else { unset xlabel }
    if (p == nuce_panels) {
        set key at screen 0.99, top right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_unit) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_ms) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_unit) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_ms) : NaN):c_low_ms:c_high_ms \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
