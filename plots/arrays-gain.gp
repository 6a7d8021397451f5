# Gain over ratio, a panel each number of ranks and array, two in a row; series beside one another.
columns = nuce_panels < 2 ? 1 : 2
rows = int(ceil(nuce_panels / (1.0 * columns)))
set logscale x 2
set logscale y 2
set format x '%g'
set format y '%g'
unset key
width = 0.80 / columns
height = 0.70 / rows
stats nuce_data using c_ratio nooutput name 'ratio'
set xrange [(ratio_min < 1 ? ratio_min : 1) / 1.25:ratio_max * 1.25]
set xtics (1, 2, 4, 8, 16, 32)
stats nuce_data using c_gain nooutput name 'gain'
set yrange [(gain_min < 1 ? gain_min : 1) / 1.3:gain_max * 1.4]
apart(s) = 1.022 ** (s - (nuce_series + 1) / 2.0)

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % columns
    j = (p - 1) / columns
    set lmargin at screen 0.08 + i * width
    set rmargin at screen 0.04 + (i + 1) * width
    set tmargin at screen 0.87 - j * height
    set bmargin at screen 0.93 - (j + 1) * height
    set title nuce_panel_name[p] noenhanced offset 0, -0.7
    if (j == rows - 1) { set xlabel 'fastest rank over slowest' noenhanced } else { unset xlabel }
    if (i == 0) { set ylabel 'times as fast as grid' noenhanced } else { unset ylabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot 1 with lines linecolor rgb '#999999' dashtype 2 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_ratio) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_gain) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] linewidth 0.6 notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using (column(c_ratio) * apart(nuce_series_of[b])): \
                   (nuce_panel_of[b] == p ? column(c_gain) : NaN):c_gain_low:c_gain_high \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] linewidth 0.6 \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
