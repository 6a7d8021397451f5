/* What `nuce compare` found, for people and for programs. */
#ifndef NUCE_COMPARE_PRINT_H
#define NUCE_COMPARE_PRINT_H

#include <stdio.h>

#include "base/grid.h"
#include "results/contrast.h"

/* Room for a ratio with its interval. */
#define NUCE_RATIO_BYTES 64

/* What is printed for people is at most so wide. */
#define NUCE_COMPARE_COLUMNS 100

/* What all of it comes to; also the exit status. */
enum nuce_compare_outcome {
    NUCE_COMPARE_FINE = 0, /* no point is worse; all, or their mean, are shown not to be */
    NUCE_COMPARE_WORSE =
        1, /* B is slower by more than the threshold at some point, or in their mean */
    NUCE_COMPARE_UNKNOWN = 3, /* neither is shown, or less than was required could have been, or
                                 one side alone had other work beside it */
};

/* What the comparison comes to. required: a slow-down that must have been possible to show at each
 * point, as a fraction (0.05: 5 %); infinity: nothing is required. */
enum nuce_compare_outcome nuce_compare_outcome(const struct nuce_contrast *contrast,
                                               double required);

/* How programs read a verdict: a static string. */
const char *nuce_compare_verdict(enum nuce_comparison_verdict verdict);

/* "1.102 [1.080 1.124]", with the ends of the interval; without them where there is none, or where
 * times are exact. In buffer, which is returned. */
const char *nuce_compare_ratio(const struct nuce_comparison *result, char buffer[NUCE_RATIO_BYTES]);

/* A row a point, to be read: columns that have one value are left out where it would not fit else,
 * and are in *same, "workload exchange, part step", which the caller frees. *out is released with
 * nuce_grid_fini, also after a failure. */
void nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out, char **same);

/* A row a point with all there is, numbers in full, seconds and ratios; *out is released in the
 * same way. */
void nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out);

/* On stderr: what is not in the comparison. */
void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice);

/* On file: what the table's columns are. same: of nuce_compare_table; may be NULL. */
void nuce_compare_say_legend(const struct nuce_contrast *contrast, const char *same, FILE *file);

/* On file: the summary of all points, the verdict, and how to come to one where there is none.
 * required as above. */
void nuce_compare_say_verdict(const struct nuce_contrast *contrast, double required, FILE *file);

#endif
