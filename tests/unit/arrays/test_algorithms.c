/* The paper's numbers: Figure 16, Table 1, the closed forms of Figures 5 to 8, Lemma 4, and Figure
 * 17 as far as it is known. */
#include "../test.h"

#include "instances/halo.h"
#include "reference.h"

static const double figure_16[] = {.5, .1, .1, .1, .1, .05, .05};

static struct nuce_decomposition_cost cost_of(const char *name, const struct nuce_array *array)
{
    OWNED(decomposition) made;
    struct nuce_decomposition_cost cost;

    test_decompose(name, array, &made);
    nuce_decomposition_measure(&made, array->latency, array->edges, &cost);
    return cost;
}

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static void test_figure_16(void **state)
{
    struct nuce_array array = {.rows = 1000, .columns = 3000, .parts = 7, .weights = figure_16};

    expect_near(cost_of("rb", &array).acost, 5750);
    expect_near(cost_of("xy2", &array).acost, 4500);
    expect_near(cost_of("tile", &array).acost, 4500);
    expect_near(cost_of("rb2", &array).acost, 4666 + 2.0 / 3);
    expect_near(cost_of("rb3", &array).acost, 4700);
}

/* How many decompositions XY looks through: the partitions of p. The slow reference enumerates
 * them. */
static void test_table_1(void **state)
{
    static const struct {
        int parts;
        int64_t partitions;
    } rows[] = {{4, 5}, {5, 7}, {7, 15}, {10, 42}, {20, 627}};

    for (int i = 0; i < 5; i++) {
        double weights[TEST_MOST_PARTS], sorted[TEST_MOST_PARTS];
        struct nuce_array array = {
            .rows = 1000, .columns = 1000, .parts = rows[i].parts, .weights = weights};
        struct test_search s;

        for (int k = 0; k < rows[i].parts; k++)
            weights[k] = k + 1;
        s = test_begin(&array, sorted);
        test_xy(&s, 0, 1, 1, test_whole(&s));
        assert_int_equal(s.leaves, rows[i].partitions);
        expect_near(cost_of("xy", &array).acost, s.least);
    }
}

/* m < n. Two parts: m and 2 m (Figure 5a). Three: m + n (a2 + a3), wrapped 2 m + 2 n (a2 + a3)
 * (6a), or 2 m and 3 m (6c). */
static void test_two_and_three_parts(void **state)
{
    static const double two[] = {3, 1}, three[] = {6, 2, 2}, flat[] = {2, 1.5, 1.5};
    struct nuce_array array = {.rows = 1000, .columns = 1200, .parts = 2, .weights = two};

    expect_near(cost_of("xy2", &array).acost, 1000);
    expect_near(cost_of("xy2", &array).bcost, 2000);
    array.parts = 3;
    array.weights = three;
    expect_near(cost_of("xy2", &array).acost, 1000 + 1200 * .4);
    expect_near(cost_of("xy2", &array).bcost, 2000 + 2 * 1200 * .4);
    array.weights = flat;
    array.columns = 4000;
    expect_near(cost_of("xy2", &array).acost, 2000);
    expect_near(cost_of("xy2", &array).bcost, 3000);
}

/* Figure 7: (a) 3 m, 4 m; (b) 2 m + n (a3 + a4), 3 m + 2 n (a3 + a4); (c) m + 2 n (a2 + a3 + a4),
 * 2 m + 3 n (a2 + a3 + a4) as the figure says; (d) m + n, 2 m + 2 n. Figure 8: m + m (a3 + a4)/(a2
 * + a3 + a4) + n (a2 + a3 + a4), wrapped 2 m + m (a3 + a4)/(...) + 2 n (...). */
static void test_four_parts(void **state)
{
    static const double equal[] = {1, 1, 1, 1}, b[] = {4, 4, 1, 1}, c[] = {97, 1, 1, 1};
    static const double figure_8[] = {70, 20, 5, 5};
    struct nuce_array array = {.rows = 1000, .columns = 9000, .parts = 4, .weights = equal};

    expect_near(cost_of("xy2", &array).acost, 3000);
    expect_near(cost_of("xy2", &array).bcost, 4000);
    array.columns = 1000;
    expect_near(cost_of("xy2", &array).acost, 2000);
    expect_near(cost_of("xy2", &array).bcost, 4000);
    array.columns = 1500;
    array.weights = b;
    expect_near(cost_of("xy2", &array).acost, 2000 + 1500 * .2);
    expect_near(cost_of("xy2", &array).bcost, 3000 + 2 * 1500 * .2);
    array.weights = c;
    expect_near(cost_of("xy", &array).acost, 1000 + 2 * 1500 * .03);
    expect_near(cost_of("xy", &array).bcost, 2000 + 3 * 1500 * .03);
    array.weights = figure_8;
    expect_near(cost_of("tile", &array).acost, 1000 + 1000 * 10 / 30.0 + 1500 * .3);
    expect_near(cost_of("tile", &array).bcost, 2000 + 1000 * 10 / 30.0 + 2 * 1500 * .3);
}

/* Lemma 4, with (l - 1) m for the l m of the paper. */
static void test_equal_parts(void **state)
{
    for (int p = 1; p <= TEST_MOST_PARTS; p++) {
        double weights[TEST_MOST_PARTS], least = INFINITY;
        struct nuce_array array = {.rows = 1000, .columns = 2000, .parts = p, .weights = weights};

        for (int k = 0; k < p; k++)
            weights[k] = 1.0 / 3;
        for (int l = 1; l <= p; l++) {
            int few = p / l, many = few + (p % l > 0);
            double parts = few * (few - 1) * (l - p % l) + many * (many - 1) * (p % l);

            least = fmin(least, parts * 2000 / p + (l - 1) * 1000);
        }
        expect_near(cost_of("xy", &array).acost, least);
    }
}

/* Four equal parts around a small one: the pinwheel is best; with equal ones it is not. */
static void test_figure_17(void **state)
{
    static const double pinwheel[] = {.24, .24, .04, .24, .24}, equal[] = {1, 1, 1, 1, 1};
    struct nuce_array array = {.rows = 1000, .columns = 1000, .parts = 5, .weights = pinwheel};

    expect_near(cost_of("optimal", &array).acost, 2400);
    expect_near(cost_of("xy2", &array).acost, 2520);
    expect_near(fmin(cost_of("strips", &array).acost, cost_of("tile", &array).acost), 2520);
    array.weights = equal;
    expect_near(cost_of("optimal", &array).acost, 2600);
}

/* One part, many equal ones, and far more than anything but xy2 can do. */
static void test_sizes(void **state)
{
    double *weights = malloc(20000 * sizeof *weights);
    struct nuce_array array = {.rows = 1000, .columns = 1000, .parts = 1, .weights = weights};
    struct nuce_rng rng = nuce_rng_create(1, 0);

    assert_non_null(weights);
    nuce_decomposition_draw_weights(&rng, 8, 20000, weights);
    for (int i = 0; nuce_decompositions[i] != NULL; i++) {
        expect_near(cost_of(nuce_decompositions[i]->name, &array).bcost, 0);
        assert_int_equal(cost_of(nuce_decompositions[i]->name, &array).internal_edges, 0);
    }
    array.parts = 20000;
    /* Near the bound of squares: 2 sqrt(area) each. */
    assert_true(cost_of("xy2", &array).acost < 1.02e6 * sqrt(array.parts) / 500 - 2000);
    array.parts = 3000;
    array.latency = 100;
    assert_true(cost_of("xy2-all", &array).cost <= cost_of("xy2", &array).cost);
    free(weights);
}

/* Corners that coincide are sought: 16 equal parts are best on a grid of 4 x 4, with 24 edges. */
static void test_coinciding(void **state)
{
    double weights[16];
    struct nuce_array array = {
        .rows = 1000, .columns = 1000, .parts = 16, .weights = weights, .latency = 1000};

    for (int k = 0; k < 16; k++)
        weights[k] = .05;
    assert_int_equal(cost_of("xy2", &array).internal_edges, 15);
    array.latency = 100;
    expect_near(cost_of("xy2", &array).cost, 6000 + 2400);
    assert_int_equal(cost_of("xy2", &array).internal_edges, 24);
    array.edges = NUCE_EDGES_NAIVE;
    expect_near(cost_of("grid", &array).cost, 6000 + 3300);
}

static void expect(const struct nuce_rectangle *parts, int count, double acost, double bcost,
                   int64_t edges, int64_t naive_edges)
{
    struct nuce_rectangle copy[TEST_MOST_PARTS];
    struct nuce_decomposition d = {
        .rows = 12, .columns = 12, .parts = count, .rectangles = copy, .is_settled = 1};
    struct nuce_decomposition_cost cost;

    memcpy(copy, parts, (size_t)count * sizeof *copy);
    nuce_decomposition_measure(&d, 10, NUCE_EDGES_EXACT, &cost);
    assert_near(cost.acost, acost, 1e-9);
    assert_near(cost.bcost, bcost, 1e-9);
    assert_int_equal(cost.internal_edges, edges);
    assert_true(fabs(cost.cost - acost - 10 * (double)edges) < 1e-9);
    nuce_decomposition_measure(&d, 10, NUCE_EDGES_NAIVE, &cost);
    assert_int_equal(cost.internal_edges, naive_edges);
}

/* 2 x 2: the four corners in the middle count once. */
static void test_crossing(void **state)
{
    static const struct nuce_rectangle grid[] = {
        {0, 0, 0, 6, 6}, {1, 0, 6, 6, 6}, {2, 6, 0, 6, 6}, {3, 6, 6, 6, 6}};
    static const struct nuce_rectangle nearly[] = {
        {0, 0, 0, 6, 6}, {1, 0, 6, 7, 6}, {2, 6, 0, 6, 6}, {3, 7, 6, 5, 6}};
    /* The same but for rounding. */
    static const struct nuce_rectangle rounded[] = {{0, 0, 0, 6, 6},
                                                    {1, 0, 6, 6.000000000001, 6},
                                                    {2, 6, 0, 6, 6},
                                                    {3, 6.000000000001, 6, 5.999999999999, 6}};

    expect(grid, 4, 24, 48, 4, 5);
    expect(nearly, 4, 24, 48, 5, 5);
    expect(rounded, 4, 24, 48, 4, 5);
}

static void test_thirds(void **state)
{
    static const double weights[] = {1, 1, 1};
    struct nuce_array array = {.rows = 1, .columns = 100, .parts = 3, .weights = weights};
    OWNED(decomposition) made;

    test_decompose("xy", &array, &made);
    assert_ok(nuce_decomposition_round(&made, 0, ANY_ERROR));
    test_tiles(&made, 0);
    assert_true(made.rectangles[0].columns == 33 && made.rectangles[1].columns == 34 &&
                made.rectangles[2].columns == 33);
}

/* The part is named; allowed, it has no cells and shares no border. */
static void test_empty(void **state)
{
    static const double weights[] = {50, 0.1, 50};
    struct nuce_array array = {.rows = 2, .columns = 10, .parts = 3, .weights = weights};
    OWNED(decomposition) made;
    struct nuce_decomposition_cost cost;
    struct nuce_error error;

    test_decompose("slabs", &array, &made);
    assert_int_equal(nuce_decomposition_round(&made, 0, &error), NUCE_BAD_INPUT);
    assert_says(&error, "part 1 of 3");
    nuce_decomposition_fini(&made);
    test_decompose("slabs", &array, &made);
    assert_ok(nuce_decomposition_round(&made, 1, &error));
    test_tiles(&made, 0);
    assert_true(made.rectangles[1].columns == 0);
    nuce_decomposition_measure(&made, 0, NUCE_EDGES_EXACT, &cost);
    assert_int_equal(cost.internal_edges, 1);
    assert_true(cost.acost == 2);
}

/* Arrays that cannot be decomposed, and the names of algorithms. */

static void refuse(struct nuce_array array, const char *what)
{
    struct nuce_error error = {0};

    assert_int_equal(nuce_array_check(&array, &error), NUCE_BAD_INPUT);
    if (strstr(nuce_error_flatten(&error), what) == NULL)
        fail_msg("'%s' does not say '%s'", nuce_error_flatten(&error), what);
}

static void test_bad_arrays(void **state)
{
    static const double good[] = {1, 2}, zero[] = {1, 0}, negative[] = {-1, 2}, nan[] = {1, NAN};
    static const double infinite[] = {INFINITY, 1}, far[] = {1e-13, 1}, alone[] = {1};
    struct nuce_array array = {.rows = 2, .columns = 3, .parts = 2, .weights = good};

    assert_ok(nuce_array_check(&array, ANY_ERROR));
    array.weights = zero;
    refuse(array, "weight 2 of 2: '0'");
    array.weights = negative;
    refuse(array, "weight 1 of 2: '-1'");
    array.weights = nan;
    refuse(array, "weight 2 of 2");
    array.weights = infinite;
    refuse(array, "weight 1 of 2");
    array.weights = far;
    refuse(array, "weight 1 of 2: '1e-13'");
    array.weights = good;
    array.latency = -1;
    refuse(array, "latency: '-1'");
    array.latency = NAN;
    refuse(array, "latency");
    array.latency = 0;
    array.rows = 0;
    refuse(array, "rows: '0'");
    array.rows = 1;
    array.columns = INFINITY;
    refuse(array, "columns");
    array.columns = 1;
    refuse(array, "ranks: '2': expected at most one for each of the 1 cells");
    array.parts = 0;
    array.weights = alone;
    refuse(array, "ranks: '0'");
}

static void test_names(void **state)
{
    const struct nuce_decomposition_ops *ops;
    struct nuce_error error;

    for (int i = 0; nuce_decompositions[i] != NULL; i++) {
        assert_ok(nuce_decomposition_find(nuce_decompositions[i]->name, &ops, &error));
        assert_ptr_equal(ops, nuce_decompositions[i]);
    }
    assert_int_equal(nuce_decomposition_find("xyz", &ops, &error), NUCE_BAD_INPUT);
    assert_says(&error, "'xyz'");
    for (int i = 0; nuce_decompositions[i] != NULL; i++)
        assert_says(&error, nuce_decompositions[i]->name);
}

static void test_most_parts(void **state)
{
    static const double weights[] = {1, 2, 3, 4, 5, 6, 7};
    struct nuce_array array = {.rows = 10, .columns = 10, .parts = 7, .weights = weights};
    const struct nuce_decomposition_ops *ops;
    struct nuce_decomposition made;
    struct nuce_error error;

    assert_ok(nuce_decomposition_find("optimal", &ops, &error));
    assert_int_equal(nuce_decomposition_compute(ops, &array, &made, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "optimal: 7 processors: expected at most 6"));
}

#define MOST_SIDE 40

/* Cells of an array, by owner, in the slowest way. */
struct owners {
    int64_t rows, columns;
    int of[MOST_SIDE][MOST_SIDE];
};

static void find_owners(const struct nuce_decomposition *tiling, struct owners *out)
{
    out->rows = (int64_t)tiling->rows;
    out->columns = (int64_t)tiling->columns;
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);

        for (int64_t row = part.row; row < part.row + part.rows; row++) {
            for (int64_t column = part.column; column < part.column + part.columns; column++)
                out->of[row][column] = i;
        }
    }
}

static int64_t wrapped(int64_t at, int64_t side)
{
    return (at + 2 * side) % side;
}

/* Nonzero if the cell at row, column is among the ghost cells of part. */
static int is_ghost(struct nuce_region part, const struct owners *owners,
                    const struct nuce_halo_shape *shape, int64_t row, int64_t column)
{
    int above = row < part.row || row >= part.row + part.rows;
    int beside = column < part.column || column >= part.column + part.columns;
    int outside = row < 0 || row >= owners->rows || column < 0 || column >= owners->columns;

    if (outside && !shape->is_wrapped)
        return 0;
    return above && beside ? shape->corners : above || beside;
}

/* How many pieces give the cell to part; each must come from its owner, from where it is. */
static int times_given(const struct nuce_halo *halo, const struct owners *owners, int part,
                       int64_t row, int64_t column)
{
    int times = 0;

    for (int64_t k = 0; k < halo->count; k++) {
        const struct nuce_halo_piece *piece = &halo->pieces[k];
        int64_t down = row - piece->to.row, along = column - piece->to.column;

        if (piece->destination != part || down < 0 || down >= piece->to.rows || along < 0 ||
            along >= piece->to.columns)
            continue;
        times++;
        assert_int_equal(piece->from.row + down, wrapped(row, owners->rows));
        assert_int_equal(piece->from.column + along, wrapped(column, owners->columns));
        assert_int_equal(owners->of[piece->from.row + down][piece->from.column + along],
                         piece->source);
    }
    return times;
}

/* Every ghost cell comes once, and nothing else does. */
static void check_halo(const struct nuce_decomposition *tiling, const struct nuce_halo *halo,
                       const struct nuce_halo_shape *shape)
{
    struct owners owners;
    int64_t cells = 0, given = 0;

    find_owners(tiling, &owners);
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);
        int64_t bottom = part.row + part.rows + shape->depth;
        int64_t right = part.column + part.columns + shape->depth;

        if (nuce_region_cells(part) == 0)
            continue;
        for (int64_t row = part.row - shape->depth; row < bottom; row++) {
            for (int64_t column = part.column - shape->depth; column < right; column++) {
                int wanted = is_ghost(part, &owners, shape, row, column);

                cells += wanted;
                assert_int_equal(times_given(halo, &owners, i, row, column), wanted);
            }
        }
    }
    for (int64_t k = 0; k < halo->count; k++)
        given += nuce_region_cells(halo->pieces[k].to);
    assert_int_equal(given, cells);
}

/* Pieces in the order that both ends of a message know. */
static void check_order(const struct nuce_halo *halo)
{
    for (int i = 0; i < halo->parts; i++) {
        for (int64_t k = halo->first[i]; k < halo->first[i + 1]; k++) {
            const struct nuce_halo_piece *piece = &halo->pieces[k];

            assert_int_equal(piece->source, i);
            assert_true(
                k == halo->first[i] || piece[-1].destination < piece->destination ||
                (piece[-1].destination == piece->destination &&
                 (piece[-1].to.row < piece->to.row ||
                  (piece[-1].to.row == piece->to.row && piece[-1].to.column < piece->to.column))));
        }
    }
    assert_int_equal(halo->first[halo->parts], halo->count);
}

/* Returns whether there was one. */
static int try_halo(const struct nuce_decomposition *tiling, const struct nuce_halo_shape *shape)
{
    struct nuce_halo halo;
    struct nuce_error error = {0};

    if (nuce_halo_init(tiling, shape, &halo, &error) != NUCE_OK) {
        assert_int_equal(error.status, NUCE_BAD_INPUT);
        assert_says(&error, "deeper than that");
        return 0;
    }
    check_halo(tiling, &halo, shape);
    check_order(&halo);
    nuce_halo_fini(&halo);
    return 1;
}

static void test_random(void **state)
{
    static const char *const names[] = {"rb", "xy2", "tile", "strips", "grid", "slabs"};
    int tried = 0;

    for (uint64_t k = 0; k < 400; k++) {
        struct nuce_rng rng = nuce_rng_create(7, k);
        double weights[TEST_MOST_PARTS];
        struct nuce_array array = {.weights = weights};
        struct nuce_halo_shape shape = {.depth = 1 + (int64_t)nuce_rng_below(&rng, 3),
                                        .corners = (int)nuce_rng_below(&rng, 2),
                                        .is_wrapped = (int)nuce_rng_below(&rng, 2)};
        OWNED(decomposition) made;

        array.rows = 5 + (double)nuce_rng_below(&rng, MOST_SIDE - 5);
        array.columns = 5 + (double)nuce_rng_below(&rng, MOST_SIDE - 5);
        array.parts = 1 + (int)nuce_rng_below(&rng, 12);
        nuce_decomposition_draw_weights(&rng, 5, array.parts, weights);
        test_decompose(names[k % 6], &array, &made);
        assert_ok(nuce_decomposition_round(&made, 1, ANY_ERROR));
        tried += try_halo(&made, &shape);
    }
    assert_true(tried > 200);
}

static void test_deep(void **state)
{
    static const double weights[] = {1, 1};
    const struct nuce_array array = {.rows = 4, .columns = 6, .parts = 2, .weights = weights};
    const struct nuce_halo_shape shape = {.depth = 4};
    OWNED(decomposition) made;
    struct nuce_halo halo;
    struct nuce_error error;

    test_decompose("slabs", &array, &made);
    assert_int_equal(nuce_halo_init(&made, &shape, &halo, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "part 0 of 2: has 4 x 3 cells: a halo 4 deep is deeper than "
                                       "that");
}

RUN(test_figure_16, test_table_1, test_two_and_three_parts, test_four_parts, test_equal_parts,
    test_figure_17, test_sizes, test_coinciding, test_crossing, test_thirds, test_empty,
    test_bad_arrays, test_names, test_most_parts, test_random, test_deep)
