/* One dimension of a layout against blocks that are dealt out one after another. */
#include "instances/cyclic.h"
#include "reference.h"

static void check_dealt(const struct nuce_cyclic *cyclic)
{
    struct test_deal deal = test_deal(cyclic);
    int64_t below[TEST_MOST_RANKS] = {0};

    for (int64_t g = 0; g < cyclic->elements; g++) {
        int owner = deal.owner[g];

        assert_int_equal(nuce_cyclic_owner(cyclic, g), owner);
        assert_int_equal(nuce_cyclic_local(cyclic, g), deal.local[g]);
        assert_int_equal(nuce_cyclic_global(cyclic, owner, deal.local[g]), g);
        for (int rank = 0; rank < cyclic->ranks; rank++)
            assert_int_equal(nuce_cyclic_owned_below(cyclic, rank, g), below[rank]);
        below[owner]++;
    }
    for (int rank = 0; rank < cyclic->ranks; rank++)
        assert_int_equal(nuce_cyclic_owned(cyclic, rank), deal.owned[rank]);
}

static void test_dealt(void **state)
{
    (void)state;
    for (int64_t elements = 1; elements <= 40; elements++) {
        for (int64_t block = 1; block <= 12; block++) {
            for (int ranks = 1; ranks <= 6; ranks++)
                check_dealt(&(struct nuce_cyclic){elements, block, ranks});
        }
    }
}

static void check_large(int64_t elements, int64_t block, int ranks)
{
    const struct nuce_cyclic cyclic = {elements, block, ranks};
    const int64_t globals[] = {0, elements / 3, elements / 2 + 1, elements - 1};
    int64_t sum = 0;

    for (int rank = 0; rank < ranks; rank++)
        sum += nuce_cyclic_owned(&cyclic, rank);
    assert_int_equal(sum, elements);
    for (size_t k = 0; k < sizeof globals / sizeof *globals; k++) {
        int owner = nuce_cyclic_owner(&cyclic, globals[k]);
        int64_t local = nuce_cyclic_local(&cyclic, globals[k]);

        assert_int_equal(nuce_cyclic_global(&cyclic, owner, local), globals[k]);
        assert_int_equal(nuce_cyclic_owned_below(&cyclic, owner, globals[k]), local);
        assert_true(local < nuce_cyclic_owned(&cyclic, owner));
    }
    assert_true(nuce_cyclic_turn(&cyclic) >= 1 && nuce_cyclic_turn(&cyclic) <= elements);
}

/* The most elements with the smallest and the largest block: a sanitizer sees what overflows. */
static void test_largest(void **state)
{
    const int64_t most = NUCE_CYCLIC_MOST_ELEMENTS;

    (void)state;
    check_large(most, 1, 1000);
    check_large(most, most, 1000);
    check_large(most, most - 1, 1000);
    check_large(most, most / 1000 + 1, 1000);
    check_large(most - 1, 12345677, 1 << 20);
}

static void test_turn(void **state)
{
    (void)state;
    assert_int_equal(nuce_cyclic_turn(&(struct nuce_cyclic){100, 5, 4}), 20);
    assert_int_equal(nuce_cyclic_turn(&(struct nuce_cyclic){20, 5, 4}), 20);
    assert_int_equal(nuce_cyclic_turn(&(struct nuce_cyclic){19, 5, 4}), 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dealt),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
