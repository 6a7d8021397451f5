/* Prints a grid as text that fits the width of a terminal. */
#ifndef NUCE_GRID_FIT_H
#define NUCE_GRID_FIT_H

#include "base/grid.h"

/* Prints the grid as text within the given width (characters; 0: no limit). In a wider grid, values
 * common to all rows move to a sentence below them, and long texts are broken. Columns that still
 * do not fit follow in further blocks. Nothing is lost. NUCE_FAILED: writing failed. */
nuce_status nuce_grid_print_within(const struct nuce_grid *grid, int columns, FILE *file,
                                   struct nuce_error *error);

/* As nuce_grid_print, but fits text to the terminal if file is one, unless is_wide. */
nuce_status nuce_grid_print_fitted(const struct nuce_grid *grid, enum nuce_grid_format format,
                                   int is_wide, FILE *file, struct nuce_error *error);

#endif
