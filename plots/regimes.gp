# A map a network: sizes of messages by ranks and imbalance, each field in the colour of the fastest schedule.
columns = nuce_panels < 3 ? nuce_panels : 3
rows = int(ceil(nuce_panels / (1.0 * columns)))
unset key
unset grid
width = 0.80 / columns
height = 0.76 / rows
stats nuce_data using c_x nooutput name 'size'
set xrange [0.5:size_max + 0.5]
set style fill solid 0.75 noborder
set tics scale 0

# The networks of many panels are named there: the footer need not have their hashes as well.
if (strlen(nuce_second) > 200) {
    set label 1002 nuce_second[1:197] . '...' at screen 0.01, 0.065 left noenhanced font ',6.5' \
        textcolor rgb '#505050'
}
# Ticks by what the columns are called; the rows of each panel are its own.
ticks_x = ''
stats nuce_data using (ticks_x = ticks_x . sprintf(', "%s" %g', strcol(c_message), column(c_x)), 0) nooutput
eval 'set xtics (' . ticks_x[3:*] . ') font ",8" noenhanced'

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen 0.065 + i * width
    set rmargin at screen 0.01 + (i + 1) * width
    set tmargin at screen 0.88 - j * height
    set bmargin at screen 0.955 - (j + 1) * height
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
    eval 'set ytics (' . ticks_y[3:*] . ') font ",8" noenhanced'
    if (j == rows - 1) { set xlabel 'mean message (rows: ranks, imbalance)' noenhanced } else { unset xlabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):c_y:(0.49):(0.49) \
             with boxxyerror linecolor rgb word(nuce_colours, nuce_style[nuce_series_of[b]]) notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):c_y:c_cell \
             with labels font ',8' textcolor rgb 'white' noenhanced notitle
    unset label
}
# The colours apart, in a panel that shows nothing else.
unset title; unset xlabel; unset tics; unset border
set xrange [0:1]
set yrange [0:1]
set lmargin at screen 0.8
set rmargin at screen 0.99
set tmargin at screen 0.88
set bmargin at screen 0.3
set key at screen 0.99, 0.88 right top Left reverse maxcols 1 samplen 1.5 spacing 1.3 noenhanced
plot NaN notitle, for [s=1:nuce_series] keyentry with boxes \
    linecolor rgb word(nuce_colours, nuce_style[s]) title nuce_series_name[s] noenhanced
unset multiplot
