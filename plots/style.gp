# What all figures share: colours, points, and the footer that says what is shown. Read after the
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
# From 13 on the same colours, a little thinner, with other points.
do for [k=1:12] {
    eval sprintf('set linetype %d linecolor rgb "%s" linewidth 1.1 pointtype %d pointsize 0.9', \
        k + 12, word(nuce_colours, k), (k * 5) % 15 + 1)
}
set linetype cycle 24

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

# Sizes in bytes as people write them; v is a power of two on the axes that use it.
nuce_bytes(v) = v < 1024 ? sprintf('%g', v) : v < 1048576 ? sprintf('%gK', v / 1024.0) : \
    sprintf('%gM', v / 1048576.0)

# Title above and footer below all panels: drawn once, with the first plot.
set label 1001 nuce_title at screen 0.5, 0.965 center noenhanced font ',11'
nuce_more = strstrt(nuce_where, '; ') # what is simulated and modelled has a line of its own
set label 1005 nuce_more > 0 ? nuce_where[1:nuce_more] : '' at screen 0.01, 0.09 left noenhanced \
    font ',7.5' textcolor rgb '#505050'
set label 1002 nuce_where[nuce_more > 0 ? nuce_more + 2 : 1:*] at screen 0.01, 0.065 left noenhanced font ',7.5' \
    textcolor rgb '#505050'
set label 1003 nuce_what at screen 0.01, 0.04 left noenhanced font ',7.5' \
    textcolor rgb '#505050'
nuce_caution = nuce_doubts . (nuce_doubts eq '' || nuce_left_out eq '' ? '' : '; ') . nuce_left_out
set label 1004 nuce_caution at screen 0.01, 0.015 left noenhanced font ',7.5' \
    textcolor rgb '#a02020'
