/* preemptive: the lower bound, with few pieces. */
#include "cases.h"

static void check_bound(const struct nuce_pattern *pattern, const struct nuce_network *network,
                        int64_t most_pieces)
{
    struct nuce_schedule schedule;

    create_schedule("preemptive", pattern, network, &schedule);
    assert_true(ratio_to_bound(&schedule, pattern, network) <= 1 + 1e-9);
    assert_true(schedule.pieces <= most_pieces);
    nuce_schedule_fini(&schedule);
}

/* Three messages of 2 bytes, no two in common with both ports of a third: rank 0 cannot be served
 * at once with both others unless one of theirs is cut. The bound is 4, whole messages need 6. */
static void test_cut(void **state)
{
    static const struct nuce_message messages[] = {{0, 3, 2}, {0, 4, 2}, {1, 4, 2},
                                                   {1, 5, 2}, {2, 5, 2}, {2, 3, 2}};
    struct nuce_network network = {.ranks = 6, .startup = 0, .bandwidth = 1};
    struct nuce_pattern pattern;

    (void)state;
    make_pattern(6, messages, 6, &pattern);
    check_bound(&pattern, &network, 6 + 12);
    nuce_pattern_fini(&pattern);
}

/* Sizes in bytes, so that no cut is at the end of a round number of them. */
static void test_even_networks(void **state)
{
    (void)state;
    for (uint64_t instance = 0; instance < 1000; instance++) {
        struct nuce_network network = {.startup = 0, .bandwidth = 3e6};
        struct nuce_pattern pattern;

        draw_pattern(instance, instance % 2 == 0 ? 20 : 1000000, &pattern);
        network.ranks = pattern.ranks;
        check_bound(&pattern, &network, pattern.messages + 2 * pattern.ranks);
        nuce_pattern_fini(&pattern);
    }
}

/* A byte's time is more than 1e-9 of these bounds: cuts must not lose any. */
static void test_uneven_networks(void **state)
{
    (void)state;
    for (uint64_t instance = 0; instance < 1000; instance++) {
        struct nuce_network network;
        struct nuce_pattern pattern;

        draw_pattern(instance, 100000, &pattern);
        draw_network(pattern.ranks, instance, 0, &network);
        check_bound(&pattern, &network, pattern.messages + 2 * pattern.ranks);
        nuce_pattern_fini(&pattern);
        nuce_network_fini(&network);
    }
}

static void test_sets(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_network_preset("cm5", 32, &network, &error), NUCE_OK);
    network.startup = 0;
    for (int set = 0; set < 3; set++) {
        for (uint64_t instance = 0; instance < 50; instance++) {
            struct nuce_pattern pattern;

            draw_set(set, instance, 4096, &pattern);
            check_bound(&pattern, &network, pattern.messages + 64);
            nuce_pattern_fini(&pattern);
        }
    }
}

/* With startups, each piece's being charged. */
static void test_startups(void **state)
{
    (void)state;
    for (int set = 0; set < 3; set++)
        assert_true(mean_ratio("preemptive", set, 4096) <= 1.001);
    for (int set = 0; set < 3; set++)
        assert_true(mean_ratio("preemptive", set, 16) <= mean_ratio("load-list", set, 16) + 1e-3);
}

/* Bytes that a double does not tell apart. */
static void test_huge(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 1, INT64_C(1) << 61},       {0, 2, (INT64_C(1) << 60) + 1},
        {1, 2, (INT64_C(1) << 61) - 1}, {1, 0, 1},
        {2, 0, INT64_C(1) << 60},       {2, 1, 3}};
    struct nuce_network network = {.ranks = 3, .startup = 0, .bandwidth = 1e9};
    struct nuce_pattern pattern;

    (void)state;
    make_pattern(3, messages, 6, &pattern);
    check_bound(&pattern, &network, 6 + 6);
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_even_networks),
        cmocka_unit_test(test_uneven_networks),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_startups),
        cmocka_unit_test(test_huge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
