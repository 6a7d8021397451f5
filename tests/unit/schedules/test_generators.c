#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "schedules/pattern.h"

static const int rank_counts[] = {1, 2, 3, 4, 5, 7, 8, 16, 32, 33};

#define RANK_COUNTS (sizeof rank_counts / sizeof *rank_counts)

static int64_t row_length(const struct nuce_pattern *pattern, int row)
{
    return pattern->row[row + 1] - pattern->row[row];
}

static int has_entry(const struct nuce_pattern *pattern, int source, int destination)
{
    for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++) {
        if (pattern->destination[k] == destination)
            return 1;
    }
    return 0;
}

/* With the diagonal put back where it was, every row and column has density entries. */
static void check_uniform(int ranks, int density, uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    struct nuce_pattern pattern, columns;
    struct nuce_error error = {0};

    assert_int_equal(nuce_pattern_uniform(ranks, density, &rng, &pattern, &error), NUCE_OK);
    assert_int_equal(nuce_pattern_transpose(&pattern, &columns, &error), NUCE_OK);
    for (int i = 0; i < ranks; i++) {
        assert_in_range(row_length(&pattern, i), density - 1, density);
        assert_int_equal(row_length(&pattern, i), row_length(&columns, i));
        assert_false(has_entry(&pattern, i, i));
    }
    for (int64_t k = 0; k < pattern.messages; k++)
        assert_in_range(pattern.bytes[k], 1, 32);
    nuce_pattern_fini(&pattern);
    nuce_pattern_fini(&columns);
}

static void test_uniform_degrees(void **state)
{
    (void)state;
    for (size_t r = 0; r < RANK_COUNTS; r++) {
        for (int density = 1; density <= rank_counts[r]; density++)
            check_uniform(rank_counts[r], density, (uint64_t)density);
    }
    check_uniform(1000, 3, 1);
    check_uniform(257, 128, 1);
}

static void test_uniform_bad(void **state)
{
    static const int bad[][2] = {
        {0, 1}, {-1, 1}, {4, 0}, {4, 5}, {4, -1}, {NUCE_PATTERN_MAX_RANKS + 1, 1},
    };
    struct nuce_rng rng = nuce_rng_create(1, 0);

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nuce_pattern pattern;
        struct nuce_error error = {0};

        assert_int_equal(nuce_pattern_uniform(bad[i][0], bad[i][1], &rng, &pattern, &error),
                         NUCE_BAD_INPUT);
        assert_non_null(strstr(nuce_error_flatten(&error), "expected "));
    }
}

/* No entry and no size is preferred: 4 000 patterns of 6 ranks, every entry off the diagonal wanted
 * density/6 of the time; the bounds are about five standard deviations. */
static void check_fair(int density)
{
    struct nuce_rng rng = nuce_rng_create(3, (uint64_t)density);
    int entries[6][6] = {0}, sizes[33] = {0};
    int expected = 4000 * density / 6, messages = 0;

    for (int sample = 0; sample < 4000; sample++) {
        struct nuce_pattern pattern;
        struct nuce_error error = {0};

        assert_int_equal(nuce_pattern_uniform(6, density, &rng, &pattern, &error), NUCE_OK);
        for (int i = 0; i < 6; i++) {
            for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++) {
                entries[i][pattern.destination[k]]++;
                sizes[pattern.bytes[k]]++;
                messages++;
            }
        }
        nuce_pattern_fini(&pattern);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            assert_in_range(entries[i][j], i == j ? 0 : expected - 160,
                            i == j ? 0 : expected + 160);
    }
    for (int size = 1; size <= 32; size++)
        assert_in_range(sizes[size], messages / 32 - 250, messages / 32 + 250);
}

static void test_uniform_fair(void **state)
{
    (void)state;
    check_fair(1);
    check_fair(2);
    check_fair(3);
    check_fair(5);
}

static void test_seeded(void **state)
{
    struct nuce_rng rngs[3] = {nuce_rng_create(1, 0), nuce_rng_create(1, 0), nuce_rng_create(2, 0)};
    struct nuce_pattern patterns[3];
    struct nuce_error error = {0};

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(nuce_pattern_uniform(32, 8, &rngs[i], &patterns[i], &error), NUCE_OK);
    assert_int_equal(patterns[0].messages, patterns[1].messages);
    assert_memory_equal(patterns[0].destination, patterns[1].destination,
                        (size_t)patterns[0].messages * sizeof(int));
    assert_memory_equal(patterns[0].bytes, patterns[1].bytes,
                        (size_t)patterns[0].messages * sizeof(int64_t));
    assert_memory_not_equal(patterns[0].destination, patterns[2].destination, 200 * sizeof(int));
    for (int i = 0; i < 3; i++)
        nuce_pattern_fini(&patterns[i]);
}

/* groups[g] rows have 2^g messages of 2^(4 - g) units. */
static void check_skewed(int ranks, const int groups[5])
{
    struct nuce_rng rng = nuce_rng_create((uint64_t)ranks, 0);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};
    int found[5] = {0};

    assert_int_equal(nuce_pattern_skewed(ranks, &rng, &pattern, &error), NUCE_OK);
    for (int i = 0; i < ranks; i++) {
        int g = 0;

        while (row_length(&pattern, i) != 1 << g)
            assert_in_range(++g, 1, 4);
        found[g]++;
        assert_false(has_entry(&pattern, i, i));
        for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++)
            assert_int_equal(pattern.bytes[k], 16 >> g);
    }
    assert_memory_equal(found, groups, sizeof found);
    nuce_pattern_fini(&pattern);
}

static void test_skewed(void **state)
{
    static const int groups[][5] = {
        {1, 2, 4, 8, 17},
        {2, 4, 8, 16, 34},
        {1, 2, 4, 8, 26},
        {1, 1, 2, 4, 9},
    };

    (void)state;
    check_skewed(32, groups[0]);
    check_skewed(64, groups[1]);
    check_skewed(41, groups[2]);
    check_skewed(17, groups[3]);
}

/* Fewer ranks than messages: a row sends to all others, and every class has a row. */
static void test_skewed_few(void **state)
{
    (void)state;
    for (int ranks = 5; ranks < 17; ranks++) {
        struct nuce_rng rng = nuce_rng_create(1, 0);
        struct nuce_pattern pattern;
        struct nuce_error error = {0};
        int lengths[17] = {0};

        assert_int_equal(nuce_pattern_skewed(ranks, &rng, &pattern, &error), NUCE_OK);
        for (int i = 0; i < ranks; i++) {
            lengths[row_length(&pattern, i)]++;
            assert_false(has_entry(&pattern, i, i));
        }
        assert_int_equal(lengths[1], 1);
        for (int g = 1; g < 4 && 1 << g < ranks - 1; g++)
            assert_in_range(lengths[1 << g], 1, ranks);
        assert_in_range(lengths[ranks - 1 < 16 ? ranks - 1 : 16], 1, ranks);
        nuce_pattern_fini(&pattern);
    }
}

static void test_skewed_bad(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_skewed(4, &rng, &pattern, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "ranks: '4': a skewed pattern has 5 classes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_degrees), cmocka_unit_test(test_uniform_bad),
        cmocka_unit_test(test_uniform_fair),    cmocka_unit_test(test_seeded),
        cmocka_unit_test(test_skewed),          cmocka_unit_test(test_skewed_few),
        cmocka_unit_test(test_skewed_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
