/* HTML that is well-formed XML too: text, tables and pictures, written to a stream whose owner sees
 * to errors of writing. */
#ifndef NUCE_HTML_H
#define NUCE_HTML_H

#include <stdio.h>

#include "base/grid.h"

/* Writes text so that it is text whatever it holds, in an element or in an attribute between double
 * quotes. What is no UTF-8 and control characters other than line ends and tabs become '?'. */
void nuce_html_text(FILE *file, const char *text);

/* Writes format, in which %s is such a text; %d and %lld are numbers as printf writes them. */
void nuce_html_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes text as a paragraph of class, nothing for NULL or "". */
void nuce_html_line(FILE *file, const char *class, const char *text);

/* Which kind of number text says it is, "measured", "emulated", "simulated", "modelled" or "paper";
 * NULL for anything else. */
const char *nuce_html_kind(const char *text);

/* Writes the table in a box that scrolls by itself. caption: text above it, or NULL. target: the id
 * of what made the numbers, to which caption and cells lead, or NULL. */
void nuce_html_table(FILE *file, const struct nuce_grid *grid, const char *caption,
                     const char *target);

/* Writes an SVG file of gnuplot's, width x height in its own units, as an image: whatever is in it,
 * no script of it runs and nothing is loaded. The page shows it without the bands for title and
 * footer (plots/README.md). label is for those who cannot see it. */
void nuce_html_picture(FILE *file, const char *svg, int width, int height, const char *label);

#endif
