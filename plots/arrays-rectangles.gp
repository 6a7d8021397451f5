# Decompositions as they lie, a panel each: parts are as large as their shares, which stand in them with
# their owners; the same owner has the same colour everywhere. Row 0 is on top.
unset key
unset border
unset tics
unset grid
across = nuce_panels < 3 ? nuce_panels : 2
down = int((nuce_panels + across - 1) / across)
left = 0.03
right = 0.97
bottom = 0.10
top = 0.93
width = (right - left) / across
height = (top - bottom) / down
stats nuce_data using (column(c_array_rows)) nooutput name 'rows'
stats nuce_data using (column(c_array_columns)) nooutput name 'columns'
set xrange [0:columns_max]
set yrange [rows_max:0]
set style fill solid 0.35 border rgb '#404040'
array colour[12]
do for [k=1:12] { colour[k] = int('0x' . substr(word(nuce_colours, k), 2, 7)) }
light(owner) = owner == owner ? colour[int(owner) % 12 + 1] : 0
middle(first, size) = first + size / 2

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % across
    j = (p - 1) / across
    set lmargin at screen left + i * width + 0.01
    set rmargin at screen left + (i + 1) * width - 0.01
    set tmargin at screen top - j * height - 0.055
    set bmargin at screen top - (j + 1) * height + 0.015
    set title nuce_panel_name[p] noenhanced font ',10' offset 0, -0.6
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? middle(column(c_first_column), column(c_columns)) : NaN): \
                   (middle(column(c_first_row), column(c_rows))): \
                   (column(c_first_column)):(column(c_first_column) + column(c_columns)): \
                   (column(c_first_row)):(column(c_first_row) + column(c_rows)): \
                   (light(column(c_owner))) \
             with boxxyerror linecolor rgb variable linewidth 1.5, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (nuce_panel_of[b] == p ? middle(column(c_first_column), column(c_columns)) : NaN): \
                   (middle(column(c_first_row), column(c_rows))): \
                   (column(c_share) == column(c_share) ? \
                    sprintf("%d\n%.3g %%", int(column(c_owner)), 100 * column(c_share)) : '') \
             with labels font ',9' offset 0, 0.4 noenhanced
    unset label
}
unset multiplot
