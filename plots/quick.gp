# How many times as long as the reference each contender takes, over size, a panel an instance (the first
# twelve: the newest), with 95 % intervals over launches; the grey boxes are the noise, the interval of
# the reference against itself: nothing within is told apart. A panel whose contenders ran alone has their
# times, ms. Panels have their own axes: sizes of exchanges and arrays are orders of magnitude apart.
# x: tables/panels.sql; contenders of one size stand side by side. A panel of one size names
# them on its axis.
set logscale x 2
set logscale y 10
set format y '%g'
unset key
# What has no message has no panel.
array place_of_panel[nuce_panels]
array panel_of[nuce_blocks]
array name_of[nuce_panels]
do for [p=1:nuce_panels] { place_of_panel[p] = 0 }
whole = 0
do for [b=1:nuce_blocks] {
    p = nuce_panel_of[b]
    if (has_ratio[b] + has_ms[b] + has_predicted_ms[b] > 0 && place_of_panel[p] == 0) {
        whole = whole + 1
        place_of_panel[p] = whole
        name_of[whole] = nuce_panel_name[p]
    }
    panel_of[b] = place_of_panel[p] > 0 ? place_of_panel[p] : nuce_panels + 1
}
if (whole == 0) { eval nuce_nothing('there is nothing to send in any of its patterns') }
panels = whole < 12 ? whole : 12
columns = panels <= 3 ? panels : panels <= 8 ? int((panels + 1) / 2) : 4
rows = int((panels + columns - 1) / columns)
# Whose ratios are 1 by what they are.
array is_reference[nuce_series]
do for [k=1:nuce_series] { is_reference[k] = 0 }
do for [b=1:nuce_blocks] {
    if (has_is_reference[b] > 0) {
        stats nuce_data index b - 1 using c_is_reference nooutput name 'role'
        if (role_max == 1) { is_reference[nuce_series_of[b]] = 1 }
    }
}
# The key takes what its longest name needs, as gnuplot reckons it.
small_key = nuce_series > 12
longest_name = 0
do for [k=1:nuce_series] {
    length = strlen(nuce_series_name[k]) + (is_reference[k] ? 12 : 0)
    if (length > longest_name) { longest_name = length }
}
key_width = 0.005 + longest_name * (small_key ? 0.0072 : 0.0092)
left = 0.07
right = key_width > 0.13 ? 0.99 - key_width : 0.86
bottom = 0.19
top = 0.88
width = (right - left + 0.04) / columns
height = (top - bottom + 0.1) / rows

array is_race[panels]
do for [p=1:panels] { is_race[p] = 0 }
do for [b=1:nuce_blocks] {
    if (panel_of[b] <= panels && has_ratio[b] > 0) { is_race[panel_of[b]] = 1 }
}
# A contender that ran alone has no place beside those that raced: the table has its time.
do for [b=1:nuce_blocks] {
    if (panel_of[b] <= panels && has_ratio[b] == 0) {
        if (is_race[panel_of[b]]) { panel_of[b] = nuce_panels + 1 }
    }
}
drawn(p) = is_race[p] ? column(c_ratio) : nuce_known(c_ms, c_predicted_ms)
drawn_low(p) = is_race[p] ? column(c_ratio_low) : column(c_low_ms)
drawn_high(p) = is_race[p] ? column(c_ratio_high) : column(c_high_ms)
# Of one without interval, such as the reference, both ends are the value.
lower_end(p) = valid(is_race[p] ? c_ratio_low : c_low_ms) ? drawn_low(p) : drawn(p)
upper_end(p) = valid(is_race[p] ? c_ratio_high : c_high_ms) ? drawn_high(p) : drawn(p)
drawn_x(row) = valid(c_x) ? column(c_x) : 1 # of a size that is not known
least(a, b) = a < b ? a : b
most(a, b) = a > b ? a : b
array count_of[panels] # of contenders in it
array place_of[nuce_blocks]
do for [b=1:nuce_blocks] { place_of[b] = 0 }
do for [p=1:panels] { count_of[p] = 0 }
array message_of[panels] # bytes of a mean message over x
do for [p=1:panels] { message_of[p] = 1 }
array left_of[panels]
array right_of[panels]
array bottom_of[panels]
array top_of[panels]
do for [b=1:nuce_blocks] {
    p = panel_of[b]
    if (p <= panels) {
        stats nuce_data index b - 1 using (drawn_x(0)) nooutput name 'x'
        stats nuce_data index b - 1 using (lower_end(p)) nooutput name 'low'
        stats nuce_data index b - 1 using (upper_end(p)) nooutput name 'high'
        first = count_of[p] == 0
        if (first && has_bytes[b] > 0) {
            stats nuce_data index b - 1 \
                using (column(c_messages) > 0 ? column(c_bytes) / column(c_messages) / drawn_x(0) : 1) nooutput name 'units'
            message_of[p] = units_mean
        }
        count_of[p] = count_of[p] + 1
        place_of[b] = count_of[p]
        left_of[p] = first ? x_min : least(left_of[p], x_min)
        right_of[p] = first ? x_max : most(right_of[p], x_max)
        bottom_of[p] = first ? low_min : least(bottom_of[p], low_min)
        top_of[p] = first ? high_max : most(top_of[p], high_max)
    }
}
# Long names go on in the next line, between words.
room = 180 / columns
array wrapped[panels]
do for [p=1:panels] {
    wrapped[p] = ''
    line = ''
    do for [k=1:words(name_of[p])] {
        next = word(name_of[p], k)
        if (line ne '' && strlen(line) + strlen(next) >= room) {
            wrapped[p] = wrapped[p] . line . "\n"
            line = ''
        }
        line = line . (line eq '' ? '' : ' ') . next
    }
    wrapped[p] = wrapped[p] . line
}
# What the marks are, below the title.
races = 0
several = 0 # contenders of one size stand side by side
do for [p=1:panels] {
    races = races + is_race[p]
    several = several + (left_of[p] < right_of[p])
}
set label 1006 (whole > panels ? sprintf('%d of %d panels, the newest: the table has the others. ', panels, whole) : '') \
    . (races > 0 ? 'Grey: the noise, the reference against itself; nothing within is told apart. ' : '') \
    . (several > 0 ? 'Contenders of one size stand side by side at it.' : '') \
    at screen 0.5, 0.937 center noenhanced font ',8' textcolor rgb '#505050'
# A percent sign in the text of a tick begins a format.
array plain_of[nuce_series]
do for [s=1:nuce_series] {
    plain_of[s] = ''
    do for [k=1:strlen(nuce_series_name[s])] {
        letter = nuce_series_name[s][k:k]
        plain_of[s] = plain_of[s] . letter . (letter eq '%' ? '%' : '')
    }
}
set ytics font ',8'

set multiplot
do for [p=1:panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen left + i * width
    set rmargin at screen left + (i + 1) * width - 0.04
    set tmargin at screen top - j * height
    set bmargin at screen top - (j + 1) * height + 0.1
    title_font = strlen(name_of[p]) > 0.7 * room ? ',7' : ',9'
    set title wrapped[p] noenhanced font title_font offset 0, -0.7
    is_single = left_of[p] == right_of[p]
    # Room at both ends for contenders that stand beside their size (apart, below), however many.
    reach = (count_of[p] - 1) / 2.0 * columns / 220.0 + 0.02
    edge = is_single ? 1 : most(1.6, (right_of[p] / left_of[p]) ** (reach / (1 - 2 * reach)))
    if (is_single) { unset logscale x; set xrange [0.4:count_of[p] + 0.6] } \
        else { set logscale x 2; set xrange [left_of[p] / edge:right_of[p] * edge] }
    set yrange [bottom_of[p] / 1.3:top_of[p] * 1.3]
    # An axis of less than two decades needs more ticks than their ends.
    set ytics autofreq
    if (top_of[p] < 100 * bottom_of[p]) {
        set ytics ()
        do for [e=floor(log10(bottom_of[p])):ceil(log10(top_of[p]))] {
            do for [d in top_of[p] < 2.5 * bottom_of[p] && rows < 3 \
                         ? '1 1.1 1.2 1.3 1.4 1.5 1.7 2 2.5 3 4 5 6 7 8 9' : \
                         top_of[p] < 2.5 * bottom_of[p] ? '1 1.2 1.5 2 3 4 5 6 8' : \
                         top_of[p] < 10 * bottom_of[p] ? '1 1.5 2 3 4 5 7' : '1 2 5'] { set ytics add (d * 10.0**e) }
        }
    }
    # Names of contenders, or powers of two as people write them.
    xtics_font = rows > 2 ? ',6' : ',8'
    set xtics () font xtics_font
    if (is_single) {
        # Where names would lie over one another the key has them, in the same order.
        set xtics rotate by -35 noenhanced ('' 0)
        do for [b=1:nuce_blocks] {
            if (panel_of[b] == p && count_of[p] * columns <= 60) {
                set xtics add (plain_of[nuce_series_of[b]] place_of[b])
            }
        }
    } else {
        set xtics norotate
        step = int(log(right_of[p] / left_of[p]) / log(2) * columns / 20) + 1
        do for [e=floor(log(left_of[p]) / log(2)):ceil(log(right_of[p]) / log(2)):step] {
            set xtics add (nuce_bytes(2.0**e) 2**e)
        }
    }
    # Contenders of one size stand side by side, a fixed width of the axis apart: their bars would hide
    # one another.
    apart = is_single ? 1 : (right_of[p] / left_of[p] * edge**2) ** (columns / 220.0)
    drawn_at(b) = is_single ? place_of[b] \
        : drawn_x(0) * apart ** (place_of[b] - (count_of[p] + 1) / 2.0)
    band_left(b) = is_single ? place_of[b] - 0.5 : drawn_x(0) / 1.3
    band_right(b) = is_single ? place_of[b] + 0.5 : drawn_x(0) * 1.3
    ylabel = !is_race[p] ? 'ms' : rows < 3 ? 'times as long as the reference' : 'times as long'
    if (i == 0 || is_race[p] != is_race[1]) { set ylabel ylabel noenhanced offset 1, 0 } else { unset ylabel }
    if (p > panels - columns && !is_single) {
        set xlabel (strstrt(name_of[p], 'exchange') != 1 ? 'bytes' : 'unit, bytes' . (abs(message_of[p] - 1) > 0.01 \
            ? sprintf('; mean message: %.3g units', message_of[p]) : '')) \
            noenhanced font (columns > 2 ? ',7' : ',10') offset 0, 0.4
    } else { unset xlabel }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (drawn_at(b)):(1):(band_left(b)):(band_right(b)): \
                   (panel_of[b] == p && is_race[p] ? column(c_noise_low) : NaN):c_noise_high \
             with boxxyerror fillstyle solid noborder linecolor rgb '#d8d8d8' notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (drawn_at(b)):(panel_of[b] == p ? drawn(p) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (drawn_at(b)):(panel_of[b] == p ? drawn(p) : NaN):(drawn_low(p)):(drawn_high(p)) \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (drawn_at(b)):(panel_of[b] == p && column(c_is_best) == 1 ? \
                                  upper_end(p) : NaN):('*') \
             with labels offset 0, 0.4 font ',11' textcolor linetype nuce_style[nuce_series_of[b]] notitle
    unset label
}

# The key beside all panels, as high as the figure.
unset border
unset title
unset xlabel
unset ylabel
unset xtics
unset ytics
unset grid
set tmargin at screen 0.9
set bmargin at screen 0.15
set xrange [1:2]
set yrange [1:2]
key_font = small_key ? ',8' : ',10'
set key at screen 0.99, 0.9 right top Left reverse samplen 2.5 noenhanced maxcols 1 font key_font
plot NaN notitle, \
    for [k=1:races > 0] keyentry with boxes fillstyle solid noborder linecolor rgb '#d8d8d8' title 'noise', \
    for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
    title nuce_series_name[s] . (is_reference[s] ? ' (reference)' : '') noenhanced
unset multiplot
