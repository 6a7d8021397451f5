/* Packing and unpacking: there and back is the identity. */
#include "reference.h"

/* The order within a message: R_2(3, 4), rank 1 to rank 0 sends elements 2 3 and 26 27. */
static void test_order(void **state)
{
    const double array[] = {2, 3, 10, 11, 18, 19, 26, 27, 34, 35, 42, 43};
    const double wanted[] = {2, 3, 26, 27};
    struct nuce_redistribution r = nuce_redistribution_of_vector(48, 8, 2, 4, 6, 4);
    struct nuce_index_set set;
    double buffer[4];

    (void)state;
    nuce_index_set_create(&r, 1, NUCE_SENDS, &set);
    assert_int_equal(nuce_index_set_rank(&set, 0), 0);
    nuce_index_set_pack(&set, 0, array, buffer);
    assert_memory_equal(buffer, wanted, sizeof wanted);
    nuce_index_set_fini(&set);
}

/* Each size of elements and of runs has its own loop. */
static void test_sizes(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes <= 17; bytes++) {
        for (int64_t x = 1; x <= 4; x++) {
            struct nuce_redistribution r = nuce_redistribution_of_vector(250, bytes, x, 3, 5, 4);

            test_check_moves(&r);
        }
    }
}

/* Whole columns, whole rows, both, and neither: on 2 x 3 ranks and on 3 x 2. */
static void test_grids(void **state)
{
    static const int64_t blocks[][4] = {
        {2, 3, 2, 3}, {2, 3, 5, 1}, {20, 3, 20, 4}, {3, 30, 1, 30}, {1, 1, 2, 2}};

    (void)state;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const int64_t *b = blocks[k];
        struct nuce_redistribution turned = {
            .from = {.rows = {20, b[0], 2}, .columns = {30, b[1], 3}},
            .to = {.rows = {20, b[2], 3}, .columns = {30, b[3], 2}},
            .element_bytes = 8,
        };
        struct nuce_redistribution flat = {
            .from = {.rows = {20, b[0], 1}, .columns = {30, b[1], 4}},
            .to = {.rows = {20, b[2], 1}, .columns = {30, b[3], 4}},
            .element_bytes = 8,
        };

        test_check_moves(&turned);
        test_check_moves(&flat);
    }
}

/* Periods of several runs that do not stay in the cache all together: copied some rounds at once.
 */
static void test_chunks(void **state)
{
    struct nuce_redistribution vectors[] = {
        nuce_redistribution_of_vector(300, 1001, 3, 4, 5, 4),
        nuce_redistribution_of_vector(299, 501, 2, 2, 3, 2),
    };

    (void)state;
    test_check_moves(&vectors[0]);
    test_check_moves(&vectors[1]);
}

/* Parts that are copied past the cache, with runs that begin and end within its lines. */
static void test_large_parts(void **state)
{
    struct nuce_redistribution vectors[] = {
        nuce_redistribution_of_vector(300, 30011, 1, 2, 3, 2),
        nuce_redistribution_of_vector(300, 30011, 2, 2, 7, 1),
    };
    struct nuce_redistribution matrix = {
        .from = {.rows = {120, 2, 1}, .columns = {100, 3, 2}},
        .to = {.rows = {120, 3, 2}, .columns = {100, 5, 1}},
        .element_bytes = 801,
    };

    (void)state;
    test_check_moves(&vectors[0]);
    test_check_moves(&vectors[1]);
    test_check_moves(&matrix);
}

static void test_small(void **state)
{
    struct nuce_rng rng = nuce_rng_create(5, 0);

    (void)state;
    for (int n = 0; n < 300; n++) {
        struct nuce_redistribution r = test_draw_redistribution(&rng);

        test_check_moves(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_grids),       cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_large_parts), cmocka_unit_test(test_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
