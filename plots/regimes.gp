# A map a network: sizes of messages by ranks and imbalance, each field in the colour of the fastest schedule, with
# one number. Light colours of the same hues as elsewhere: dark letters stand out from each by 7 and more (WCAG 2 asks
# 4.5).
light = '#74b3dd #f2ab7c #7fd0b5 #e8b9d4 #f4d27f #c4e6f8 #cf9f9f #b4b4b4 #bda8d8 #dfc98c #93bd97 #e8e8e8'
columns = nuce_panels < 3 ? nuce_panels : nuce_panels == 4 ? 2 : 3
letters = columns == 3 ? ',8' : ',9'
rows = int(ceil(nuce_panels / (1.0 * columns)))
unset key
unset grid
# The colours stand below the panels, three beside one another.
key_rows = int(ceil(nuce_series / 3.0))
key_top = 0.10 + key_rows * (columns == 3 ? 0.02 : 0.036)
bottom = key_top + (columns == 3 ? 0.05 : 0.085)
gap = columns == 3 ? 0.045 : 0.075 # above each panel, for its name and the ticks of the one above
width = 0.985 / columns
height = (0.94 - bottom) / rows
stats nuce_data using c_x nooutput name 'size'
set xrange [0.5:size_max + 0.5]
set style fill solid 1 noborder
set tics scale 0

# The panels name the networks: the footer need not have their hashes as well.
at_networks = strstrt(nuce_second, ', network ')
if (at_networks > 0) {
    set label 1002 nuce_second[1:at_networks - 1] at screen 0.01, nuce_at(0) left noenhanced font ',7.5' textcolor rgb '#505050'
}
# Ticks are the names of the columns; each panel has its own rows.
ticks_x = ''
stats nuce_data using (ticks_x = ticks_x . sprintf(', "%s" %g', strcol(c_message), column(c_x)), 0) nooutput
eval 'set xtics (' . ticks_x[3:*] . ') font letters noenhanced'

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen 0.065 + i * width
    set rmargin at screen (i + 1) * width
    set tmargin at screen 0.94 - j * height - gap
    set bmargin at screen 0.94 - (j + 1) * height
    set title nuce_panel_name[p] noenhanced offset 0, -0.7
    ticks_y = ''
    low = 1e9
    high = 0
    do for [b=1:nuce_blocks] {
        if (nuce_panel_of[b] == p) {
            stats nuce_data index b - 1 using (ticks_y = ticks_y . sprintf(', "%s" %g', strcol(c_ranks_imbalance), \
                column(c_y)), low = column(c_y) < low ? column(c_y) : low, \
                high = column(c_y) > high ? column(c_y) : high, 0) nooutput
        }
    }
    set yrange [low - 0.5:high + 0.5]
    eval 'set ytics (' . ticks_y[3:*] . ') font letters noenhanced'
    if (p > nuce_panels - columns) { set xlabel 'mean message; rows: ranks, imbalance' noenhanced } else { unset xlabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):c_y:(0.49):(0.49) \
             with boxxyerror linecolor rgb word(light, (nuce_style[nuce_series_of[b]] - 1) % 12 + 1) notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):c_y:c_cell \
             with labels font letters textcolor rgb '#1a1a1a' noenhanced notitle
    unset label
}
# The colours apart, in a panel that shows nothing else.
unset title; unset xlabel; unset tics; unset border; unset label
set xrange [0:1]
set yrange [0:1]
set lmargin at screen 0.01
set rmargin at screen 0.99
set tmargin at screen key_top
set bmargin at screen 0.10
set key at screen 0.03, key_top left top Left reverse maxrows key_rows samplen 1.5 width -2 noenhanced font letters
plot NaN notitle, for [s=1:nuce_series] keyentry with boxes \
    linecolor rgb word(light, (nuce_style[s] - 1) % 12 + 1) title nuce_series_name[s] noenhanced
unset multiplot
