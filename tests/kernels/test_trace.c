/* The traced step: every piece has one event where it is sent and one where it is received, none is
 * lost unseen, and a library's call has none. */
#include "expect.h"

#include "run/clock_sync.h"
#include "run/engine.h"
#include "run/traced_step.h"

static void step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    parts[NUCE_PART_COMMUNICATION] = 0;
    nuce_engine_run(self);
}

static const struct nuce_workload_run run = {.name = "trace", .step = step};

/* All to all, with messages to oneself and sizes that tell source and destination. */
static void make_pattern(int ranks, struct nuce_pattern *pattern)
{
    struct nuce_message messages[64];
    struct nuce_error error;
    int count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++)
            messages[count++] = (struct nuce_message){i, j, 1 + 1000 * i + 10 * j};
    }
    must(nuce_pattern_init(ranks, messages, count, pattern, &error), &error);
}

/* Each message in two pieces, in streams of depth 2. */
static void make_pieces(const struct nuce_pattern *pattern, struct nuce_schedule *out)
{
    struct nuce_schedule_builder builder;

    nuce_schedule_builder_init(&builder, pattern->ranks, NUCE_STREAMS);
    builder.depth = 2;
    for (int source = 0; source < pattern->ranks; source++) {
        for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++) {
            int64_t half = pattern->bytes[k] / 2;

            if (half > 0)
                nuce_schedule_add(&builder, source, pattern->destination[k], 0, 0, half);
            nuce_schedule_add(&builder, source, pattern->destination[k], 1, half,
                              pattern->bytes[k] - half);
        }
    }
    nuce_schedule_build_end(&builder, out);
}

/* The number of events that agree with the transfer of rank. */
static int count_events(const struct nuce_traced_step *traced, int rank, int direction,
                        const struct nuce_transfer *transfer)
{
    int count = 0;

    for (int64_t i = 0; i < traced->count; i++) {
        const struct nuce_trace_event *event = &traced->events[i];

        count += event->rank == rank && event->direction == direction &&
                 event->peer == transfer->peer && event->phase == transfer->phase &&
                 event->bytes == transfer->bytes;
    }
    return count;
}

/* On rank 0. Pieces of a message may be alike: both ends are counted alike then. */
static int check_pieces(const struct nuce_schedule *schedule, const struct nuce_traced_step *traced)
{
    int wrong = traced->count != 2 * schedule->pieces || traced->lost != 0;

    for (int rank = 0; rank < schedule->ranks; rank++) {
        for (int64_t i = schedule->send_start[rank]; i < schedule->send_start[rank + 1]; i++)
            wrong += count_events(traced, rank, NUCE_SEND, &schedule->sends[i]) != 1;
        for (int64_t i = schedule->receive_start[rank]; i < schedule->receive_start[rank + 1]; i++)
            wrong += count_events(traced, rank, NUCE_RECEIVE, &schedule->receives[i]) != 1;
    }
    return wrong;
}

/* By rank, then start; nothing ends before it starts, or starts before the step. */
static int check_order(const struct nuce_traced_step *traced)
{
    int wrong = 0;

    for (int64_t i = 0; i < traced->count; i++) {
        const struct nuce_trace_event *event = &traced->events[i], *last = event - 1;

        wrong += event->start_s < 0 || event->end_s < event->start_s;
        if (i > 0)
            wrong += event->rank < last->rank ||
                     (event->rank == last->rank && event->start_s < last->start_s);
    }
    return wrong;
}

/* With room for all, then with room for one event a rank. */
static void check_schedule(struct nuce_clock_sync *clocks, const struct nuce_pattern *pattern,
                           const struct nuce_schedule *schedule, const char *what)
{
    struct nuce_world *world = clocks->world;
    struct nuce_error error = {0};
    struct nuce_payload payload;
    struct nuce_engine engine;
    struct nuce_engine_input input = {.world = world, .schedule = schedule, .payload = &payload};
    struct nuce_traced_step traced;
    int traces;

    must(nuce_payload_init(pattern, world->rank, NULL, NULL, &payload, &error), &error);
    must(nuce_engine_init(&input, &engine, &error), &error);
    traces = engine.ops->traces && world->rank == 0;
    nuce_traced_step(clocks, world, &run, &engine, 100000, &traced);
    expect(world, traced.is_noted == engine.ops->traces && traced.clock_error_s == 0, what);
    if (traces)
        expect(world, check_pieces(schedule, &traced) + check_order(&traced) == 0, what);
    else
        expect(world, traced.count == 0 && (world->rank > 0 || traced.lost == 0), what);
    nuce_traced_step_fini(&traced);
    nuce_traced_step(clocks, world, &run, &engine, 1, &traced);
    if (traces)
        expect(world,
               traced.count == world->size && traced.lost == 2 * schedule->pieces - world->size &&
                   check_order(&traced) == 0,
               what);
    nuce_traced_step_fini(&traced);
    nuce_engine_fini(&engine);
    nuce_payload_fini(&payload);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"ac",     "rs-n",       "lp",        "rma",     "credits",
                                        "grants", "node-aware", "alltoallv", "neighbor"};
    struct nuce_world world;
    struct nuce_clock_sync clocks;
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;
    struct nuce_error error;

    ranks_begin(&argc, &argv, &world);
    nuce_clock_sync_init(&world, &clocks);
    make_pattern(world.size, &pattern);
    for (size_t i = 0; i < COUNT(names); i++) {
        struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};

        must(nuce_schedule_create(nuce_schedule_find(names[i]), &input, &schedule, &error), &error);
        check_schedule(&clocks, &pattern, &schedule, names[i]);
        nuce_schedule_fini(&schedule);
    }
    make_pieces(&pattern, &schedule);
    check_schedule(&clocks, &pattern, &schedule, "pieces in streams");
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
    nuce_clock_sync_fini(&clocks);
    return ranks_end(&world);
}
