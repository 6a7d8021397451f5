/* The execution models and the bounds, against times worked out by hand; the fluid one beside that
 * by ports, and the fair rates that it is made of. */
#include "cases.h"
#include "schedules/fair_rates.h"

/* Times are exact but for rounding. */
#define assert_is(found, expected) assert_near(found, expected, 1e-12)

/* 1 s startup and 1 byte per second. */
static struct nuce_network slow(int ranks)
{
    return (struct nuce_network){.ranks = ranks, .startup = 1, .bandwidth = 1};
}

static double makespan(const struct nuce_schedule *schedule, enum nuce_execution execution)
{
    struct nuce_network network = slow(schedule->ranks);

    return makespan_of(schedule, &network, execution);
}

/* Phase 0: 0 -> 1 takes 10, 2 -> 3 takes 2. Phase 1: 1 -> 2 takes 3 (1 and 2 are ready at 10 and
 * 2), 3 -> 0 takes 5 (at 2 and 10). Loose: both start at 10. With barriers too. By ports 1 -> 2
 * starts at 0 (1 sends nothing before, 2 receives nothing), 3 -> 0 too. Then 2 -> 3 in phase 1
 * does not wait for 0 -> 1 in phase 0. A rank's message to itself takes no time; and where rank
 * 0's list of sends ends that of rank 1 begins, whose first waits for the same receiver. */
static void test_models(void **state)
{
    static const struct {
        int ranks;
        const char *moves;
        double loose, barrier, ports;
    } cases[] = {
        {4, "0>1:9 2>3:1 | 1>2:2 3>0:4", 15, 15, 10},
        {4, "0>1:9 2>3:1 | 3>2:6 | 2>3:1", 11, 19, 10},
        {2, "0>0:100 | 0>1:3", 4, 4, 4},
        {2, "0>0:100 | 1>0:3", 4, 4, 4},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(schedule) schedule = schedule_of(cases[i].ranks, NUCE_LOCKSTEP, 1, cases[i].moves);

        assert_is(makespan(&schedule, NUCE_LOOSE), cases[i].loose);
        assert_is(makespan(&schedule, NUCE_BARRIER), cases[i].barrier);
        assert_is(makespan(&schedule, NUCE_PORTS), cases[i].ports);
    }
}

/* 0 and 1 both send to 2 at once, then to 3: 0 is served by 2 first (3 s), 1 waits until 3 and is
 * done at 8; 0 -> 3 runs 3 .. 5, 1 -> 3 then 8 .. 10. */
static void test_fifo(void **state)
{
    OWNED(schedule) schedule = schedule_of(4, NUCE_POST_ALL, 1, "0>2:2 0>3:1 1>2:4 1>3:1");
    struct nuce_network network = slow(4);
    OWNED(timing) timing;

    nuce_execution_run(&schedule, &network, NUCE_FIFO, &timing);
    assert_is(timing.send_end[0], 3);
    assert_is(timing.send_start[1], 3);
    assert_is(timing.send_start[2], 3);
    assert_is(timing.send_end[2], 8);
    assert_is(timing.makespan, 10);
    assert_is(timing.receive_end[schedule.receive_of[2]], 8);
}

static struct nuce_bounds assert_bounds(const struct nuce_pattern *pattern,
                                        const struct nuce_network *network, double port,
                                        double forwarded)
{
    struct nuce_bounds bounds;

    nuce_bounds_compute(pattern, network, &bounds);
    assert_is(bounds.port, port);
    if (forwarded > 0)
        assert_is(bounds.forwarded, forwarded);
    return bounds;
}

static void test_bounds(void **state)
{
    /* Row 0: 3 + 6, column 2: 6 + 9; 2 -> 2 costs nothing. */
    double in[] = {100, 100, 0.5}, out[] = {0.1, 100, 100};
    struct nuce_network network = slow(3);
    OWNED(pattern) pattern = pattern_of(3, "0>1:2 0>2:5 1>2:8 2>2:99");

    /* The longest message alone. */
    assert_is(assert_bounds(&pattern, &network, 9, 0).single_port, 15);
    network.in = in;
    assert_bounds(&pattern, &network, 26, 0); /* 13 bytes into rank 2 */
    network.out = out;
    assert_bounds(&pattern, &network, 70, 0); /* 7 bytes out of rank 0 */
}

/* Nodes {0, 1} and {2}. 6 bytes of rank 0 and 2 of rank 1 leave node 0, all to rank 2; 4 bytes stay
 * on it. Rails of 1 byte per second: rank 0 takes 6 s to send its own, but both ranks together
 * could send 8 in 4; the incoming bytes take rank 2's rail 8. A node's port of 0.5: 16 s. */
static void test_bounds_of_tiers(void **state)
{
    int node_of[] = {0, 0, 1};
    double rail[] = {1, 1, 1}, wide[] = {100, 100, 100}, node[] = {0.5, 100}, open[] = {100, 100};
    double inside[] = {100, 0.1, 100}, uplink[] = {100, 0.25};
    int group_of[] = {0, 1};
    struct nuce_network network = {.ranks = 3, .startup = 0.25, .bandwidth = 100};
    OWNED(pattern) pattern = pattern_of(3, "0>1:4 0>2:6 1>2:2");
    struct nuce_bounds bounds;

    network.tiers = (struct nuce_tiers){.nodes = 2,
                                        .node_of = node_of,
                                        .rail_out = rail,
                                        .rail_in = wide,
                                        .node_out = open,
                                        .node_in = open};
    bounds = assert_bounds(&pattern, &network, 6, 4);
    assert_is(nuce_bounds_of(&bounds, NUCE_POST_ALL), 6);
    assert_is(nuce_bounds_of(&bounds, NUCE_FORWARD), 4);
    assert_is(nuce_bounds_of(&bounds, NUCE_DYNAMIC), 4); /* whose way is not known */
    network.tiers.rail_in = rail;
    assert_bounds(&pattern, &network, 8, 8); /* node 1 has the one rail */
    network.tiers.node_out = node;
    assert_bounds(&pattern, &network, 16, 16);
    network.tiers.inside_in = inside; /* rank 1 gets 4 bytes in 40 s, or in 4 / 1.1 by others */
    assert_bounds(&pattern, &network, 40, 16);
    network.tiers.inside_in = NULL;
    node_of[1] = 1; /* then 6 bytes leave node 0, and 2 of rank 1's stay on node 1 */
    node_of[2] = 1;
    assert_bounds(&pattern, &network, 20, 0); /* 0 -> 1 leaves, too: 10 bytes at 0.5 */
    network.tiers.groups = 2;
    network.tiers.group_of = group_of;
    network.tiers.uplink_in = uplink; /* the 10 bytes at 0.25, by any forwarder */
    assert_bounds(&pattern, &network, 40, 40);
    group_of[1] = 0;
    network.tiers.groups = 1;
    assert_bounds(&pattern, &network, 20, 0);
}

static void test_fitting(void **state)
{
    /* The knowledge of the network: no ports, some, all, and a gap, which fluid alone knows. */
    static const struct {
        enum nuce_discipline discipline;
        int depth;
        enum nuce_execution none, some, ports, gap;
    } rows[] = {
        {NUCE_STREAMS, 1, NUCE_PORTS, NUCE_PORTS, NUCE_PORTS, NUCE_FLUID},
        {NUCE_STREAMS, 2, NUCE_FLUID, NUCE_FLUID, NUCE_FLUID, NUCE_FLUID},
        {NUCE_LOCKSTEP, 1, NUCE_LOOSE, NUCE_LOOSE, NUCE_LOOSE, NUCE_FLUID},
        {NUCE_FORWARD, 1, NUCE_LOOSE, NUCE_LOOSE, NUCE_LOOSE, NUCE_FLUID},
        {NUCE_POST_ALL, 1, NUCE_FIFO, NUCE_FIFO, NUCE_FLUID, NUCE_FLUID},
        {NUCE_BLOCKING, 1, NUCE_FIFO, NUCE_FIFO, NUCE_FIFO, NUCE_FLUID},
        {NUCE_BLOCKING, 2, NUCE_FLUID, NUCE_FLUID, NUCE_FLUID, NUCE_FLUID},
        {NUCE_DYNAMIC, 1, NUCE_FIFO, NUCE_FIFO, NUCE_FIFO, NUCE_FIFO},
    };
    double out[] = {1, 1}, in[] = {1, INFINITY};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct nuce_schedule schedule = {
            .ranks = 2, .discipline = rows[i].discipline, .depth = rows[i].depth};
        struct nuce_network network = slow(2);

        in[1] = INFINITY;
        assert_int_equal(nuce_execution_of(&schedule, &network), rows[i].none);
        network.out = out;
        network.in = in;
        assert_int_equal(nuce_execution_of(&schedule, &network), rows[i].some);
        in[1] = 1;
        assert_int_equal(nuce_execution_of(&schedule, &network), rows[i].ports);
        network.gap = 1e-6;
        assert_int_equal(nuce_execution_of(&schedule, &network), rows[i].gap);
    }
}

/* For a schedule that posts all at once fifo is one end of a bracket; for sends that block it is
 * the time. */
static void test_predicts(void **state)
{
    struct nuce_schedule schedule = {.ranks = 2, .discipline = NUCE_POST_ALL, .depth = 1};

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

/* 100 ranks that post equal messages to all others in ascending order, ports of 1 byte per second,
 * 1 s of startup. With a gap longer than a message takes few move at once, and so many can be
 * followed: all send to the last rank with their next to last gap, where they have their turns one
 * after the other. With a shorter one all move at once, which is too much. */
static void test_gap_of_many(void **state)
{
    enum { RANKS = 100 };
    double port[RANKS];
    struct nuce_network network = {.ranks = RANKS, .startup = 1, .bandwidth = 1, .gap = 4};
    struct nuce_schedule_builder builder;
    OWNED(schedule) schedule;

    nuce_schedule_builder_init(&builder, RANKS, NUCE_POST_ALL);
    for (int i = 0; i < RANKS; i++) {
        port[i] = 1;
        for (int j = 0; j < RANKS; j++) {
            if (i != j)
                nuce_schedule_add(&builder, i, j, 0, 0, 2);
        }
    }
    network.in = network.out = port;
    nuce_schedule_build_end(&builder, &schedule);
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FLUID);
    assert_near(makespan_of(&schedule, &network, NUCE_FLUID), 2 * (RANKS - 2) * network.gap + 1 + 2,
                1e-9);
    network.gap = 1;
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FIFO);
}

/* A message to oneself waits for no port, and nothing waits for it. First both ranks begin with
 * their own message: that of rank 1 must not wait until it has received from rank 0. Then rank 0's
 * own comes after a receive of 10 s, and before a send that need not wait for that. */
static void test_own(void **state)
{
    static const enum nuce_execution executions[] = {NUCE_PORTS, NUCE_FIFO};
    static const enum nuce_execution in_phases[] = {NUCE_LOOSE, NUCE_BARRIER};

    for (size_t i = 0; i < COUNT(executions); i++) {
        OWNED(schedule) a = schedule_of(2, NUCE_LOCKSTEP, 1, "0>0:1 1>1:1 | 0>1:9 1>0:9");
        OWNED(schedule) b = schedule_of(2, NUCE_LOCKSTEP, 1, "1>0:9 | 0>0:1 | 0>1:9");

        assert_is(makespan(&a, executions[i]), 10);
        assert_is(makespan(&b, executions[i]), 10);
    }
    for (size_t i = 0; i < COUNT(in_phases); i++) {
        OWNED(schedule) c = schedule_of(2, NUCE_LOCKSTEP, 1, "1>0:9 | 0>0:1 0>1:9 1>1:9");

        assert_is(makespan(&c, in_phases[i]), 20);
    }
}

#define MOST_RANKS 12

static struct nuce_timing run(const struct nuce_schedule *schedule,
                              const struct nuce_network *network, enum nuce_execution execution)
{
    struct nuce_timing timing;

    nuce_execution_run(schedule, network, execution, &timing);
    return timing;
}

/* The begin and end of each send, in the order of the ranks. */
static const struct {
    const char *moves;
    enum nuce_discipline discipline;
    int ranks, depth;
    double bandwidth, out, in; /* of a pair, behind a startup of 1; of ports, 0: not known */
    double begin[3], end[3], makespan;
} fluids[] = {
    /* Rank 0 sends 6 and 12 bytes through a port of 2 bytes per second; a pair carries 2. At once:
     * startups till 1, 1 byte per second each, the first ends at 7, the second has 6 left and ends
     * at 10. One at a time: 1 + 3, then 1 + 6. */
    {"0>1:6 0>2:12", NUCE_POST_ALL, 3, 1, 2, 2, 5, {0, 0}, {7, 10}, 10},
    {"0>1:6 0>2:12", NUCE_STREAMS, 3, 2, 2, 2, 5, {0, 0}, {7, 10}, 10},
    {"0>1:6 0>2:12", NUCE_STREAMS, 3, 1, 2, 2, 5, {0, 4}, {4, 11}, 11},
    /* Two pieces of one message share the bandwidth of their pair, whether ports are known or not:
     * 4 bytes at 1 byte per second, both at half of it until the shorter has ended. */
    {"0>1:1 0>1:3 0>2:2", NUCE_STREAMS, 3, 3, 1, 0, 0, {0, 0, 0}, {3, 5, 3}, 5},
    {"0>1:1 0>1:3 0>2:2", NUCE_STREAMS, 3, 3, 1, 100, 100, {0, 0, 0}, {3, 5, 3}, 5},
    /* A window of 2: the third send of rank 0 comes in when the shorter of the first two has ended,
     * and waits there for its receiver's window of 2, which 3 -> 2 and 4 -> 2 fill until 3. */
    {"3>2:2 4>2:8 0>1:20 0>3:1 0>2:4", NUCE_STREAMS, 5, 2, 1, 0, 0, {0, 0, 3}, {21, 2, 8}, 21},
    /* A rank's messages to itself cost nothing, but keep their place in the queues. */
    {"0>1:5 0>0:100 | 0>1:2", NUCE_STREAMS, 2, 1, 1, 0, 0, {0, 6, 6}, {6, 6, 9}, 9},
    /* Blocking sends: one after the other, whatever else comes to their receivers. */
    {"0>1:4 0>2:4 3>2:8", NUCE_BLOCKING, 4, 1, 4, 4, 4, {0, 2, 0}, {2, 4, 3}, 4},
};

static void test_fluid(void **state)
{
    for (size_t i = 0; i < COUNT(fluids); i++) {
        OWNED(schedule)
        schedule =
            schedule_of(fluids[i].ranks, fluids[i].discipline, fluids[i].depth, fluids[i].moves);
        double out[5], in[5];
        struct nuce_network network = {
            .ranks = fluids[i].ranks, .startup = 1, .bandwidth = fluids[i].bandwidth};
        OWNED(timing) timing;

        for (int k = 0; k < 5; k++) {
            out[k] = fluids[i].out;
            in[k] = fluids[i].in;
        }
        if (fluids[i].out > 0) {
            network.out = out;
            network.in = in;
        }
        timing = run(&schedule, &network, NUCE_FLUID);
        for (int k = 0; k < 3 && k < schedule.pieces; k++) {
            assert_is(timing.send_start[k], fluids[i].begin[k]);
            assert_is(timing.send_end[k], fluids[i].end[k]);
            assert_is(timing.receive_end[schedule.receive_of[k]], fluids[i].end[k]);
        }
        assert_is(timing.makespan, fluids[i].makespan);
    }
}

/* Startups move nothing: the first has the port to itself until the second's startup is over. */
static void test_startup(void **state)
{
    double startup[] = {0, 1, 3, 0, 0, 0, 0, 0, 0};
    double bandwidth[] = {0, 9, 9, 9, 0, 9, 9, 9, 0}, port[] = {2, 2, 2};
    struct nuce_network network = {
        .ranks = 3, .pair_startup = startup, .pair_bandwidth = bandwidth, .out = port, .in = port};
    OWNED(schedule) schedule = schedule_of(3, NUCE_POST_ALL, 1, "0>1:6 0>2:6");
    OWNED(timing) timing = run(&schedule, &network, NUCE_FLUID);

    assert_is(timing.send_end[0], 5); /* 4 bytes till 3, then 1 byte per second */
    assert_is(timing.send_end[1], 7); /* 2 till 5, then 2 bytes per second */
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

/* Fluid is `same`, to the bit, on a network of pairs that is drawn. */
static void check_same(const struct nuce_schedule *schedule, enum nuce_execution same,
                       struct nuce_rng *rng)
{
    struct nuce_network_ranges ranges = {{0, 1e-3}, {10e6, 200e6}, 0};
    size_t bytes = (size_t)schedule->pieces * sizeof(double);
    OWNED(timing) other, fluid;
    OWNED(network) network;

    assert_ok(nuce_network_draw(schedule->ranks, &ranges, rng, &network, ANY_ERROR));
    other = run(schedule, &network, same);
    fluid = run(schedule, &network, NUCE_FLUID);
    assert_memory_equal(&fluid.makespan, &other.makespan, sizeof fluid.makespan);
    assert_memory_equal(fluid.send_end, other.send_end, bytes);
    if (same != NUCE_PORTS)
        return;
    assert_memory_equal(fluid.send_start, other.send_start, bytes);
    assert_memory_equal(fluid.receive_start, other.receive_start, bytes);
    assert_memory_equal(fluid.receive_end, other.receive_end, bytes);
}

/* At depth 1 without ports it is the ports execution: also with messages to oneself and several
 * pieces between two ranks. */
static void test_depth_1(void **state)
{
    for (uint64_t number = 0; number < 2000; number++) {
        struct nuce_rng rng = nuce_rng_create(21, number);
        OWNED(schedule) schedule = draw(1 + (int)nuce_rng_below(&rng, MOST_RANKS), &rng);

        check_same(&schedule, NUCE_PORTS, &rng);
    }
}

/* The ends of the sends 0 -> 2, 0 -> 1 and 1 -> 3. */
static void assert_ends(const struct nuce_schedule *schedule, const struct nuce_network *network,
                        double first, double second, double third)
{
    OWNED(timing) timing = run(schedule, network, NUCE_FLUID);

    assert_is(timing.send_end[0], first);
    assert_is(timing.send_end[1], second);
    assert_is(timing.send_end[2], third);
}

/* Ranks 0 and 1 of a node send 4 bytes each to 2 and 3 of another, pairs at 2 bytes per second,
 * startup 1. The node's port of 2 gives each 1: till 5. Alone on it, rank 0's rail of 0.5: till 9;
 * messages on the node are not limited by either. */
static void test_nodes(void **state)
{
    int node_of[] = {0, 0, 1, 1};
    double wide[] = {9, 9, 9, 9}, rail[] = {0.5, 9, 9, 9}, node[] = {2, 9}, open[] = {9, 9};
    struct nuce_network network = {.ranks = 4, .startup = 1, .bandwidth = 2};
    OWNED(schedule) schedule = schedule_of(4, NUCE_POST_ALL, 1, "0>2:4 1>3:4 0>1:4");

    network.tiers = (struct nuce_tiers){.nodes = 2,
                                        .node_of = node_of,
                                        .rail_out = wide,
                                        .rail_in = wide,
                                        .node_out = node,
                                        .node_in = open};
    assert_ends(&schedule, &network, 5, 3, 5);
    network.tiers.rail_out = rail;
    assert_ends(&schedule, &network, 9, 3,
                1 + 4 / 1.5); /* the rest of the node's port beside rank 0 */
    network.tiers.groups = 2;
    network.tiers.group_of = (int[]){0, 1};
    network.tiers.uplink_out = open;
    network.tiers.uplink_in = (double[]){9, 0.8}; /* 0.4 each */
    assert_ends(&schedule, &network, 11, 3, 11);
}

/* Startup 1, gap 0.25, bandwidth 4: rank 0 begins at 0, 0.25 and 0.5; rank 3 sends to 1 at 0 too:
 * the second message there waits for its turn till 1.25. */
static void test_gap(void **state)
{
    struct nuce_network network = {.ranks = 4, .startup = 1, .bandwidth = 4, .gap = 0.25};
    OWNED(schedule) schedule = schedule_of(4, NUCE_POST_ALL, 1, "0>1:4 0>2:4 0>3:4 3>1:4");
    OWNED(timing) timing = run(&schedule, &network, NUCE_FLUID);

    assert_is(timing.send_start[1], 0.25);
    assert_is(timing.send_start[2], 0.5);
    assert_is(timing.send_end[1], 2.25);
    assert_is(timing.makespan, 2.5);
    assert_is(timing.send_end[0] + timing.send_end[3], 2 + 2.25); /* one of the two waits */
}

/* In phases, one send and receive a rank in each, and nothing but pairs: the loose execution. */
static void test_phases(void **state)
{
    for (uint64_t number = 0; number < 1000; number++) {
        struct nuce_rng rng = nuce_rng_create(22, number);
        int ranks = 2 + (int)nuce_rng_below(&rng, MOST_RANKS - 1);
        int phases = 1 + (int)nuce_rng_below(&rng, 20);
        struct nuce_schedule_builder builder;
        OWNED(schedule) schedule;

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
        check_same(&schedule, NUCE_LOOSE, &rng);
    }
}

#define MOST_FLOWS 60

static void share(int ports, const double *capacity, struct nuce_flow *flows, int count)
{
    OWNED(fair_rates) rates;
    int chosen[MOST_FLOWS];

    for (int k = 0; k < count; k++)
        chosen[k] = k;
    nuce_fair_rates_init(ports, capacity, count, &rates);
    nuce_fair_rates_share(&rates, flows, chosen, count);
}

/* The definition of the rates: no port is overfull, and every flow is at its limit or goes through
 * a full port of which no flow has more. */
static void check_rates(int ports, const double *capacity, const struct nuce_flow *flows, int count)
{
    double used[MOST_FLOWS] = {0}, most[MOST_FLOWS] = {0};

    for (int k = 0; k < count; k++) {
        for (int side = 0; side < flows[k].way.count; side++) {
            used[flows[k].way.place[side]] += flows[k].rate;
            most[flows[k].way.place[side]] = fmax(most[flows[k].way.place[side]], flows[k].rate);
        }
    }
    for (int p = 0; p < ports; p++)
        assert_true(used[p] <= capacity[p] * (1 + 1e-12));
    for (int k = 0; k < count; k++) {
        int is_held = flows[k].rate >= flows[k].limit;

        assert_true(flows[k].rate > 0 && flows[k].rate <= flows[k].limit);
        for (int side = 0; side < flows[k].way.count; side++) {
            int p = flows[k].way.place[side];

            is_held |=
                used[p] >= capacity[p] * (1 - 1e-12) && flows[k].rate >= most[p] * (1 - 1e-12);
        }
        assert_true(is_held);
    }
}

static void test_rates(void **state)
{
    for (uint64_t number = 0; number < 5000; number++) {
        struct nuce_rng rng = nuce_rng_create(11, number);
        int ranks = 1 + (int)nuce_rng_below(&rng, 8), count = (int)nuce_rng_below(&rng, MOST_FLOWS);
        double capacity[20];
        struct nuce_flow flows[MOST_FLOWS];

        for (int p = 0; p < 2 * ranks + 4; p++)
            capacity[p] =
                nuce_rng_below(&rng, 4) == 0 ? INFINITY : exp(20 * nuce_rng_uniform(&rng));
        for (int k = 0; k < count; k++)
            flows[k] = (struct nuce_flow){
                .way = {2 + (int)nuce_rng_below(&rng, 3),
                        {(int)nuce_rng_below(&rng, (uint64_t)ranks),
                         ranks + (int)nuce_rng_below(&rng, (uint64_t)ranks),
                         2 * ranks + (int)nuce_rng_below(&rng, 2),
                         2 * ranks + 2 + (int)nuce_rng_below(&rng, 2)}},
                .limit = nuce_rng_below(&rng, 3) == 0 ? 1 : exp(20 * nuce_rng_uniform(&rng))};
        share(2 * ranks + 4, capacity, flows, count);
        check_rates(2 * ranks + 4, capacity, flows, count);
    }
}

RUN(test_predicts, test_own, test_models, test_fifo, test_bounds, test_bounds_of_tiers,
    test_fitting, test_too_many, test_gap_of_many, test_fluid, test_startup, test_depth_1,
    test_nodes, test_gap, test_phases, test_rates)
