/* The few statistics that a benchmark can defend: order statistics, which assume nothing about the
 * distribution of times. */
#ifndef NUCE_STATISTICS_H
#define NUCE_STATISTICS_H

#include <stdint.h>

/* Sorts count values in place, ascending. No NaN. */
void nuce_statistics_sort(double *values, int64_t count);

/* Quantile q (0..1) of count > 0 ascending values, type 7 of Hyndman and Fan ("Sample quantiles in
 * statistical packages", The American Statistician 50(4), 1996), as in R, NumPy and Excel. */
double nuce_statistics_quantile(const double *sorted, int64_t count, double q);

/* The middle one of count > 0 ascending values; for an even count the mean of the middle two. */
double nuce_statistics_median(const double *sorted, int64_t count);

struct nuce_interval {
    double low, high;  /* same unit as the values */
    double confidence; /* reached: at least the requested one, or less with too few values */
};

/* The distribution-free confidence interval of the median from order statistics: values r and count
 * + 1 - r, with the largest r whose binomial coverage 1 - 2 P(B(count, 1/2) < r) is at least
 * confidence (Conover: "Practical Nonparametric Statistics", 3rd ed., 3.2; Le Boudec: "Performance
 * Evaluation", 2.2). With too few values (fewer than 6 at 0.95) the interval is the whole range and
 * `confidence` is its actual confidence. */
struct nuce_interval nuce_statistics_median_interval(const double *sorted, int64_t count,
                                                     double confidence);

/* Half the width of the interval of a mean of n values, in standard errors, by Student's
 * distribution with n - 1 degrees of freedom (> 0). T is within it with that confidence, 0 <=
 * confidence < 1. */
double nuce_statistics_student(int64_t degrees, double confidence);

/* P(|T| >= |t|) of that distribution, to about 1e-16: the two-sided p of a mean that is t standard
 * errors away from the hypothesis. */
double nuce_statistics_student_beyond(double t, int64_t degrees);

#endif
