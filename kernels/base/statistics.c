/* Order statistics: median, quantiles, and the median's interval from the binomial distribution,
 * which assumes nothing about the distribution of samples. */
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rank_correlation.h"
#include "base/rng.h"

/* The header excludes NaN: with one this would be no order, and qsort could do anything. */
static int statistics_compare(const void *left, const void *right)
{
    double a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

void nuce_statistics_sort(double *values, int64_t count)
{
    NUCE_ASSERT(count >= 0);
    if (count > 1)
        qsort(values, (size_t)count, sizeof *values, statistics_compare);
}

double nuce_statistics_quantile(const double *sorted, int64_t count, double q)
{
    double position;
    int64_t index;

    NUCE_ASSERT(count > 0 && q >= 0 && q <= 1);
    position = (double)(count - 1) * q;
    index = (int64_t)position;
    if (index + 1 >= count)
        return sorted[count - 1];
    return sorted[index] + (position - (double)index) * (sorted[index + 1] - sorted[index]);
}

double nuce_statistics_median(const double *sorted, int64_t count)
{
    return nuce_statistics_quantile(sorted, count, 0.5);
}

/* Terms of the binomial distribution below this fraction of the middle one are ignored: far less
 * than the rounding error of a confidence level. */
#define NEGLIGIBLE 1e-40

/* The largest r for which 1 - 2 P(B(count, 1/2) < r) is at least confidence, at least 1; *reached
 * is that probability. The terms are taken relative to the middle one, each from its neighbour,
 * and divided by their sum: no factorial, no logarithm, no overflow, about 7 sqrt(count) terms. */
static int64_t interval_rank(int64_t count, double confidence, double *reached)
{
    int64_t k = count / 2;
    double term = 1, total = count % 2 == 0 ? -1 : 0; /* an even count has one middle term */
    double tail, below;
    int64_t rank;

    for (;;) {
        double next = term * (double)k / (double)(count - k + 1);

        total += 2 * term;
        if (k == 0 || next < NEGLIGIBLE)
            break;
        term = next;
        k--;
    }
    /* Going back towards the middle: tail = P(B <= k), below = P(B < rank). */
    tail = below = term / total;
    rank = k + 1;
    while (rank <= (count - 1) / 2) {
        k++;
        term *= (double)(count - k + 1) / (double)k;
        tail += term / total;
        if (1 - 2 * tail < confidence)
            break;
        below = tail;
        rank = k + 1;
    }
    *reached = 1 - 2 * below;
    return rank;
}

struct nuce_interval nuce_statistics_median_interval(const double *sorted, int64_t count,
                                                     double confidence)
{
    struct nuce_interval interval;
    int64_t rank;

    NUCE_ASSERT(count > 0 && confidence >= 0 && confidence < 1);
    rank = interval_rank(count, confidence, &interval.confidence);
    interval.low = sorted[rank - 1];
    interval.high = sorted[count - rank];
    return interval;
}

/* P(|T| <= t) of Student's distribution: the finite series of Abramowitz and Stegun, "Handbook of
 * Mathematical Functions", 26.7.3 and 26.7.4, whose terms fall by more than cos^2 each. */
static double student_within(double t, int64_t degrees)
{
    static const double pi = 3.14159265358979323846;
    double angle = atan(t / sqrt((double)degrees)), cosine = cos(angle);
    int odd = degrees % 2 == 1;
    double term = odd ? cosine : 1, sum = degrees > 1 ? term : 0;

    for (int64_t k = odd ? 3 : 2; k < degrees && term > 0; k += 2) {
        term *= (double)(k - 1) / (double)k * cosine * cosine;
        sum += term;
    }
    sum *= sin(angle);
    return odd ? 2 / pi * (angle + sum) : sum;
}

/* From this many degrees of freedom on, the quantiles differ from those of infinitely many by less
 * than 1e-5 of their value, and the series gets long. */
#define STUDENT_MOST 100000

/* Bisection on student_within, which grows with t, until no double is left between the ends. It
 * takes some 55 steps for usual confidences, some 1 100 for 0, of at most STUDENT_MOST / 2 terms
 * each. The first loop also ends if doubles cannot reach the confidence. */
double nuce_statistics_student(int64_t degrees, double confidence)
{
    int64_t taken = degrees < STUDENT_MOST ? degrees : STUDENT_MOST;
    double low = 0, high = 1;

    NUCE_ASSERT(degrees > 0 && confidence >= 0 && confidence < 1);
    while (student_within(high, taken) < confidence && high < 1e300)
        high *= 2;
    while ((low + high) / 2 > low && (low + high) / 2 < high) {
        double middle = (low + high) / 2;

        if (student_within(middle, taken) < confidence)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double nuce_statistics_student_beyond(double t, int64_t degrees)
{
    int64_t taken = degrees < STUDENT_MOST ? degrees : STUDENT_MOST;

    NUCE_ASSERT(degrees > 0 && !isnan(t));
    return fmax(0, 1 - student_within(fabs(t), taken));
}

/* Spearman's correlation and its interval, by resampling pairs. Values are sorted once, and a
 * resample is ranked by counting.
 *
 * Cost: O(count log count) for the places of both sides, then O(count) for each of RESAMPLES
 * resamples; 5 count numbers of 8 bytes. */

/* Efron and Tibshirani advise at least 1 000 for the ends of an interval. */
#define RESAMPLES 2000
#define CONFIDENCE 0.95

/* The seed of the resamples: any seed would do. */
#define SEED 1

/* One side of the pairs: the place of each value in the sorted order, and the ranks of the drawn
 * ones. Equal values share one place. */
struct correlation_side {
    int64_t *place; /* of pair i: from 0, the first of its equals */
    double *ranks;  /* rank of the value at each place, among the drawn */
};

/* The first of count sorted values that is not below value. */
static int64_t place_of(double value, const double *sorted, int64_t count)
{
    int64_t first = 0, last = count;

    while (first < last) {
        int64_t middle = first + (last - first) / 2;

        if (sorted[middle] < value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* sorted: room for count values, written over. */
static void find_places(const double *values, int64_t count, double *sorted, int64_t *place)
{
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    nuce_statistics_sort(sorted, count);
    for (int64_t i = 0; i < count; i++)
        place[i] = place_of(values[i], sorted, count);
}

/* Ranks start at 1; equal values get the mean of their ranks. */
static void rank_drawn(struct correlation_side *side, const int64_t *drawn, int64_t count)
{
    double before = 0;

    for (int64_t k = 0; k < count; k++)
        side->ranks[k] = 0;
    for (int64_t i = 0; i < count; i++)
        side->ranks[side->place[drawn[i]]]++;
    for (int64_t k = 0; k < count; k++) {
        double equal = side->ranks[k];

        side->ranks[k] = before + 0.5 * (equal + 1);
        before += equal;
    }
}

/* Pearson's correlation of the ranks of the drawn pairs, whose mean is (count + 1) / 2. Ranks and
 * their products are halves and quarters, so exact. */
static double correlation_of_ranks(struct correlation_side *x, struct correlation_side *y,
                                   const int64_t *drawn, int64_t count)
{
    double mean = 0.5 * (double)(count + 1), xx = 0, yy = 0, xy = 0;

    rank_drawn(x, drawn, count);
    rank_drawn(y, drawn, count);
    for (int64_t i = 0; i < count; i++) {
        double dx = x->ranks[x->place[drawn[i]]] - mean, dy = y->ranks[y->place[drawn[i]]] - mean;

        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* drawn: room for count numbers of pairs. Pairs are drawn with replacement, the same draw for x and
 * y. */
static void correlation_bootstrap(struct correlation_side *x, struct correlation_side *y,
                                  int64_t *drawn, int64_t count, struct nuce_rank_correlation *out)
{
    struct nuce_rng rng = nuce_rng_create(SEED, 0);
    double found[RESAMPLES];

    for (int k = 0; k < RESAMPLES; k++) {
        for (int64_t i = 0; i < count; i++)
            drawn[i] = (int64_t)nuce_rng_below(&rng, (uint64_t)count);
        found[k] = correlation_of_ranks(x, y, drawn, count);
        if (isnan(found[k]))
            found[k] = 0;
    }
    nuce_statistics_sort(found, RESAMPLES);
    out->low = nuce_statistics_quantile(found, RESAMPLES, (1 - CONFIDENCE) / 2);
    out->high = nuce_statistics_quantile(found, RESAMPLES, (1 + CONFIDENCE) / 2);
}

/* One block each of reals and of integers. The sorted values in ranks are no longer needed when
 * ranks are counted there. */
void nuce_rank_correlation(const double *x, const double *y, int64_t count,
                           struct nuce_rank_correlation *out)
{
    struct nuce_rank_correlation found = {.rho = NAN, .low = NAN, .high = NAN};
    double *ranks = nuce_allocate(2 * count, sizeof *ranks);
    int64_t *places = nuce_allocate(3 * count, sizeof *places);

    struct correlation_side of_x = {places, ranks}, of_y = {places + count, ranks + count};
    int64_t *drawn = places + 2 * count;

    find_places(x, count, ranks, of_x.place);
    find_places(y, count, ranks, of_y.place);
    for (int64_t i = 0; i < count; i++)
        drawn[i] = i;
    found.rho = correlation_of_ranks(&of_x, &of_y, drawn, count);
    if (count >= NUCE_RANK_CORRELATION_LEAST && !isnan(found.rho))
        correlation_bootstrap(&of_x, &of_y, drawn, count, &found);
    free(places);
    free(ranks);
    *out = found;
}
