/* A grid as text on a terminal, which has so many columns. */
#ifndef NUCE_GRID_FIT_H
#define NUCE_GRID_FIT_H

#include "base/grid.h"

/* Prints the grid as text for a terminal of so many columns (characters; 0: any width). Where it is
 * wider, what all rows have alike stands in a sentence below them, long texts are broken, and
 * columns that still do not fit stand in further blocks, below. Nothing is left out. NUCE_FAILED:
 * writing failed. */
nuce_status nuce_grid_print_within(const struct nuce_grid *grid, int columns, FILE *file,
                                   struct nuce_error *error);

/* nuce_grid_print, but that text is fitted to a terminal if file is one, unless is_wide. */
nuce_status nuce_grid_print_fitted(const struct nuce_grid *grid, enum nuce_grid_format format,
                                   int is_wide, FILE *file, struct nuce_error *error);

#endif
