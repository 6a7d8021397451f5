/* The workload redistribute: its patterns element by element, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "points.h"

#include "base/rng.h"
#include "points/workload.h"

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

static void check_pattern(int ranks, const struct setting *settings, int64_t element_bytes,
                          int64_t counted[RANKS_MOST][RANKS_MOST])
{
    struct nuce_point point = point_of(redistribute, ranks, settings);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    if (redistribute->pattern(point.params, ranks, &pattern, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_int_equal(pattern.ranks, ranks);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            int64_t entry = nuce_pattern_find(&pattern, i, j);

            assert_int_equal(entry < 0 ? 0 : pattern.bytes[entry], counted[i][j] * element_bytes);
        }
    }
    nuce_pattern_fini(&pattern);
    nuce_point_fini(&point);
}

/* The paper's: 12 elements, cyclic(2) on 3 ranks, blocks twice as long. By hand: blocks 01 23 45
 * 67 89 AB are of ranks 0 1 2 0 1 2, and become 0123 4567 89AB of ranks 0 1 2. */
static void test_by_hand(void **state)
{
    int64_t counted[RANKS_MOST][RANKS_MOST] = {{2, 2, 0}, {2, 0, 2}, {0, 2, 2}};
    int64_t back[RANKS_MOST][RANKS_MOST] = {{2, 2, 0}, {2, 0, 2}, {0, 2, 2}};

    (void)state;
    check_pattern(3,
                  SETTINGS({"schedule", "ac"}, {"elements", "12"}, {"block", "2"}, {"factor", "2"}),
                  8, counted);
    check_pattern(3,
                  SETTINGS({"schedule", "ac"}, {"elements", "12"}, {"block", "2"},
                           {"to-block", "4"}, {"reverse", "true"}, {"element-bytes", "3"}),
                  3, back);
}

static const char *number(int64_t value, char text[24])
{
    snprintf(text, 24, "%lld", (long long)value);
    return text;
}

/* Any two layouts: as counted, and backwards the same with sources and destinations exchanged. */
static void check_drawn(struct nuce_rng *rng)
{
    static const int grids[][2] = {{6, 1}, {1, 6}, {2, 3}, {3, 2}, {4, 1}, {2, 2}, {1, 1}};
    int64_t counted[RANKS_MOST][RANKS_MOST] = {{0}}, back[RANKS_MOST][RANKS_MOST] = {{0}};
    int64_t rows = 1 + (int64_t)nuce_rng_below(rng, 60),
            columns = 2 + (int64_t)nuce_rng_below(rng, 20);
    int a = (int)nuce_rng_below(rng, 4), b = (int)nuce_rng_below(rng, 7);
    struct side from = {1 + (int64_t)nuce_rng_below(rng, 9), 1 + (int64_t)nuce_rng_below(rng, 5),
                        grids[a][0], grids[a][1]};
    struct side to = {1 + (int64_t)nuce_rng_below(rng, 9), 1 + (int64_t)nuce_rng_below(rng, 5),
                      grids[b][0], grids[b][1]};
    char text[6][24], grid[2][24];
    struct setting settings[MOST_SETTINGS] = {{"schedule", "ac"},
                                              {"elements", number(rows, text[0])},
                                              {"columns", number(columns, text[1])},
                                              {"block", number(from.block, text[2])},
                                              {"column-block", number(from.column_block, text[3])},
                                              {"to-block", number(to.block, text[4])},
                                              {"to-column-block", number(to.column_block, text[5])},
                                              {"grid", grid[0]},
                                              {"to-grid", grid[1]},
                                              {"reverse", "false"}};

    snprintf(grid[0], sizeof grid[0], "%dx%d", from.rows, from.columns);
    snprintf(grid[1], sizeof grid[1], "%dx%d", to.rows, to.columns);
    count(rows, columns, &from, &to, counted);
    count(rows, columns, &to, &from, back);
    check_pattern(6, settings, 8, counted);
    settings[9].value = "true";
    check_pattern(6, settings, 8, back);
}

static void test_drawn(void **state)
{
    struct nuce_rng rng = nuce_rng_create(11, 0);

    (void)state;
    for (int i = 0; i < 200; i++)
        check_drawn(&rng);
}

static void test_bad(void **state)
{
    static const struct {
        struct setting settings[7];
        const char *subject, *says;
    } cases[] = {
        {{{"elements", "9"}, {"block", "1"}, {"factor", "2"}}, "schedule", "not given"},
        {{{"schedule", "ac"}, {"block", "1"}, {"factor", "2"}},
         "elements",
         "not given: expected how long the array is"},
        {{{"schedule", "ac"}, {"elements", "9"}, {"factor", "2"}}, "block", "not given"},
        {{{"schedule", "ac"}, {"elements", "9"}, {"block", "1"}},
         "",
         "factor and to-block: expected one of them"},
        {{{"schedule", "ac"},
          {"elements", "9"},
          {"block", "1"},
          {"factor", "2"},
          {"to-block", "2"}},
         "",
         "factor and to-block: expected one of them"},
        {{{"schedule", "ac"}, {"elements", "9"}, {"block", "4"}, {"factor", "4e15"}},
         "factor",
         "'4000000000000000': with a block of 4 expected at most 2251799813685248"},
        {{{"schedule", "ac"}, {"elements", "9"}, {"block", "1"}, {"factor", "2"}, {"grid", "2x"}},
         "grid",
         "'2x': expected ROWSxCOLUMNS of at most 4 ranks, such as 4x1"},
        {{{"schedule", "ac"}, {"elements", "9"}, {"block", "1"}, {"factor", "2"}, {"grid", "0x4"}},
         "grid",
         "'0x4'"},
        {{{"schedule", "ac"}, {"elements", "9"}, {"block", "1"}, {"factor", "2"}, {"grid", "+2x2"}},
         "grid",
         "'+2x2'"},
        {{{"schedule", "ac"},
          {"elements", "9"},
          {"block", "1"},
          {"factor", "2"},
          {"to-grid", "3x2"}},
         "to-grid",
         "'3x2': expected ROWSxCOLUMNS of at most 4 ranks"},
        {{{"schedule", "ac"},
          {"elements", "9"},
          {"block", "1"},
          {"factor", "2"},
          {"grid", "2x1"},
          {"to-grid", "3"}},
         "ranks",
         "'4': the larger of the two grids has 3: expected as many"},
        {{{"schedule", "ac"},
          {"elements", "9"},
          {"block", "1"},
          {"factor", "2"},
          {"column-block", "2"}},
         "column-block",
         "means nothing for an array of one column: leave it out"},
        {{{"schedule", "ac"},
          {"elements", "9"},
          {"block", "1"},
          {"factor", "2"},
          {"to-column-block", "2"}},
         "to-column-block",
         "means nothing for an array of one column"},
        {{{"schedule", "pdgemr2d"},
          {"elements", "9"},
          {"block", "1"},
          {"factor", "2"},
          {"network", "emulated"},
          {"bandwidth", "1MB"}},
         "network",
         "'emulated': changes the messages, and pdgemr2d moves the arrays"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        point_is_refused(redistribute, 4, cases[i].settings, cases[i].subject, cases[i].says);
}

static void test_keys(void **state)
{
    (void)state;
    point_has_keys(
        redistribute, 4,
        SETTINGS({"schedule", "ac"}, {"elements", "99"}, {"block", "3"}, {"factor", "2"}),
        "block element-bytes elements factor schedule seed");
    point_has_keys(
        redistribute, 4,
        SETTINGS({"schedule", "ac"}, {"elements", "99"}, {"block", "3"}, {"to-block", "2"},
                 {"columns", "5"}, {"to-grid", "2x2"}, {"reverse", "true"}),
        "block column-block columns element-bytes elements reverse schedule seed to-block "
        "to-grid");
    points_are_same(
        redistribute, 4, 1,
        SETTINGS({"schedule", "ac"}, {"elements", "4K"}, {"block", "3"}, {"factor", "2"}),
        SETTINGS({"schedule", "ac"}, {"elements", "4000"}, {"block", "3"}, {"factor", "2"},
                 {"reverse", "false"}, {"columns", "1"}, {"instance", "5"}));
    points_are_same(redistribute, 4, 0,
                    SETTINGS({"schedule", "ac"}, {"elements", "4K"}, {"block", "3"},
                             {"factor", "2"}, {"bandwidth", "1MB..2MB"}),
                    SETTINGS({"schedule", "ac"}, {"elements", "4K"}, {"block", "3"},
                             {"factor", "2"}, {"bandwidth", "1MB..2MB"}, {"instance", "5"}));
}

/* Two blocks of 4, then one of 8, for 4 ranks. */
static void test_remark(void **state)
{
    struct nuce_point point =
        point_of(redistribute, 4,
                 SETTINGS({"schedule", "ac"}, {"elements", "8"}, {"block", "4"}, {"factor", "2"}));
    struct nuce_point even = point_of(
        redistribute, 4,
        SETTINGS({"schedule", "ac"}, {"elements", "8"}, {"block", "2"}, {"to-block", "1"}));
    char text[NUCE_MESSAGE_BYTES] = "";

    (void)state;
    redistribute->remark(even.params, 4, text);
    assert_string_equal(text, "");
    redistribute->remark(point.params, 4, text);
    assert_non_null(strstr(text, "2 of 4 ranks have no elements before, 3 have none after"));
    nuce_point_fini(&point);
    nuce_point_fini(&even);
}

/* The unit of COM is a block before, in bytes. */
static void test_tuning(void **state)
{
    struct nuce_point point =
        point_of(redistribute, 4,
                 SETTINGS({"schedule", "greedy"}, {"elements", "96"}, {"block", "3"},
                          {"factor", "7"}, {"element-bytes", "4"}));
    struct nuce_tuning tuning = redistribute->tuning(point.params);

    (void)state;
    assert_true(tuning.unit >= 12 && tuning.unit <= 12);
    assert_int_equal(tuning.factor, 7);
    assert_false(redistribute->is_random(point.params));
    nuce_point_fini(&point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_bad),     cmocka_unit_test(test_keys),
        cmocka_unit_test(test_remark),  cmocka_unit_test(test_tuning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
