/* Invariants of every decomposition, whatever the array and the weights; and the fast searches find
 * the same as trying everything. */
#include "../unit/arrays/reference.h"
#include "../unit/test.h"

#include "base/rng.h"

#define INVARIANT_INSTANCES 15000
#define SEARCH_INSTANCES 3000
#define TILE_INSTANCES 1200
#define OPTIMAL_INSTANCES 50

/* Weights: real ones; small whole ones; decimals; few values, not decimals, again and again. */
static void draw_weights(struct nuce_rng *rng, int parts, double *weights)
{
    uint64_t kind = nuce_rng_below(rng, 4);
    double ratio = 1 + 7 * nuce_rng_uniform(rng), values[2];

    if (kind == 0) {
        nuce_decomposition_draw_weights(rng, ratio, parts, weights);
        return;
    }
    for (int i = 0; i < 2; i++)
        values[i] = 0.1 + nuce_rng_uniform(rng);
    for (int i = 0; i < parts; i++) {
        double whole = (double)(1 + nuce_rng_below(rng, 4));

        weights[i] = kind == 1 ? whole : kind == 2 ? whole / 20 : values[nuce_rng_below(rng, 2)];
    }
}

static struct nuce_array draw(struct nuce_rng *rng, int most_parts, double *weights)
{
    static const double sides[] = {1000, 1000, 1000, 2000, 3000, 640};
    static const double latencies[] = {0, 10, 100, 1000};
    struct nuce_array array = {.rows = sides[nuce_rng_below(rng, 6)],
                               .columns = sides[nuce_rng_below(rng, 6)],
                               .parts = 1 + (int)nuce_rng_below(rng, (uint64_t)most_parts),
                               .weights = weights,
                               .latency = latencies[nuce_rng_below(rng, 4)]};

    array.edges = nuce_rng_below(rng, 4) == 0 ? NUCE_EDGES_NAIVE : NUCE_EDGES_EXACT;
    draw_weights(rng, array.parts, weights);
    return array;
}

/* The areas are in proportion to the weights. */
static void check_areas(const struct nuce_array *array, const struct nuce_decomposition *d)
{
    double total = test_sum(array->weights, 0, array->parts), cells = array->rows * array->columns;

    for (int i = 0; i < d->parts; i++) {
        double area = d->rectangles[i].rows * d->rectangles[i].columns;

        assert_true(fabs(area - array->weights[i] / total * cells) <= 1e-9 * cells);
    }
}

static void check_cost(const struct nuce_array *array, const struct nuce_decomposition *d)
{
    double near = TEST_NEAR * fmin(array->rows, array->columns);
    struct nuce_decomposition_cost cost;

    nuce_decomposition_measure(d, array->latency, array->edges, &cost);
    assert_int_equal(cost.internal_edges, test_edges(d->rectangles, d->parts, near, array->edges));
    assert_near(cost.cost, test_cost(array, d->rectangles), near);
    assert_true(cost.bcost >= cost.acost - near);
    assert_true(cost.bcost <= cost.acost + array->rows + array->columns + near);
}

/* Rounded they are whole, tile exactly, and are no farther from their share than the bound. */
static void check_rounded(struct nuce_decomposition *d)
{
    struct nuce_rectangle before[TEST_MOST_PARTS];

    memcpy(before, d->rectangles, (size_t)d->parts * sizeof *before);
    assert_ok(nuce_decomposition_round(d, 1, ANY_ERROR));
    test_tiles(d, 0);
    for (int i = 0; i < d->parts; i++) {
        const struct nuce_rectangle *a = &d->rectangles[i], *b = &before[i];

        assert_true(a->row == floor(a->row) && a->column == floor(a->column) &&
                    a->rows == floor(a->rows) && a->columns == floor(a->columns));
        assert_true(fabs(a->rows - b->rows) <= 1 + 1e-6 && (b->rows < 1 || a->rows >= 1));
        assert_true(fabs(a->columns - b->columns) <= 1 + 1e-6 &&
                    (b->columns < 1 || a->columns >= 1));
        assert_true(fabs(a->rows * a->columns - b->rows * b->columns) <=
                    b->rows + b->columns + 1 + 1e-4);
    }
}

static void check_invariants(const struct nuce_decomposition_ops *ops,
                             const struct nuce_array *array)
{
    OWNED(decomposition) made;

    assert_ok(nuce_decomposition_compute(ops, array, &made, ANY_ERROR));
    assert_true(made.is_settled);
    test_tiles(&made, TEST_NEAR * fmax(array->rows, array->columns));
    if (!ops->is_uniform)
        check_areas(array, &made);
    check_cost(array, &made);
    check_rounded(&made);
}

/* A different algorithm at each instance, so that none costs all the time. */
static void test_invariants(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    double weights[TEST_MOST_PARTS];
    int algorithms = 0;

    while (nuce_decompositions[algorithms] != NULL)
        algorithms++;
    for (int n = 0; n < INVARIANT_INSTANCES; n++) {
        const struct nuce_decomposition_ops *ops = nuce_decompositions[n % algorithms];
        /* Those of few parts try everything. */
        int is_small = ops->most_parts > 0 && ops->most_parts < 12;
        struct nuce_array array = draw(&rng, is_small ? 5 : 12, weights);

        check_invariants(ops, &array);
    }
}

static double cost_of(const char *name, const struct nuce_array *array)
{
    OWNED(decomposition) made;

    test_decompose(name, array, &made);
    return test_cost(array, made.rectangles);
}

static void expect_same(const char *name, const struct nuce_array *array, double expected)
{
    double cost = cost_of(name, array);

    if (fabs(cost - expected) > 1e-7 * (1 + expected)) {
        for (int i = 0; i < array->parts; i++)
            print_message("%.17g,", array->weights[i]);
        fail_msg("%s, %g x %g, latency %g, edges %d: %.10g instead of %.10g", name, array->rows,
                 array->columns, array->latency, (int)array->edges, cost, expected);
    }
}

static void test_columns_are_the_best(void **state)
{
    struct nuce_rng rng = nuce_rng_create(2, 0);
    double weights[TEST_MOST_PARTS];

    for (int n = 0; n < SEARCH_INSTANCES; n++) {
        struct nuce_array array = draw(&rng, 9, weights);

        expect_same("xy", &array, test_least(&array, TEST_XY));
        expect_same("xy2", &array, test_least(&array, TEST_XY2));
    }
}

static void test_strips_are_the_best(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);
    double weights[TEST_MOST_PARTS];

    for (int n = 0; n < TILE_INSTANCES; n++) {
        struct nuce_array array = draw(&rng, 8, weights);

        expect_same("tile", &array, test_least(&array, TEST_TILE));
        array.parts = array.parts > 6 ? 6 : array.parts;
        expect_same("strips", &array, test_least(&array, TEST_STRIPS));
    }
}

/* Sizes as the bits of composition say, of weights in the order given. */
static void lay_columns(struct test_search *s, unsigned composition, int across)
{
    struct nuce_rectangle box = test_whole(s);
    int first = 0;

    for (int end = 1; end <= s->array.parts; end++) {
        if (end < s->array.parts && !(composition >> (end - 1) & 1))
            continue;
        box = test_strip(s->array.weights, first, end, test_share(s, first, end), across, box,
                         s->parts);
        first = end;
    }
    test_leaf(s);
}

/* All orders of the weights, by Heap's method. */
static void permute(struct test_search *s, double *weights, int count)
{
    if (count == 1) {
        for (unsigned i = 0; i < 1U << (s->array.parts - 1); i++) {
            lay_columns(s, i, 0);
            lay_columns(s, i, 1);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        int swapped = count % 2 == 0 ? i : 0;
        double last;

        permute(s, weights, count - 1);
        last = weights[count - 1];
        weights[count - 1] = weights[swapped];
        weights[swapped] = last;
    }
}

static void test_all_columns(void **state)
{
    struct nuce_rng rng = nuce_rng_create(4, 0);
    double weights[TEST_MOST_PARTS], sorted[TEST_MOST_PARTS];

    for (int n = 0; n < 200; n++) {
        struct nuce_array array = draw(&rng, 6, weights);
        struct test_search s;

        nuce_decomposition_draw_weights(&rng, 8, array.parts, weights);
        s = test_begin(&array, sorted);
        permute(&s, sorted, array.parts);
        expect_same("xy2-all", &array, s.least);
    }
}

static void expect_no_worse(double cost, double than)
{
    assert_true(cost <= than * (1 + 1e-9) + 1e-9);
}

static void test_order_of_algorithms(void **state)
{
    struct nuce_rng rng = nuce_rng_create(5, 0);
    double weights[TEST_MOST_PARTS];

    for (int n = 0; n < TILE_INSTANCES; n++) {
        struct nuce_array array = draw(&rng, 14, weights);
        double xy2 = cost_of("xy2", &array), strips = cost_of("strips", &array);

        expect_no_worse(xy2, cost_of("xy", &array));
        expect_no_worse(cost_of("xy2-all", &array), xy2);
        expect_no_worse(strips, xy2);
        expect_no_worse(strips, cost_of("tile", &array));
    }
}

static void test_nothing_beats_optimal(void **state)
{
    struct nuce_rng rng = nuce_rng_create(6, 0);
    double weights[TEST_MOST_PARTS];

    for (int n = 0; n < OPTIMAL_INSTANCES; n++) {
        struct nuce_array array = draw(&rng, 6, weights);
        double least = cost_of("optimal", &array);

        for (int i = 0; nuce_decompositions[i] != NULL; i++) {
            if (!nuce_decompositions[i]->is_uniform)
                expect_no_worse(least, cost_of(nuce_decompositions[i]->name, &array));
        }
    }
}

RUN(test_invariants, test_columns_are_the_best, test_strips_are_the_best, test_all_columns,
    test_order_of_algorithms, test_nothing_beats_optimal)
