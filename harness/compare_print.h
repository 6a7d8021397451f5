/* What `nuce compare` found, for people and for programs. */
#ifndef NUCE_COMPARE_PRINT_H
#define NUCE_COMPARE_PRINT_H

#include "contrast.h"
#include "grid.h"

/* A row a point, to be read; *out is released with nuce_grid_fini, also after a failure. */
nuce_status nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out,
                               struct nuce_error *error);

/* A row a point with all there is, numbers in full; in the same way. */
nuce_status nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out,
                              struct nuce_error *error);

/* On stderr: what is not in the comparison. */
void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice);

/* On stderr: what a reader must know before believing it, and the verdict as the last line. */
void nuce_compare_say_verdict(const struct nuce_contrast *contrast);

#endif
