/* The best columns at latency 0. By Theorem 1 of the paper sizes that do not decrease are best for
 * weights that do not increase, so the order of sizes need not be asked for: with P the sums of the
 * weights, F(k) = min over j of F(j) + depth + length (k - j - 1)(P_k - P_j). That cost is a convex
 * Monge array: a later j that is once better stays so, and each j is best on an interval that is
 * found by bisection (Galil, Giancarlo: "Speeding up dynamic programming with applications to
 * molecular biology", TCS 64, 1989). O(p log p). */
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/columns.h"

struct candidate {
    int from;  /* the first k .. */
    int first; /* .. for which the last column best begins here */
};

/* best[] is F of the head comment. candidates is a queue of intervals of k, each with the j that is
 * best there; from ascends, and the last interval reaches to parts. */
struct convex_search {
    const struct nuce_columns *columns;
    double depth;
    double *best;                 /* parts + 1 */
    int *begins;                  /* parts + 1: where the last column of the first k begins */
    struct candidate *candidates; /* head .. count - 1, those that are still to be best */
    int head, count;
};

/* F(first) and one more column of the weights first .. k - 1. */
static double convex_value(const struct convex_search *s, int first, int k)
{
    return s->best[first] + s->depth + nuce_columns_inner(s->columns, first, k);
}

/* The first k above low and at most parts for which a column beginning at later is better than one
 * that begins at first; parts + 1 if there is none. */
static int convex_overtakes(const struct convex_search *s, int first, int later, int low)
{
    int high = s->columns->problem->parts + 1;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (convex_value(s, later, middle) < convex_value(s, first, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Lets a column that begins at first compete for the k beyond it. By the Monge property it is
 * better, if at all, from some k on: intervals that begin after that go, and the last one left is
 * cut there. */
static void add_candidate(struct convex_search *s, int first)
{
    int from = first + 1;

    while (s->count > s->head) {
        struct candidate last = s->candidates[s->count - 1];
        int at = last.from > from ? last.from : from;

        if (convex_value(s, first, at) < convex_value(s, last.first, at)) {
            s->count--;
            continue;
        }
        from = convex_overtakes(s, last.first, first, at);
        break;
    }
    if (from <= s->columns->problem->parts)
        s->candidates[s->count++] = (struct candidate){from, first};
}

/* The j that is best for k is at the head when the search comes to k, since all j < k have been
 * added. */
static void convex_search(struct convex_search *s)
{
    int parts = s->columns->problem->parts;

    s->best[0] = 0;
    s->candidates[s->count++] = (struct candidate){1, 0};
    for (int k = 1; k <= parts; k++) {
        while (s->head + 1 < s->count && s->candidates[s->head + 1].from <= k)
            s->head++;
        s->begins[k] = s->candidates[s->head].first;
        s->best[k] = convex_value(s, s->begins[k], k);
        if (k < parts)
            add_candidate(s, k);
    }
}

/* Ascending, for qsort. */
static int convex_compare_sizes(const void *left, const void *right)
{
    const int *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* The sizes in order: where two orders cost the same either may have been found. */
static void convex_list_columns(struct nuce_columns *columns, const int *begins, int *sizes)
{
    int first = 0;

    columns->count = 0;
    for (int k = columns->problem->parts; k > 0; k = begins[k])
        sizes[columns->count++] = k - begins[k];
    qsort(sizes, (size_t)columns->count, sizeof *sizes, convex_compare_sizes);
    for (int i = 0; i < columns->count; i++) {
        columns->list[i] = (struct nuce_column){first, first + sizes[i]};
        first += sizes[i];
    }
}

nuce_status nuce_columns_search_convex(struct nuce_columns *columns, double depth, double *best)
{
    int64_t count = (int64_t)columns->problem->parts + 1;
    struct convex_search s = {.columns = columns, .depth = depth};
    int *sizes = nuce_allocate(count, sizeof *sizes);
    nuce_status status = NUCE_FAILED;

    s.best = best == NULL ? nuce_allocate(count, sizeof *best) : best;
    s.begins = nuce_allocate(count, sizeof *s.begins);
    s.candidates = nuce_allocate(count, sizeof *s.candidates);
    if (s.best != NULL) {
        convex_search(&s);
        convex_list_columns(columns, s.begins, sizes);
        status = NUCE_OK;
    }
    if (best == NULL)
        free(s.best);
    free(s.begins);
    free(s.candidates);
    free(sizes);
    return status;
}
