# A capture, from nuce figure FILE.capture: rows of columns panel (share, rest, duration, skew, size, matrix, empty),
# label, x, y, value, low and high. Below: which pattern took the time and had the bytes, how long its calls
# took and how far apart the ranks came, the sizes of messages, and the matrix of messages of one pattern.

# The block of each panel; 0: it has no rows.
block_of(name) = (found = 0, sum [p=1:nuce_panels] (nuce_panel_name[p] eq name ? found = p : 0), found)
share = block_of('share')
duration = block_of('duration')
skew = block_of('skew')
size = block_of('size')
matrix = block_of('matrix')
rest = block_of('rest')
empty = block_of('empty')
stats nuce_data index share - 1 using c_x nooutput name 'bars'
stats nuce_data index size - 1 using c_x nooutput name 'sizes'
stats nuce_data index matrix - 1 using c_value nooutput name 'cell'
stats nuce_data index matrix - 1 using c_high nooutput name 'ranks'
label = ''
stats nuce_data index matrix - 1 using (label = stringcolumn(c_label), 1) every ::0::0 nooutput
others = ''
if (rest > 0) { stats nuce_data index rest - 1 using (others = stringcolumn(c_label), 1) nooutput }

set multiplot

# Patterns downwards, those that took most time first.
set lmargin at screen 0.21
set rmargin at screen 0.53
set tmargin at screen 0.88
set bmargin at screen 0.56
set title 'Share of each pattern, %' . others noenhanced offset 0, -0.6
set yrange [1.3 * bars_max + 0.9:0.4] # with room for the key
set xrange [0:*]
set ytics scale 0
set grid noytics
set key bottom right noreverse at graph 0.98, 0.04
set style fill solid 0.85 noborder
set boxwidth 0.36
plot nuce_data index share - 1 \
         using (0):(column(c_x) - 0.19):(0):(valid(c_y) ? column(c_y) : 0):(column(c_x) - 0.37):(column(c_x) - 0.01): \
               ytic(stringcolumn(c_label)) \
         with boxxyerror linetype 1 title (has_y[share] > 0 ? 'of the time of the ranks' : 'of the time: not known'), \
     nuce_data index share - 1 \
         using (0):(column(c_x) + 0.19):(0):(column(c_value)):(column(c_x) + 0.01):(column(c_x) + 0.37) \
         with boxxyerror linetype 2 title 'of all bytes in messages'
unset label

# Durations and skews of the same patterns.
set tmargin at screen 0.47
set bmargin at screen 0.16
set title 'A call: duration and skew, us: median, 10 to 90 %' noenhanced offset 0, -0.6
set grid noytics
if (duration > 0 || skew > 0) {
    set logscale x 10
    set xrange [*:*]
    set format x '%g'
    set key bottom left at graph 0.02, 0.04 noreverse
    plot nuce_data index (duration > 0 ? duration : skew) - 1 \
             using (duration > 0 ? column(c_y) : NaN):(column(c_x) - 0.15):(column(c_low)):(column(c_high)): \
                   ytic(stringcolumn(c_label)) \
             with xerrorbars linetype 1 title 'duration, of the longest rank', \
         nuce_data index (skew > 0 ? skew : duration) - 1 \
             using (skew > 0 ? column(c_y) : NaN):(column(c_x) + 0.15):(column(c_low)):(column(c_high)) \
             with xerrorbars linetype 2 title 'skew, from the first to the last arrival'
    unset logscale x
    set format x
} else {
    unset key
    unset ytics
    set xrange [0:1]
    set label 1 'no times were measured' at graph 0.5, 0.5 center noenhanced
    plot NaN notitle
    unset label 1
}

# Sizes.
set lmargin at screen 0.62
set rmargin at screen 0.93
set title 'Messages by size, %' noenhanced offset 0, -0.6
set grid ytics
set ytics scale 0.6 autofreq nomirror
set xtics nomirror
set yrange [0:135]
set xrange [sizes_min / 1.2:sizes_max * 2.4]
set logscale x 2
set xtics ('0' 0.5, '1' 1, '16' 16, '256' 256, '4K' 4096, '64K' 65536, '1M' 1048576, '16M' 16777216, \
    '256M' 268435456, '4G' 4294967296)
do for [k=0:32] { if (sizes_max < 64 * sizes_min) { set xtics add (nuce_bytes(2.0**k) 2.0**k) } }
set ytics 0, 20, 100
set xlabel 'message size (bytes, power-of-two bins)' noenhanced offset 0, 0.4
set key top right at graph 0.98, 0.97
plot nuce_data index size - 1 \
         using c_x:(0):(column(c_x) * 2**0.06):(column(c_x) * 2**0.49):(0):c_y \
         with boxxyerror linetype 1 title 'of messages', \
     nuce_data index size - 1 \
         using c_x:(0):(column(c_x) * 2**0.51):(column(c_x) * 2**0.94):(0):c_value \
         with boxxyerror linetype 2 title 'of bytes'
unset logscale x
unset xtics
unset ytics
unset key

# The matrix of messages: rows are sources, from above; white: no message.
set tmargin at screen 0.88
set bmargin at screen 0.58
set rmargin at screen 0.90
set title label noenhanced offset 0, -0.6
set xlabel 'destination' noenhanced offset 0, 0.4
set ylabel 'source' noenhanced offset 1.2, 0
set xrange [-0.5:ranks_max - 0.5]
set yrange [ranks_max - 0.5:-0.5]
set grid noxtics noytics
tens = 10.0 ** floor(log10(ranks_max > 8 ? ranks_max / 8.0 : 1))
step = tens * (ranks_max <= 8 * tens ? 1 : ranks_max <= 16 * tens ? 2 : ranks_max <= 40 * tens ? 5 : 10)
set xtics 0, step nomirror scale 0.6 out
set ytics 0, step nomirror scale 0.6 out
set palette defined (0 '#ffffff', 0.001 '#d6e6f2', 0.5 '#4a90c2', 1 '#08306b')
set cbrange [0:cell_max > 0 ? cell_max : 1]
set cblabel 'bytes' noenhanced offset 0.5, 0
set format cb (cell_max < 10 ? '%g' : '%.1s%c')
if (empty > 0) {
    stats nuce_data index empty - 1 using (others = nuce_wrap(stringcolumn(c_label), 36), 1) nooutput
    set label 1 others at graph 0.5, 0.55 center noenhanced front
}
plot nuce_data index matrix - 1 \
    using (column(c_x) + 0.5 * column(c_low) - 0.5):(column(c_y) + 0.5 * column(c_low) - 0.5): \
          (0.5 * column(c_low)):(0.5 * column(c_low)):c_value \
    with boxxyerror fill solid 1 noborder linecolor palette notitle
unset multiplot
