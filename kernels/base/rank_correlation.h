/* Spearman's rank correlation: how well one quantity predicts the order of another. It uses nothing
 * but the order. */
#ifndef NUCE_RANK_CORRELATION_H
#define NUCE_RANK_CORRELATION_H

#include <stdint.h>

/* Fewer pairs have no interval. */
#define NUCE_RANK_CORRELATION_LEAST 6

struct nuce_rank_correlation {
    double rho;       /* -1 .. 1; NaN: fewer than two pairs, or all x or all y are equal */
    double low, high; /* 95 % interval of rho; NaN: there is none */
};

/* The rank correlation of count >= 0 pairs (x[i], y[i]), no NaN: Pearson's correlation of their
 * ranks; equal values get the mean of their ranks (Spearman, American Journal of Psychology 15(1),
 * 1904).
 *
 * The interval is the percentile bootstrap's over the pairs (Efron and Tibshirani: "An Introduction
 * to the Bootstrap", 13.3), from 2 000 resamples, always the same for the same pairs. A resample
 * whose x or y are all equal has no order and counts as 0, so that one pair that differs from equal
 * ones shows nothing. If every resample has the same order, the interval is a single number. It
 * then means that no pair contradicts another, not that none could. */
void nuce_rank_correlation(const double *x, const double *y, int64_t count,
                           struct nuce_rank_correlation *out);

#endif
