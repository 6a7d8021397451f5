#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "mapping/bisect.h"
#include "mapping/placement.h"
#include "networks.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g", value, expected);
}

struct setting {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
};

static void setting_init(struct setting *setting, const char *text, int per_node, int rows,
                         int columns)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    int side[NUCE_SIDES] = {rows, columns, 1};
    struct nuce_error error;

    setting->topology = parse_topology(text);
    nuce_routing_create(nuce_routing_find("updown"), &setting->topology, &setting->routing);
    assert_int_equal(nuce_processors_choose(&setting->routing, rows * columns, per_node, &rng,
                                            &setting->processors, &error),
                     NUCE_OK);
    assert_int_equal(nuce_processes_mesh(side, &setting->processes, &error), NUCE_OK);
}

static void setting_fini(struct setting *setting)
{
    nuce_processes_fini(&setting->processes);
    nuce_processors_fini(&setting->processors);
    nuce_routing_fini(&setting->routing);
    nuce_topology_fini(&setting->topology);
}

static int *place(const struct setting *setting, const char *name)
{
    struct nuce_placement_input input = {.processes = &setting->processes,
                                         .processors = &setting->processors,
                                         .rng = nuce_rng_create(2, 0)};
    struct nuce_error error;
    int *processor = nuce_placement_create(nuce_placement_find(name), &input, &error);

    assert_non_null(processor);
    return processor;
}

static double cardinality(const struct setting *setting, const int *processor)
{
    return nuce_placement_cardinality(&setting->processes, &setting->processors, processor);
}

static const char two_fours[] = "switch a b\nnode a0 a\nnode b0 b\nnode a1 a\nnode b1 b\n"
                                "node a2 a\nnode b2 b\nnode a3 a\nnode b3 b\n";

/* A 2 x 4 mesh on two switches of four: two edges have to cross, and all but rm and linear find
 * that. Linear alternates here: each of the six edges along the rows crosses. */
static void test_two_fours(void **state)
{
    static const char *const good[] = {"sm", "bm", "bm-swap", "curve", "curve-swap", "bisection"};
    struct setting setting;
    int *processor;

    (void)state;
    setting_init(&setting, two_fours, 1, 2, 4);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        processor = place(&setting, good[i]);
        assert_near(cardinality(&setting, processor), 2, 0);
        free(processor);
    }
    processor = place(&setting, "linear");
    assert_near(cardinality(&setting, processor), 6, 0);
    free(processor);
    setting_fini(&setting);
}

/* The switch of each process of a rows x columns mesh, as letters, row by row. */
static void switches_of(const struct setting *setting, const int *processor, char *letters)
{
    int n = setting->processes.ranks;

    for (int i = 0; i < n; i++)
        letters[i] = setting->topology.switch_name[setting->processors.home[processor[i]]][0];
    letters[n] = '\0';
}

/* Switches of 5, 3, 3, 3 and 2 on a 4 x 4 mesh. a: no buddy between 5 and 8, so 4 + 1 of the upper
 * half, and 1 and 2 of it return. b and c: a buddy of 4 each, of which 1 returns. d: none is large
 * enough, so the largest, 2, and then the nearest to it of the three of 1; e: the two that are
 * left. */
static void test_buddies(void **state)
{
    static const char five[] =
        "switch a b\nswitch b c\nswitch c d\nswitch d e\n"
        "node a0 a\nnode a1 a\nnode a2 a\nnode a3 a\nnode a4 a\nnode b0 b\nnode b1 b\nnode b2 b\n"
        "node c0 c\nnode c1 c\nnode c2 c\nnode d0 d\nnode d1 d\nnode d2 d\nnode e0 e\nnode e1 e\n";
    struct setting setting;
    char letters[17];
    int *processor;

    (void)state;
    setting_init(&setting, five, 1, 4, 4);
    processor = place(&setting, "sm");
    switches_of(&setting, processor, letters);
    assert_string_equal(letters, "aaad"
                                 "aadd"
                                 "bbcc"
                                 "bece");
    free(processor);
    setting_fini(&setting);
}

/* Weighted: the heavy edge ends up within a switch; each undirected edge counts once. */
static void test_weights(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 1, 1}, {1, 2, 10}, {2, 1, 10}, {2, 3, 1}, {3, 0, 10}};
    struct setting setting;
    struct nuce_pattern pattern;
    struct nuce_error error;
    int identity[4] = {0, 1, 2, 3}, *processor;

    (void)state;
    setting_init(&setting, "switch a b\nnode a0 a\nnode a1 a\nnode b0 b\nnode b1 b\n", 1, 2, 2);
    nuce_processes_fini(&setting.processes);
    assert_int_equal(nuce_pattern_init(4, messages, 5, &pattern, &error), NUCE_OK);
    assert_int_equal(nuce_processes_pattern(&pattern, &setting.processes, &error), NUCE_OK);
    assert_near(cardinality(&setting, identity), 30, 0);
    processor = place(&setting, "curve-swap");
    assert_near(cardinality(&setting, processor), 2, 0);
    free(processor);
    nuce_pattern_fini(&pattern);
    setting_fini(&setting);
}

/* By hand: 2 + 0.6 + (h + 1) 0.3 + (h + 2) 0.02 microseconds. */
static void test_latency(void **state)
{
    struct setting setting;
    int identity[4] = {0, 1, 2, 3};
    double seconds, near = 2.94e-6, far = 3.26e-6;

    (void)state;
    assert_near(nuce_placement_delay(0), near, 1e-15);
    assert_near(nuce_placement_delay(1), far, 1e-15);
    /* A line of four over a a b b: the means are near, (near + far) / 2 twice, near. */
    setting_init(&setting, "switch a b\nnode a0 a\nnode a1 a\nnode b0 b\nnode b1 b\n", 1, 1, 4);
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0, &seconds);
    assert_near(seconds, (3 * near + far) / 4, 1e-15);
    /* Any other process: one of three is on the same switch. */
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0.1, &seconds);
    assert_near(seconds, 0.9 * (3 * near + far) / 4 + 0.1 * (near + 2 * far) / 3, 1e-15);
    setting_fini(&setting);
    /* Two processes a node: within one only the startup. */
    setting_init(&setting, "switch a b\nnode a0 a\nnode b0 b\n", 2, 1, 4);
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0, &seconds);
    assert_near(seconds, (3 * 2e-6 + far) / 4, 1e-15);
    setting_fini(&setting);
    /* One alone talks to nobody. */
    setting_init(&setting, "node a0 a\n", 1, 1, 1);
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0, &seconds);
    assert_true(isnan(seconds));
    setting_fini(&setting);
}

static void test_processors(void **state)
{
    struct setting setting;
    struct nuce_rng rng = nuce_rng_create(9, 0);
    struct nuce_processors processors;
    struct nuce_error error;

    (void)state;
    setting_init(&setting, two_fours, 1, 2, 4);
    /* 3 a node: two nodes in full and one with one. */
    assert_int_equal(nuce_processors_choose(&setting.routing, 7, 3, &rng, &processors, &error),
                     NUCE_OK);
    assert_int_equal(processors.node[0], processors.node[2]);
    assert_true(processors.node[2] < processors.node[3] && processors.node[5] < processors.node[6]);
    assert_int_equal(processors.start[2], 7);
    nuce_processors_fini(&processors);
    assert_int_equal(nuce_processors_choose(&setting.routing, 25, 3, &rng, &processors, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.message,
                        "25 processes on 8 nodes of 3 processors: expected at most 24");
    setting_fini(&setting);
}

/* What a swap is said to gain is what it gains, of neighbours too. */
/* Ranks that run already, in no order, three of them on one node: processors go by node. */
static void test_taken(void **state)
{
    static const int node[] = {4, 0, 4, 2, 4}, ranks[] = {1, 3, 0, 2, 4}, nodes[] = {0, 2, 4, 4, 4};
    struct nuce_topology topology = parse_topology(pentagon);
    struct nuce_routing routing;
    struct nuce_processors processors;
    int rank[5];

    (void)state;
    nuce_routing_create(nuce_routings[0], &topology, &routing);
    nuce_processors_take(&routing, node, 5, rank, &processors);
    assert_memory_equal(rank, ranks, sizeof ranks);
    assert_memory_equal(processors.node, nodes, sizeof nodes);
    assert_memory_equal(processors.home, nodes, sizeof nodes);
    assert_int_equal(processors.per_node, 3);
    assert_int_equal(processors.start[4], 2);
    assert_int_equal(processors.start[5], 5);
    assert_int_equal(processors.member[0], 0);
    assert_int_equal(processors.member[4], 4);
    nuce_processors_fini(&processors);
    nuce_routing_fini(&routing);
    nuce_topology_fini(&topology);
}

/* Kernighan and Lin's heuristic separates two groups of switches from the worst start. */
static void test_halves(void **state)
{
    /* a, b and c, d are one link apart, the groups three. */
    struct setting setting;
    struct nuce_share share[4] = {{.home = 0, .count = 3, .first = 3},
                                  {.home = 1, .count = 3, .first = 0},
                                  {.home = 2, .count = 3, .first = 0},
                                  {.home = 3, .count = 3, .first = 3}};
    struct nuce_halves halves = {.share = share, .shares = 4, .scale = 1};
    double scratch[16];

    (void)state;
    setting_init(&setting, "switch a b\nswitch c d\nswitch a x\nswitch x y\nswitch y c\nnode n a\n",
                 1, 1, 1);
    halves.routing = &setting.routing;
    assert_near(nuce_halves_value(&halves),
                9 * (1 + 1 + nuce_routing_hops(&setting.routing, 0, 2) +
                     nuce_routing_hops(&setting.routing, 1, 3)),
                0);
    nuce_halves_improve(&halves, scratch);
    assert_int_equal(share[0].first, share[1].first);
    assert_int_equal(share[2].first, share[3].first);
    assert_int_equal(share[0].first + share[2].first, 3);
    setting_fini(&setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_fours),  cmocka_unit_test(test_buddies),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_latency),
        cmocka_unit_test(test_processors), cmocka_unit_test(test_halves),
        cmocka_unit_test(test_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
