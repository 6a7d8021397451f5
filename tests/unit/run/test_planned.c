/* The plan of a schedule, transfer by transfer, on a network worked out by hand. */
#include "../holds.h"

#include "run/communication.h"

/* Between any two of the ranks: a second, and another for each 10 bytes. */
static struct nuce_network network_of(int ranks)
{
    struct nuce_network network;
    struct nuce_error error;

    assert_ok(nuce_network_uniform(ranks, 1, 10, &network, &error));
    return network;
}

static struct nuce_schedule schedule_of(const char *name, int ranks,
                                        const struct nuce_message *messages, int64_t count)
{
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
    struct nuce_error error;
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};

    assert_ok(nuce_pattern_init(ranks, messages, count, &pattern, &error));
    assert_ok(nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, &error));
    nuce_pattern_fini(&pattern);
    return schedule;
}

static json_t *planned(const struct nuce_schedule *schedule, const struct nuce_network *network,
                       int64_t most)
{
    return nuce_communication_events(schedule, network, most);
}

/* [rank, direction, peer, phase, bytes, start, end]; both ways at once: 10 bytes take 2 seconds, 20
 * bytes 3. */
static void test_pair(void **state)
{
    static const struct nuce_message both[] = {{0, 1, 10}, {1, 0, 20}};
    struct nuce_schedule schedule = schedule_of("lp", 2, both, 2);
    struct nuce_network network = network_of(2);
    json_t *events = planned(&schedule, &network, 4);
    int64_t phase = schedule.sends[0].phase;
    char text[512];

    snprintf(text, sizeof text,
             "[[0,\"send\",1,%lld,10,0.0,2.0],[0,\"receive\",1,%lld,20,0.0,3.0],"
             "[1,\"send\",0,%lld,20,0.0,3.0],[1,\"receive\",0,%lld,10,0.0,2.0]]",
             (long long)phase, (long long)phase, (long long)phase, (long long)phase);
    holds(events, text);
    json_decref(events);
    nuce_network_fini(&network);
    nuce_schedule_fini(&schedule);
}

/* A chain of one rank: its second message waits for the first. */
static void test_queue(void **state)
{
    static const struct nuce_message two[] = {{0, 1, 10}, {0, 2, 10}};
    struct nuce_schedule schedule = schedule_of("greedy", 3, two, 2);
    struct nuce_network network = network_of(3);
    json_t *events = planned(&schedule, &network, 100), *event;
    double ends = 0;
    size_t index;

    assert_int_equal(json_array_size(events), 4);
    json_array_foreach(events, index, event)
    {
        double start = json_number_value(json_array_get(event, 5));
        double end = json_number_value(json_array_get(event, 6));

        assert_near(end - start, 2, 1e-12);
        assert_true(fabs(start) < 1e-12 || fabs(start - 2) < 1e-12);
        ends += end;
    }
    assert_true(fabs(ends - (2 + 4 + 2 + 4)) < 1e-12);
    json_decref(events);
    nuce_network_fini(&network);
    nuce_schedule_fini(&schedule);
}

/* In radix 2 on 4 ranks, without padding: what goes 3 on goes 1 first, then 2. */
static void test_forwards(void **state)
{
    static const struct nuce_message two[] = {{0, 3, 10}, {1, 3, 20}};
    struct nuce_pattern pattern;
    struct nuce_error error;
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_network network = network_of(4);
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    json_t *events;

    tuning.radix = 2;
    assert_ok(nuce_pattern_init(4, two, 2, &pattern, &error));
    assert_ok(nuce_schedule_create(nuce_schedule_find("tuna"), &input, &schedule, &error));
    assert_null(planned(&schedule, &network, 4));
    events = planned(&schedule, &network, 5);
    holds(events, "[[0,\"send\",1,0,10,0.0,2.0],[1,\"send\",3,1,30,2.0,6.0],"
                  "[1,\"forward\",3,1,10,2.0,6.0],[1,\"receive\",0,0,10,0.0,2.0],"
                  "[3,\"receive\",1,1,30,2.0,6.0]]");
    json_decref(events);
    nuce_pattern_fini(&pattern);
    nuce_network_fini(&network);
    nuce_schedule_fini(&schedule);
}

/* Too many to be kept; posted all at once; decided while it runs. */
static void test_no_plan(void **state)
{
    static const struct nuce_message both[] = {{0, 1, 10}, {1, 0, 20}};
    static const char *const unplanned[] = {"ac", "alltoallv"};
    struct nuce_network network = network_of(2);
    struct nuce_schedule schedule = schedule_of("lp", 2, both, 2);

    assert_null(planned(&schedule, &network, 3));
    nuce_schedule_fini(&schedule);
    for (int i = 0; i < 2; i++) {
        schedule = schedule_of(unplanned[i], 2, both, 2);
        assert_null(planned(&schedule, &network, 100));
        nuce_schedule_fini(&schedule);
    }
    nuce_network_fini(&network);
}

RUN_TESTS(NULL, NULL, CASE(test_pair), CASE(test_queue), CASE(test_forwards), CASE(test_no_plan))
