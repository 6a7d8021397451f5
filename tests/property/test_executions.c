/* Invariants of every execution on every schedule: no bound is beaten, ports carry no more than
 * they can, and at most `depth` pieces are in flight. */
#include "../unit/test.h"

#include <stdlib.h>

#include "schedules/bounds.h"
#include "schedules/execution.h"

#define MOST_RANKS 14
#define CASES 60
#define EPSILON 1e-9

static void draw_pattern(int ranks, struct nuce_rng *rng, struct nuce_pattern *out)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    double degree = nuce_rng_uniform(rng);
    int64_t count = 0, most = nuce_rng_below(rng, 2) == 0 ? 100 : 1000000;

    for (int k = 0; k < ranks * ranks; k++) {
        if (nuce_rng_uniform(rng) < degree)
            messages[count++] = (struct nuce_message){
                k / ranks, k % ranks, 1 + (int64_t)nuce_rng_below(rng, (uint64_t)most)};
    }
    assert_ok(nuce_pattern_init(ranks, messages, count, out, ANY_ERROR));
}

/* With ports of less and of more than a pair's bandwidth, none, or some that are not known. */
static void draw_network(int ranks, struct nuce_rng *rng, struct nuce_network *out)
{
    struct nuce_network_ranges ranges = {{0, 1e-3}, {10e6, 200e6}, 0};
    int kind = (int)nuce_rng_below(rng, 3);

    assert_ok(nuce_network_draw(ranks, &ranges, rng, out, ANY_ERROR));
    if (kind == 0)
        return;
    out->out = malloc((size_t)ranks * sizeof *out->out);
    out->in = malloc((size_t)ranks * sizeof *out->in);
    assert_true(out->out != NULL && out->in != NULL);
    for (int i = 0; i < ranks; i++) {
        int is_unknown = kind == 2 && nuce_rng_below(rng, 3) == 0;

        out->out[i] = is_unknown ? INFINITY : 5e6 + 300e6 * nuce_rng_uniform(rng);
        out->in[i] = is_unknown ? INFINITY : 5e6 + 300e6 * nuce_rng_uniform(rng);
    }
}

/* How many of a rank's transfers are in flight when each of them starts. */
static void check_depth(const double *start, const double *end, int64_t from, int64_t to, int depth)
{
    for (int64_t k = from; k < to; k++) {
        int at_once = 0;

        for (int64_t other = from; other < to; other++)
            at_once += start[other] <= start[k] && end[other] > start[k];
        assert_true(at_once <= depth);
    }
}

static void check_timing(const struct nuce_schedule *schedule, const struct nuce_network *network,
                         const struct nuce_timing *timing)
{
    double last = 0;

    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &schedule->sends[k];
            double alone = nuce_network_seconds(network, i, send->peer, send->bytes);

            assert_true(timing->send_end[k] - timing->send_start[k] >=
                        alone * (1 - EPSILON) - EPSILON * timing->makespan);
            last = fmax(last, timing->send_end[k]);
        }
        if (schedule->discipline != NUCE_STREAMS)
            continue;
        check_depth(timing->send_start, timing->send_end, schedule->send_start[i],
                    schedule->send_start[i + 1], schedule->depth);
        check_depth(timing->receive_start, timing->receive_end, schedule->receive_start[i],
                    schedule->receive_start[i + 1], schedule->depth);
    }
    assert_true(last == timing->makespan);
}

static void check_schedule(const struct nuce_schedule_ops *ops, const struct nuce_pattern *pattern,
                           const struct nuce_network *network, int depth)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .network = network, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};
    struct nuce_schedule schedule;
    struct nuce_bounds bounds;
    struct nuce_timing timing;
    struct nuce_error error;
    nuce_status status;
    enum nuce_execution execution = NUCE_FLUID;
    struct nuce_network pairs = *network;
    double ports, bound;

    tuning.in_flight = depth;
    tuning.group_ranks = (pattern->ranks + 1) / 2;
    status = nuce_schedule_create(ops, &input, &schedule, &error);
    if (status == NUCE_BAD_INPUT && ops->needs == NUCE_NEEDS_REDISTRIBUTION)
        return;
    assert_ok(status);
    nuce_bounds_compute(pattern, network, &bounds);
    if (schedule.discipline == NUCE_FORWARD) {
        /* Forwarded parts wait for their arrival only in executions with phases, and these know no
         * ports. */
        execution = NUCE_LOOSE;
        pairs.in = pairs.out = NULL;
        nuce_bounds_compute(pattern, &pairs, &bounds);
    }
    bound = nuce_bounds_of(&bounds, schedule.discipline);
    nuce_execution_run(&schedule, network, execution, &timing);
    if (timing.makespan < bound * (1 - EPSILON))
        fail_msg("%s, depth %d: %.17g beats the bound %.17g", ops->name, depth, timing.makespan,
                 bound);
    check_timing(&schedule, network, &timing);
    if (schedule.discipline == NUCE_STREAMS) {
        ports = nuce_execution_makespan(&schedule, network, NUCE_PORTS);
        assert_true(ports >= bounds.single_port * (1 - EPSILON));
    }
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
}

static void test_bounds(void **state)
{
    for (uint64_t number = 0; number < CASES; number++) {
        struct nuce_rng rng = nuce_rng_create(31, number);
        int ranks = 1 + (int)nuce_rng_below(&rng, MOST_RANKS);
        int depth = 1 + (int)nuce_rng_below(&rng, 4);
        OWNED(pattern) pattern;
        OWNED(network) network;

        draw_pattern(ranks, &rng, &pattern);
        draw_network(ranks, &rng, &network);
        for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
            if (nuce_schedules[i]->discipline != NUCE_DYNAMIC)
                check_schedule(nuce_schedules[i], &pattern, &network, depth);
        }
    }
}

RUN(test_bounds)
