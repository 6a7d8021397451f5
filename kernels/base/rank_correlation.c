/* Spearman's correlation and its interval, by resampling pairs; values are sorted once, and a
 * resample is ranked by counting.
 *
 * Cost: O(count log count) for the places of both sides, then O(count) for each of RESAMPLES
 * resamples; 5 count numbers of 8 bytes. */
#include "base/rank_correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "base/statistics.h"

/* At least 1 000 is what Efron and Tibshirani advise for the ends of an interval. */
#define RESAMPLES 2000
#define CONFIDENCE 0.95

/* Of the resamples: any seed would do. */
#define SEED 1

/* One side of the pairs: where each one's value stands among the sorted ones, and the ranks of
 * those that are drawn. Equal values have one place. */
struct correlation_side {
    int64_t *place; /* of pair i: from 0, the first of its equals */
    double *ranks;  /* of what stands at a place, among the drawn */
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

/* Ranks are from 1; equal ones have the mean of theirs. */
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

/* Pearson's, of the ranks of the drawn pairs, whose mean is (count + 1) / 2. Ranks and products of
 * them are halves and quarters, so exact. */
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

/* One block each of reals and of integers; what is sorted in ranks is done with before ranks are
 * counted there. */
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
