# A measure of placements over the size of the mesh with its interval, one panel each; the paper's values are hollow.
unset key
set format y '%g'
set bars 0.5
across = nuce_panels < 2 ? 1 : 2
down = int((nuce_panels + across - 1) / across)
width = 0.86 / across
height = 0.80 / down
is_paper(name) = name[strlen(name) - 5:] eq ' paper'
array size[nuce_series]
array dots[nuce_series]
do for [s=1:nuce_series] {
    size[s] = is_paper(nuce_series_name[s]) ? 1.8 : 0.8
    dots[s] = is_paper(nuce_series_name[s]) ? 6 : 7
}
stats nuce_data using c_ranks nooutput name 'ranks'
set xrange [0:ranks_max * 1.06]

set multiplot
do for [p=1:nuce_panels] {
    i = (p - 1) % across
    j = (p - 1) / across
    set lmargin at screen 0.06 + i * width
    set rmargin at screen 0.01 + (i + 1) * width
    set tmargin at screen 0.895 - j * height
    set bmargin at screen 0.895 - (j + 1) * height + 0.085
    set title nuce_panel_name[p] noenhanced font ',10' offset 0, -0.7
    if (nuce_panel_name[p][1:7] eq 'latency') { set yrange [*:*] } else { set yrange [0:*] }
    if (p > nuce_panels - across) { set xlabel 'processes' noenhanced offset 0, 0.4 } \
        else { unset xlabel }
    if (p == nuce_panels) {
        set key at screen 0.99, 0.895 right top Left reverse samplen 2.5 spacing 1.3 noenhanced
    }
    plot for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_ranks:(nuce_panel_of[b] == p ? column(c_value) : NaN):xtic(strcol(c_mesh)) \
             with linespoints linetype nuce_style[nuce_series_of[b]] \
             pointtype dots[nuce_series_of[b]] pointsize size[nuce_series_of[b]] notitle, \
         for [b=1:nuce_blocks] nuce_data index b - 1 \
             using c_ranks:(nuce_panel_of[b] == p ? column(c_value) : NaN):c_low:c_high \
             with yerrorbars linetype nuce_style[nuce_series_of[b]] dashtype 1 \
             pointtype dots[nuce_series_of[b]] pointsize size[nuce_series_of[b]] notitle, \
         for [s=1:nuce_series] keyentry with linespoints linetype nuce_style[s] \
             pointtype dots[s] pointsize size[s] title nuce_series_name[s] noenhanced
    unset label
}
unset multiplot
