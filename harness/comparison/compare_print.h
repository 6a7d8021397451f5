/* What `nuce compare` found, for people and for programs. */
#ifndef NUCE_COMPARE_PRINT_H
#define NUCE_COMPARE_PRINT_H

#include "results/contrast.h"
#include "tables/grid.h"

#define NUCE_PERCENT_BYTES 64

/* "3.2 %"; "-" for infinity. In buffer. */
const char *nuce_compare_percent(double fraction, char buffer[NUCE_PERCENT_BYTES]);

/* What B / A is as a change, and the interval of it: "+3.2 %", "[-1.0 +7.4] %"; "-" for none. */
const char *nuce_compare_change(double ratio, char buffer[NUCE_PERCENT_BYTES]);
const char *nuce_compare_interval(const struct nuce_comparison *result,
                                  char buffer[NUCE_PERCENT_BYTES]);

/* A row a point, to be read; *out is released with nuce_grid_fini, also after a failure. */
nuce_status nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out,
                               struct nuce_error *error);

/* A row a point with all there is, numbers in full; in the same way. */
nuce_status nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out,
                              struct nuce_error *error);

/* On stdout, below the table: what its columns are. */
void nuce_compare_print_legend(const struct nuce_contrast *contrast);

/* On stderr: what is not in the comparison. */
void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice);

/* On stderr: what a reader must know before believing it, and the verdict as the last line. */
void nuce_compare_say_verdict(const struct nuce_contrast *contrast,
                              const struct nuce_contrast_choice *choice);

#endif
