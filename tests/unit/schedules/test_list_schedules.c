/* Schedules that are made by following the time: greedy, lpt, load-list; and preemptive, which
 * meets the lower bound with few pieces. */
#include "cases.h"

/* 1 byte per second, no startup. */
static struct nuce_network slow(int ranks)
{
    return (struct nuce_network){.ranks = ranks, .startup = 0, .bandwidth = 1};
}

/* 0 -> 1 from 0 to 4 (1 and 2 are both available: the lower rank), 1 -> 2 from 0 to 3, 2 -> 1 from
 * 4 to 5; then 0 -> 2 from 4 to 6. */
static void test_greedy(void **state)
{
    struct nuce_network network = slow(3);
    OWNED(pattern) pattern = pattern_of(3, "0>0:50 0>1:4 0>2:2 1>2:3 2>1:1");
    OWNED(schedule) schedule = create_schedule("greedy", &pattern, &network);

    for (int k = 0; k < 3; k++)
        assert_int_equal(schedule.sends[k].peer, k);
    assert_true(makespan_of(&schedule, &network, NUCE_PORTS) == 6);
    assert_int_equal(schedule.depth, 1);
}

#define MOST_RANKS 100 /* more than a word of a row has bits */

/* The heuristic as it is written, each choice by looking at everything. */
struct reference {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    double sender[MOST_RANKS], receiver[MOST_RANKS];
    unsigned char sent[MOST_RANKS * MOST_RANKS]; /* by entry of the pattern */
};

/* The next receiver of rank i, as an entry, or -1. */
static int64_t refer_receiver(const struct reference *r, int i)
{
    int64_t best = -1;

    for (int64_t k = r->pattern->row[i]; k < r->pattern->row[i + 1]; k++) {
        int j = r->pattern->destination[k];

        if (j != i && !r->sent[k] &&
            (best < 0 || r->receiver[j] < r->receiver[r->pattern->destination[best]]))
            best = k;
    }
    return best;
}

static int64_t refer_next(struct reference *r, int *source)
{
    int64_t chosen = -1;
    double end;
    int j;

    for (int i = 0; i < r->pattern->ranks; i++) {
        int64_t k = refer_receiver(r, i);

        if (k < 0 || (chosen >= 0 && r->sender[i] >= r->sender[*source]))
            continue;
        chosen = k;
        *source = i;
    }
    if (chosen < 0)
        return -1;
    j = r->pattern->destination[chosen];
    end = r->sender[*source] > r->receiver[j] ? r->sender[*source] : r->receiver[j];
    end += nuce_network_seconds(r->network, *source, j, r->pattern->bytes[chosen]);
    r->sender[*source] = r->receiver[j] = end;
    r->sent[chosen] = 1;
    return chosen;
}

/* Message by message, at each sender. */
static void compare(const struct nuce_schedule *schedule, const struct nuce_pattern *pattern,
                    const struct nuce_network *network)
{
    struct reference reference = {.pattern = pattern, .network = network};
    int64_t next[MOST_RANKS], k;
    int i = 0;

    for (int p = 0; p < pattern->ranks; p++) {
        next[p] = schedule->send_start[p];
        if (next[p] < schedule->send_start[p + 1] && schedule->sends[next[p]].peer == p)
            next[p]++; /* to itself: first */
    }
    while ((k = refer_next(&reference, &i)) >= 0)
        assert_int_equal(schedule->sends[next[i]++].peer, pattern->destination[k]);
    for (int p = 0; p < pattern->ranks; p++)
        assert_int_equal(next[p], schedule->send_start[p + 1]);
}

static void test_greedy_reference(void **state)
{
    for (uint64_t instance = 0; instance < 400; instance++) {
        OWNED(schedule) schedule;
        OWNED(pattern) pattern = draw_pattern(instance, 1000);
        OWNED(network) network = draw_network(pattern.ranks, instance, 1e-5);

        if (instance % 2 == 0) { /* many equal times */
            nuce_network_fini(&network);
            network = slow(pattern.ranks);
        }
        schedule = create_schedule("greedy", &pattern, &network);
        compare(&schedule, &pattern, &network);
    }
}

/* Rows of several words, from full to sparse, of unequal and of equal messages. */
static void test_greedy_wide(void **state)
{
    for (uint64_t instance = 0; instance < 12; instance++) {
        struct nuce_rng rng = nuce_rng_create(7, instance);
        int ranks = 60 + (int)nuce_rng_below(&rng, MOST_RANKS - 60 + 1);
        OWNED(network) network;
        OWNED(schedule) schedule;
        OWNED(pattern) pattern;

        assert_ok(
            nuce_pattern_uniform(ranks, (ranks - 1) >> instance % 4, &rng, &pattern, ANY_ERROR));
        if (instance % 3 == 0)
            network = slow(ranks);
        else
            network = draw_network(ranks, instance, 1e-7);
        schedule = create_schedule("greedy", &pattern, &network);
        compare(&schedule, &pattern, &network);
    }
}

/* Block b goes from rank b mod P to rank (b div K) mod P: 64 ranks, 40 equal messages each. */
static void test_redistribution(void **state)
{
    enum { P = 64, K = 40 };
    static struct nuce_message messages[P * K];
    struct nuce_network network = slow(P);
    OWNED(schedule) schedule;
    OWNED(pattern) pattern;

    for (int b = 0; b < P * K; b++)
        messages[b] = (struct nuce_message){b % P, b / K % P, 1000};
    pattern = make_pattern(P, messages, P * K);
    schedule = create_schedule("greedy", &pattern, &network);
    assert_in_range((int)(makespan_of(&schedule, &network, NUCE_PORTS) / 1000), 48, 54);
    nuce_schedule_fini(&schedule);
    schedule = create_schedule("load-list", &pattern, &network);
    assert_in_range((int)(makespan_of(&schedule, &network, NUCE_PORTS) / 1000), 40, 45);
}

/* Row 0 has the most to do, and with rank 2 the busiest pair; the longest message is 1 -> 2. */
static void test_orders(void **state)
{
    struct nuce_network network = slow(4);
    OWNED(pattern) pattern = pattern_of(4, "0>1:3 0>2:3 0>3:3 1>2:4");
    OWNED(schedule) load = create_schedule("load-list", &pattern, &network);
    OWNED(schedule) longest = create_schedule("lpt", &pattern, &network);

    assert_int_equal(load.sends[load.send_start[0]].peer, 2);
    assert_int_equal(load.receives[load.receive_start[2]].peer, 0);
    assert_int_not_equal(longest.sends[longest.send_start[0]].peer, 2);
    assert_int_equal(longest.receives[longest.receive_start[2]].peer, 1);
}

/* How far from time on at least one of two ports is busy, by the pieces of both. */
static double busy_until(const struct nuce_timing *timing, const struct nuce_schedule *schedule,
                         int source, int destination, double until)
{
    double time = 0, before;

    do {
        before = time;
        for (int64_t k = schedule->send_start[source]; k < schedule->send_start[source + 1]; k++) {
            if (timing->send_start[k] <= time + 1e-9 && timing->send_end[k] > time)
                time = timing->send_end[k];
        }
        for (int64_t k = schedule->receive_start[destination];
             k < schedule->receive_start[destination + 1]; k++) {
            if (timing->receive_start[k] <= time + 1e-9 && timing->receive_end[k] > time)
                time = timing->receive_end[k];
        }
    } while (time > before && time < until);
    return time;
}

/* No message waits while its sender and its receiver are both idle. */
static void test_no_idling(void **state)
{
    static const char *const names[] = {"lpt", "load-list"};

    for (uint64_t instance = 0; instance < 200; instance++) {
        OWNED(timing) timing;
        OWNED(pattern) pattern = draw_pattern(instance, 1000000);
        OWNED(network) network = draw_network(pattern.ranks, instance, 1e-3);
        OWNED(schedule) schedule = create_schedule(names[instance % 2], &pattern, &network);

        nuce_execution_run(&schedule, &network, NUCE_PORTS, &timing);
        for (int i = 0; i < pattern.ranks; i++) {
            for (int64_t k = schedule.send_start[i]; k < schedule.send_start[i + 1]; k++) {
                if (schedule.sends[k].peer != i)
                    assert_true(busy_until(&timing, &schedule, i, schedule.sends[k].peer,
                                           timing.send_start[k]) >= timing.send_start[k] - 1e-9);
            }
        }
    }
}

/* An independent implementation has 1.03, 1.02, 1.00 (load-list) and 1.05, 1.04 (greedy). */
static void test_makespans(void **state)
{
    for (int set = 0; set < 3; set++)
        assert_true(mean_ratio("load-list", set, 4096) <= 1.05);
    assert_in_range((int)(mean_ratio("load-list", 0, 4096) * 1000), 1015, 1040);
    assert_in_range((int)(mean_ratio("load-list", 1, 4096) * 1000), 1010, 1030);
    assert_in_range((int)(mean_ratio("greedy", 0, 4096) * 1000), 1040, 1065);
    assert_in_range((int)(mean_ratio("greedy", 1, 4096) * 1000), 1025, 1050);
}

static void check_bound(const struct nuce_pattern *pattern, const struct nuce_network *network,
                        int64_t most_pieces)
{
    OWNED(schedule) schedule = create_schedule("preemptive", pattern, network);

    assert_true(ratio_to_bound(&schedule, pattern, network) <= 1 + 1e-9);
    assert_true(schedule.pieces <= most_pieces);
}

/* Three messages of 2 bytes, no two in common with both ports of a third: rank 0 cannot be served
 * at once with both others unless one of theirs is cut. The bound is 4, whole messages need 6. */
static void test_preemptive_cut(void **state)
{
    struct nuce_network network = {.ranks = 6, .startup = 0, .bandwidth = 1};
    OWNED(pattern) pattern = pattern_of(6, "0>3:2 0>4:2 1>4:2 1>5:2 2>5:2 2>3:2");

    check_bound(&pattern, &network, 6 + 12);
}

/* Sizes in bytes, so that no cut is at the end of a round number of them. A byte's time on uneven
 * networks is more than 1e-9 of the bound: cuts must not lose any. */
static void test_preemptive_any(void **state)
{
    for (uint64_t instance = 0; instance < 2000; instance++) {
        static const int64_t sizes[] = {20, 100000, 1000000, 100000};
        OWNED(pattern) pattern = draw_pattern(instance, sizes[instance % 4]);
        OWNED(network) network = draw_network(pattern.ranks, instance, 0);

        if (instance % 2 == 0) {
            nuce_network_fini(&network);
            network = (struct nuce_network){.ranks = pattern.ranks, .bandwidth = 3e6};
        }
        check_bound(&pattern, &network, pattern.messages + 2 * pattern.ranks);
    }
}

static void test_preemptive_sets(void **state)
{
    struct nuce_network network;

    assert_ok(nuce_network_preset("cm5", 32, &network, ANY_ERROR));
    network.startup = 0;
    for (int set = 0; set < 3; set++) {
        for (uint64_t instance = 0; instance < 50; instance++) {
            OWNED(pattern) pattern = draw_set(set, instance, 4096);

            check_bound(&pattern, &network, pattern.messages + 64);
        }
    }
}

/* With startups, each piece's being charged. */
static void test_startups(void **state)
{
    for (int set = 0; set < 3; set++)
        assert_true(mean_ratio("preemptive", set, 4096) <= 1.001);
    for (int set = 0; set < 3; set++)
        assert_true(mean_ratio("preemptive", set, 16) <= mean_ratio("load-list", set, 16) + 1e-3);
}

/* Bytes that a double does not tell apart. */
static void test_preemptive_huge(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 1, INT64_C(1) << 61},       {0, 2, (INT64_C(1) << 60) + 1},
        {1, 2, (INT64_C(1) << 61) - 1}, {1, 0, 1},
        {2, 0, INT64_C(1) << 60},       {2, 1, 3}};
    struct nuce_network network = {.ranks = 3, .startup = 0, .bandwidth = 1e9};
    OWNED(pattern) pattern = make_pattern(3, messages, 6);

    check_bound(&pattern, &network, 6 + 6);
}

RUN(test_greedy, test_greedy_reference, test_greedy_wide, test_redistribution, test_orders,
    test_no_idling, test_makespans, test_preemptive_cut, test_preemptive_any, test_preemptive_sets,
    test_startups, test_preemptive_huge)
