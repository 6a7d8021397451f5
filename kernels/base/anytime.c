/* The critical value is where the e-value reaches 1 / alpha. The e-value grows with the statistic,
 * so bisection finds the place. O(1) memory, some 100 evaluations. */
#include "base/anytime.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
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

/* Together 5 %. The mean has most, because it needs fewer launches where nothing is disturbed. */
#define MEAN_ALPHA 0.04
#define MEDIAN_ALPHA 0.01

/* That many on one side of 1 have a chance of 2^-6. */
#define LEAST_WITHOUT_SPREAD 7
#define ROUNDING 1e-12 /* the standard deviation that rounding alone makes */

/* The logarithm of the e-value of `below` successes in n trials against the probability 1/2. */
static double sign_e_value(double below, double n)
{
    return lgamma(below + 2) + lgamma(n - below + 2) - lgamma(n + 4) + log(6) + n * log(2);
}

int64_t nuce_anytime_cut(int64_t launches, double alpha)
{
    int64_t low = -1, high = launches / 2;

    while (high - low > 1) {
        int64_t middle = (low + high) / 2;

        if (sign_e_value((double)middle, (double)launches) >= -log(alpha))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double mean_reach(double error, int64_t count)
{
    double critical = nuce_anytime_critical(count, MEAN_ALPHA);

    if (isinf(critical))
        return INFINITY;
    if (error * sqrt((double)count) <= ROUNDING)
        return count < LEAST_WITHOUT_SPREAD ? INFINITY : 0;
    return critical * error;
}

struct nuce_anytime nuce_anytime_of(const double *logarithms, int64_t count)
{
    struct nuce_anytime found = {count, 0, INFINITY, 0, INFINITY};
    int64_t cut = nuce_anytime_cut(count, MEDIAN_ALPHA);
    struct nuce_launches_mean mean;

    if (count == 0)
        return found;
    mean = nuce_race_over_launches(logarithms, count);
    found.middle = found.mean = mean.mean;
    found.reach = found.mean_reach = mean_reach(mean.error, count);
    if (cut >= 0) {
        double *sorted = nuce_allocate(count, sizeof *sorted), median, reach;

        memcpy(sorted, logarithms, (size_t)count * sizeof *sorted);
        nuce_statistics_sort(sorted, count);
        median = nuce_statistics_median(sorted, count);
        reach = fmax(sorted[count - 1 - cut] - median, median - sorted[cut]);
        free(sorted);
        if (reach < found.reach && fabs(median - found.mean) <= mean.error) {
            found.middle = median;
            found.reach = reach;
        }
    }
    return found;
}

int nuce_anytime_is_within(const struct nuce_anytime *ratios, double margin)
{
    return fabs(ratios->mean) + ratios->mean_reach < log1p(margin);
}

static struct nuce_launches_mean middle_of(const struct nuce_anytime *ratios)
{
    double reach = isfinite(ratios->reach) ? ratios->reach : NAN;

    return (struct nuce_launches_mean){
        .mean = ratios->middle,
        .error = ratios->count > 1 ? reach / nuce_statistics_student(ratios->count - 1, 0.95) : NAN,
        .reach = reach,
    };
}

struct nuce_launches_mean nuce_anytime_over_launches(const double *logarithms, int64_t count)
{
    struct nuce_anytime ratios = nuce_anytime_of(logarithms, count);

    return middle_of(&ratios);
}

struct nuce_launches_mean nuce_anytime_noise(const double *logarithms, int64_t count)
{
    struct nuce_launches_mean usual = nuce_race_over_launches(logarithms, count);
    struct nuce_launches_mean valid = nuce_anytime_over_launches(logarithms, count);

    return fabs(valid.mean) + valid.reach < fabs(usual.mean) + usual.reach ? valid : usual;
}

enum nuce_known nuce_anytime_known(const struct nuce_anytime *ratios, int64_t rivals, double noise,
                                   double margin, double least)
{
    struct nuce_launches_mean middle = middle_of(ratios);

    if (least > 0 && ratios->mean + ratios->mean_reach < -log(least) &&
        ratios->count >= NUCE_ANYTIME_LEAST_FOR_SAME)
        return NUCE_KNOWN_REACHES;
    if (least > 0)
        return ratios->middle - ratios->reach > -log(least) ? NUCE_KNOWN_FAILS : NUCE_KNOWN_NOTHING;
    if (ratios->count > 1 &&
        nuce_race_is_slower(ratios->count, fabs(middle.mean), middle.error, rivals, noise))
        return middle.mean > 0 ? NUCE_KNOWN_SLOWER : NUCE_KNOWN_FASTER;
    return ratios->count >= NUCE_ANYTIME_LEAST_FOR_SAME && nuce_anytime_is_within(ratios, margin)
               ? NUCE_KNOWN_SAME
               : NUCE_KNOWN_NOTHING;
}
