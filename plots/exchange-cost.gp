# Scheduling cost over messages; the thin line has slope 1.
eval nuce_spread('c_messages', 'number of messages')
set logscale xy 10
set format xy '%g'
eval 'set xtics (' . nuce_steps . ')'
set xlabel 'messages' noenhanced
set ylabel 'processor time of the schedule, us' noenhanced
set yrange [0.5:*]
plot for [b=1:nuce_blocks] nuce_data index b - 1 using c_messages:c_us:c_low_us:c_high_us \
         with yerrorlines linetype nuce_style[nuce_series_of[b]] \
         title nuce_series_name[nuce_series_of[b]] noenhanced, \
     x / 10 with lines linecolor rgb '#a0a0a0' linewidth 0.7 notitle
