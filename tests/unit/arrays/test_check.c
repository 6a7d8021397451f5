/* Arrays that cannot be decomposed, and the names of algorithms. */
#include "reference.h"

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
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_array_check(&array, &error), NUCE_OK);
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

    (void)state;
    for (int i = 0; nuce_decompositions[i] != NULL; i++) {
        assert_int_equal(nuce_decomposition_find(nuce_decompositions[i]->name, &ops, &error),
                         NUCE_OK);
        assert_ptr_equal(ops, nuce_decompositions[i]);
    }
    assert_int_equal(nuce_decomposition_find("xyz", &ops, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "'xyz'"));
    for (int i = 0; nuce_decompositions[i] != NULL; i++)
        assert_non_null(strstr(nuce_error_flatten(&error), nuce_decompositions[i]->name));
}

static void test_most_parts(void **state)
{
    static const double weights[] = {1, 2, 3, 4, 5, 6, 7};
    struct nuce_array array = {.rows = 10, .columns = 10, .parts = 7, .weights = weights};
    const struct nuce_decomposition_ops *ops;
    struct nuce_decomposition made;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_decomposition_find("optimal", &ops, &error), NUCE_OK);
    assert_int_equal(nuce_decomposition_compute(ops, &array, &made, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "optimal: 7 processors: expected at most 6"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arrays),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_most_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
