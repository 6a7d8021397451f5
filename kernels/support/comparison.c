/* The decision of a comparison: values of runs, or of blocks of samples where runs are too few, the
 * rank tests on them, and Holm's correction over all points. */
#include "support/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "support/mann_whitney.h"
#include "support/statistics.h"

/* A value and where it stood. */
struct placed {
    double value;
    int64_t place;
};

static int compare_placed(const void *left, const void *right)
{
    struct placed a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (a.value < b.value || a.value > b.value)
        return a.value < b.value ? -1 : 1;
    return (a.place > b.place) - (a.place < b.place);
}

/* The values in ascending order with their places; freed by the caller. NULL when out of memory. */
static struct placed *sort_places(const double *values, int64_t count, struct nuce_error *error)
{
    struct placed *sorted = nuce_allocate(count, sizeof *sorted, error);

    if (sorted == NULL)
        return NULL;
    for (int64_t i = 0; i < count; i++)
        sorted[i] = (struct placed){values[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_placed);
    return sorted;
}

nuce_status nuce_comparison_holm(const double *p, int64_t count, double *corrected,
                                 struct nuce_error *error)
{
    struct placed *sorted = sort_places(p, count, error);
    double largest = 0;

    if (sorted == NULL)
        return error->status;
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, (double)(count - i) * sorted[i].value));
        corrected[sorted[i].place] = largest;
    }
    free(sorted);
    return NUCE_OK;
}

/* Ranks less their mean, ties in the middle, in the order of the samples. NULL when out of memory.
 */
static double *centred_ranks(const struct nuce_series *series, struct nuce_error *error)
{
    struct placed *sorted = sort_places(series->values, series->count, error);
    double *ranks = sorted == NULL ? NULL : nuce_allocate(series->count, sizeof *ranks, error);
    int64_t next;

    for (int64_t i = 0; ranks != NULL && i < series->count; i = next) {
        for (next = i + 1; next < series->count && sorted[next].value <= sorted[i].value;)
            next++;
        for (int64_t j = i; j < next; j++)
            ranks[sorted[j].place] = 0.5 * (double)(i + next - series->count);
    }
    free(sorted);
    return ranks;
}

static double comparison_covariance(const double *values, int64_t count, int64_t lag)
{
    double sum = 0;

    for (int64_t i = lag; i < count; i++)
        sum += values[i] * values[i - lag];
    return sum;
}

/* Lags that are looked at: of hundreds of thousands of samples not all. */
#define MOST_LAGS 2000

/* 1 + 2 x the sum of the autocorrelations, which for a stationary reversible chain, as AR(1) is,
 * are positive and falling in pairs: the first pair that is not ends the sum. */
static double autocorrelation_time(const double *ranks, int64_t count)
{
    double variance = comparison_covariance(ranks, count, 0), sum = 0, previous = INFINITY;

    if (!(variance > 0))
        return 1;
    for (int64_t lag = 0; lag + 1 < count && lag < MOST_LAGS; lag += 2) {
        double pair = (comparison_covariance(ranks, count, lag) +
                       comparison_covariance(ranks, count, lag + 1)) /
                      variance;

        if (!(pair > 0))
            break;
        previous = fmin(previous, pair);
        sum += previous;
    }
    return fmax(1, 2 * sum - 1);
}

/* The integrated time of AR(1) of this lag-1 correlation: what the sum over more lags, cut off
 * early, may miss. A short series hides its correlation (the estimate is biased by about -1 / count
 * and as uncertain as 1 / sqrt(count)), so half of that uncertainty is taken for correlation. */
static double first_order_time(const double *ranks, int64_t count)
{
    double variance = comparison_covariance(ranks, count, 0), n = (double)count, correlation;

    if (!(variance > 0) || count < 4)
        return 1;
    correlation =
        (comparison_covariance(ranks, count, 1) / variance * n + 1) / (n - 3) + 0.5 / sqrt(n);
    correlation = fmin(0.95, fmax(0, correlation));
    return (1 + correlation) / (1 - correlation);
}

/* By simulation of 8 points of AR(1) series with coefficients 0 to 0.6 and 30 to 200 samples: with
 * blocks of 4 times the estimate a difference is shown at any of them in 0.00 to 0.06 of 1 000
 * trials, with 3 in up to 0.08, with 2 in up to 0.12. */
#define TIMES_A_BLOCK 4
/* Of series that correlate so far that not even these would be independent. */
#define FEWEST_BLOCKS 4
/* Times below it pass for independence: the estimate for long independent series is about 1.1. */
#define INDEPENDENT 1.15

int64_t nuce_comparison_block_length(const struct nuce_series *series, struct nuce_error *error)
{
    double *ranks = centred_ranks(series, error);
    int64_t most = (series->count + FEWEST_BLOCKS - 1) / FEWEST_BLOCKS;
    double time;

    if (ranks == NULL)
        return 0;
    time = fmax(autocorrelation_time(ranks, series->count), first_order_time(ranks, series->count));
    free(ranks);
    return time < INDEPENDENT ? 1 : (int64_t)fmin(ceil(TIMES_A_BLOCK * time), (double)most);
}

/* Appends the logarithms of the medians of blocks of length samples; what is left over at the end
 * is in no block. */
static nuce_status add_blocks(const struct nuce_series *series, int64_t length, double *values,
                              int64_t *count, struct nuce_error *error)
{
    double *block = nuce_allocate(length, sizeof *block, error);

    if (block == NULL)
        return error->status;
    for (int64_t first = 0; first + length <= series->count; first += length) {
        memcpy(block, series->values + first, (size_t)length * sizeof *block);
        nuce_statistics_sort(block, length);
        values[(*count)++] = log(nuce_statistics_median(block, length));
    }
    free(block);
    return NUCE_OK;
}

/* Logarithms of the values of a side. */
struct values {
    double *data;
    int64_t count;
};

/* Released by the caller with free(out->data). */
static nuce_status make_values(const struct nuce_comparison_side *side,
                               enum nuce_comparison_unit unit, struct values *out,
                               struct nuce_error *error)
{
    int64_t most = 0;
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; i < side->count; i++)
        most += side->runs[i].count;
    *out = (struct values){.data = nuce_allocate(most, sizeof *out->data, error)};
    if (out->data == NULL)
        return error->status;
    for (int64_t i = 0; i < side->count && status == NUCE_OK; i++) {
        const struct nuce_series *run = &side->runs[i];
        int64_t length =
            unit == NUCE_UNIT_SAMPLES ? nuce_comparison_block_length(run, error) : run->count;

        status =
            length == 0 ? error->status : add_blocks(run, length, out->data, &out->count, error);
    }
    return status;
}

static double comparison_largest(const struct values *values)
{
    double result = -INFINITY;

    for (int64_t i = 0; i < values->count; i++)
        result = fmax(result, values->data[i]);
    return result;
}

static double comparison_smallest(const struct values *values)
{
    double result = INFINITY;

    for (int64_t i = 0; i < values->count; i++)
        result = fmin(result, values->data[i]);
    return result;
}

static double median_of(const struct values *values)
{
    nuce_statistics_sort(values->data, values->count);
    return exp(nuce_statistics_median(values->data, values->count));
}

/* What the medians of the runs say where the blocks are tested: the interval spans from the nearest
 * two to the farthest, and p is theirs unless all of one side are beyond all of the other. */
static nuce_status weigh_runs(const struct values *a, const struct values *b,
                              struct nuce_comparison *out, struct nuce_error *error)
{
    double nearest = comparison_smallest(b) - comparison_largest(a),
           farthest = comparison_largest(b) - comparison_smallest(a);
    struct nuce_mann_whitney test;

    if (a->count == 1 && b->count == 1)
        return NUCE_OK;
    out->low = fmin(out->low, exp(nearest));
    out->high = fmax(out->high, exp(farthest));
    if (nearest > 0 || farthest < 0)
        return NUCE_OK;
    if (nuce_mann_whitney(a->data, a->count, b->data, b->count, &test, error) != NUCE_OK)
        return error->status;
    out->p = fmax(out->p, test.p);
    return NUCE_OK;
}

static nuce_status test_values(const struct values *a, const struct values *b,
                               const struct nuce_comparison_rule *rule, struct nuce_comparison *out,
                               struct nuce_error *error)
{
    double strictest = 1 - (1 - rule->confidence) / (double)rule->points;
    struct nuce_interval interval, corrected;
    struct nuce_mann_whitney test;

    if (nuce_mann_whitney(a->data, a->count, b->data, b->count, &test, error) != NUCE_OK ||
        nuce_mann_whitney_shift_interval(a->data, a->count, b->data, b->count, rule->confidence,
                                         &interval, error) != NUCE_OK ||
        nuce_mann_whitney_shift_interval(a->data, a->count, b->data, b->count, strictest,
                                         &corrected, error) != NUCE_OK)
        return error->status;
    out->a_values = a->count;
    out->b_values = b->count;
    out->p = test.p;
    out->ratio = exp(test.shift);
    out->low = exp(interval.low);
    out->high = exp(interval.high);
    out->detectable = expm1(test.shift - corrected.low);
    return NUCE_OK;
}

/* Ratios of computed times that differ by rounding alone are 1. */
#define ROUNDING 1e-9

/* Times of a few nanoseconds are whatever the simulated clock's grid makes of them: their ratio can
 * be any, so it is their difference that is held against the resolution. */
static void compare_exactly(const struct nuce_comparison_rule *rule, struct nuce_comparison *out)
{
    double difference_s = fabs(out->b_median - out->a_median);

    out->ratio = out->b_median / out->a_median;
    if (fabs(out->ratio - 1) <= ROUNDING || difference_s <= rule->resolution_s)
        out->ratio = 1;
    out->low = out->high = out->ratio;
    out->p = out->ratio < 1 || out->ratio > 1 ? 0 : 1;
    out->detectable = 0;
}

nuce_status nuce_comparison_test(const struct nuce_comparison_side *a,
                                 const struct nuce_comparison_side *b,
                                 enum nuce_comparison_unit unit,
                                 const struct nuce_comparison_rule *rule,
                                 struct nuce_comparison *out, struct nuce_error *error)
{
    struct values a_runs = {0}, b_runs = {0}, a_blocks = {0}, b_blocks = {0};
    struct nuce_comparison result = {
        .unit = unit, .a_values = a->count, .b_values = b->count, .verdict = NUCE_VERDICT_NONE};
    nuce_status status = make_values(a, NUCE_UNIT_RUNS, &a_runs, error);

    NUCE_ASSERT(rule->points > 0 && rule->confidence > 0 && rule->confidence < 1);
    if (status == NUCE_OK)
        status = make_values(b, NUCE_UNIT_RUNS, &b_runs, error);
    if (status == NUCE_OK) {
        result.a_median = median_of(&a_runs);
        result.b_median = median_of(&b_runs);
    }
    if (status == NUCE_OK && unit == NUCE_UNIT_EXACT)
        compare_exactly(rule, &result);
    if (status == NUCE_OK && unit == NUCE_UNIT_RUNS)
        status = test_values(&a_runs, &b_runs, rule, &result, error);
    if (status == NUCE_OK && unit == NUCE_UNIT_SAMPLES) {
        status = make_values(a, unit, &a_blocks, error);
        if (status == NUCE_OK)
            status = make_values(b, unit, &b_blocks, error);
        if (status == NUCE_OK)
            status = test_values(&a_blocks, &b_blocks, rule, &result, error);
        if (status == NUCE_OK)
            status = weigh_runs(&a_runs, &b_runs, &result, error);
    }
    if (status == NUCE_OK)
        *out = result;
    free(a_runs.data);
    free(b_runs.data);
    free(a_blocks.data);
    free(b_blocks.data);
    return status;
}

void nuce_comparison_distrust(struct nuce_comparison *point)
{
    point->p = 1;
    point->low = 0;
    point->high = INFINITY;
    point->detectable = INFINITY;
}

/* The chance of a false alarm that is allowed; 1 - 0.9 is not to be less than 0.1. */
static double comparison_allowed(const struct nuce_comparison_rule *rule)
{
    return (1 - rule->confidence) * (1 + 1e-12);
}

static enum nuce_comparison_verdict comparison_judge(const struct nuce_comparison *point,
                                                     const struct nuce_comparison_rule *rule)
{
    double surely = point->unit == NUCE_UNIT_SAMPLES ? point->low : point->ratio;

    if (!isfinite(point->detectable))
        return NUCE_VERDICT_BLIND;
    if (point->p_corrected > comparison_allowed(rule) || !(point->ratio < 1 || point->ratio > 1))
        return NUCE_VERDICT_NONE;
    if (point->ratio < 1)
        return NUCE_VERDICT_FASTER;
    return surely > 1 + rule->threshold ? NUCE_VERDICT_REGRESSION : NUCE_VERDICT_SLOWER;
}

nuce_status nuce_comparison_conclude(struct nuce_comparison *points,
                                     const struct nuce_comparison_rule *rule,
                                     struct nuce_error *error)
{
    double *p = nuce_allocate(2 * rule->points, sizeof *p, error);
    double *corrected = p + rule->points;
    nuce_status status;

    if (p == NULL)
        return error->status;
    for (int64_t i = 0; i < rule->points; i++)
        p[i] = points[i].p;
    status = nuce_comparison_holm(p, rule->points, corrected, error);
    for (int64_t i = 0; i < rule->points && status == NUCE_OK; i++) {
        points[i].p_corrected = corrected[i];
        points[i].verdict = comparison_judge(&points[i], rule);
    }
    free(p);
    return status;
}

bool nuce_comparison_has_enough_runs(int64_t a_runs, int64_t b_runs,
                                     const struct nuce_comparison_rule *rule)
{
    return nuce_mann_whitney_least_p(a_runs, b_runs) * (double)rule->points <=
           comparison_allowed(rule);
}

int64_t nuce_comparison_runs_needed(const struct nuce_comparison_rule *rule)
{
    int64_t runs = 1;

    while (!nuce_comparison_has_enough_runs(runs, runs, rule))
        runs++;
    return runs;
}
