# A histogram of times over their average, one colour per series. Times within 10 % of the average are grey; times of
# twice the average and more are one bar, apart from the others.
width = 0.02
stats nuce_data using c_at nooutput name 'at'
least = at_min < 0.8 ? floor(10 * at_min) / 10.0 : 0.8
most = at_max >= 2 ? 2.1 : at_max > 1.18 ? ceil(10 * (at_max + width)) / 10.0 : 1.2
middle(at) = at < 2 ? at + width / 2 : 2.06
set xrange [least:most]
set yrange [0:*]
set xtics 0, most - least > 0.8 ? 0.2 : 0.1, at_max >= 2 ? 1.8 : 10
if (at_max >= 2) { set xtics add ('2 and more' 2.06) }
set xlabel 'time over the average' noenhanced
set ylabel '% of the permutations' noenhanced
set lmargin at screen 0.07
set rmargin at screen 0.96
set tmargin at screen 0.92 - 0.045 * nuce_series
set key at screen 0.07, 0.925 left top Left reverse samplen 2 spacing 1.2 noenhanced
set object rectangle from 0.9, graph 0 to 1.1, graph 1 behind fillcolor rgb '#eeeeee' \
    fillstyle solid noborder
set label 'paper: most of them within 10 %' at 0.903, graph 0.97 left front noenhanced font ',8' \
    textcolor rgb '#303030'
set style fill transparent solid 0.45 border
plot for [b=1:nuce_blocks] nuce_data index b - 1 \
    using (middle(column(c_at))):c_percent:(width) with boxes \
    linetype nuce_style[nuce_series_of[b]] linewidth 0.8 \
    title nuce_series_name[nuce_series_of[b]] noenhanced
