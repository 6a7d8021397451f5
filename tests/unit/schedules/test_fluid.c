/* The fluid execution, against times worked out by hand and against the ports execution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "schedules/execution.h"

#define MOST_RANKS 12

/* cmocka compares floats only. */
static void assert_near(double found, double expected)
{
    assert_true(fabs(found - expected) <= 1e-12);
}

struct move {
    int source, destination;
    int64_t offset, bytes;
};

static struct nuce_schedule make(int ranks, enum nuce_discipline discipline, int depth,
                                 const struct move *moves, int count)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    nuce_schedule_builder_init(&builder, ranks, discipline);
    builder.depth = depth;
    for (int i = 0; i < count; i++)
        nuce_schedule_add(&builder, moves[i].source, moves[i].destination, i, moves[i].offset,
                          moves[i].bytes);
    nuce_schedule_build_end(&builder, &schedule);
    return schedule;
}

static struct nuce_timing run(const struct nuce_schedule *schedule,
                              const struct nuce_network *network, enum nuce_execution execution)
{
    struct nuce_timing timing;
    struct nuce_error error;

    assert_int_equal(nuce_execution_run(schedule, network, execution, &timing, &error), NUCE_OK);
    return timing;
}

/* Rank 0 sends 6 and 12 bytes to 1 and 2 through a port of 2 bytes per second; a pair carries 2.
 * At once: startups till 1, 1 byte per second each, the first ends at 7, the second has 6 left and
 * ends at 10. One at a time: 1 + 3, then 1 + 6. */
static void test_port(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 6}, {0, 2, 0, 12}};
    double out[] = {2, 2, 2}, in[] = {5, 5, 5};
    struct nuce_network network = {.ranks = 3, .startup = 1, .bandwidth = 2, .out = out, .in = in};
    enum nuce_discipline at_once[] = {NUCE_POST_ALL, NUCE_STREAMS};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct nuce_schedule schedule = make(3, at_once[i], 1 + i, moves, 2);
        struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);

        assert_near(timing.send_end[0], 7);
        assert_near(timing.send_start[1], 0);
        assert_near(timing.send_end[1], 10);
        assert_near(timing.receive_end[schedule.receive_of[1]], 10);
        assert_near(timing.makespan, 10);
        nuce_timing_fini(&timing);
        schedule.discipline = NUCE_STREAMS;
        schedule.depth = 1;
        timing = run(&schedule, &network, NUCE_FLUID);
        assert_near(timing.send_end[0], 4);
        assert_near(timing.send_start[1], 4);
        assert_near(timing.makespan, 11);
        nuce_timing_fini(&timing);
        nuce_schedule_fini(&schedule);
    }
}

/* Two pieces of one message share the bandwidth of their pair, whether ports are known or not: 4
 * bytes at 1 byte per second, both at half of it until the shorter has ended. */
static void test_pieces_of_a_pair(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 1}, {0, 1, 1, 3}, {0, 2, 0, 2}};
    double out[] = {100, 100, 100};
    struct nuce_network network = {.ranks = 3, .startup = 1, .bandwidth = 1};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct nuce_schedule schedule = make(3, NUCE_STREAMS, 3, moves, 3);
        struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);

        assert_near(timing.send_end[0], 3);
        assert_near(timing.send_end[1], 5);
        assert_near(timing.send_end[2], 3);
        nuce_timing_fini(&timing);
        nuce_schedule_fini(&schedule);
        network.out = network.in = out;
    }
}

/* A window of 2: the third send of rank 0 comes in when the shorter of the first two has ended,
 * and waits there for its receiver's window of 2, which 3 -> 2 and 4 -> 2 fill until 3. */
static void test_windows(void **state)
{
    static const struct move moves[] = {
        {3, 2, 0, 2}, {4, 2, 0, 8}, {0, 1, 0, 20}, {0, 3, 0, 1}, {0, 2, 0, 4},
    };
    struct nuce_network network = {.ranks = 5, .startup = 1, .bandwidth = 1};
    struct nuce_schedule schedule = make(5, NUCE_STREAMS, 2, moves, 5);
    struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);
    int64_t first = schedule.send_start[0];

    (void)state;
    assert_near(timing.send_end[first + 1], 2);
    assert_near(timing.send_start[first + 2], 3);
    assert_near(timing.send_end[first + 2], 8);
    assert_near(timing.makespan, 21);
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

/* Startups move nothing: the first has the port to itself until the second's startup is over. */
static void test_startup(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 6}, {0, 2, 0, 6}};
    double startup[] = {0, 1, 3, 0, 0, 0, 0, 0, 0};
    double bandwidth[] = {0, 9, 9, 9, 0, 9, 9, 9, 0}, port[] = {2, 2, 2};
    struct nuce_network network = {
        .ranks = 3, .pair_startup = startup, .pair_bandwidth = bandwidth, .out = port, .in = port};
    struct nuce_schedule schedule = make(3, NUCE_POST_ALL, 1, moves, 2);
    struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);

    (void)state;
    assert_near(timing.send_end[0], 5); /* 4 bytes till 3, then 1 byte per second */
    assert_near(timing.send_end[1], 7); /* 2 till 5, then 2 bytes per second */
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

/* A rank's messages to itself cost nothing, but keep their place in the queues. */
static void test_self(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 5}, {0, 0, 0, 100}, {0, 1, 5, 2}};
    struct nuce_network network = {.ranks = 2, .startup = 1, .bandwidth = 1};
    struct nuce_schedule schedule = make(2, NUCE_STREAMS, 1, moves, 3);
    struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);

    (void)state;
    assert_near(timing.send_start[1], 6);
    assert_near(timing.send_end[1], 6);
    assert_near(timing.makespan, 9);
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

static struct nuce_schedule draw(int ranks, struct nuce_rng *rng)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;
    int count = (int)nuce_rng_below(rng, 80);

    nuce_schedule_builder_init(&builder, ranks, NUCE_STREAMS);
    for (int i = 0; i < count; i++)
        nuce_schedule_add(&builder, (int)nuce_rng_below(rng, (uint64_t)ranks),
                          (int)nuce_rng_below(rng, (uint64_t)ranks), i, 0,
                          1 + (int64_t)nuce_rng_below(rng, 1000000));
    nuce_schedule_build_end(&builder, &schedule);
    return schedule;
}

/* At depth 1 without ports it is the ports execution, to the bit: also with messages to oneself and
 * several pieces between two ranks. */
static void test_depth_1(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 2000; number++) {
        struct nuce_rng rng = nuce_rng_create(21, number);
        int ranks = 1 + (int)nuce_rng_below(&rng, MOST_RANKS);
        struct nuce_network_ranges ranges = {{0, 1e-3}, {10e6, 200e6}, 0};
        struct nuce_schedule schedule = draw(ranks, &rng);
        size_t bytes = (size_t)schedule.pieces * sizeof(double);
        struct nuce_timing ports, fluid;
        struct nuce_network network;
        struct nuce_error error;

        assert_int_equal(nuce_network_draw(ranks, &ranges, &rng, &network, &error), NUCE_OK);
        ports = run(&schedule, &network, NUCE_PORTS);
        fluid = run(&schedule, &network, NUCE_FLUID);
        assert_memory_equal(&fluid.makespan, &ports.makespan, sizeof fluid.makespan);
        assert_memory_equal(fluid.send_start, ports.send_start, bytes);
        assert_memory_equal(fluid.send_end, ports.send_end, bytes);
        assert_memory_equal(fluid.receive_start, ports.receive_start, bytes);
        assert_memory_equal(fluid.receive_end, ports.receive_end, bytes);
        nuce_timing_fini(&ports);
        nuce_timing_fini(&fluid);
        nuce_network_fini(&network);
        nuce_schedule_fini(&schedule);
    }
}

/* Ranks 0 and 1 of a node send 4 bytes each to 2 and 3 of another, pairs at 2 bytes per second,
 * startup 1. The node's port of 2 gives each 1: till 5. Alone on it, rank 0's rail of 0.5: till 9;
 * what stays on the node knows nothing of either. */
static void test_nodes(void **state)
{
    static const struct move moves[] = {{0, 2, 0, 4}, {1, 3, 0, 4}, {0, 1, 0, 4}};
    int node_of[] = {0, 0, 1, 1};
    double wide[] = {9, 9, 9, 9}, rail[] = {0.5, 9, 9, 9}, node[] = {2, 9}, open[] = {9, 9};
    struct nuce_network network = {.ranks = 4, .startup = 1, .bandwidth = 2};
    struct nuce_schedule schedule = make(4, NUCE_POST_ALL, 1, moves, 3);
    struct nuce_timing timing;

    (void)state;
    network.tiers = (struct nuce_tiers){.nodes = 2,
                                        .node_of = node_of,
                                        .rail_out = wide,
                                        .rail_in = wide,
                                        .node_out = node,
                                        .node_in = open};
    timing = run(&schedule, &network, NUCE_FLUID);
    assert_near(timing.send_end[0], 5);
    assert_near(timing.send_end[1], 3); /* 0 -> 1 */
    assert_near(timing.send_end[2], 5);
    nuce_timing_fini(&timing);
    network.tiers.rail_out = rail;
    timing = run(&schedule, &network, NUCE_FLUID);
    assert_near(timing.send_end[0], 9);
    assert_near(timing.send_end[2], 1 + 4 / 1.5); /* what rank 0 leaves of the node's port */
    nuce_timing_fini(&timing);
    network.tiers.groups = 2;
    network.tiers.group_of = (int[]){0, 1};
    network.tiers.uplink_out = open;
    network.tiers.uplink_in = (double[]){9, 0.8}; /* 0.4 each */
    timing = run(&schedule, &network, NUCE_FLUID);
    assert_near(timing.send_end[0], 11);
    assert_near(timing.send_end[1], 3);
    assert_near(timing.send_end[2], 11);
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

/* Startup 1, gap 0.25, bandwidth 4: rank 0 begins at 0, 0.25 and 0.5; rank 3 sends to 1 at 0 too:
 * what comes second there waits for its turn till 1.25. */
static void test_gap(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 4}, {0, 2, 0, 4}, {0, 3, 0, 4}, {3, 1, 0, 4}};
    struct nuce_network network = {.ranks = 4, .startup = 1, .bandwidth = 4, .gap = 0.25};
    struct nuce_schedule schedule = make(4, NUCE_POST_ALL, 1, moves, 4);
    struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);

    (void)state;
    assert_near(timing.send_start[1], 0.25);
    assert_near(timing.send_start[2], 0.5);
    assert_near(timing.send_end[1], 2.25);
    assert_near(timing.makespan, 2.5);
    assert_near(timing.send_end[0] + timing.send_end[3], 2 + 2.25); /* one of the two waits */
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

/* Blocking sends: rank 0 sends one after the other, whatever else comes to their receivers. */
static void test_blocking(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 4}, {0, 2, 0, 4}, {3, 2, 0, 8}};
    double port[] = {4, 4, 4, 4};
    struct nuce_network network = {
        .ranks = 4, .startup = 1, .bandwidth = 4, .out = port, .in = port};
    struct nuce_schedule schedule = make(4, NUCE_BLOCKING, 1, moves, 3);
    struct nuce_timing timing = run(&schedule, &network, NUCE_FLUID);

    (void)state;
    assert_near(timing.send_start[1], 2);
    assert_near(timing.send_end[1], 4);
    assert_near(timing.send_end[2], 3);
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

/* In phases, one send and receive a rank in each, and nothing but pairs: the loose execution. */
static void test_phases(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 1000; number++) {
        struct nuce_rng rng = nuce_rng_create(22, number);
        int ranks = 2 + (int)nuce_rng_below(&rng, MOST_RANKS - 1);
        int phases = 1 + (int)nuce_rng_below(&rng, 20);
        struct nuce_network_ranges ranges = {{0, 1e-3}, {10e6, 200e6}, 0};
        struct nuce_schedule_builder builder;
        struct nuce_schedule schedule;
        struct nuce_timing loose, fluid;
        struct nuce_network network;
        struct nuce_error error;

        nuce_schedule_builder_init(&builder, ranks, NUCE_LOCKSTEP);
        for (int phase = 0; phase < phases; phase++) {
            int shift = (int)nuce_rng_below(&rng, (uint64_t)ranks);

            for (int i = 0; i < ranks; i++) {
                if (nuce_rng_below(&rng, 3) > 0)
                    nuce_schedule_add(&builder, i, (i + shift) % ranks, phase, 0,
                                      1 + (int64_t)nuce_rng_below(&rng, 1000000));
            }
        }
        nuce_schedule_build_end(&builder, &schedule);
        assert_int_equal(nuce_network_draw(ranks, &ranges, &rng, &network, &error), NUCE_OK);
        loose = run(&schedule, &network, NUCE_LOOSE);
        fluid = run(&schedule, &network, NUCE_FLUID);
        assert_memory_equal(&fluid.makespan, &loose.makespan, sizeof fluid.makespan);
        assert_memory_equal(fluid.send_end, loose.send_end,
                            (size_t)schedule.pieces * sizeof(double));
        nuce_timing_fini(&loose);
        nuce_timing_fini(&fluid);
        nuce_network_fini(&network);
        nuce_schedule_fini(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_port),     cmocka_unit_test(test_pieces_of_a_pair),
        cmocka_unit_test(test_windows),  cmocka_unit_test(test_startup),
        cmocka_unit_test(test_self),     cmocka_unit_test(test_depth_1),
        cmocka_unit_test(test_nodes),    cmocka_unit_test(test_gap),
        cmocka_unit_test(test_blocking), cmocka_unit_test(test_phases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
