# Means by the model with the range over the networks, over the factor or the heterogeneity, whichever
# the rows have: times, their ratio to the lower bound, and that ratio again without direct, which is so large that
# the others are invisible beside it. Algorithms of the paper are drawn thick, others thin; the bound is dashed, on
# top.
is_over_factor = exists('c_factor')
c_at = is_over_factor ? c_factor : c_heterogeneity
set xlabel (is_over_factor ? 'K, the factor by which blocks grow' : 'heterogeneity, %') noenhanced
set format y '%g'
unset key
width = 0.86 / 3
is_theirs(name) = name eq 'lower bound' || name eq 'greedy' || name eq 'direct'
array thick[nuce_series]
array dots[nuce_series]
array dash[nuce_series]
do for [s=1:nuce_series] {
    thick[s] = is_theirs(nuce_series_name[s]) ? 1.8 : 0.8
    dots[s] = nuce_series_name[s] eq 'lower bound' ? 0 : 0.4
    dash[s] = nuce_series_name[s] eq 'lower bound' ? 2 : 1
}
# The share of part k of 3 in block b.
is_in(b, k) = nuce_panel_of[b] == (k == 1 ? 1 : 2) && \
    (k < 3 || nuce_series_name[nuce_series_of[b]] ne 'direct')

set multiplot
set tmargin at screen 0.87
set bmargin at screen 0.20
do for [k=1:3] {
    set lmargin at screen 0.055 + (k - 1) * width
    set rmargin at screen 0.01 + k * width
    set ylabel (k == 3 ? nuce_panel_name[2] . ', without direct' : nuce_panel_name[k]) \
        noenhanced offset 0.3, 0
    if (k == 1) { set yrange [0:*] } else { set yrange [1:*] }
    if (k == 3) {
        set key at screen 0.99, 0.87 right top Left reverse samplen 2.5 spacing 1.2 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_at:(is_in(b, k) ? column(c_value) : NaN):c_least:c_most \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 linewidth 0.4 pointsize 0 \
             notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_at:(is_in(b, k) ? column(c_value) : NaN) \
             with linespoints linetype nuce_style[nuce_series_of[b]] \
             linewidth thick[nuce_series_of[b]] pointsize dots[nuce_series_of[b]] \
             dashtype dash[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             linewidth thick[s] pointsize dots[s] dashtype dash[s] \
             title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
