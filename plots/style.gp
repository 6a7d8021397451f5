# Definitions that all figures share: colours, points, and the footer that describes the data. Read after the
# head that nuce writes (its variables are described in README.md) and before the figure's script.

# Twelve colours that stay apart for colour-blind readers and in print: Okabe and Ito ("Color
# Universal Design", 2008) without yellow and black, then darker ones; points differ as well.
nuce_colours = '#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #7a1f1f #4d4d4d #6a3d9a ' . \
    '#b8860b #1b5e20 #a6a6a6'
set linetype 1 linecolor rgb '#0072b2' linewidth 1.6 pointtype 7 pointsize 0.7
set linetype 2 linecolor rgb '#d55e00' linewidth 1.6 pointtype 5 pointsize 0.7
set linetype 3 linecolor rgb '#009e73' linewidth 1.6 pointtype 9 pointsize 0.8
set linetype 4 linecolor rgb '#cc79a7' linewidth 1.6 pointtype 11 pointsize 0.8
set linetype 5 linecolor rgb '#e69f00' linewidth 1.6 pointtype 13 pointsize 0.8
set linetype 6 linecolor rgb '#56b4e9' linewidth 1.6 pointtype 15 pointsize 0.7
set linetype 7 linecolor rgb '#7a1f1f' linewidth 1.6 pointtype 6 pointsize 0.7
set linetype 8 linecolor rgb '#4d4d4d' linewidth 1.6 pointtype 4 pointsize 0.7
set linetype 9 linecolor rgb '#6a3d9a' linewidth 1.6 pointtype 8 pointsize 0.8
set linetype 10 linecolor rgb '#b8860b' linewidth 1.6 pointtype 10 pointsize 0.8
set linetype 11 linecolor rgb '#1b5e20' linewidth 1.6 pointtype 12 pointsize 0.8
set linetype 12 linecolor rgb '#a6a6a6' linewidth 1.6 pointtype 14 pointsize 0.7
# From 13 on the same colours, a little thinner and in long dashes, with other points.
do for [k=1:12] {
    eval sprintf('set linetype %d linecolor rgb "%s" linewidth 1.1 dashtype (12, 5) ' . \
        'pointtype %d pointsize 0.9', k + 12, word(nuce_colours, k), (k * 5) % 15 + 1)
}
# Line types from 25 on repeat the first ones, dotted.
do for [k=1:12] {
    eval sprintf('set linetype %d linecolor rgb "%s" linewidth 1.1 dashtype (2, 4) ' . \
        'pointtype %d pointsize 0.9', k + 24, word(nuce_colours, k), (k * 5 + 7) % 15 + 1)
}
set linetype cycle 36
# A key uses only the colour of a style beyond the cycle.
do for [s=1:nuce_series] { nuce_style[s] = (nuce_style[s] - 1) % 36 + 1 }

set border 3 linewidth 0.7 linecolor rgb '#404040'
set tics nomirror out scale 0.6
set grid xtics ytics linetype 1 linewidth 0.4 linecolor rgb '#dddddd'
set bars 0.6

# Room for title, footer and a key on the right; figures with several panels set their own.
set lmargin at screen 0.09
set rmargin at screen 0.80
set tmargin at screen 0.88
set bmargin at screen 0.19
set key at screen 0.99, 0.88 top right Left reverse noenhanced

# Series of one value are drawn side by side, because their bars would hide one another.
nuce_side_by_side = "set label 1006 'Series of one value are drawn side by side.' " . \
    "at screen 0.5, 0.935 center noenhanced font ',8' textcolor rgb '#505050'"

# Sizes in bytes as people write them; v is a power of two on the axes that use it.
nuce_bytes(v) = v < 1024 ? sprintf('%g', v) : v < 1048576 ? sprintf('%gK', v / 1024.0) : \
    sprintf('%gM', v / 1048576.0)

# Ticks of logarithmic axes that span a few times only: 1, 2, 5 and their multiples by powers of ten, and
# finer ones, for eval 'set ytics (' . nuce_steps . ')'.
nuce_steps = '0.00001'
nuce_fine_steps = nuce_steps
do for [e=-5:8] {
    nuce_steps = nuce_steps . sprintf(', %g, %g, %g', 2 * 10.0**e, 5 * 10.0**e, 10 * 10.0**e)
    nuce_fine_steps = nuce_fine_steps . sprintf(', %g, %g, %g, %g, %g, %g', 1.5 * 10.0**e, \
        2 * 10.0**e, 3 * 10.0**e, 5 * 10.0**e, 7 * 10.0**e, 10 * 10.0**e)
}

# The first of two columns, or the second if the first is unknown. It does not compare with NaN: gnuplot 6 omits a
# line as soon as it reads an unknown column of it.
nuce_known(first, second) = valid(first) ? column(first) : column(second)

# The key of figures with many small panels, in which it would be broken into columns: for
# eval nuce_key as the last of a multiplot, in a panel of its own that shows nothing else.
nuce_key = 'unset title; unset label; unset xlabel; unset ylabel; unset tics; unset border; ' . \
    'unset grid; unset object; unset logscale; set xrange [0:1]; set yrange [0:1]; ' . \
    'set lmargin at screen 0.8; set rmargin at screen 0.99; set bmargin at screen 0.02; ' . \
    'set tmargin at screen 0.9; set key at screen 0.99, 0.88 right top Left reverse ' . \
    'samplen 2.5 spacing 1.2 noenhanced; plot NaN notitle, for [s=1:nuce_series] keyentry ' . \
    'with linespoints linetype nuce_style[s] title nuce_series_name[s] noenhanced'

# Text in lines of at most `room` letters, broken after a space where there is one; its number of lines, and the k-th.
nuce_space(text, at) = at == 0 || text[at:at] eq ' ' ? at : nuce_space(text, at - 1)
nuce_break(text, room) = strlen(text) <= room ? strlen(text) : \
    nuce_space(text, room + 1) > 0 ? nuce_space(text, room + 1) : room
nuce_wrap(text, room) = strlen(text) <= room ? text : text[1:nuce_break(text, room)] . "\n" \
    . nuce_wrap(text[nuce_break(text, room) + 1:*], room)
nuce_lines(text) = 1 + (strstrt(text, "\n") == 0 ? 0 : nuce_lines(text[strstrt(text, "\n") + 1:*]))
nuce_line(text, k) = strstrt(text, "\n") == 0 ? text : k == 1 ? text[1:strstrt(text, "\n") - 1] \
    : nuce_line(text[strstrt(text, "\n") + 1:*], k - 1)

# The size of the figure in 96ths of an inch (README.md), and for eval: another one. PNG is twice as large, PDF in inches.
nuce_options = GPVAL_TERMOPTIONS[strstrt(GPVAL_TERMOPTIONS, 'size ') + 5:*]
nuce_per_pixel = strstrt(GPVAL_TERMOPTIONS, 'fontscale 2') > 0 ? 2.0 : strstrt(nuce_options, 'in,') > 0 ? 1 / 96.0 : 1.0
nuce_number(text) = real(text[strlen(text) - 1:] eq 'in' ? text[1:strlen(text) - 2] : text)
nuce_width = nuce_number(nuce_options[1:strstrt(nuce_options, ',') - 1]) / nuce_per_pixel
nuce_options = nuce_options[strstrt(nuce_options, ',') + 1:*]
nuce_options = nuce_options[(nuce_options[1:1] eq ' ' ? 2 : 1):*]
nuce_height = nuce_number(nuce_options[1:strstrt(nuce_options . ' ', ' ') - 1]) / nuce_per_pixel
nuce_options = strstrt(nuce_options, ' ') > 0 ? nuce_options[strstrt(nuce_options, ' '):*] : ''
nuce_before = GPVAL_TERMOPTIONS[1:strstrt(GPVAL_TERMOPTIONS, 'size ') - 1]
nuce_unit = nuce_per_pixel < 1 ? 'in' : ''
nuce_resized(width, height) = sprintf('set terminal %s %ssize %g%s,%g%s %s', GPVAL_TERM, nuce_before, \
    width * nuce_per_pixel, nuce_unit, height * nuce_per_pixel, nuce_unit, nuce_options)

# Title above and footer below all panels: drawn once, with the first plot; in smaller letters where they would not fit.
# What was measured, and in red what makes it doubtful, take as many lines as they need. If these do not fit below the
# panels, the figure grows. A line is a label: SVG gives the lines of one label the distance of large letters.
nuce_font(text, points, letters) = sprintf(',%g', strlen(text) <= letters * nuce_width / 960 ? points \
    : points * letters * nuce_width / 960 / strlen(text))
set label 1001 nuce_title at screen 0.5, 0.965 center noenhanced font nuce_font(nuce_title, 11, 118)
nuce_more = strstrt(nuce_where, '; ') # simulated and modelled rows have a line of their own
nuce_first = nuce_more > 0 ? nuce_where[1:nuce_more] : ''
nuce_second = nuce_where[nuce_more > 0 ? nuce_more + 2 : 1:*]
nuce_caution = nuce_doubts . (nuce_doubts eq '' || nuce_left_out eq '' ? '' : '; ') . nuce_left_out
nuce_lower = nuce_wrap(nuce_what, int(170 * nuce_width / 960))
nuce_grey = nuce_lines(nuce_lower)
nuce_lower = nuce_lower . "\n" . nuce_wrap(nuce_caution, int(170 * nuce_width / 960))
nuce_rows = nuce_lines(nuce_lower)
nuce_needed = 12.0 * (nuce_rows + (nuce_first ne '')) / 0.077
if (nuce_rows > 2 && nuce_needed > nuce_height) {
    eval nuce_resized(nuce_width, nuce_needed)
    nuce_height = nuce_needed
}
nuce_at(k) = 0.015 + (nuce_rows - k) * (nuce_rows > 2 ? 12.0 / nuce_height : 0.025)
set label 1005 nuce_first at screen 0.01, nuce_at(-1) left noenhanced \
    font nuce_font(nuce_first, 7.5, 175) textcolor rgb '#505050'
set label 1002 nuce_second at screen 0.01, nuce_at(0) left noenhanced \
    font nuce_font(nuce_second, 7.5, 175) textcolor rgb '#505050'
do for [k=1:nuce_rows] {
    set label 1010 + k nuce_line(nuce_lower, k) at screen 0.01, nuce_at(k) left noenhanced font ',7.5' \
        textcolor rgb (k <= nuce_grey ? '#505050' : '#a02020')
}

# If the rows make no figure, a script prints one line that says what is missing, and exits with 3 (plots/README.md):
# eval nuce_nothing(text), and eval nuce_spread('c_ranks', 'ranks') for an axis that needs two values.
nuce_nothing(text) = sprintf("printerr '%s'; exit status 3", text)
nuce_spread(column, name) = 'stats nuce_data using ' . column . " nooutput name 'nuce_spread'; " . \
    'if (nuce_spread_min == nuce_spread_max) { ' . \
    nuce_nothing('all rows have the same ' . name . ', and a figure over it needs several: the table has them') . ' }'
