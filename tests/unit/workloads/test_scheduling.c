/* What workloads under a schedule have in common: networks by name, messages that stand for other
 * links, random numbers, placements by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../folder.h"
#include "points/placing.h"
#include "points/scheduling.h"

#define RANKS 5
#define LINKS 1e7 /* bytes per second of the links that there are */

/* Every rank sends to every other, and 100 bytes to itself. */
static struct nuce_pattern draw_pattern(struct nuce_rng *rng)
{
    struct nuce_message messages[RANKS * RANKS];
    struct nuce_pattern pattern;
    struct nuce_error error;

    for (int k = 0; k < RANKS * RANKS; k++)
        messages[k] = (struct nuce_message){
            k / RANKS, k % RANKS,
            k / RANKS == k % RANKS ? 100 : 1 + (int64_t)nuce_rng_below(rng, 100000)};
    assert_int_equal(nuce_pattern_init(RANKS, messages, RANKS * RANKS, &pattern, &error), NUCE_OK);
    return pattern;
}

static struct nuce_network draw_network(struct nuce_rng *rng, double low, double high)
{
    struct nuce_network_ranges ranges = {.startup = {1e-6, 5e-6}, .bandwidth = {low, high}};
    struct nuce_network network;
    struct nuce_error error;

    assert_int_equal(nuce_network_draw(RANKS, &ranges, rng, &network, &error), NUCE_OK);
    return network;
}

static struct nuce_scheduling emulated(double link_bandwidth)
{
    struct nuce_scheduling scheduling = {.link_bandwidth = link_bandwidth};

    strcpy(scheduling.network, NUCE_NETWORK_EMULATED);
    return scheduling;
}

/* On the links that there are each message takes as long as on the emulated network, to half a
 * byte, and none vanishes; what a rank sends to itself crosses no link. */
static void check_emulated(struct nuce_rng *rng, double low, double high)
{
    struct nuce_scheduling scheduling = emulated(LINKS);
    struct nuce_pattern pattern = draw_pattern(rng), before;
    struct nuce_network network = draw_network(rng, low, high);
    double bandwidth[RANKS * RANKS], startup[RANKS * RANKS];
    struct nuce_error error;

    assert_int_equal(nuce_pattern_transpose(&pattern, &before, &error), NUCE_OK);
    for (int k = 0; k < RANKS * RANKS; k++) {
        bandwidth[k] = nuce_network_bandwidth(&network, k / RANKS, k % RANKS);
        startup[k] = nuce_network_startup(&network, k / RANKS, k % RANKS);
    }
    assert_int_equal(nuce_scheduling_emulate(&scheduling, &pattern, &network, &error), NUCE_OK);
    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++) {
            int64_t is = pattern.bytes[nuce_pattern_find(&pattern, i, j)];
            int64_t was = before.bytes[nuce_pattern_find(&before, j, i)];
            double wanted_s = (double)was / bandwidth[i * RANKS + j];

            if (i == j) {
                assert_int_equal(is, was);
                continue;
            }
            assert_true(is >= 1);
            assert_true(is == 1 || fabs((double)is / LINKS - wanted_s) <= 0.5001 / LINKS);
            assert_true(fabs(nuce_network_bandwidth(&network, i, j) - LINKS) <= 0);
            assert_true(fabs(nuce_network_startup(&network, i, j) - startup[i * RANKS + j]) <= 0);
        }
    }
    nuce_pattern_fini(&pattern);
    nuce_pattern_fini(&before);
    nuce_network_fini(&network);
}

static void test_emulated(void **state)
{
    struct nuce_rng rng = nuce_rng_create(2, 0);

    (void)state;
    for (int draw = 0; draw < 50; draw++) {
        check_emulated(&rng, 1e6, 2e7);
        check_emulated(&rng, 1e11, 1e12);
    }
}

/* More bytes than a double counts: nothing changes. */
static void test_too_long(void **state)
{
    struct nuce_rng rng = nuce_rng_create(2, 1);
    struct nuce_scheduling scheduling = emulated(1e30);
    struct nuce_pattern pattern = draw_pattern(&rng);
    struct nuce_network network = draw_network(&rng, 1e6, 2e6);
    int64_t first = pattern.bytes[1];
    const double *pairs = network.pair_bandwidth;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_scheduling_emulate(&scheduling, &pattern, &network, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "link-bandwidth");
    assert_int_equal(pattern.bytes[1], first);
    assert_ptr_equal(network.pair_bandwidth, pairs);
    nuce_pattern_fini(&pattern);
    nuce_network_fini(&network);
}

/* Any other network leaves messages as they are. */
static void test_not_emulated(void **state)
{
    struct nuce_scheduling scheduling = {.network = NUCE_NETWORK_RANDOM, .link_bandwidth = 1};
    struct nuce_rng rng = nuce_rng_create(2, 2);
    struct nuce_pattern pattern = draw_pattern(&rng);
    struct nuce_network network = {0};
    int64_t first = pattern.bytes[1];
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_scheduling_emulate(&scheduling, &pattern, &network, &error), NUCE_OK);
    assert_int_equal(pattern.bytes[1], first);
    nuce_pattern_fini(&pattern);
}

/* What a record says of a network: the same file has the same name wherever it lies. */
static void test_names(void **state)
{
    static const char text[] = "ranks 2\n0 1 1e-6 1e6\n1 0 2e-6 3e6\n";
    /* sha256sum of it */
    static const char wanted[] =
        "two.net@2181aa4e1299844bf9b0410c091cb6524b47f63638f03c848a625e7f8cf4df63";
    struct folder folder = folder_make();
    struct nuce_scheduling scheduling = {.network = ""};
    struct nuce_network network;
    struct nuce_error error;
    char *name;

    (void)state;
    assert_int_equal(nuce_scheduling_network(&scheduling, 2, NULL, &network, &name, &error),
                     NUCE_OK);
    assert_null(name);
    assert_int_equal(network.ranks, 0);
    strcpy(scheduling.network, "cm5");
    assert_int_equal(nuce_scheduling_network(&scheduling, 3, NULL, &network, &name, &error),
                     NUCE_OK);
    assert_string_equal(name, "cm5");
    assert_int_equal(network.ranks, 3);
    assert_true(fabs(nuce_network_startup(&network, 0, 1) - 0.299e-3) < 1e-12);
    assert_true(fabs(1 / nuce_network_bandwidth(&network, 0, 1) - 0.2389e-6) < 1e-15);
    free(name);
    nuce_network_fini(&network);
    folder_add(&folder, "two.net", text);
    snprintf(scheduling.network, sizeof scheduling.network, "%s/two.net", folder.path);
    assert_int_equal(nuce_scheduling_network(&scheduling, 2, NULL, &network, &name, &error),
                     NUCE_OK);
    assert_string_equal(name, wanted);
    assert_true(fabs(nuce_network_bandwidth(&network, 1, 0) - 3e6) < 1e-6);
    free(name);
    nuce_network_fini(&network);
    folder_remove(&folder);
}

static void test_no_network(void **state)
{
    struct nuce_scheduling scheduling = {.network = NUCE_NETWORK_MEASURED};
    struct nuce_network network;
    struct nuce_error error = {0};
    char *name;

    (void)state;
    assert_int_equal(nuce_scheduling_network(&scheduling, 2, NULL, &network, &name, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "network");
    assert_non_null(
        strstr(error.message, "'measured': known only on the hosts where the ranks run"));
    assert_null(name);
    strcpy(scheduling.network, "/nowhere.net");
    assert_int_not_equal(nuce_scheduling_network(&scheduling, 2, NULL, &network, &name, &error),
                         NUCE_OK);
    assert_null(name);
}

static struct nuce_network drawn(int64_t seed, int64_t instance)
{
    struct nuce_scheduling scheduling = {.network = NUCE_NETWORK_RANDOM,
                                         .bandwidth = {1e6, 2e6},
                                         .seed = seed,
                                         .instance = instance};
    struct nuce_network network;
    struct nuce_error error;
    char *name;

    assert_int_equal(nuce_scheduling_network(&scheduling, RANKS, NULL, &network, &name, &error),
                     NUCE_OK);
    assert_string_equal(name, "random");
    free(name);
    return network;
}

/* Whether two networks have a bandwidth in common. */
static int have_same(const struct nuce_network *a, const struct nuce_network *b)
{
    int same = 0;

    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++)
            same += i != j &&
                    fabs(nuce_network_bandwidth(a, i, j) - nuce_network_bandwidth(b, i, j)) <= 0;
    }
    return same;
}

/* The same seed and instance, the same network; another of either, another. */
static void test_drawn(void **state)
{
    struct nuce_network one = drawn(1, 0), again = drawn(1, 0), next = drawn(1, 1);
    struct nuce_network other = drawn(2, 0);

    (void)state;
    assert_int_equal(have_same(&one, &again), RANKS * (RANKS - 1));
    assert_int_equal(have_same(&one, &next), 0);
    assert_int_equal(have_same(&one, &other), 0);
    nuce_network_fini(&one);
    nuce_network_fini(&again);
    nuce_network_fini(&next);
    nuce_network_fini(&other);
}

/* Patterns, networks, schedules and placements of one seed do not share their numbers; a schedule
 * is the same for every instance. */
static void test_streams(void **state)
{
    struct nuce_scheduling first = {.seed = 4, .instance = 0}, second = {.seed = 4, .instance = 1};
    struct nuce_rng streams[] = {nuce_rng_create(4, 0), nuce_scheduling_network_rng(&first),
                                 nuce_scheduling_rng(&first), nuce_placing_rng(4)};
    struct nuce_rng again = nuce_scheduling_rng(&second);
    uint64_t begins[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        begins[i] = nuce_rng_next(&streams[i]);
        for (int j = 0; j < i; j++)
            assert_true(begins[i] != begins[j]);
    }
    assert_true(nuce_rng_next(&again) == begins[2]);
}

/* All placements, then what the library does, then nothing; the same with schedules. */
static void test_lists(void **state)
{
    size_t count = 0;

    (void)state;
    while (nuce_placing_name(count) != NULL)
        count++;
    assert_true(count > 2);
    assert_string_equal(nuce_placing_name(count - 1), "mpi-reorder");
    assert_string_equal(nuce_placing_name(0), "rm");
    assert_null(nuce_placing_name(count + 1));
    for (count = 0; nuce_schedule_name(count) != NULL; count++)
        assert_string_equal(nuce_schedule_name(count), nuce_schedules[count]->name);
    assert_null(nuce_schedules[count]);
}

/* Costs between ranks as launched say nothing of ranks that a placement renumbers. */
static void check_placing(const char *placement, const char *network, nuce_status wanted)
{
    struct nuce_placing placing = {.topology_nodes = "by-name"};
    struct nuce_error error = {0};

    strcpy(placing.placement, placement);
    assert_int_equal(nuce_placing_complete(&placing, network, &error), wanted);
    if (wanted != NUCE_OK)
        assert_string_equal(error.subject, "network");
}

static void test_placing(void **state)
{
    (void)state;
    check_placing("rm", "", NUCE_OK);
    check_placing("rm", "cm5", NUCE_OK);
    check_placing("rm", NUCE_NETWORK_RANDOM, NUCE_OK);
    check_placing("rm", NUCE_NETWORK_EMULATED, NUCE_OK);
    check_placing("rm", NUCE_NETWORK_MEASURED, NUCE_BAD_INPUT);
    check_placing("mpi-reorder", "some.net", NUCE_BAD_INPUT);
    check_placing("", "some.net", NUCE_OK);
    check_placing("", NUCE_NETWORK_MEASURED, NUCE_OK);
}

/* In the order of the topology's nodes there is one a rank, however few ranks share a host. */
static void test_placing_nodes(void **state)
{
    struct folder folder = folder_make();
    struct nuce_placing placing = {.placement = "rm", .topology_nodes = "in-order"};
    struct nuce_error error = {0};
    struct nuce_facts *facts = nuce_facts_create();

    (void)state;
    snprintf(placing.topology, sizeof placing.topology, "%s/three.conf", folder.path);
    folder_add(&folder, "three.conf", "switch a b\nnode n0 a\nnode n1 a\nnode n2 b\n");
    assert_int_equal(nuce_placing_complete(&placing, "", &error), NUCE_OK);
    assert_int_equal(nuce_placing_inspect(&placing, 3, facts, &error), NUCE_OK);
    assert_int_equal(nuce_placing_inspect(&placing, 4, facts, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "topology");
    assert_non_null(strstr(error.message, "3 nodes for 4 ranks: expected at least as many"));
    strcpy(placing.topology_nodes, "by-name");
    assert_int_equal(nuce_placing_inspect(&placing, 4, facts, &error), NUCE_OK);
    nuce_facts_destroy(facts);
    folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emulated),     cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_not_emulated), cmocka_unit_test(test_names),
        cmocka_unit_test(test_no_network),   cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_streams),      cmocka_unit_test(test_lists),
        cmocka_unit_test(test_placing),      cmocka_unit_test(test_placing_nodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
