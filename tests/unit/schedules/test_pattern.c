#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "schedules/pattern.h"

static const struct nuce_message messages[] = {
    {2, 0, 5}, {0, 2, 7}, {0, 1, 0}, {0, 0, 3}, {2, 1, 11}, {0, 3, 13},
};

#define MESSAGES ((int64_t)(sizeof messages / sizeof *messages))

static void make(struct nuce_pattern *out)
{
    struct nuce_error error = {0};

    assert_int_equal(nuce_pattern_init(4, messages, MESSAGES, out, &error), NUCE_OK);
}

static void assert_entry(const struct nuce_pattern *pattern, int64_t k, int destination,
                         int64_t bytes)
{
    assert_int_equal(pattern->destination[k], destination);
    assert_int_equal(pattern->bytes[k], bytes);
}

/* Rows ascend, an entry of 0 bytes is gone, rows may be empty. */
static void test_init(void **state)
{
    static const int64_t rows[] = {0, 3, 3, 5, 5};
    struct nuce_pattern pattern;

    (void)state;
    make(&pattern);
    assert_int_equal(pattern.ranks, 4);
    assert_int_equal(pattern.messages, 5);
    assert_memory_equal(pattern.row, rows, sizeof rows);
    assert_entry(&pattern, 0, 0, 3);
    assert_entry(&pattern, 1, 2, 7);
    assert_entry(&pattern, 2, 3, 13);
    assert_entry(&pattern, 3, 0, 5);
    assert_entry(&pattern, 4, 1, 11);
    nuce_pattern_fini(&pattern);
    assert_null(pattern.row);
    assert_int_equal(pattern.messages, 0);
    nuce_pattern_fini(&pattern);
}

static void test_find(void **state)
{
    static const int64_t entries[4][4] = {
        {0, -1, 1, 2}, {-1, -1, -1, -1}, {3, 4, -1, -1}, {-1, -1, -1, -1}};
    struct nuce_pattern pattern;

    (void)state;
    make(&pattern);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            assert_int_equal(nuce_pattern_find(&pattern, i, j), entries[i][j]);
    }
    nuce_pattern_fini(&pattern);
}

static void test_init_empty(void **state)
{
    struct nuce_error error = {0};
    struct nuce_pattern pattern;

    (void)state;
    assert_int_equal(nuce_pattern_init(3, NULL, 0, &pattern, &error), NUCE_OK);
    assert_int_equal(pattern.messages, 0);
    assert_int_equal(pattern.row[3], 0);
    nuce_pattern_fini(&pattern);
}

static const struct bad {
    int ranks;
    struct nuce_message messages[2];
    const char *message;
} bad_inputs[] = {
    {0, {{0, 0, 1}, {0, 0, 1}}, "a pattern of 0 ranks"},
    {INT_MAX, {{0, 0, 1}, {0, 1, 1}}, "a pattern of 2147483647 ranks"},
    {3, {{0, 1, 1}, {3, 1, 1}}, "from rank 3 to rank 1"},
    {3, {{0, 1, 1}, {-1, 1, 1}}, "from rank -1 to rank 1"},
    {3, {{0, 1, 1}, {1, 3, 1}}, "from rank 1 to rank 3"},
    {3, {{0, 1, 1}, {1, -1, 1}}, "from rank 1 to rank -1"},
    {3, {{0, 1, 1}, {1, 2, -1}}, "-1 bytes from rank 1 to rank 2"},
    {3, {{1, 2, 1}, {1, 2, 5}}, "two messages from rank 1 to rank 2"},
    {3, {{1, 2, 0}, {1, 2, 5}}, "two messages from rank 1 to rank 2"},
    {3, {{0, 1, 1}, {1, 2, INT64_MAX}}, "more than 2^63 - 1 bytes"},
};

static void test_init_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_inputs / sizeof *bad_inputs; i++) {
        const struct bad *bad = &bad_inputs[i];
        struct nuce_pattern pattern = {.messages = 42};
        struct nuce_error error = {0};

        assert_int_equal(nuce_pattern_init(bad->ranks, bad->messages, 2, &pattern, &error),
                         NUCE_BAD_INPUT);
        assert_int_equal(error.status, NUCE_BAD_INPUT);
        assert_non_null(strstr(nuce_error_flatten(&error), bad->message));
        assert_int_equal(pattern.messages, 42);
    }
}

static void test_transpose(void **state)
{
    static const int64_t rows[] = {0, 2, 3, 4, 5};
    struct nuce_pattern pattern, columns, back;
    struct nuce_error error = {0};

    (void)state;
    make(&pattern);
    assert_int_equal(nuce_pattern_transpose(&pattern, &columns, &error), NUCE_OK);
    assert_memory_equal(columns.row, rows, sizeof rows);
    assert_entry(&columns, 0, 0, 3);
    assert_entry(&columns, 1, 2, 5);
    assert_entry(&columns, 2, 2, 11);
    assert_entry(&columns, 3, 0, 7);
    assert_entry(&columns, 4, 0, 13);
    assert_int_equal(nuce_pattern_transpose(&columns, &back, &error), NUCE_OK);
    assert_memory_equal(back.row, pattern.row, 5 * sizeof *pattern.row);
    assert_memory_equal(back.destination, pattern.destination, 5 * sizeof *pattern.destination);
    assert_memory_equal(back.bytes, pattern.bytes, 5 * sizeof *pattern.bytes);
    nuce_pattern_fini(&pattern);
    nuce_pattern_fini(&columns);
    nuce_pattern_fini(&back);
}

static void test_scale(void **state)
{
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    make(&pattern);
    assert_int_equal(nuce_pattern_scale(&pattern, 16, &error), NUCE_OK);
    assert_entry(&pattern, 0, 0, 48);
    assert_entry(&pattern, 4, 1, 176);
    assert_int_equal(nuce_pattern_scale(&pattern, 0, &error), NUCE_BAD_INPUT);
    /* Each size times this fits, their sum does not. */
    assert_int_equal(nuce_pattern_scale(&pattern, INT64_MAX / 300, &error), NUCE_BAD_INPUT);
    assert_entry(&pattern, 0, 0, 48);
    assert_entry(&pattern, 4, 1, 176);
    nuce_pattern_fini(&pattern);
}

static void test_summarise(void **state)
{
    struct nuce_pattern_summary summary;
    struct nuce_pattern pattern;

    (void)state;
    make(&pattern);
    nuce_pattern_summarise(&pattern, &summary);
    assert_int_equal(summary.messages, 5);
    assert_int_equal(summary.bytes, 39);
    assert_int_equal(summary.self_messages, 1);
    assert_int_equal(summary.self_bytes, 3);
    assert_int_equal(summary.largest, 13);
    assert_int_equal(summary.busiest_port, 20);
    assert_int_equal(summary.degree, 2);
    nuce_pattern_fini(&pattern);
}

/* The busiest port and the degree may be those of a receiver. */
static void test_summarise_receiver(void **state)
{
    static const struct nuce_message incast[] = {
        {0, 3, 4},
        {1, 3, 5},
        {2, 3, 6},
        {3, 3, 9},
    };
    struct nuce_pattern_summary summary;
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_init(4, incast, 4, &pattern, &error), NUCE_OK);
    nuce_pattern_summarise(&pattern, &summary);
    assert_int_equal(summary.busiest_port, 15);
    assert_int_equal(summary.self_messages, 1);
    assert_int_equal(summary.self_bytes, 9);
    assert_int_equal(summary.degree, 3);
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init),       cmocka_unit_test(test_find),
        cmocka_unit_test(test_init_empty), cmocka_unit_test(test_init_bad),
        cmocka_unit_test(test_transpose),  cmocka_unit_test(test_scale),
        cmocka_unit_test(test_summarise),  cmocka_unit_test(test_summarise_receiver),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
