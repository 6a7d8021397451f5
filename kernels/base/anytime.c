/* The critical value is where the e-value reaches 1 / alpha. The e-value grows with the statistic,
 * so bisection finds the place. O(1) memory, some 100 evaluations. */
#include "base/anytime.h"

#include <math.h>
#include <stddef.h>

#include "base/statistics.h"

/* Variances of the effect, a mean in standard deviations of one launch: from a fifth of one, which
 * takes a hundred launches, to 25, which 3 launches show. */
static const double variances[] = {0.04, 1, 25, 625};

/* Beyond it no machine's difference is: the search ends. */
#define MOST_ERRORS 1e6

/* The Bayes factor of a mean with that variance against 0, for the squared t statistic of n values
 * (Goenen, Johnson, Lu, Westfall: "The Bayesian two-sample t test", American Statistician 59(3),
 * 2005). Averaged over the variances, it is an e-value. */
static double e_value(double squared, double n)
{
    double sum = 0, nu = n - 1;

    for (size_t i = 0; i < sizeof variances / sizeof *variances; i++) {
        double grown = 1 + n * variances[i];

        sum += exp(n / 2 * (log1p(squared / nu) - log1p(squared / (nu * grown))) - log(grown) / 2);
    }
    return sum / (double)(sizeof variances / sizeof *variances);
}

double nuce_anytime_critical(int64_t launches, double alpha)
{
    double low = 0, high = 1;

    if (launches < 2)
        return INFINITY;
    while (e_value(high * high, (double)launches) < 1 / alpha) {
        low = high;
        high *= 2;
        if (high > MOST_ERRORS)
            return INFINITY;
    }
    while (high - low > 1e-7 * high) {
        double middle = (low + high) / 2;

        if (e_value(middle * middle, (double)launches) < 1 / alpha)
            low = middle;
        else
            high = middle;
    }
    return high;
}

#define ALPHA 0.05

/* That many on one side of 1 have a chance of 2^-6. */
#define LEAST_WITHOUT_SPREAD 7
#define ROUNDING 1e-24 /* the sum of squares that rounding alone makes */

/* Few launches may miss what one in ten has, such as a daemon that wakes up: then the same and a
 * reached share would be claimed too early. A difference that is shown does not depend on it. */
#define LEAST_FOR_SAME 20

/* Welford: "Note on a method for calculating corrected sums of squares and products", Technometrics
 * 4(3), 1962. */
void nuce_anytime_add(struct nuce_anytime *ratios, double logarithm)
{
    double before = ratios->mean;

    ratios->mean += (logarithm - before) / (double)++ratios->count;
    ratios->squares += (logarithm - before) * (logarithm - ratios->mean);
}

double nuce_anytime_reach(const struct nuce_anytime *ratios)
{
    double count = (double)ratios->count, critical = nuce_anytime_critical(ratios->count, ALPHA);

    if (isinf(critical) || (ratios->squares <= ROUNDING && ratios->count < LEAST_WITHOUT_SPREAD))
        return INFINITY;
    return critical * sqrt(ratios->squares / (count - 1) / count);
}

int nuce_anytime_is_within(const struct nuce_anytime *ratios, double margin)
{
    return fabs(ratios->mean) + nuce_anytime_reach(ratios) < log1p(margin);
}

struct nuce_launches_mean nuce_anytime_over_launches(const double *logarithms, int64_t count)
{
    struct nuce_launches_mean found = nuce_race_over_launches(logarithms, count);
    struct nuce_anytime ratios = {0};
    double reach;

    for (int64_t i = 0; i < count; i++)
        nuce_anytime_add(&ratios, logarithms[i]);
    reach = nuce_anytime_reach(&ratios);
    found.reach = isfinite(reach) ? reach : NAN;
    found.error = count > 1 ? found.reach / nuce_statistics_student(count - 1, 1 - ALPHA) : NAN;
    return found;
}

enum nuce_known nuce_anytime_known(const struct nuce_anytime *ratios,
                                   const struct nuce_anytime *noise, double margin, double least)
{
    double reach = nuce_anytime_reach(ratios);
    int side = nuce_race_side(ratios->mean, reach, fabs(noise->mean) + nuce_anytime_reach(noise));

    if (least > 0 && ratios->mean + reach < -log(least) && ratios->count >= LEAST_FOR_SAME)
        return NUCE_KNOWN_REACHES;
    if (least > 0)
        return ratios->mean - reach > -log(least) ? NUCE_KNOWN_FAILS : NUCE_KNOWN_NOTHING;
    if (side != 0)
        return side > 0 ? NUCE_KNOWN_SLOWER : NUCE_KNOWN_FASTER;
    return ratios->count >= LEAST_FOR_SAME && nuce_anytime_is_within(ratios, margin)
               ? NUCE_KNOWN_SAME
               : NUCE_KNOWN_NOTHING;
}
