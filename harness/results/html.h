/* HTML that is also well-formed XML: text, tables and pictures, written to a stream. The owner of
 * the stream checks for write errors. */
#ifndef NUCE_HTML_H
#define NUCE_HTML_H

#include <stdio.h>

#include "base/grid.h"

/* Writes any text as plain text, in an element or in an attribute between double quotes. Invalid
 * UTF-8, and control characters other than line ends and tabs, become '?'. */
void nuce_html_text(FILE *file, const char *text);

/* Writes format, in which %s is escaped in the same way; %d and %lld are numbers as in printf. */
void nuce_html_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes text as a paragraph of class; nothing for NULL or "". */
void nuce_html_line(FILE *file, const char *class, const char *text);

/* The kind of numbers that text names, "measured", "emulated", "simulated", "modelled" or "paper";
 * NULL for any other text. */
const char *nuce_html_kind(const char *text);

/* Writes the table in a box with its own scroll bar. caption: text above it, or NULL. target: the
 * id of the numbers' query, to which caption and cells link, or NULL. */
void nuce_html_table(FILE *file, const struct nuce_grid *grid, const char *caption,
                     const char *target);

/* Writes a gnuplot SVG file, width x height in its own units, as an image: no script in it runs,
 * and nothing is loaded. The page cuts the bands for title and footer off (plots/README.md). label
 * is for readers who cannot see the image. */
void nuce_html_picture(FILE *file, const char *svg, int width, int height, const char *label);

#endif
