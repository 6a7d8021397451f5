# The ratio of each contender to the reference, with its 95 % interval over launches: the first twelve panels, which
# are the newest. Where each panel has one size, a row a contender, the fastest on top and in colour; else lines over
# the size, and contenders of one size side by side. Grey: the noise, the reference against its duplicate. A panel
# whose contenders ran alone has their times, ms. x: tables/panels.sql.
unset key
# Races without messages have no panel.
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
if (whole == 0) { eval nuce_nothing('none of its patterns has a message') }
panels = whole < 12 ? whole : 12
# Series that are the reference somewhere; their ratio there is 1.
array is_reference[nuce_series]
do for [k=1:nuce_series] { is_reference[k] = 0 }
do for [b=1:nuce_blocks] {
    if (has_is_reference[b] > 0) {
        stats nuce_data index b - 1 using c_is_reference nooutput name 'role'
        if (role_max == 1) { is_reference[nuce_series_of[b]] = 1 }
    }
}
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
# Without an interval, as for the reference, both ends are the value.
lower_end(p) = valid(is_race[p] ? c_ratio_low : c_low_ms) ? drawn_low(p) : drawn(p)
upper_end(p) = valid(is_race[p] ? c_ratio_high : c_high_ms) ? drawn_high(p) : drawn(p)
drawn_x(row) = valid(c_x) ? column(c_x) : 1 # of a size that is not known
least(a, b) = a < b ? a : b
most(a, b) = a > b ? a : b
array is_noise[nuce_blocks] # a row of its own in one size, a box behind the others along several
do for [b=1:nuce_blocks] {
    stats nuce_data index b - 1 using c_is_noise nooutput name 'noise'
    is_noise[b] = noise_max == 1
}
array count_of[panels] # of rows in it
array place_of[nuce_blocks]
do for [b=1:nuce_blocks] { place_of[b] = 0 }
do for [p=1:panels] { count_of[p] = 0 }
array message_of[panels] # bytes of a mean message over x
do for [p=1:panels] { message_of[p] = 1 }
array reference_of[panels]
do for [p=1:panels] { reference_of[p] = 'reference' }
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
        if (has_is_reference[b] > 0) {
            stats nuce_data index b - 1 using c_is_reference nooutput name 'role'
            if (role_max == 1) { reference_of[p] = nuce_series_name[nuce_series_of[b]] }
        }
        count_of[p] = count_of[p] + 1
        place_of[b] = count_of[p]
        left_of[p] = first ? x_min : least(left_of[p], x_min)
        right_of[p] = first ? x_max : most(right_of[p], x_max)
        bottom_of[p] = first ? low_min : least(bottom_of[p], low_min)
        top_of[p] = first ? high_max : most(top_of[p], high_max)
    }
}
several = 0
races = 0
noises = 0
array noises_of[panels]
do for [p=1:panels] { noises_of[p] = 0 }
do for [b=1:nuce_blocks] {
    if (is_noise[b] && panel_of[b] <= panels) {
        noises = noises + 1
        noises_of[panel_of[b]] = 1
    }
}
do for [p=1:panels] {
    several = several + (left_of[p] < right_of[p])
    races = races + is_race[p]
}
# The name of the reference, where all panels have one.
references = 0
do for [k=1:nuce_series] {
    if (is_reference[k]) {
        references = references + 1
        reference = nuce_series_name[k]
    }
}
if (references != 1) { reference = 'reference' }

# The figure grows with its rows. Fonts are in points, and in SVG in pixels.
points(n) = sprintf(',%g', GPVAL_TERM eq 'svg' ? n * 4 / 3.0 : n)
# One line names the origin of the numbers, a red one the reasons to doubt them.
clause(text, from, to) = strstrt(text, from) == 0 ? '' : strstrt(text[strstrt(text, from):*], to) == 0 \
    ? text[strstrt(text, from):*] : text[strstrt(text, from):strstrt(text, from) + strstrt(text[strstrt(text, from):*], to) - 2]
nuce_caution = (strstrt(nuce_what, 'OVERSUBSCRIBED') > 0 ? 'more ranks than processors; ' : '') \
    . (strstrt(nuce_what, 'BUSY (') > 0 ? clause(nuce_what, 'other load', ')') . '; ' : '') \
    . nuce_doubts . (nuce_doubts eq '' || nuce_left_out eq '' ? '' : '; ') . nuce_left_out
if (nuce_caution[strlen(nuce_caution) - 1:*] eq '; ') { nuce_caution = nuce_caution[1:strlen(nuce_caution) - 2] }
nuce_from = (whole > panels ? sprintf('the newest %d of %d panels, the table has all; ', panels, whole) : '') \
    . nuce_where . clause(clause(nuce_what, ', n = ', ', medians'), ', n = ', ' (') . clause(nuce_what, ', campaign', ';')
star = strstrt(nuce_title, '*: none is significantly faster')
if (star > 0 && several == 0) { nuce_title = nuce_title[1:star - 1] . 'blue: none is significantly faster' }
unset label
set label 1001 nuce_title left noenhanced font nuce_font(nuce_title, GPVAL_TERM eq 'svg' ? 15 : 11, 100)
set label 1002 nuce_from left noenhanced font nuce_font(nuce_from, GPVAL_TERM eq 'svg' ? 11 : 8, 150) textcolor rgb '#505050'
# The caution takes as many lines as it needs, and the figure grows by those after the first.
nuce_wrapped = nuce_wrap(nuce_caution, several == 0 || panels <= 3 ? 140 : 185)
nuce_rows = nuce_lines(nuce_wrapped)
more = 13 * (nuce_rows - 1)
do for [k=1:nuce_rows] {
    set label 1010 + k nuce_line(nuce_wrapped, k) left noenhanced font points(8) textcolor rgb '#a02020'
}
placed(label, y) = sprintf('set label %d at screen 0.012, %g; ', label, y)
rows_placed(k, height) = k == 0 ? '' : placed(1010 + k, (11.0 + 13 * (nuce_rows - k)) / height) . rows_placed(k - 1, height)
bands(height) = placed(1001, 1 - 16.0 / height) . placed(1002, (27.0 + more) / height) . rows_placed(nuce_rows, height)
# A place on the screen without these lines, on the screen with them.
above_caution(y, height) = (y * (height - more) + more) / height

if (several == 0) {
    # Each row of panels is as high as its longest needs, with a line for the title and one for the axis.
    columns = panels > 4 ? 2 : 1
    rows = int((panels + columns - 1) / columns)
    array lines_of[rows]
    do for [j=1:rows] { lines_of[j] = 0 }
    lines = 0.4
    do for [p=1:panels] {
        j = int((p - 1) / columns) + 1
        lines_of[j] = most(lines_of[j], count_of[p])
    }
    do for [j=1:rows] { lines = lines + lines_of[j] + 3.3 }
    # From 15 to 26 pixels per line, as many as 500 pixels have room for.
    line = least(26, most(15, 0.84 * 500 / lines))
    height = most(260, int(line * lines / 0.84)) + more
    eval nuce_resized(900, height)
    eval bands(height)
    line = 0.84 / lines * (height - more) / height
    # The text beside each row.
    array label_of[nuce_blocks]
    array text_of[nuce_blocks]
    array colour_of[nuce_blocks]
    array fastest_of[panels]
    do for [p=1:panels] { fastest_of[p] = 0 }
    array heading_of[panels] # without the text behind the mean message
    array band_low[panels]
    array band_high[panels]
    longest = 0
    longest_text = 0
    do for [b=1:nuce_blocks] {
        p = panel_of[b]
        label_of[b] = ''
        text_of[b] = ''
        colour_of[b] = '#707070'
        if (p <= panels) {
            if (has_interval[b] + has_time[b] > 0) {
                stats nuce_data index b - 1 using (label_of[b] = strcol(c_named), \
                    text_of[b] = is_race[p] ? strcol(c_interval) : strcol(c_time), 0) nooutput
            }
            if (has_fastest[b] > 0) { fastest_of[p] = fastest_of[p] + 1 }
            if (is_noise[b]) {
                colour_of[b] = '#a0a0a0'
                stats nuce_data index b - 1 using (lower_end(p)) nooutput name 'low'
                stats nuce_data index b - 1 using (upper_end(p)) nooutput name 'high'
                band_low[p] = low_min
                band_high[p] = high_max
            }
            longest = most(longest, strlen(label_of[b]))
            longest_text = most(longest_text, strlen(text_of[b]))
            if (has_heading[b] > 0) {
                stats nuce_data index b - 1 using (heading_of[p] = strcol(c_heading), 0) nooutput
            }
        }
    }
    # Where nothing is shown to be slower nothing is in colour.
    do for [b=1:nuce_blocks] {
        p = least(panel_of[b], panels)
        if (has_fastest[b] > 0 && panel_of[b] <= panels && fastest_of[p] < count_of[p] - noises_of[p]) { colour_of[b] = '#0060a0' }
    }
    do for [p=1:panels] {
        cut = strstrt(heading_of[p], ', longest')
        if (cut == 0) { cut = strstrt(heading_of[p], ', total') }
        if (cut > 0) { heading_of[p] = heading_of[p][1:cut - 1] }
    }
    size = columns == 1 ? 9 : 8
    letter = 0.0073 * size / 9
    names_width = letter * longest + 0.02
    # The head of the texts is a point smaller.
    head_of(p) = is_race[p] ? 'ratio to ' . (columns == 1 ? reference_of[p] : reference_of[p][1:10]) : 'time'
    do for [p=1:panels] { longest_text = most(longest_text, strlen(head_of(p)) * (size - 1.0) / size) }
    values_width = letter * longest_text + 0.02
    width = 1.0 / columns
    set tics scale 0.4
    set border 1
    unset ytics
    set grid xtics noytics
    axis_font = points(8)
    set multiplot
    at_top = above_caution(0.94, height)
    do for [p=1:panels] {
        i = (p - 1) % columns
        j = int((p - 1) / columns) + 1
        if (i == 0 && j > 1) { at_top = at_top - line * (lines_of[j - 1] + 3.3) }
        set lmargin at screen i * width + names_width
        set rmargin at screen (i + 1) * width - values_width
        set tmargin at screen at_top - line * 1.5
        set bmargin at screen at_top - line * (1.5 + count_of[p])
        set yrange [count_of[p] + 0.5:0.5]
        low = is_race[p] ? least(bottom_of[p], 1) : bottom_of[p]
        high = is_race[p] ? most(top_of[p], 1) : top_of[p]
        pad = most((high / low) ** 0.06, 1.03)
        set logscale x 10
        set xrange [low / pad:high * pad]
        set format x '%g'
        set xtics () font axis_font
        # The most ticks whose numbers, of so many letters, have room where they are nearest to one another.
        axis_pixels = 900 * (width - names_width - values_width)
        has_room(nearest, letters) = log10(nearest) * axis_pixels > (6 * letters + 4) * log10(high / low * pad**2)
        ticks = high < 1.6 * low && has_room(1.2 / 1.15, 4) ? '1 1.05 1.1 1.15 1.2 1.3 1.4 1.5 2 3 4 5 6 7 8 8.5 9 9.5' : \
                high < 3 * low && has_room(2 / 1.8, 3) ? '1 1.2 1.4 1.6 1.8 2 2.5 3 4 5 6 7 8 9' : \
                high < 10 * low && has_room(5 / 4.0, 3) ? '1 1.5 2 3 4 5 7' : \
                high < 1000 * low && has_room(2, low < 0.1 ? 4 : 3) ? '1 2 5' : '1'
        do for [e=floor(log10(low / pad)):ceil(log10(high * pad))] {
            do for [d in ticks] { set xtics add (d * 10.0**e) }
        }
        heading = heading_of[p]
        set label 1 heading at screen i * width + 0.012, at_top - line * 0.7 left noenhanced \
            font nuce_font(heading, GPVAL_TERM eq 'svg' ? 12 : 9, (columns == 1 ? 100 : 52)) front
        set label 2 head_of(p) at screen (i + 1) * width - values_width + 0.01, at_top - line * 0.7 left noenhanced font points(size - 1) textcolor rgb '#505050'
        if (is_race[p]) {
            set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead linewidth 0.8 linecolor rgb '#404040'
        }
        if (is_race[p] && p > panels - columns) {
            set label 3 'faster  ' at first 1, graph 0 right offset 0, -2.2 font points(8) textcolor rgb '#505050'
            set label 4 '  slower' at first 1, graph 0 left offset 0, -2.2 font points(8) textcolor rgb '#505050'
            set label 5 '|' at first 1, graph 0 center offset 0, -2.2 font points(8) textcolor rgb '#505050'
        }
        do for [b=1:nuce_blocks] {
            if (panel_of[b] == p) {
                set label 10 + 2 * b label_of[b] at graph 0, first place_of[b] right offset -1, 0 noenhanced \
                    font points(size) textcolor rgb (is_noise[b] ? '#707070' : colour_of[b] eq '#0060a0' ? colour_of[b] : '#202020')
                set label 11 + 2 * b text_of[b] at screen (i + 1) * width - values_width + 0.01, first place_of[b] left noenhanced \
                    font points(size) textcolor rgb (is_noise[b] ? '#707070' : colour_of[b] eq '#0060a0' ? colour_of[b] : '#202020')
                if (is_noise[b]) {
                    set object 1 rectangle from first band_low[p], graph 0 to first band_high[p], graph 1 behind \
                        fillstyle solid noborder fillcolor rgb '#e6e6e6'
                }
            }
        }
        plot for [b=1:nuce_blocks] nuce_data index b - 1 \
                 using (panel_of[b] == p ? drawn(p) : NaN):(place_of[b]):(lower_end(p)):(upper_end(p)) \
                 with xerrorbars pointtype 7 pointsize 0.9 linewidth 1.6 dashtype 1 linecolor rgb colour_of[b] notitle
        unset label
        unset arrow
        unset object
    }
    unset multiplot
} else {
    full = (panels > 3 ? 700 : 500) + more
    eval nuce_resized(panels > 3 ? 1200 : 900, full)
    eval bands(full)
    columns = panels <= 3 ? panels : panels <= 8 ? int((panels + 1) / 2) : 4
    rows = int((panels + columns - 1) / columns)
    set logscale x 2
    set logscale y 10
    set format y '%g'
    # The noise is a box here.
    do for [b=1:nuce_blocks] {
        if (is_noise[b]) { panel_of[b] = nuce_panels + 1 }
    }
    # The others in the order of their styles, for the key.
    array entry_of[nuce_series]
    entries = 0
    do for [k=1:36] {
        do for [s=1:nuce_series] {
            if (nuce_style[s] == k && nuce_series_name[s] ne 'noise') {
                entries = entries + 1
                entry_of[entries] = s
            }
        }
    }
    # One range for all races, unless one of them would be flat in it.
    lowest = 1
    highest = 1
    do for [p=1:panels] {
        if (is_race[p]) {
            lowest = least(lowest, bottom_of[p])
            highest = most(highest, top_of[p])
        }
    }
    is_common = 1
    do for [p=1:panels] { is_common = is_common && (!is_race[p] || log(top_of[p] / bottom_of[p]) > 0.3 * log(highest / lowest)) }
    do for [p=1:panels] {
        if (is_race[p] && is_common) { bottom_of[p] = lowest; top_of[p] = highest }
    }
    # The width of the key is that of its longest name, as gnuplot computes it.
    small_key = nuce_series > 12
    longest_name = 0
    do for [k=1:nuce_series] {
        length = strlen(nuce_series_name[k]) + (is_reference[k] ? 12 : 0)
        if (length > longest_name) { longest_name = length }
    }
    key_width = 0.005 + longest_name * (small_key ? 0.0072 : 0.0092) * (panels > 3 ? 1 : 4 / 3.0)
    left = 0.07
    right = key_width > 0.13 ? 0.99 - key_width : 0.86
    bottom = above_caution(0.19, full)
    top = above_caution(0.88, full)
    # Room between panels, also for a name of the axis where it is another one.
    gap = 0.04
    do for [p=1:panels] { if (is_race[p] != is_race[1]) { gap = 0.07 } }
    width = (right - left + gap) / columns
    height = (top - bottom + 0.1) / rows

    # Long names continue on the next line, between words.
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
    # The legend of the marks, below the title.
    set label 1006 (noises > 0 ? 'Grey: noise (the reference against its duplicate). ' : '') \
        . 'Contenders of one size are drawn side by side.' \
        at screen 0.012, above_caution(0.937, full) left noenhanced font points(8) textcolor rgb '#505050'
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
        set rmargin at screen left + (i + 1) * width - gap
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
        ylabel = !is_race[p] ? 'ms' : 'ratio to ' . reference
        if (i == 0 || is_race[p] != is_race[1]) { set ylabel ylabel noenhanced offset 1, 0 } else { unset ylabel }
        if (p > panels - columns && !is_single) {
            set xlabel (strstrt(name_of[p], 'exchange') != 1 ? 'bytes' : 'item-bytes' . (abs(message_of[p] - 1) > 0.01 \
                ? sprintf('; mean message: %.3g items', message_of[p]) : '')) \
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
        for [k=1:noises > 0] keyentry with boxes fillstyle solid noborder linecolor rgb '#d8d8d8' title 'noise', \
        for [k=1:entries] keyentry with linespoints linetype nuce_style[entry_of[k]] \
        title nuce_series_name[entry_of[k]] . (is_reference[entry_of[k]] ? ' (reference)' : '') noenhanced
    unset multiplot
}
