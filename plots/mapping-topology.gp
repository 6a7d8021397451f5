# A network of switches with a placement on it, a panel each: the tree that routes go by is drawn from
# the root down, processes hang on their switches in columns of up to four.
unset key
unset border
unset tics
unset grid
across = nuce_panels < 2 ? 1 : 2
down = int((nuce_panels + across - 1) / across)
left = 0.01
right = 0.99
bottom = 0.09
top = 0.94
width = (right - left) / across
height = (top - bottom) / down
stats nuce_data using c_x1 nooutput name 'x'
stats nuce_data using c_y1 nooutput name 'y'
stats nuce_data using c_slot nooutput name 'slot'
stats nuce_data using c_columns nooutput name 'columns'
most = int(slot_max) + 1
deep = most > 4 ? 4 : most
wide = int((most + deep - 1) / deep)
# A process is as large as the room between switches allows: x from leaf to leaf is 1.
cell = 0.84 / wide
tall = 0.6 / deep
tall = tall > 0.16 ? 0.16 : tall
letter = 1300.0 * 0.75 / across / (x_max - x_min + 1.4) * cell * 0.33
letter = letter > 9 ? 9 : letter
set xrange [x_min - 0.7:x_max + 0.7]
set yrange [y_min - 0.78:y_max + 0.3]
array colour[12]
do for [k=1:12] { colour[k] = int('0x' . substr(word(nuce_colours, k), 2, 7)) }
part(c, shift) = (int(c) / int(shift)) % 256
mix(c, shift, t) = int(part(c, shift) * (1 - t) + 255 * t) * int(shift)
lighter(c, t) = mix(c, 65536, t) + mix(c, 256, t) + mix(c, 1, t)
light(row, k) = row != row ? 0 : lighter(colour[int(row) % 12 + 1], 0.15 + 0.6 * k / columns_max)
wide_of(count) = int((count + deep - 1) / deep)
across_of(slot, count) = slot == slot ? int(slot) / deep - (wide_of(int(count)) - 1) / 2.0 : NaN
down_of(slot) = slot == slot ? int(slot) % deep + 0.5 : NaN

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % across
    j = (p - 1) / across
    set lmargin at screen left + i * width + 0.005
    set rmargin at screen left + (i + 1) * width - 0.005
    set tmargin at screen top - j * height - 0.035
    set bmargin at screen top - (j + 1) * height + 0.01
    set title nuce_panel_name[p] noenhanced font ',10' offset 0, -0.6
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && column(c_is_tree) == 0 ? column(c_x1) : NaN):c_y1: \
                   (column(c_x2) - column(c_x1)):(column(c_y2) - column(c_y1)) \
             with vectors nohead linecolor rgb '#9a9a9a' linewidth 0.8 dashtype 2, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && column(c_is_tree) == 1 ? column(c_x1) : NaN):c_y1: \
                   (column(c_x2) - column(c_x1)):(column(c_y2) - column(c_y1)) \
             with vectors nohead linecolor rgb '#303030' linewidth 2.2, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && strcol(c_kind) eq 'switch' ? column(c_x1) : NaN): \
                   c_y1:(0.28):(0.08) \
             with boxxyerror fillstyle solid 1 border rgb '#303030' linecolor rgb '#ffffff', \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && strcol(c_kind) eq 'switch' ? column(c_x1) : NaN): \
                   c_y1:(sprintf('s%d', int(column(c_number)))) \
             with labels font ',8' noenhanced, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && strcol(c_kind) eq 'process' ? \
                    column(c_x1) + cell * across_of(column(c_slot), column(c_count)) : NaN): \
                   (column(c_y1) - 0.1 - tall * down_of(column(c_slot))):(cell / 2):(tall / 2): \
                   (light(column(c_row), column(c_column))) \
             with boxxyerror fillstyle solid 1 border rgb '#ffffff' linecolor rgb variable, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p && strcol(c_kind) eq 'process' ? \
                    column(c_x1) + cell * across_of(column(c_slot), column(c_count)) : NaN): \
                   (column(c_y1) - 0.08 - tall * down_of(column(c_slot))): \
                   (letter < 3 ? '' : sprintf('%d', int(column(c_rank)))) \
             with labels font sprintf(',%g', letter) noenhanced
    unset label
}
unset multiplot
