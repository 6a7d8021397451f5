/* What the paper prints: Figure 16, Table 1, the closed forms of Figures 5 to 8, Lemma 4; and what
 * is known of Figure 17. */
#include "reference.h"

static const double figure_16[] = {.5, .1, .1, .1, .1, .05, .05};

static struct nuce_decomposition_cost cost_of(const char *name, const struct nuce_array *array)
{
    struct nuce_decomposition made;
    struct nuce_decomposition_cost cost;

    test_decompose(name, array, &made);
    nuce_decomposition_measure(&made, array->latency, array->edges, &cost);
    nuce_decomposition_fini(&made);
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

    (void)state;
    expect_near(cost_of("rb", &array).acost, 5750);
    expect_near(cost_of("xy2", &array).acost, 4500);
    expect_near(cost_of("tile", &array).acost, 4500);
    expect_near(cost_of("rb2", &array).acost, 4666 + 2.0 / 3);
    expect_near(cost_of("rb3", &array).acost, 4700);
}

/* Standing up it costs the same, and the parts are turned. */
static void test_turned(void **state)
{
    struct nuce_array lying = {.rows = 1000, .columns = 3000, .parts = 7, .weights = figure_16};
    struct nuce_array standing = {.rows = 3000, .columns = 1000, .parts = 7, .weights = figure_16};

    (void)state;
    for (int i = 0; nuce_decompositions[i] != NULL; i++) {
        struct nuce_decomposition a, b;

        if (nuce_decompositions[i]->is_uniform || nuce_decompositions[i]->most_parts == 6)
            continue;
        test_decompose(nuce_decompositions[i]->name, &lying, &a);
        test_decompose(nuce_decompositions[i]->name, &standing, &b);
        for (int k = 0; k < 7; k++) {
            expect_near(b.rectangles[k].row, a.rectangles[k].column);
            expect_near(b.rectangles[k].rows, a.rectangles[k].columns);
            expect_near(b.rectangles[k].column, a.rectangles[k].row);
            expect_near(b.rectangles[k].columns, a.rectangles[k].rows);
        }
        nuce_decomposition_fini(&a);
        nuce_decomposition_fini(&b);
    }
}

/* Owners are the indices as given, in whatever order. */
static void test_owners(void **state)
{
    static const double mixed[] = {.05, .1, .1, .5, .1, .05, .1};
    struct nuce_array array = {.rows = 1000, .columns = 3000, .parts = 7, .weights = mixed};

    (void)state;
    for (int i = 0; nuce_decompositions[i] != NULL; i++) {
        struct nuce_decomposition made;

        if (nuce_decompositions[i]->is_uniform || nuce_decompositions[i]->most_parts == 6)
            continue;
        test_decompose(nuce_decompositions[i]->name, &array, &made);
        for (int k = 0; k < 7; k++) {
            assert_int_equal(made.rectangles[k].owner, k);
            expect_near(made.rectangles[k].rows * made.rectangles[k].columns, 3e6 * mixed[k]);
        }
        nuce_decomposition_fini(&made);
    }
    expect_near(cost_of("rb2", &array).acost, 4666 + 2.0 / 3);
}

/* How many decompositions XY looks through: the partitions of p. The slow reference enumerates
 * them. */
static void test_table_1(void **state)
{
    static const struct {
        int parts;
        int64_t partitions;
    } rows[] = {{4, 5}, {5, 7}, {7, 15}, {10, 42}, {20, 627}};

    (void)state;
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

    (void)state;
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

    (void)state;
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
    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
    for (int k = 0; k < 16; k++)
        weights[k] = .05;
    assert_int_equal(cost_of("xy2", &array).internal_edges, 15);
    array.latency = 100;
    expect_near(cost_of("xy2", &array).cost, 6000 + 2400);
    assert_int_equal(cost_of("xy2", &array).internal_edges, 24);
    array.edges = NUCE_EDGES_NAIVE;
    expect_near(cost_of("grid", &array).cost, 6000 + 3300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_16),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_table_1),
        cmocka_unit_test(test_two_and_three_parts),
        cmocka_unit_test(test_four_parts),
        cmocka_unit_test(test_equal_parts),
        cmocka_unit_test(test_figure_17),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_coinciding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
