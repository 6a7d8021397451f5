/* Prints the results of `nuce compare`, for people and for programs. */
#ifndef NUCE_COMPARE_PRINT_H
#define NUCE_COMPARE_PRINT_H

#include <stdio.h>

#include "base/grid.h"
#include "results/contrast.h"

/* Bytes for a ratio with its interval. */
#define NUCE_RATIO_BYTES 64

/* Maximum width of output for people. */
#define NUCE_COMPARE_COLUMNS 100

/* The outcome of a comparison; also the exit status. */
enum nuce_compare_outcome {
    NUCE_COMPARE_FINE = 0, /* no point is worse; each point, or the mean, is shown not to be */
    NUCE_COMPARE_WORSE =
        1, /* B is slower by more than the threshold at a point, or in the mean of all */
    NUCE_COMPARE_UNKNOWN = 3, /* neither is shown, or the data could not show the required
                                 slow-down, or other work ran beside one side only */
};

/* The outcome of the comparison. required: the slow-down that the data must be able to show at each
 * point, as a fraction (0.05: 5 %); infinity: none. */
enum nuce_compare_outcome nuce_compare_outcome(const struct nuce_contrast *contrast,
                                               double required);

/* The name of a verdict for programs: a static string. */
const char *nuce_compare_verdict(enum nuce_comparison_verdict verdict);

/* "1.102 [1.080 1.124]", with the ends of the interval; without them if there is none, or if times
 * are exact. Writes and returns buffer. */
const char *nuce_compare_ratio(const struct nuce_comparison *result, char buffer[NUCE_RATIO_BYTES]);

/* "8.33ms", or "120 GB/s" of a metric that is no time: a value as those in point->seconds. Writes
 * and returns buffer. */
const char *nuce_compare_value(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point, double seconds,
                               char buffer[NUCE_RATIO_BYTES]);

/* A table for people, with one row per point. If it would be too wide, columns with a single value
 * are removed. *same then lists them, "workload exchange, part step"; the caller frees it. *out is
 * released with nuce_grid_fini, also after a failure. */
void nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out, char **same);

/* A table with all data, one row per point: numbers in full, seconds and ratios; *out is released
 * in the same way. */
void nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out);

/* Prints on stderr what the comparison leaves out. */
void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice);

/* Prints the meaning of the table's columns on file. same is from nuce_compare_table; may be
 * NULL. */
void nuce_compare_say_legend(const struct nuce_contrast *contrast, const char *same, FILE *file);

/* Prints the summary of all points and the verdict on file, and, without a verdict, how to get one.
 * required as above. */
void nuce_compare_say_verdict(const struct nuce_contrast *contrast, double required, FILE *file);

#endif
