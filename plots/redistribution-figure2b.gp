# A panel a step: senders on the left, receivers on the right, an arrow a message. The paper's are wide
# and light, ours on top of them: where they differ both are seen.
set ylabel 'rank' noenhanced
set yrange [3.5:-0.5]
set ytics 1
set xrange [-0.15:1.15]
set xtics ('sends' 0, 'receives' 1)
set grid noxtics
unset key
width = 0.80 / nuce_panels
look(name) = name eq 'paper' ? 1 : name eq 'planned' ? 2 : 3
colour(name) = word('#b0c8d8 #0072b2 #d55e00', look(name))
thick(name) = look(name) == 1 ? 7 : look(name) == 2 ? 4 : 1.2

set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.22
do for [p=1:nuce_panels] {
    set lmargin at screen 0.07 + (p - 1) * width
    set rmargin at screen 0.03 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.5
    if (p > 1) { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.84 top right Left reverse noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (0):(nuce_panel_of[b] == p ? column(c_rank) : NaN):(1): \
                   (column(c_receiver) - column(c_rank)) \
             with vectors filled head size screen 0.014, 20 \
             linecolor rgb colour(nuce_series_name[nuce_series_of[b]]) \
             linewidth thick(nuce_series_name[nuce_series_of[b]]) notitle, \
         for [s=1:nuce_series] keyentry with lines linecolor rgb colour(nuce_series_name[s]) \
             linewidth thick(nuce_series_name[s]) title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
