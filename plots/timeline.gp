# A box a transfer, its colour and, where there is room, number the peer's; a panel for the plan and one
# for the trace, each with a time axis of its own. Forwarded bytes are hatched, in proportion to the bytes of the box.
set xlabel 'rank' noenhanced
set format x '%g'
set format y '%g'
unset key
set style fill solid 0.75 border rgb '#ffffff'
unset grid
set grid ytics linetype 1 linewidth 0.4 linecolor rgb '#dddddd'
width = 0.95 / nuce_panels
stats nuce_data using c_rank nooutput name 'rank'
set xrange [rank_min - 0.6:rank_max + 0.6]
# Ticks at ranks only: of 16 each a panel at most.
step = 1
while ((rank_max - rank_min + 1) / step > 32.0 / nuce_panels) { step = 2 * step }
set xtics int(ceil(rank_min)), step, int(rank_max)
array last[nuce_panels]
do for [p=1:nuce_panels] { last[p] = 0 }
hatched = 0
do for [b=1:nuce_blocks] {
    hatched = hatched + has_forwarded_bytes[b]
    stats nuce_data index b - 1 using c_end_ms nooutput name 'end'
    if (end_max > last[nuce_panel_of[b]]) { last[nuce_panel_of[b]] = end_max }
}
# A number fits into a box of a fiftieth of the height and some letters' width; bytes that a rank keeps have no
# height.
room(w) = w * width / (rank_max - rank_min + 1.2) > 0.0065
tall(start, end, p) = end - start > 0.02 * last[p]
fits(p) = room(column(c_width)) && \
    (tall(column(c_start_ms), column(c_end_ms), p) || column(c_peer) == column(c_rank))

# The start of the forwarded part of a box.
own(start, end) = end - (end - start) * column(c_forwarded_bytes) / column(c_bytes)
if (hatched > 0) {
    set label 1006 'Hatched: bytes that a rank forwards for others.' at screen 0.5, 0.935 center noenhanced font ',8' \
        textcolor rgb '#505050'
}

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.20
do for [p=1:nuce_panels] {
    set lmargin at screen 0.06 + (p - 1) * width
    set rmargin at screen 0.01 + p * width
    set title nuce_panel_name[p] noenhanced offset 0, -0.6 font nuce_font(nuce_panel_name[p], 10, 118 * width)
    if (p == 1) { set ylabel 'time, ms' noenhanced } else { unset ylabel }
    set yrange [(last[p] > 0 ? 1.02 * last[p] : 1):0]
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? column(c_x) : NaN):c_start_ms: \
                   (column(c_x) - column(c_width) / 2):(column(c_x) + column(c_width) / 2): \
                   c_start_ms:c_end_ms:(int(column(c_peer)) % 24 + 1) \
             with boxxyerror linecolor variable notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && valid(c_forwarded_bytes) ? column(c_x) : NaN):c_start_ms: \
                   (column(c_x) - column(c_width) / 2):(column(c_x) + column(c_width) / 2): \
                   (own(column(c_start_ms), column(c_end_ms))):c_end_ms \
             with boxxyerror fillstyle transparent pattern 4 noborder linecolor rgb '#202020' notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && fits(p) ? column(c_x) : NaN): \
                   ((column(c_start_ms) + column(c_end_ms)) / 2):c_peer \
             with labels font ',6' notitle
    unset label
}
unset multiplot
