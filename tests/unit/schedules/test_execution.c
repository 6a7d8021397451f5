/* The execution models and the bounds, against times worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "schedules/bounds.h"
#include "schedules/execution.h"

/* cmocka compares floats only. */
static void assert_near(double found, double expected, double tolerance)
{
    assert_true(fabs(found - expected) <= tolerance);
}

/* 1 s startup and 1 byte per second. */
static struct nuce_network slow(int ranks)
{
    return (struct nuce_network){.ranks = ranks, .startup = 1, .bandwidth = 1};
}

struct move {
    int source, destination, phase;
    int64_t bytes;
};

static struct nuce_schedule make(int ranks, enum nuce_discipline discipline,
                                 const struct move *moves, int count)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    nuce_schedule_builder_init(&builder, ranks, discipline);
    for (int i = 0; i < count; i++)
        nuce_schedule_add(&builder, moves[i].source, moves[i].destination, moves[i].phase, 0,
                          moves[i].bytes);
    nuce_schedule_build_end(&builder, &schedule);
    return schedule;
}

static double makespan(const struct nuce_schedule *schedule, enum nuce_execution execution)
{
    struct nuce_network network = slow(schedule->ranks);
    struct nuce_error error;
    double seconds = -1;

    assert_int_equal(nuce_execution_makespan(schedule, &network, execution, &seconds, &error),
                     NUCE_OK);
    return seconds;
}

/* Phase 0: 0 -> 1 takes 10, 2 -> 3 takes 2. Phase 1: 1 -> 2 takes 3 (1 and 2 are ready at 10 and
 * 2), 3 -> 0 takes 5 (at 2 and 10). Loose: both start at 10. With barriers too. By ports 1 -> 2
 * starts at 0 (1 sends nothing before, 2 receives nothing), 3 -> 0 too. */
static void test_models(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 9}, {2, 3, 0, 1}, {1, 2, 1, 2}, {3, 0, 1, 4}};
    struct nuce_schedule schedule = make(4, NUCE_LOCKSTEP, moves, 4);

    (void)state;
    assert_near(makespan(&schedule, NUCE_LOOSE), 15, 1e-12);
    assert_near(makespan(&schedule, NUCE_BARRIER), 15, 1e-12);
    assert_near(makespan(&schedule, NUCE_PORTS), 10, 1e-12);
    nuce_schedule_fini(&schedule);
}

/* Loose and barrier differ: 2 -> 3 in phase 1 waits for nobody of 0 -> 1 in phase 0. */
static void test_loose(void **state)
{
    static const struct move moves[] = {{0, 1, 0, 9}, {2, 3, 0, 1}, {3, 2, 1, 6}, {2, 3, 2, 1}};
    struct nuce_schedule schedule = make(4, NUCE_LOCKSTEP, moves, 4);

    (void)state;
    assert_near(makespan(&schedule, NUCE_LOOSE), 11, 1e-12);   /* 2 + 7 + 2 */
    assert_near(makespan(&schedule, NUCE_BARRIER), 19, 1e-12); /* 10 + 7 + 2 */
    assert_near(makespan(&schedule, NUCE_PORTS), 10, 1e-12);   /* 0 -> 1 */
    nuce_schedule_fini(&schedule);
}

/* A rank's message to itself takes no time. */
static void test_self(void **state)
{
    static const struct move moves[] = {{0, 0, 0, 100}, {0, 1, 1, 3}};
    struct nuce_schedule schedule = make(2, NUCE_LOCKSTEP, moves, 2);

    (void)state;
    assert_near(makespan(&schedule, NUCE_LOOSE), 4, 1e-12);
    assert_near(makespan(&schedule, NUCE_PORTS), 4, 1e-12);
    nuce_schedule_fini(&schedule);
}

/* Rank 0's list of sends ends where that of rank 1 begins: its last send makes way for the first of
 * rank 1, which waits for the same receiver. */
static void test_end_of_list(void **state)
{
    static const struct move moves[] = {{0, 0, 0, 100}, {1, 0, 1, 3}};
    struct nuce_schedule schedule = make(2, NUCE_STREAMS, moves, 2);

    (void)state;
    assert_near(makespan(&schedule, NUCE_PORTS), 4, 1e-12);
    nuce_schedule_fini(&schedule);
}

/* 0 and 1 both send to 2 at once, then to 3: 0 is served by 2 first (3 s), 1 waits until 3 and is
 * done at 8; 0 -> 3 runs 3 .. 5, 1 -> 3 then 8 .. 10. */
static void test_fifo(void **state)
{
    static const struct move moves[] = {{0, 2, 0, 2}, {0, 3, 0, 1}, {1, 2, 0, 4}, {1, 3, 0, 1}};
    struct nuce_schedule schedule = make(4, NUCE_POST_ALL, moves, 4);
    struct nuce_network network = slow(4);
    struct nuce_timing timing;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_execution_run(&schedule, &network, NUCE_FIFO, &timing, &error), NUCE_OK);
    assert_near(timing.send_end[0], 3, 1e-12);
    assert_near(timing.send_start[1], 3, 1e-12);
    assert_near(timing.send_start[2], 3, 1e-12);
    assert_near(timing.send_end[2], 8, 1e-12);
    assert_near(timing.makespan, 10, 1e-12);
    assert_near(timing.receive_end[schedule.receive_of[2]], 8, 1e-12);
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

static void test_bounds(void **state)
{
    /* Row 0: 3 + 6, column 2: 6 + 9; 2 -> 2 costs nothing. */
    static const struct nuce_message messages[] = {{0, 1, 2}, {0, 2, 5}, {1, 2, 8}, {2, 2, 99}};
    double in[] = {100, 100, 0.5}, out[] = {0.1, 100, 100};
    struct nuce_network network = slow(3);
    struct nuce_pattern pattern;
    struct nuce_bounds bounds;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_pattern_init(3, messages, 4, &pattern, &error), NUCE_OK);
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.single_port, 15, 1e-12);
    assert_near(bounds.port, 9, 1e-12); /* the longest message alone */
    network.in = in;
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 26, 1e-12); /* 13 bytes into rank 2 */
    network.out = out;
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 70, 1e-12); /* 7 bytes out of rank 0 */
    nuce_pattern_fini(&pattern);
}

/* Nodes {0, 1} and {2}. What leaves node 0: 6 bytes of rank 0, 2 of rank 1, all to rank 2; 4 bytes
 * stay on it. Rails of 1 byte per second: rank 0 takes 6 s to send its own, but both ranks together
 * could send 8 in 4; what comes in takes rank 2's rail 8. A node's port of 0.5: 16 s. */
static void test_bounds_of_tiers(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 4}, {0, 2, 6}, {1, 2, 2}};
    int node_of[] = {0, 0, 1};
    double rail[] = {1, 1, 1}, wide[] = {100, 100, 100}, node[] = {0.5, 100}, open[] = {100, 100};
    double inside[] = {100, 0.1, 100}, uplink[] = {100, 0.25};
    int group_of[] = {0, 1};
    struct nuce_network network = {.ranks = 3, .startup = 0.25, .bandwidth = 100};
    struct nuce_pattern pattern;
    struct nuce_bounds bounds;
    struct nuce_error error;

    (void)state;
    network.tiers = (struct nuce_tiers){.nodes = 2,
                                        .node_of = node_of,
                                        .rail_out = rail,
                                        .rail_in = wide,
                                        .node_out = open,
                                        .node_in = open};
    assert_int_equal(nuce_pattern_init(3, messages, 3, &pattern, &error), NUCE_OK);
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 6, 1e-12);
    assert_near(bounds.forwarded, 4, 1e-12);
    assert_near(nuce_bounds_of(&bounds, NUCE_POST_ALL), 6, 1e-12);
    assert_near(nuce_bounds_of(&bounds, NUCE_FORWARD), 4, 1e-12);
    assert_near(nuce_bounds_of(&bounds, NUCE_DYNAMIC), 4, 1e-12); /* whose way is not known */
    network.tiers.rail_in = rail;
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 8, 1e-12);
    assert_near(bounds.forwarded, 8, 1e-12); /* node 1 has the one rail */
    network.tiers.node_out = node;
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 16, 1e-12);
    assert_near(bounds.forwarded, 16, 1e-12);
    network.tiers.inside_in = inside; /* rank 1 gets 4 bytes in 40 s, or in 4 / 1.1 by others */
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 40, 1e-12);
    assert_near(bounds.forwarded, 16, 1e-12);
    network.tiers.inside_in = NULL;
    node_of[1] = 1; /* then 6 bytes leave node 0, and 2 of rank 1's stay on node 1 */
    node_of[2] = 1;
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 20, 1e-12); /* 0 -> 1 leaves, too: 10 bytes at 0.5 */
    network.tiers.groups = 2;
    network.tiers.group_of = group_of;
    network.tiers.uplink_in = uplink; /* the 10 bytes at 0.25, whoever forwards them */
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 40, 1e-12);
    assert_near(bounds.forwarded, 40, 1e-12);
    group_of[1] = 0;
    network.tiers.groups = 1;
    nuce_bounds_compute(&pattern, &network, &bounds);
    assert_near(bounds.port, 20, 1e-12);
    nuce_pattern_fini(&pattern);
}

static void test_names(void **state)
{
    enum nuce_execution found = NUCE_LOOSE;

    (void)state;
    assert_true(nuce_execution_find("ports", &found));
    assert_int_equal(found, NUCE_PORTS);
    assert_false(nuce_execution_find("port", &found));
    assert_true(nuce_execution_find("fluid", &found));
    assert_int_equal(found, NUCE_FLUID);
}

static enum nuce_execution execution_of(enum nuce_discipline discipline, int depth,
                                        const struct nuce_network *network)
{
    struct nuce_schedule schedule = {.ranks = 2, .discipline = discipline, .depth = depth};

    return nuce_execution_of(&schedule, network);
}

static void test_fitting(void **state)
{
    double out[] = {1, 1}, in[] = {1, INFINITY};
    struct nuce_network network = slow(2);

    (void)state;
    assert_int_equal(execution_of(NUCE_STREAMS, 1, &network), NUCE_PORTS);
    assert_int_equal(execution_of(NUCE_STREAMS, 2, &network), NUCE_FLUID);
    assert_int_equal(execution_of(NUCE_LOCKSTEP, 1, &network), NUCE_LOOSE);
    assert_int_equal(execution_of(NUCE_POST_ALL, 1, &network), NUCE_FIFO);
    assert_int_equal(execution_of(NUCE_BLOCKING, 1, &network), NUCE_FIFO);
    assert_int_equal(execution_of(NUCE_BLOCKING, 2, &network), NUCE_FLUID);
    network.out = out;
    network.in = in;
    assert_int_equal(execution_of(NUCE_POST_ALL, 1, &network), NUCE_FIFO); /* not all are known */
    in[1] = 1;
    assert_int_equal(execution_of(NUCE_POST_ALL, 1, &network), NUCE_FLUID);
    assert_int_equal(execution_of(NUCE_BLOCKING, 1, &network), NUCE_FIFO);
    assert_int_equal(execution_of(NUCE_STREAMS, 1, &network), NUCE_PORTS);
    network.gap = 1e-6; /* only fluid knows of it */
    assert_int_equal(execution_of(NUCE_STREAMS, 1, &network), NUCE_FLUID);
    assert_int_equal(execution_of(NUCE_LOCKSTEP, 1, &network), NUCE_FLUID);
    assert_int_equal(execution_of(NUCE_FORWARD, 1, &network), NUCE_FLUID);
    assert_int_equal(execution_of(NUCE_BLOCKING, 1, &network), NUCE_FLUID);
    assert_int_equal(execution_of(NUCE_DYNAMIC, 1, &network), NUCE_FIFO);
}

/* Of what is posted all at once fifo is one end of a bracket; of sends that block it is the time.
 */
static void test_predicts(void **state)
{
    struct nuce_schedule schedule = {.ranks = 2, .discipline = NUCE_POST_ALL, .depth = 1};

    (void)state;
    assert_false(nuce_execution_predicts(&schedule, NUCE_FIFO));
    assert_true(nuce_execution_predicts(&schedule, NUCE_FLUID));
    schedule.discipline = NUCE_BLOCKING;
    assert_true(nuce_execution_predicts(&schedule, NUCE_FIFO));
    schedule.depth = 2; /* two at a time */
    assert_false(nuce_execution_predicts(&schedule, NUCE_FIFO));
}

/* 9000 pieces at once are too many to follow one by one, 4 of each of 1000 ranks are not, 64 are;
 * where no port is known none are. */
static void test_too_many(void **state)
{
    static struct nuce_transfer transfers[70000];
    static int64_t start[1001]; /* 70 a rank: more than its port carries in as many gaps */
    double port[1000];
    struct nuce_network network = {.ranks = 1000, .startup = 1, .bandwidth = 1};
    struct nuce_schedule schedule = {.ranks = 1000,
                                     .pieces = 9000,
                                     .discipline = NUCE_POST_ALL,
                                     .depth = 4,
                                     .sends = transfers,
                                     .receives = transfers,
                                     .send_start = start,
                                     .receive_start = start};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        port[i] = 1;
        start[i + 1] = 70 * (int64_t)(i + 1);
    }
    for (int k = 0; k < 70000; k++)
        transfers[k].bytes = 1;
    network.in = network.out = port;
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FIFO);
    assert_true(nuce_execution_is_modelled(&schedule, &network));
    schedule.pieces = 8000;
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FLUID);
    schedule.discipline = NUCE_STREAMS;
    schedule.pieces = 9000;
    assert_true(nuce_execution_is_modelled(&schedule, &network));
    schedule.depth = 64;
    assert_false(nuce_execution_is_modelled(&schedule, &network));
    schedule.depth = 1;
    assert_true(nuce_execution_is_modelled(&schedule, &network));
    network.gap = 1e-6; /* 9000 of 1000 ranks in phases are followed, 70000 compared by pairs */
    schedule.discipline = NUCE_LOCKSTEP;
    assert_int_equal(nuce_execution_to_compare(&schedule, &network), NUCE_FLUID);
    schedule.pieces = 70000;
    assert_false(nuce_execution_is_modelled(&schedule, &network));
    assert_int_equal(nuce_execution_to_compare(&schedule, &network), NUCE_LOOSE);
    network.gap = 0;
    schedule.discipline = NUCE_STREAMS;
    schedule.pieces = 9000;
    schedule.depth = 64;
    network.in = network.out = NULL;
    assert_true(nuce_execution_is_modelled(&schedule, &network));
    schedule.discipline = NUCE_DYNAMIC;
    assert_false(nuce_execution_is_modelled(&schedule, &network));
}

/* 100 ranks that post equal messages to all others in ascending order, ports of 1 byte a second, 1
 * s of startup. With a gap longer than a message takes few move at once, and so many can be
 * followed: all send to the last rank with their next to last gap, where they have their turns one
 * after the other. With a shorter one all move at once, which is too much. */
static void test_gap_of_many(void **state)
{
    enum { RANKS = 100 };
    static struct move moves[RANKS * (RANKS - 1)];
    double port[RANKS], seconds;
    struct nuce_network network = {.ranks = RANKS, .startup = 1, .bandwidth = 1, .gap = 4};
    struct nuce_schedule schedule;
    struct nuce_error error;
    int count = 0;

    (void)state;
    for (int i = 0; i < RANKS; i++) {
        port[i] = 1;
        for (int j = 0; j < RANKS; j++) {
            if (i != j)
                moves[count++] = (struct move){i, j, 0, 2};
        }
    }
    network.in = network.out = port;
    schedule = make(RANKS, NUCE_POST_ALL, moves, count);
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FLUID);
    assert_int_equal(nuce_execution_makespan(&schedule, &network, NUCE_FLUID, &seconds, &error),
                     NUCE_OK);
    assert_near(seconds, 2 * (RANKS - 2) * network.gap + 1 + 2, 1e-9);
    network.gap = 1;
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FIFO);
    nuce_schedule_fini(&schedule);
}

/* What a rank sends to itself waits for no port, and nothing waits for it. First both ranks begin
 * with their own message: that of rank 1 must not wait until it has received from rank 0. Then rank
 * 0's own comes after a receive of 10 s, and before a send that need not wait for that. */
static void test_own(void **state)
{
    static const struct move beside[] = {{1, 0, 0, 9}, {0, 0, 1, 1}, {0, 1, 1, 9}, {1, 1, 1, 9}};
    static const struct move first[] = {{0, 0, 0, 1}, {1, 1, 0, 1}, {0, 1, 1, 9}, {1, 0, 1, 9}};
    static const struct move between[] = {{1, 0, 0, 9}, {0, 0, 1, 1}, {0, 1, 2, 9}};
    static const enum nuce_execution executions[] = {NUCE_PORTS, NUCE_FIFO};
    static const enum nuce_execution in_phases[] = {NUCE_LOOSE, NUCE_BARRIER};

    (void)state;
    for (size_t i = 0; i < sizeof executions / sizeof *executions; i++) {
        struct nuce_schedule a = make(2, NUCE_LOCKSTEP, first, 4);
        struct nuce_schedule b = make(2, NUCE_LOCKSTEP, between, 3);

        assert_near(makespan(&a, executions[i]), 10, 1e-12);
        assert_near(makespan(&b, executions[i]), 10, 1e-12);
        nuce_schedule_fini(&a);
        nuce_schedule_fini(&b);
    }
    for (size_t i = 0; i < sizeof in_phases / sizeof *in_phases; i++) {
        struct nuce_schedule c = make(2, NUCE_LOCKSTEP, beside, 4);

        assert_near(makespan(&c, in_phases[i]), 20, 1e-12);
        nuce_schedule_fini(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predicts),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_loose),
        cmocka_unit_test(test_self),
        cmocka_unit_test(test_end_of_list),
        cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bounds_of_tiers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_fitting),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_gap_of_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
