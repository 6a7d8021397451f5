/* Promises of greedy, load-list and lpt on any instance, and schedules of redistributions. */
#include "../unit/schedules/cases.h"
#include "../unit/test.h"

enum { INSTANCES = 50000, MOST_RANKS = 12, MOST_FACTOR = 30 };

/* 1 .. 12 ranks, empty to full, messages to oneself too; sizes within a factor of 1, 10, 100 or
 * 1000. */
static void draw_small(struct nuce_rng *rng, struct nuce_pattern *out)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    int ranks = 1 + (int)nuce_rng_below(rng, MOST_RANKS);
    double share = nuce_rng_uniform(rng);
    int64_t least = 1000, count = 0;

    for (uint64_t tens = nuce_rng_below(rng, 4); tens > 0; tens--)
        least /= 10;
    for (int k = 0; k < ranks * ranks; k++) {
        if (nuce_rng_uniform(rng) < share)
            messages[count++] = (struct nuce_message){
                k / ranks, k % ranks, least + (int64_t)nuce_rng_below(rng, 1001 - (uint64_t)least)};
    }
    *out = make_pattern(ranks, messages, count);
}

/* Fills network with pairs of their own: bandwidths of `spread` orders of magnitude, startups up to
 * that of 1000 bytes, or none. */
static void draw_pairs(struct nuce_rng *rng, int ranks, struct nuce_network *network)
{
    double spread = 3 * nuce_rng_uniform(rng);
    double startup = (double)nuce_rng_below(rng, 2) * 1e-4;

    network->ranks = ranks;
    for (int k = 0; k < ranks * ranks; k++) {
        network->pair_startup[k] = startup * nuce_rng_uniform(rng);
        network->pair_bandwidth[k] = 10e6 * (1 + spread * spread * spread * nuce_rng_uniform(rng));
    }
}

/* No message ends later than the work of its sender plus that of its receiver, its own time counted
 * once. Returns the makespan in units of the bound. */
static double check_completions(const struct nuce_schedule *schedule,
                                const struct nuce_pattern *pattern,
                                const struct nuce_network *network)
{
    double row[MOST_RANKS] = {0}, column[MOST_RANKS] = {0}, bound = 0, makespan;
    struct nuce_timing timing;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int j = pattern->destination[k];
            double seconds = nuce_network_seconds(network, i, j, pattern->bytes[k]);

            row[i] += seconds;
            column[j] += seconds;
        }
    }
    nuce_execution_run(schedule, network, NUCE_PORTS, &timing);
    for (int i = 0; i < pattern->ranks; i++) {
        bound = row[i] > bound ? row[i] : bound;
        bound = column[i] > bound ? column[i] : bound;
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            int j = schedule->sends[k].peer;
            double seconds = nuce_network_seconds(network, i, j, schedule->sends[k].bytes);

            assert_true(timing.send_end[k] <= (row[i] + column[j] - seconds) * (1 + 1e-12));
        }
    }
    makespan = timing.makespan;
    nuce_timing_fini(&timing);
    assert_true(makespan >= bound * (1 - 1e-12) && makespan <= 2 * bound * (1 + 1e-12));
    return bound > 0 ? makespan / bound : 1;
}

static void test_twice_the_bound(void **state)
{
    static const char *const names[] = {"greedy", "load-list", "lpt"};
    double startup[MOST_RANKS * MOST_RANKS], bandwidth[MOST_RANKS * MOST_RANKS];
    struct nuce_network network = {.pair_startup = startup, .pair_bandwidth = bandwidth};
    double worst[] = {1, 1, 1};

    for (uint64_t instance = 0; instance < INSTANCES; instance++) {
        struct nuce_rng rng = nuce_rng_create(11, instance);
        struct nuce_pattern pattern;

        draw_small(&rng, &pattern);
        draw_pairs(&rng, pattern.ranks, &network);
        for (int i = 0; i < 3; i++) {
            struct nuce_schedule_input input = {.pattern = &pattern, .network = &network};
            struct nuce_schedule schedule;
            double ratio;

            if (i > 0 && instance % 8 != (i == 1 ? 0 : 4))
                continue;
            assert_ok(
                nuce_schedule_create(nuce_schedule_find(names[i]), &input, &schedule, ANY_ERROR));
            assert_int_equal(schedule.pieces, pattern.messages);
            ratio = check_completions(&schedule, &pattern, &network);
            worst[i] = ratio > worst[i] ? ratio : worst[i];
            nuce_schedule_fini(&schedule);
        }
        nuce_pattern_fini(&pattern);
    }
    for (int i = 0; i < 3; i++)
        print_message("%s: at most %.3f times the bound\n", names[i], worst[i]);
}

/* cyclic(x) -> cyclic(Kx) of an array that need not fill its last period, nor its last block; or
 * the reverse. */
static void draw_redistribution(struct nuce_rng *rng, struct nuce_pattern *out, int64_t *factor)
{
    struct nuce_message messages[CASE_RANKS * CASE_RANKS];
    int ranks = 1 + (int)nuce_rng_below(rng, CASE_RANKS);
    int64_t block = 1 + (int64_t)nuce_rng_below(rng, 5), elements, periods;
    int is_reverse = (int)nuce_rng_below(rng, 2);

    *factor = 1 + (int64_t)nuce_rng_below(rng, MOST_FACTOR);
    periods = 3 * *factor * ranks * block;
    elements = (int64_t)nuce_rng_below(rng, (uint64_t)periods + 1);
    for (int k = 0; k < ranks * ranks; k++)
        messages[k] = (struct nuce_message){k / ranks, k % ranks, 0};
    for (int64_t e = 0; e < elements; e++) {
        int64_t from = e / block % ranks, to = e / (block * *factor) % ranks;

        messages[is_reverse ? to * ranks + from : from * ranks + to].bytes += 8;
    }
    *out = make_pattern(ranks, messages, (int64_t)ranks * ranks);
}

/* create_schedule with a given factor; the schedule must be valid. */
static void create_told(const char *name, const struct nuce_pattern *pattern,
                        const struct nuce_network *network, int64_t factor,
                        struct nuce_schedule *out)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .network = network, .tuning = &tuning, .rng = nuce_rng_create(1, 1)};
    struct nuce_error error = {0};

    tuning.factor = factor;
    if (nuce_schedule_create(nuce_schedule_find(name), &input, out, &error) != NUCE_OK ||
        nuce_schedule_validate(out, pattern, &error) != NUCE_OK)
        fail_msg("%s, %d ranks, factor %d: %s", name, pattern->ranks, (int)factor, error.message);
}

static void test_redistributions(void **state)
{
    static const char *const names[] = {"direct", "greedy", "load-list", "preemptive", "best"};
    enum { NAMES = COUNT(names) };

    for (uint64_t instance = 0; instance < 300; instance++) {
        struct nuce_rng rng = nuce_rng_create(12, instance);
        double ratio[NAMES];
        OWNED(network) network;
        OWNED(pattern) pattern;
        int64_t factor;

        draw_redistribution(&rng, &pattern, &factor);
        network = draw_network(pattern.ranks, instance, instance % 2 == 0 ? 0 : 1e-6);
        for (int i = 0; i < NAMES; i++) {
            OWNED(schedule) schedule;

            create_told(names[i], &pattern, &network, factor, &schedule);
            ratio[i] = ratio_to_bound(&schedule, &pattern, &network);
            if (i == 0)
                assert_int_equal(schedule.phases, factor < pattern.ranks ? factor : pattern.ranks);
            if (i == NAMES - 1)
                assert_int_equal(schedule.candidates, 6);
        }
        for (int i = 0; i < NAMES; i++)
            assert_true(ratio[NAMES - 1] <= ratio[i]);
    }
}

RUN(test_twice_the_bound, test_redistributions)
