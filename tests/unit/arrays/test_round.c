#include "reference.h"

static void test_thirds(void **state)
{
    static const double weights[] = {1, 1, 1};
    struct nuce_array array = {.rows = 1, .columns = 100, .parts = 3, .weights = weights};
    struct nuce_decomposition made;
    struct nuce_error error;

    (void)state;
    test_decompose("xy", &array, &made);
    assert_int_equal(nuce_decomposition_round(&made, 0, &error), NUCE_OK);
    test_tiles(&made, 0);
    assert_true(made.rectangles[0].columns == 33 && made.rectangles[1].columns == 34 &&
                made.rectangles[2].columns == 33);
    nuce_decomposition_fini(&made);
}

/* The part is named; allowed, it has no cells and shares no border. */
static void test_empty(void **state)
{
    static const double weights[] = {50, 0.1, 50};
    struct nuce_array array = {.rows = 2, .columns = 10, .parts = 3, .weights = weights};
    struct nuce_decomposition made;
    struct nuce_decomposition_cost cost;
    struct nuce_error error;

    (void)state;
    test_decompose("slabs", &array, &made);
    assert_int_equal(nuce_decomposition_round(&made, 0, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "part 1 of 3"));
    nuce_decomposition_fini(&made);
    test_decompose("slabs", &array, &made);
    assert_int_equal(nuce_decomposition_round(&made, 1, &error), NUCE_OK);
    test_tiles(&made, 0);
    assert_true(made.rectangles[1].columns == 0);
    nuce_decomposition_measure(&made, 0, NUCE_EDGES_EXACT, &cost);
    assert_int_equal(cost.internal_edges, 1);
    assert_true(cost.acost == 2);
    nuce_decomposition_fini(&made);
}

/* As many parts as cells: each gets its own, also where borders are halves but for rounding. */
static void test_a_cell_each(void **state)
{
    double weights[TEST_MOST_PARTS];
    struct nuce_array array = {.rows = 4, .columns = 6, .parts = 24, .weights = weights};
    struct nuce_decomposition made;
    struct nuce_error error;

    (void)state;
    for (int i = 0; i < 24; i++)
        weights[i] = 0.1;
    test_decompose("xy2", &array, &made);
    assert_int_equal(nuce_decomposition_round(&made, 0, &error), NUCE_OK);
    test_tiles(&made, 0);
    nuce_decomposition_fini(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thirds),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_a_cell_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
