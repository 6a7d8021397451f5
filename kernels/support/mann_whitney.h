/* Two samples: whether one tends to be larger, by how much, and what they could show at all. Ranks
 * assume nothing about the distribution of the values but that they are independent. */
#ifndef NUCE_MANN_WHITNEY_H
#define NUCE_MANN_WHITNEY_H

#include <stdint.h>

#include "support/error.h"
#include "support/statistics.h"

struct nuce_mann_whitney {
    double u;      /* pairs (a, b) with a < b, ties half */
    double p;      /* two-sided: exact without ties up to 20 x 20 values, else normal with tie and
                      continuity correction, never below nuce_mann_whitney_least_p */
    double effect; /* Cliff's delta = 2 u / (n m) - 1: -1 all b below a .. 1 all b above a */
    double shift;  /* Hodges-Lehmann: median of all b - a, same unit as the values */
};

/* Mann and Whitney's test (Annals of Mathematical Statistics 18(1), 1947) of whether values in b
 * tend to be larger than in a. Both counts > 0; the arrays need not be sorted and stay as they
 * are. NUCE_FAILED when out of memory. */
nuce_status nuce_mann_whitney(const double *a, int64_t a_count, const double *b, int64_t b_count,
                              struct nuce_mann_whitney *out, struct nuce_error *error);

/* The smallest p that nuce_mann_whitney can give for samples of these sizes: 2 / (n + m over n), at
 * most 1. What is to be shown at a level below it needs more values. */
double nuce_mann_whitney_least_p(int64_t a_count, int64_t b_count);

/* The interval of the Hodges-Lehmann shift that goes with the test (Lehmann: "Nonparametrics", 2.6;
 * Hollander and Wolfe: "Nonparametric Statistical Methods", 4.3): the r-th smallest and the r-th
 * largest of all b - a, with the largest r that nuce_mann_whitney would not reject at 1 -
 * confidence. `confidence` of *out says what it reaches. Too few values for any r: -infinity ..
 * infinity, which reaches 1. NUCE_FAILED when out of memory. */
nuce_status nuce_mann_whitney_shift_interval(const double *a, int64_t a_count, const double *b,
                                             int64_t b_count, double confidence,
                                             struct nuce_interval *out, struct nuce_error *error);

#endif
