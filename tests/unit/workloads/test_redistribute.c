/* The workload redistribute: its patterns by hand; property.layouts counts elements. */
#include "points.h"

static const struct nuce_workload_ops *const redistribute = &nuce_workload_redistribute;

#define RANKS_MOST 12

static void check_pattern(struct nuce_point point, int64_t element_bytes,
                          int64_t counted[RANKS_MOST][RANKS_MOST])
{
    int ranks = point.ranks;
    OWNED(pattern) pattern = pattern_of(point);

    assert_int_equal(pattern.ranks, ranks);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++)
            assert_int_equal(bytes_between(&pattern, i, j), counted[i][j] * element_bytes);
    }
}

/* The paper's: 12 elements, cyclic(2) on 3 ranks, blocks twice as long. By hand: blocks 01 23 45
 * 67 89 AB are of ranks 0 1 2 0 1 2, and become 0123 4567 89AB of ranks 0 1 2; backwards the same.
 */
static void test_by_hand(void **state)
{
    int64_t counted[RANKS_MOST][RANKS_MOST] = {{2, 2, 0}, {2, 0, 2}, {0, 2, 2}};

    check_pattern(point_of("redistribute 3 schedule=ac elements=12 block=2 factor=2"), 8, counted);
    check_pattern(point_of("redistribute 3 schedule=ac elements=12 block=2 to-block=4 reverse=true "
                           "element-bytes=3"),
                  3, counted);
}

/* 2 x 4 elements, rows in turn on one column of ranks, to columns in turn on one row of ranks: each
 * keeps half of its elements. By hand: element (i, j) belongs to rank i, and then to rank j mod 2.
 */
static void test_grids(void **state)
{
    int64_t counted[RANKS_MOST][RANKS_MOST] = {{2, 2}, {2, 2}};

    check_pattern(point_of("redistribute 2 schedule=ac elements=2 columns=4 block=1 to-block=2 "
                           "column-block=4 to-column-block=1 grid=2x1 to-grid=1x2"),
                  8, counted);
}

/* Two blocks of 4, then one of 8, for 4 ranks. */
static void test_remark(void **state)
{
    OWNED(point) point = point_of("redistribute 4 schedule=ac elements=8 block=4 factor=2");
    OWNED(point) even = point_of("redistribute 4 schedule=ac elements=8 block=2 to-block=1");
    char text[NUCE_MESSAGE_BYTES] = "";

    redistribute->remark(even.params, 4, text);
    assert_string_equal(text, "");
    redistribute->remark(point.params, 4, text);
    assert_non_null(strstr(text, "2 of 4 ranks have no elements before, 3 have none after"));
}

/* The unit of COM is a block before, in bytes. */
static void test_tuning(void **state)
{
    OWNED(point)
    point = point_of("redistribute 4 schedule=greedy elements=96 block=3 factor=7 element-bytes=4");
    struct nuce_tuning tuning = redistribute->tuning(point.params);

    assert_near(tuning.unit, 12, 0);
    assert_int_equal(tuning.factor, 7);
    assert_false(redistribute->is_random(point.params));
}

RUN(test_by_hand, test_grids, test_remark, test_tuning)
