/* The decision of a comparison: means over launches, Student's t on them, and Holm's correction
 * over all points.
 *
 * Holm's sorting takes most of the time: O(points log points), done twice. The first family is the
 * p of no difference, the second the p that B is at most the threshold slower. The mean over points
 * sorts the deviations of all launches at all of them.
 *
 * All values are natural logarithms of ratios until the last step: a ratio and its inverse are then
 * equally far from 0, and the geometric mean is a mean. */
#include "base/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/anytime.h"
#include "base/race_ratio.h"
#include "base/statistics.h"

/* A value and its original place. */
struct placed {
    double value;
    int64_t place;
};

/* Copies the values, as qsort hands out bytes. Equal values keep their order, because qsort is not
 * stable and the result must not depend on the library. */
static int compare_placed(const void *left, const void *right)
{
    struct placed a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (a.value < b.value || a.value > b.value)
        return a.value < b.value ? -1 : 1;
    return (a.place > b.place) - (a.place < b.place);
}

/* The k-th smallest of count values, from 0, is multiplied by count - k, the number of hypotheses
 * that are not yet rejected. A corrected value is never below that of a smaller p. */
void nuce_comparison_holm(const double *p, int64_t count, double *corrected)
{
    struct placed *sorted = nuce_allocate(count, sizeof *sorted);
    double largest = 0;

    for (int64_t i = 0; i < count; i++)
        sorted[i] = (struct placed){p[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_placed);
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, (double)(count - i) * sorted[i].value));
        corrected[sorted[i].place] = largest;
    }
    free(sorted);
}

/* Satterthwaite's degrees of freedom for the difference of two means with these errors. Without
 * errors any number will do. */
static int64_t satterthwaite(double a_error, int64_t a_count, double b_error, int64_t b_count)
{
    double a = a_error * a_error, b = b_error * b_error;
    double degrees =
        (a + b) * (a + b) / (a * a / (double)(a_count - 1) + b * b / (double)(b_count - 1));

    return degrees >= 1 ? (int64_t)degrees : 1;
}

static struct nuce_launches_mean mean_of(const struct nuce_comparison_side *side)
{
    return (side->is_stopped ? nuce_anytime_over_launches
                             : nuce_race_over_launches)(side->logarithms, side->count);
}

/* The standard error of a side with a fixed number of launches; 0: it has none of its own. */
static double plain_error(const struct nuce_comparison_side *side)
{
    return side->count > 0 ? nuce_race_over_launches(side->logarithms, side->count).error : 0;
}

/* If A has no launches, B's logarithms are ratios already and of_a stays 0: one mean, with its own
 * error. With one launch on a side the error is NaN and spreads through hypot: no verdict is
 * given. */
struct nuce_comparison nuce_comparison_estimate(const struct nuce_comparison_launches *point)
{
    const struct nuce_comparison_side *a = &point->sides[0], *b = &point->sides[1];
    struct nuce_launches_mean of_a = {0}, of_b;
    struct nuce_comparison found = {.degrees = 1};

    NUCE_ASSERT(b->count > 0);
    of_b = mean_of(b);
    if (a->count > 0)
        of_a = mean_of(a);
    found.effect = of_b.mean - of_a.mean;
    found.error = hypot(of_a.error, of_b.error);
    found.is_early = a->count == 0 && b->is_stopped && b->count < NUCE_ANYTIME_LEAST_FOR_SAME;
    if (a->count == 0 && b->count > 1)
        found.degrees = b->count - 1;
    else if (a->count > 1 && b->count > 1)
        found.degrees = satterthwaite(of_a.error, a->count, of_b.error, b->count);
    return found;
}

/* Ratios of computed times that differ from 1 by less than this are 1: rounding error. */
#define ROUNDING 1e-9

/* Times of a few nanoseconds depend on the grid of the simulated clock, and their ratio can have
 * any value. So their difference is compared with the resolution. */
struct nuce_comparison nuce_comparison_exact(double a_s, double b_s, double resolution_s)
{
    struct nuce_comparison found = {.effect = log(b_s / a_s), .degrees = 1};

    if (fabs(found.effect) <= ROUNDING || fabs(b_s - a_s) <= resolution_s)
        found.effect = 0;
    return found;
}

/* The contribution of one launch to the deviation of the mean over points, a logarithm. */
struct deviation {
    int64_t launch;
    double value;
};

/* Orders by launch alone: only sums over a launch are needed. */
static int compare_deviations(const void *left, const void *right)
{
    struct deviation a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a.launch > b.launch) - (a.launch < b.launch);
}

/* The sum over launches of the squares of their sums. */
static double launches_variance(struct deviation *all, int64_t count)
{
    double total = 0, sum = 0;

    qsort(all, (size_t)count, sizeof *all, compare_deviations);
    for (int64_t i = 0; i < count; i++) {
        sum += all[i].value;
        if (i + 1 == count || all[i + 1].launch != all[i].launch) {
            total += sum * sum;
            sum = 0;
        }
    }
    return total;
}

/* True if a point belongs to the mean. A point without an error belongs to it only if no point has
 * one. */
static int is_in_mean(const struct nuce_comparison *point, int64_t known)
{
    return known == 0 || !isnan(point->error);
}

/* The standard error of a side's part of the mean. Deviations are divided by sqrt(n (n - 1)), not
 * by n, so that the squares of a point's deviations add up to the variance of its mean. n - 1 is
 * for the subtracted mean. *fewest is the smallest number of launches at a point of it; 0: none. */
static void mean_error(const struct nuce_comparison_launches *launches,
                       const struct nuce_comparison *points, int64_t count, int side, int64_t known,
                       double *out, int64_t *fewest)
{
    struct deviation *all;
    int64_t most = 0, filled = 0;

    *fewest = 0;
    for (int64_t i = 0; i < count; i++)
        most += launches[i].sides[side].count;
    all = nuce_allocate(most + 1, sizeof *all);
    for (int64_t i = 0; i < count; i++) {
        const struct nuce_comparison_side *here = &launches[i].sides[side];
        double n = (double)here->count, mean = 0;

        if (!is_in_mean(&points[i], known) || here->count == 0)
            continue;
        for (int64_t k = 0; k < here->count; k++)
            mean += here->logarithms[k] / n;
        for (int64_t k = 0; k < here->count; k++)
            all[filled++] = (struct deviation){here->launches[k], 1 / (double)known *
                                                                      (here->logarithms[k] - mean) /
                                                                      sqrt(n * (n - 1))};
        if (*fewest == 0 || here->count < *fewest)
            *fewest = here->count;
    }
    *out = sqrt(launches_variance(all, filled));
    free(all);
}

/* If no point has an error, the mean is over all of them and has none. If the first side has no
 * launches of its own, the degrees of freedom are those of the second. */
void nuce_comparison_mean(const struct nuce_comparison_launches *launches,
                          const struct nuce_comparison *points, int64_t count,
                          struct nuce_comparison *out)
{
    struct nuce_comparison found = {.error = NAN, .degrees = 1};
    int64_t known = 0, fewest[2];
    double errors[2], grown = 1;

    NUCE_ASSERT(count > 0);
    for (int64_t i = 0; i < count; i++)
        known += !isnan(points[i].error);
    for (int64_t i = 0; i < count; i++) {
        if (is_in_mean(&points[i], known))
            found.effect += points[i].effect / (double)(known > 0 ? known : count);
    }
    for (int side = 0; side < 2 && known > 0; side++)
        mean_error(launches, points, count, side, known, &errors[side], &fewest[side]);
    if (known > 0) {
        for (int64_t i = 0; i < count; i++) {
            double fixed =
                hypot(plain_error(&launches[i].sides[0]), plain_error(&launches[i].sides[1]));

            if (fixed > 0 && points[i].error > fixed)
                grown = fmax(grown, points[i].error / fixed);
        }
        found.error = grown * hypot(errors[0], errors[1]);
        if (fewest[0] > 0 && fewest[1] > 0)
            found.degrees = satterthwaite(errors[0], fewest[0], errors[1], fewest[1]);
        else if (fewest[1] > 0)
            found.degrees = fewest[1] - 1;
    }
    *out = found;
}

/* The two-sided p of this effect. Without spread it is 0 or 1. */
static double p_against(const struct nuce_comparison *point, double effect)
{
    double away = point->effect - effect;

    if (isnan(point->error))
        return 1;
    if (!(point->error > 0))
        return away < 0 || away > 0 ? 0 : 1;
    return nuce_statistics_student_beyond(away / point->error, point->degrees);
}

/* Half the width of the interval of that confidence, in logarithms; NaN: none. */
static double comparison_reach(const struct nuce_comparison *point, double confidence)
{
    if (!(point->error > 0))
        return point->error;
    return nuce_statistics_student(point->degrees, confidence) * point->error;
}

/* Computes the results that depend on this point alone. */
static void comparison_measure(struct nuce_comparison *point,
                               const struct nuce_comparison_rule *rule)
{
    double reach = comparison_reach(point, rule->confidence);
    double strictest = comparison_reach(point, 1 - (1 - rule->confidence) / (double)rule->points);

    point->ratio = exp(point->effect);
    point->low = exp(point->effect - reach);
    point->high = exp(point->effect + reach);
    point->p = p_against(point, 0);
    point->detectable = isnan(strictest) ? INFINITY : expm1(fmax(strictest, point->noise));
}

/* A comparison with NaN is false in C, which is the intended answer. */
bool nuce_comparison_is_bounded(const struct nuce_comparison *point,
                                const struct nuce_comparison_rule *rule)
{
    return point->high <= 1 + rule->threshold;
}

/* p_worse: corrected p of a slow-down above the threshold. The verdicts are tried from the worst
 * on, and the first that the data show counts. A test that shows nothing gives UNKNOWN, never
 * SAME. */
static enum nuce_comparison_verdict comparison_judge(const struct nuce_comparison *point,
                                                     const struct nuce_comparison_rule *rule,
                                                     double p_worse)
{
    double allowed = (1 - rule->confidence) * (1 + 1e-12); /* 1 - 0.9 must not be below 0.1 */
    bool is_beyond = fabs(point->effect) >= point->noise;

    if (isnan(point->error))
        return NUCE_VERDICT_UNKNOWN;
    if (is_beyond && p_worse <= allowed)
        return NUCE_VERDICT_WORSE;
    if (is_beyond && point->p_corrected <= allowed)
        return point->effect < 0 ? NUCE_VERDICT_FASTER : NUCE_VERDICT_SLOWER;
    if (!point->is_early && point->low >= 1 / (1 + rule->threshold) &&
        nuce_comparison_is_bounded(point, rule))
        return NUCE_VERDICT_SAME;
    return NUCE_VERDICT_UNKNOWN;
}

/* One block of 4 rule->points numbers. The two families of p are corrected separately, since a
 * point that is worse is slower in any case. */
void nuce_comparison_conclude(struct nuce_comparison *points,
                              const struct nuce_comparison_rule *rule)
{
    int64_t count = rule->points;
    double *p = nuce_allocate(4 * count, sizeof *p);
    double *worse, *corrected, *worse_corrected, beyond = log1p(rule->threshold);

    NUCE_ASSERT(count > 0 && rule->confidence > 0 && rule->confidence < 1);
    worse = p + count;
    corrected = worse + count;
    worse_corrected = corrected + count;
    for (int64_t i = 0; i < count; i++) {
        comparison_measure(&points[i], rule);
        p[i] = points[i].p;
        worse[i] = points[i].effect > beyond ? p_against(&points[i], beyond) : 1;
    }
    nuce_comparison_holm(p, count, corrected);
    nuce_comparison_holm(worse, count, worse_corrected);
    for (int64_t i = 0; i < count; i++) {
        points[i].p_corrected = corrected[i];
        points[i].verdict = comparison_judge(&points[i], rule, worse_corrected[i]);
    }
    free(p);
}
