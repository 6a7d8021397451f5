/* Patterns of redistributions: the paper's, small ones by a count of all elements, large ones by
 * what must come out. */
#include "reference.h"

/* R_2(3, 4) with 48 elements, the paper's Figures 1 and 2(a): each rank sends two blocks of two
 * elements to each of three ranks. */
static void test_paper(void **state)
{
    static const int receivers[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    struct nuce_redistribution r = nuce_redistribution_of_vector(48, 8, 2, 4, 6, 4);
    struct nuce_pattern pattern;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_redistribution_check(&r, &error), NUCE_OK);
    assert_int_equal(nuce_redistribution_pattern(&r, &pattern, &error), NUCE_OK);
    assert_int_equal(pattern.messages, 12);
    for (int p = 0; p < 4; p++) {
        for (int k = 0; k < 3; k++)
            assert_int_equal(test_bytes(&pattern, p, receivers[p][k]), 4 * 8);
    }
    nuce_pattern_fini(&pattern);
}

static void test_small(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);

    (void)state;
    for (int n = 0; n < 300; n++) {
        struct nuce_redistribution r = test_draw_redistribution(&rng);

        test_check_pattern(&r);
    }
}

/* Fewer elements than one block, than ranks; more ranks before or after. */
static void test_corners(void **state)
{
    static const int64_t corners[][5] = {/* elements, x, P, y, Q */
                                         {1, 1, 1, 1, 1},   {1, 5, 4, 7, 3},  {3, 4, 4, 1, 4},
                                         {10, 20, 2, 3, 5}, {64, 1, 1, 1, 8}, {64, 1, 8, 64, 1},
                                         {64, 16, 4, 1, 4}, {65, 1, 4, 17, 4}};

    (void)state;
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        const int64_t *c = corners[k];
        struct nuce_redistribution r =
            nuce_redistribution_of_vector(c[0], 3, c[1], (int)c[2], c[3], (int)c[4]);

        test_check_pattern(&r);
        test_check_index_sets(&r, NUCE_SENDS);
        test_check_index_sets(&r, NUCE_RECEIVES);
        test_check_moves(&r);
    }
}

/* Row and column sums are what each rank holds before and after. */
static void check_sums(const struct nuce_redistribution *r, int64_t bytes)
{
    int ranks = nuce_redistribution_ranks(r);
    int64_t *received = calloc((size_t)ranks, sizeof *received), sum = 0;
    struct nuce_pattern pattern;
    struct nuce_error error;

    assert_int_equal(nuce_redistribution_check(r, &error), NUCE_OK);
    assert_int_equal(nuce_redistribution_pattern(r, &pattern, &error), NUCE_OK);
    for (int p = 0; p < ranks; p++) {
        int64_t sent = 0;

        for (int64_t k = pattern.row[p]; k < pattern.row[p + 1]; k++) {
            sent += pattern.bytes[k];
            received[pattern.destination[k]] += pattern.bytes[k];
        }
        assert_int_equal(sent, nuce_redistribution_bytes_before(r, p));
        sum += sent;
    }
    for (int p = 0; p < ranks; p++)
        assert_int_equal(received[p], nuce_redistribution_bytes_after(r, p));
    assert_int_equal(sum, bytes);
    nuce_pattern_fini(&pattern);
    free(received);
}

static void test_large(void **state)
{
    const int64_t most = NUCE_CYCLIC_MOST_ELEMENTS, large = (INT64_C(1) << 40) + 12345;
    struct nuce_redistribution r[] = {
        nuce_redistribution_of_vector(1000000000, 8, 2, 1024, 2046, 1024),
        nuce_redistribution_of_vector(large, 8, 2, 64, 2 * 63, 64),
        nuce_redistribution_of_vector(large, 8, 64, 100, 1000, 77),
        nuce_redistribution_of_vector(most, 1, 1, 7, most / 5, 5),
        nuce_redistribution_of_vector(most, 1, most, 1 << 20, most - 1, 3),
        {.from = {.rows = {1000003, 64, 16}, .columns = {1000033, 32, 8}},
         .to = {.rows = {1000003, 100, 8}, .columns = {1000033, 1000033, 16}},
         .element_bytes = 16},
    };

    (void)state;
    for (size_t k = 0; k < sizeof r / sizeof *r; k++) {
        struct nuce_redistribution back = nuce_redistribution_reverse(&r[k]);
        int64_t bytes = r[k].from.rows.elements * r[k].from.columns.elements * r[k].element_bytes;

        check_sums(&r[k], bytes);
        check_sums(&back, bytes);
    }
}

/* One message of a large array by arithmetic: whole periods of lcm(2 * 4, 6 * 4) = 24 elements, of
 * which rank 0 sends 2 to rank 0; then 5 more, of which it holds the first 2. */
static void test_exact(void **state)
{
    const int64_t periods = INT64_C(1) << 36;
    struct nuce_redistribution r = nuce_redistribution_of_vector(24 * periods + 5, 8, 2, 4, 6, 4);
    struct nuce_pattern pattern;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_redistribution_pattern(&r, &pattern, &error), NUCE_OK);
    assert_int_equal(test_bytes(&pattern, 0, 0), (2 * periods + 2) * 8);
    assert_int_equal(test_bytes(&pattern, 2, 0), (2 * periods + 1) * 8);
    assert_int_equal(test_bytes(&pattern, 3, 1), 2 * periods * 8);
    nuce_pattern_fini(&pattern);
}

static void refuse(const struct nuce_redistribution *r, const char *message)
{
    struct nuce_error error;

    assert_int_equal(nuce_redistribution_check(r, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, message);
}

static void test_bad_input(void **state)
{
    struct nuce_redistribution good = nuce_redistribution_of_vector(48, 8, 2, 4, 6, 4), r = good;

    (void)state;
    r.from.rows.block = 0;
    refuse(&r, "a block of 0 rows in the source layout: expected 1 .. 2^53 = 9007199254740992");
    r = good;
    r.to.columns.ranks = 0;
    refuse(&r, "columns on 0 ranks in the target layout: expected 1 .. 16777216 ranks");
    r = good;
    r.from.rows.elements = r.to.rows.elements = 0;
    refuse(&r, "an array of 0 rows: expected 1 .. 2^53 = 9007199254740992");
    r = good;
    r.to.rows.elements = 49;
    refuse(&r, "48 x 1 elements in the source layout, 49 x 1 in the target layout: expected the "
               "same array");
    r = good;
    r.element_bytes = 0;
    refuse(&r, "elements of 0 bytes: expected at least 1");
    r = nuce_redistribution_of_vector(INT64_C(1) << 51, 8, 2, 4, 6, 4);
    refuse(&r, "an array of 2251799813685248 x 1 elements of 8 bytes: expected at most 2^53 bytes");
    r = good;
    r.to.rows.ranks = r.to.columns.ranks = 5000;
    refuse(&r, "a grid of 5000 x 5000 ranks in the target layout: expected at most 16777216 ranks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),   cmocka_unit_test(test_small),
        cmocka_unit_test(test_corners), cmocka_unit_test(test_large),
        cmocka_unit_test(test_exact),   cmocka_unit_test(test_bad_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
