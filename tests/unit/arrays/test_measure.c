/* Costs worked out by hand. */
#include "reference.h"

static void expect(const struct nuce_rectangle *parts, int count, double acost, double bcost,
                   int64_t edges, int64_t naive_edges)
{
    struct nuce_rectangle copy[TEST_MOST_PARTS];
    struct nuce_decomposition d = {
        .rows = 12, .columns = 12, .parts = count, .rectangles = copy, .is_settled = 1};
    struct nuce_decomposition_cost cost;

    memcpy(copy, parts, (size_t)count * sizeof *copy);
    nuce_decomposition_measure(&d, 10, NUCE_EDGES_EXACT, &cost);
    assert_true(fabs(cost.acost - acost) < 1e-9);
    assert_true(fabs(cost.bcost - bcost) < 1e-9);
    assert_int_equal(cost.internal_edges, edges);
    assert_true(fabs(cost.cost - acost - 10 * (double)edges) < 1e-9);
    nuce_decomposition_measure(&d, 10, NUCE_EDGES_NAIVE, &cost);
    assert_int_equal(cost.internal_edges, naive_edges);
}

/* 2 x 2: the corners in the middle are one. */
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

    (void)state;
    expect(grid, 4, 24, 48, 4, 5);
    expect(nearly, 4, 24, 48, 5, 5);
    expect(rounded, 4, 24, 48, 4, 5);
}

/* Nothing but slabs: a part has both borders of one direction. */
static void test_slabs(void **state)
{
    static const struct nuce_rectangle slabs[] = {
        {0, 0, 0, 12, 3}, {1, 0, 3, 12, 4}, {2, 0, 7, 12, 5}};

    (void)state;
    expect(slabs, 3, 24, 36, 2, 2);
}

/* Three above two, one full-width part below: 2 + 1 edges within rows, 4 between the upper two, 2
 * to the last. */
static void test_rows(void **state)
{
    static const struct nuce_rectangle rows[] = {{0, 0, 0, 4, 4}, {1, 0, 4, 4, 4},
                                                 {2, 0, 8, 4, 4}, {3, 4, 0, 4, 6},
                                                 {4, 4, 6, 4, 6}, {5, 8, 0, 4, 12}};

    (void)state;
    expect(rows, 6, 24 + 12, 24 + 12 + 12 + 8, 9, 9);
}

static void test_pinwheel(void **state)
{
    static const struct nuce_rectangle pinwheel[] = {
        {0, 0, 0, 4, 8}, {1, 0, 8, 8, 4}, {2, 8, 4, 4, 8}, {3, 4, 0, 8, 4}, {4, 4, 4, 4, 4}};

    (void)state;
    expect(pinwheel, 5, 32, 56, 8, 8);
}

/* Cuts that happen to lie on one line, apart from each other, and where one ends another begins. */
static void test_collinear(void **state)
{
    static const struct nuce_rectangle parts[] = {
        {0, 0, 0, 3, 6}, {1, 0, 6, 3, 6}, {2, 3, 0, 6, 12}, {3, 9, 0, 3, 6}, {4, 9, 6, 3, 6}};

    (void)state;
    expect(parts, 5, 30, 30 + 12 + 6, 6, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossing),  cmocka_unit_test(test_slabs),
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_pinwheel),
        cmocka_unit_test(test_collinear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
