# A box a transfer, its colour and number the peer's; a panel for the plan and one for the trace, each
# with a time axis of its own.
set xlabel 'rank' noenhanced
set xtics 1
set yrange [*:*] reverse
set format y '%g'
unset key
set style fill solid 0.75 border rgb '#ffffff'
unset grid
set grid ytics linetype 1 linewidth 0.4 linecolor rgb '#dddddd'
width = 0.95 / nuce_panels
half = 0.19

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.06 + (p - 1) * width
    set rmargin at screen 0.01 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.6
    if (p == 1) { set ylabel 'time, ms' noenhanced } else { unset ylabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):c_start_ms:(column(c_x) - half):(column(c_x) + half):c_start_ms:c_end_ms:(int(column(c_peer)) % 24 + 1) \
             with boxxyerror linecolor variable notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):((column(c_start_ms) + column(c_end_ms)) / 2):c_peer \
             with labels font ',6' notitle
    unset label
}
unset multiplot
