/* The workload redistribute: its patterns element by element. */
#include "points.h"

#include "base/rng.h"

static const struct nuce_workload_ops *const redistribute = &nuce_workload_redistribute;

#define RANKS_MOST 12

/* An array of rows x columns in blocks on a grid, as the document says it. */
struct side {
    int64_t block, column_block;
    int rows, columns; /* of the grid */
};

/* The rank that has an element: its block's, dealt out in turn in both dimensions. */
static int owner(const struct side *side, int64_t row, int64_t column)
{
    int grid_row = (int)(row / side->block % side->rows);
    int grid_column = (int)(column / side->column_block % side->columns);

    return grid_row * side->columns + grid_column;
}

/* Who sends how many elements to whom, counted one by one. */
static void count(int64_t rows, int64_t columns, const struct side *from, const struct side *to,
                  int64_t counted[RANKS_MOST][RANKS_MOST])
{
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            counted[owner(from, i, j)][owner(to, i, j)]++;
    }
}

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

/* Any two layouts: as counted, and backwards the same with sources and destinations exchanged. */
static void test_drawn(void **state)
{
    static const int grids[][2] = {{6, 1}, {1, 6}, {2, 3}, {3, 2}, {4, 1}, {2, 2}, {1, 1}};
    struct nuce_rng rng = nuce_rng_create(11, 0);

    for (int draw = 0; draw < 200; draw++) {
        int64_t rows = 1 + (int64_t)nuce_rng_below(&rng, 60),
                columns = 2 + (int64_t)nuce_rng_below(&rng, 20);
        int a = (int)nuce_rng_below(&rng, 4), b = (int)nuce_rng_below(&rng, 7);
        struct side from = {1 + (int64_t)nuce_rng_below(&rng, 9),
                            1 + (int64_t)nuce_rng_below(&rng, 5), grids[a][0], grids[a][1]};
        struct side to = {1 + (int64_t)nuce_rng_below(&rng, 9),
                          1 + (int64_t)nuce_rng_below(&rng, 5), grids[b][0], grids[b][1]};

        for (int is_back = 0; is_back < 2; is_back++) {
            int64_t counted[RANKS_MOST][RANKS_MOST] = {{0}};

            count(rows, columns, is_back ? &to : &from, is_back ? &from : &to, counted);
            check_pattern(
                point_of("redistribute 6 schedule=ac elements=%lld columns=%lld block=%lld "
                         "column-block=%lld to-block=%lld to-column-block=%lld grid=%dx%d "
                         "to-grid=%dx%d reverse=%s",
                         (long long)rows, (long long)columns, (long long)from.block,
                         (long long)from.column_block, (long long)to.block,
                         (long long)to.column_block, from.rows, from.columns, to.rows, to.columns,
                         is_back ? "true" : "false"),
                8, counted);
        }
    }
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

RUN(test_by_hand, test_drawn, test_remark, test_tuning)
