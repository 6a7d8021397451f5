# Heap operations over (d / lambda) ln d: a straight line through the origin is the paper's finding.
set xlabel '(d / lambda) ln d' noenhanced
set ylabel 'heap operations / n' noenhanced
set rmargin at screen 0.76
set xrange [0:*]
set yrange [0:*]
plot for [b=1:nuce_blocks] nuce_data index b - 1 using c_x:c_value with linespoints \
    title nuce_series_name[nuce_series_of[b]] noenhanced
