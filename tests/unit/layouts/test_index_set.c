/* Index sets: the places by a search, and that the lines are as few as they should be. */
#include "reference.h"

static struct nuce_index_set create(const struct nuce_redistribution *r, int rank,
                                    enum nuce_index_side direction)
{
    struct nuce_index_set set;

    nuce_index_set_create(r, rank, direction, &set);
    return set;
}

/* The rows of peer k are one line, `repeats` times. */
static void check_line(const struct nuce_index_set *set, int k, struct nuce_line wanted,
                       int64_t repeats, int64_t stride)
{
    const struct nuce_lines *rows = nuce_index_set_rows(set, k);

    assert_int_equal(rows->period_lines, 1);
    assert_int_equal(rows->repeats, repeats);
    assert_int_equal(rows->stride, stride);
    assert_int_equal(rows->tail_lines, 0);
    assert_int_equal(rows->period->start, wanted.start);
    assert_int_equal(rows->period->length, wanted.length);
    assert_int_equal(rows->period->stride, wanted.stride);
    assert_int_equal(rows->period->repeats, wanted.repeats);
}

/* The paper's Figure 1: rank 0 holds elements 0 1, 8 9, 16 17, 24 25, 32 33, 40 41, and then 0 - 5
 * and 24 - 29. */
static void test_paper(void **state)
{
    struct nuce_redistribution r = nuce_redistribution_of_vector(48, 8, 2, 4, 6, 4);
    struct nuce_index_set sends = create(&r, 0, NUCE_SENDS);
    struct nuce_index_set receives = create(&r, 0, NUCE_RECEIVES);

    (void)state;
    assert_int_equal(nuce_index_set_peers(&sends), 3);
    assert_int_equal(nuce_index_set_peers(&receives), 3);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(nuce_index_set_rank(&sends, k), k);
        assert_int_equal(nuce_index_set_bytes(&sends, k), 4 * 8);
        check_line(&sends, k, (struct nuce_line){2 * k, 2, 0, 1}, 2, 6);
        check_line(&receives, k, (struct nuce_line){2 * k, 2, 0, 1}, 2, 6);
    }
    nuce_index_set_fini(&sends);
    nuce_index_set_fini(&receives);
}

/* Blocks to single elements: one line a peer, however long the array. */
static void test_block_to_cyclic(void **state)
{
    const int64_t each = INT64_C(1) << 48;
    struct nuce_redistribution r = nuce_redistribution_of_vector(4 * each, 8, each, 4, 1, 4);
    struct nuce_index_set set = create(&r, 2, NUCE_SENDS);

    (void)state;
    for (int k = 0; k < 4; k++)
        check_line(&set, k, (struct nuce_line){k, 1, 4, each / 4}, 1, 0);
    nuce_index_set_fini(&set);
}

/* Nothing changes: one run, whatever the blocks; also where only the number of a block changes. */
static void test_one_run(void **state)
{
    struct nuce_redistribution same = nuce_redistribution_of_vector(1000, 8, 3, 4, 3, 4);
    struct nuce_redistribution gather = nuce_redistribution_of_vector(1003, 8, 7, 1, 100, 1);
    struct nuce_index_set set = create(&same, 1, NUCE_SENDS);

    (void)state;
    assert_int_equal(nuce_index_set_peers(&set), 1);
    assert_int_equal(nuce_index_set_rank(&set, 0), 1);
    check_line(&set, 0, (struct nuce_line){0, 250, 0, 1}, 1, 0);
    nuce_index_set_fini(&set);
    set = create(&gather, 0, NUCE_RECEIVES);
    check_line(&set, 0, (struct nuce_line){0, 1003, 0, 1}, 1, 0);
    nuce_index_set_fini(&set);
}

/* Memory is for one period and the rest, not for the array: x = 2, y = 3 on 5 and 4 ranks repeat
 * after 60 elements, 12 of them on each rank before. */
static void test_period(void **state)
{
    struct nuce_redistribution r = nuce_redistribution_of_vector(60000007, 8, 2, 5, 3, 4);
    struct nuce_index_set set = create(&r, 0, NUCE_SENDS);
    int64_t elements = 0;

    (void)state;
    for (int k = 0; k < nuce_index_set_peers(&set); k++) {
        const struct nuce_lines *rows = nuce_index_set_rows(&set, k);

        assert_true(rows->period_lines + rows->tail_lines <= 2 * 12);
        assert_true(rows->repeats == 1 || (rows->repeats == 1000000 && rows->stride == 12));
        elements += rows->elements;
    }
    assert_int_equal(elements, set.rows.elements);
    assert_int_equal(elements, 12 * INT64_C(1000000) + 2);
    nuce_index_set_fini(&set);
}

/* Ranks beyond a grid, or behind the last block, have no peers. */
static void test_nothing(void **state)
{
    struct nuce_redistribution r = nuce_redistribution_of_vector(10, 8, 4, 4, 5, 2);
    struct nuce_index_set idle = create(&r, 3, NUCE_SENDS), beyond = create(&r, 2, NUCE_RECEIVES);

    (void)state;
    assert_int_equal(nuce_index_set_peers(&idle), 0);
    assert_int_equal(nuce_index_set_find(&idle, 0), -1);
    assert_int_equal(nuce_index_set_peers(&beyond), 0);
    assert_int_equal(nuce_index_set_find(&beyond, 0), -1);
    nuce_index_set_fini(&idle);
    nuce_index_set_fini(&beyond);
}

static void test_small(void **state)
{
    struct nuce_rng rng = nuce_rng_create(4, 0);

    (void)state;
    for (int n = 0; n < 300; n++) {
        struct nuce_redistribution r = test_draw_redistribution(&rng);

        test_check_index_sets(&r, NUCE_SENDS);
        test_check_index_sets(&r, NUCE_RECEIVES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),   cmocka_unit_test(test_block_to_cyclic),
        cmocka_unit_test(test_one_run), cmocka_unit_test(test_period),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
