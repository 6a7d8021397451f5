/* The algorithms of the arrays paper as printed, slow: references for the library's fast searches.
 */
#ifndef TEST_ARRAYS_REFERENCE_H
#define TEST_ARRAYS_REFERENCE_H

#include "../test.h"

#include <stdlib.h>

#include "instances/decomposition.h"

#define TEST_MOST_PARTS 24
#define TEST_NEAR 1e-9 /* of the array's sides */

static inline void test_decompose(const char *name, const struct nuce_array *array,
                                  struct nuce_decomposition *out)
{
    const struct nuce_decomposition_ops *ops;
    struct nuce_error error = {0};

    assert_ok(nuce_decomposition_find(name, &ops, &error));
    if (nuce_decomposition_compute(ops, array, out, &error) != NUCE_OK)
        fail_msg("%s: %s", name, error.message);
}

static inline double test_shared(double low, double size, double other_low, double other_size)
{
    return fmin(low + size, other_low + other_size) - fmax(low, other_low);
}

/* Pairs of parts that share an edge; naive: corners of four parts, which the upper left one of them
 * has, are counted again. */
static inline int64_t test_edges(const struct nuce_rectangle *parts, int count, double near,
                                 enum nuce_edges edges)
{
    int64_t pairs = 0;

    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            const struct nuce_rectangle *a = &parts[i], *b = &parts[k];
            int beside = fabs(a->column + a->columns - b->column) < near;
            int below = fabs(a->row + a->rows - b->row) < near;

            pairs += beside && test_shared(a->row, a->rows, b->row, b->rows) > near;
            pairs += below && test_shared(a->column, a->columns, b->column, b->columns) > near;
            pairs += beside && below && edges == NUCE_EDGES_NAIVE;
        }
    }
    return pairs;
}

static inline double test_cost(const struct nuce_array *array, const struct nuce_rectangle *parts)
{
    double cost = -array->rows - array->columns;
    double near = TEST_NEAR * fmin(array->rows, array->columns);

    for (int i = 0; i < array->parts; i++)
        cost += parts[i].rows + parts[i].columns;
    return cost + array->latency * (double)test_edges(parts, array->parts, near, array->edges);
}

/* No two overlap, all lie inside, and together they are as large as the array. */
static inline void test_tiles(const struct nuce_decomposition *d, double near)
{
    double sum = 0;

    for (int i = 0; i < d->parts; i++) {
        const struct nuce_rectangle *a = &d->rectangles[i];

        assert_int_equal(a->owner, i);
        assert_true(a->row >= -near && a->row + a->rows <= d->rows + near);
        assert_true(a->column >= -near && a->column + a->columns <= d->columns + near);
        assert_true(a->rows >= 0 && a->columns >= 0);
        sum += a->rows * a->columns;
        for (int k = 0; k < i; k++) {
            const struct nuce_rectangle *b = &d->rectangles[k];

            assert_false(test_shared(a->row, a->rows, b->row, b->rows) > near &&
                         test_shared(a->column, a->columns, b->column, b->columns) > near);
        }
    }
    assert_true(fabs(sum - d->rows * d->columns) <= near * (d->rows + d->columns) * d->parts);
}

static inline int test_descending(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a < *b) - (*a > *b);
}

static inline double test_sum(const double *weights, int first, int end)
{
    double sum = 0;

    for (int i = first; i < end; i++)
        sum += weights[i];
    return sum;
}

/* A strip of the weights first .. end - 1 along the left (across) or the top of box, which takes
 * share of it. Returns the rest of box. */
static inline struct nuce_rectangle test_strip(const double *weights, int first, int end,
                                               double share, int across, struct nuce_rectangle box,
                                               struct nuce_rectangle *parts)
{
    double total = test_sum(weights, first, end), before = 0;

    for (int i = first; i < end; i++) {
        double low = before / total, size = weights[i] / total;

        if (across)
            parts[i] = (struct nuce_rectangle){i, box.row + box.rows * low, box.column,
                                               box.rows * size, box.columns * share};
        else
            parts[i] = (struct nuce_rectangle){i, box.row, box.column + box.columns * low,
                                               box.rows * share, box.columns * size};
        before += weights[i];
    }
    if (across) {
        box.column += box.columns * share;
        box.columns *= 1 - share;
    } else {
        box.row += box.rows * share;
        box.rows *= 1 - share;
    }
    return box;
}

/* A search that tries everything. */
struct test_search {
    struct nuce_array array; /* rows <= columns, weights nonincreasing */
    struct nuce_rectangle parts[TEST_MOST_PARTS];
    double least;
    int64_t leaves;
};

static inline void test_leaf(struct test_search *s)
{
    s->least = fmin(s->least, test_cost(&s->array, s->parts));
    s->leaves++;
}

static inline double test_share(const struct test_search *s, int first, int end)
{
    return test_sum(s->array.weights, first, end) /
           test_sum(s->array.weights, first, s->array.parts);
}

/* XY as Figure 13 prints it; direction 1: columns. */
static inline void test_xy(struct test_search *s, int first, int least, int across,
                           struct nuce_rectangle box)
{
    int parts = s->array.parts;

    for (int c = least; c <= parts - first; c++) {
        int end = first + c;

        if (end < parts && c > parts - end)
            continue;
        struct nuce_rectangle rest = test_strip(s->array.weights, first, end,
                                                test_share(s, first, end), across, box, s->parts);
        if (end == parts)
            test_leaf(s);
        else
            test_xy(s, end, c, across, rest);
    }
}

/* TILE as Figure 14 prints it, errata mended. */
static inline void test_tile(struct test_search *s, int first, int least, int across,
                             struct nuce_rectangle box)
{
    int parts = s->array.parts;

    for (int c = least; c <= parts - first; c++) {
        int end = first + c, turns;
        double share = test_share(s, first, end);
        double depth = across ? box.rows : box.columns;
        double remaining = (across ? box.columns : box.rows) * (1 - share);

        turns = depth > remaining * (1 + 1e-10);
        if (end < parts && c > parts - end && !turns)
            continue;
        struct nuce_rectangle rest =
            test_strip(s->array.weights, first, end, share, across, box, s->parts);
        if (end == parts)
            test_leaf(s);
        else if (parts - end == 1)
            test_tile(s, end, 1, across, rest);
        else if (turns)
            test_tile(s, end, 1, !across, rest);
        else
            test_tile(s, end, c, across, rest);
    }
}

/* Strips either way. */
static inline void test_strips(struct test_search *s, int first, struct nuce_rectangle box)
{
    for (int across = 0; across < 2; across++) {
        for (int end = first + 1; end <= s->array.parts; end++) {
            struct nuce_rectangle rest = test_strip(
                s->array.weights, first, end, test_share(s, first, end), across, box, s->parts);
            if (end == s->array.parts)
                test_leaf(s);
            else
                test_strips(s, end, rest);
        }
    }
}

/* A search of given, sorted into sorted (TEST_MOST_PARTS), lying down. */
static inline struct test_search test_begin(const struct nuce_array *given, double *sorted)
{
    struct test_search s = {.array = *given, .least = INFINITY};

    s.array.rows = fmin(given->rows, given->columns);
    s.array.columns = fmax(given->rows, given->columns);
    memcpy(sorted, given->weights, (size_t)given->parts * sizeof *sorted);
    qsort(sorted, (size_t)given->parts, sizeof *sorted, test_descending);
    s.array.weights = sorted;
    return s;
}

static inline struct nuce_rectangle test_whole(const struct test_search *s)
{
    return (struct nuce_rectangle){0, 0, 0, s->array.rows, s->array.columns};
}

enum test_kind { TEST_XY, TEST_XY2, TEST_TILE, TEST_STRIPS };

static inline double test_least(const struct nuce_array *given, enum test_kind kind)
{
    double sorted[TEST_MOST_PARTS];
    struct test_search s = test_begin(given, sorted);

    if (kind == TEST_XY || kind == TEST_XY2)
        test_xy(&s, 0, 1, 1, test_whole(&s));
    if (kind == TEST_XY2)
        test_xy(&s, 0, 1, 0, test_whole(&s));
    if (kind == TEST_TILE)
        test_tile(&s, 0, 1, 1, test_whole(&s));
    if (kind == TEST_STRIPS)
        test_strips(&s, 0, test_whole(&s));
    return s.least;
}

#endif
