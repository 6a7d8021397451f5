/* Exchange of ghost values under a schedule, then the sweep over edges (Ranka, Wang and Kumar,
 * Figure 1); on patterns without a mesh the exchange alone. */
#include "exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "com.h"
#include "compress.h"
#include "engine.h"
#include "exchange_instance.h"
#include "execution.h"
#include "memory.h"
#include "plan.h"
#include "schedule.h"
#include "session.h"
#include "statistics.h"
#include "sweep.h"
#include "text.h"

/* Edges computed between two looks at the exchange, with --overlap: a few microseconds. */
#define EDGES_BETWEEN_PROGRESS 512

struct exchange {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_pattern pattern;
    struct nuce_network network; /* of 0 ranks: not known */
    char network_name[NUCE_PATH_BYTES];
    struct nuce_schedule schedule;
    struct nuce_payload payload;
    struct nuce_engine engine;
    struct nuce_sweep sweep; /* empty without a mesh */
    int has_mesh;
    int overlap;
};

static void destroy(void *self)
{
    struct exchange *exchange = self;

    if (exchange == NULL)
        return;
    nuce_engine_fini(&exchange->engine);
    nuce_sweep_fini(&exchange->sweep);
    nuce_payload_fini(&exchange->payload);
    nuce_schedule_fini(&exchange->schedule);
    nuce_network_fini(&exchange->network);
    nuce_pattern_fini(&exchange->pattern);
    free(exchange);
}

/* A schedule takes microseconds to compute: timed again while that is cheap, the median kept. */
#define SCHEDULE_REPEATS 5
#define SCHEDULE_REPEAT_S 0.02

/* Processor time, so that ranks which share a processor do not count one another's work. */
static nuce_status compute_schedule(struct exchange *exchange,
                                    const struct nuce_exchange_params *params, double *seconds,
                                    struct nuce_error *error)
{
    const struct nuce_schedule_ops *algorithm = nuce_schedule_find(params->algorithm);
    struct nuce_tuning tuning = nuce_exchange_tuning(params);
    struct nuce_schedule_input input = {.pattern = &exchange->pattern,
                                        .network =
                                            exchange->network.ranks > 0 ? &exchange->network : NULL,
                                        .tuning = &tuning,
                                        .rng = nuce_exchange_rng(params)};
    double times[SCHEDULE_REPEATS], total = 0;
    int count = 0;
    nuce_status status = NUCE_OK;

    while (status == NUCE_OK && count < SCHEDULE_REPEATS && total < SCHEDULE_REPEAT_S) {
        double begin = nuce_processor_clock();

        nuce_schedule_fini(&exchange->schedule);
        status = nuce_schedule_create(algorithm, &input, &exchange->schedule, error);
        times[count] = nuce_processor_clock() - begin;
        total += times[count++];
    }
    if (status == NUCE_OK)
        status = nuce_schedule_validate(&exchange->schedule, &exchange->pattern, error);
    if (nuce_agree(exchange->world, status, error) != NUCE_OK)
        return error->status;
    nuce_sort(times, count);
    *seconds = nuce_median(times, count);
    nuce_maximum(exchange->world, seconds, 1);
    return NUCE_OK;
}

static nuce_status prepare(struct exchange *exchange, struct nuce_session *session,
                           const struct nuce_exchange_params *params, struct nuce_run_info *info,
                           struct nuce_error *error)
{
    if (exchange->has_mesh) {
        if (nuce_session_mesh(session, params, error) != NUCE_OK)
            return error->status;
        info->index_s = session->index_s;
        info->edge_cut = session->edge_cut;
    }
    if (nuce_com_create(session, params, &exchange->pattern, &info->gather_s, error) != NUCE_OK)
        return error->status;
    if (nuce_agree(exchange->world,
                   nuce_compress_time(&exchange->pattern, &info->compress_s, error),
                   error) != NUCE_OK)
        return error->status;
    nuce_maximum(exchange->world, &info->compress_s, 1);
    if (nuce_agree(exchange->world,
                   nuce_exchange_network(params, exchange->world->size, &exchange->network, error),
                   error) != NUCE_OK)
        return error->status;
    return compute_schedule(exchange, params, &info->schedule_s, error);
}

/* Buffers, requests and the mesh's state. */
static nuce_status set_up(struct exchange *exchange, const struct nuce_session *session,
                          const struct nuce_exchange_params *params, struct nuce_error *error)
{
    struct nuce_world *world = exchange->world;
    struct nuce_engine_input input = {
        .world = world, .schedule = &exchange->schedule, .payload = &exchange->payload};
    nuce_status status =
        nuce_payload_init(&exchange->pattern, world->rank, &exchange->payload, error);

    if (status == NUCE_OK && exchange->has_mesh)
        status = nuce_sweep_init(&session->submesh, params->unit, &exchange->sweep, error);
    if (nuce_agree(world, status, error) != NUCE_OK)
        return error->status;
    return nuce_agree(world, nuce_engine_init(&input, &exchange->engine, error), error);
}

/* Only where the point names a network: what another one would cost says nothing about this. What
 * is not scheduled is not predicted. */
static nuce_status predict(const struct exchange *exchange, struct nuce_run_info *info,
                           struct nuce_error *error)
{
    enum nuce_execution execution = nuce_execution_of(&exchange->schedule, &exchange->network);
    struct nuce_bounds bounds;

    if (exchange->network.ranks == 0)
        return NUCE_OK;
    if (nuce_bounds_compute(&exchange->pattern, &exchange->network, &bounds, error) != NUCE_OK)
        return error->status;
    info->bound_s = bounds.port;
    info->single_port_bound_s = bounds.single_port;
    if (execution == NUCE_FIFO || !nuce_execution_is_modelled(&exchange->schedule))
        return NUCE_OK;
    return nuce_execution_makespan(&exchange->schedule, &exchange->network, execution,
                                   &info->predicted_s, error);
}

static nuce_status describe(const struct exchange *exchange, struct nuce_run_info *info,
                            struct nuce_error *error)
{
    const struct nuce_schedule *schedule = &exchange->schedule;
    struct nuce_pattern_summary summary;

    if (nuce_pattern_summarise(&exchange->pattern, &summary, error) != NUCE_OK ||
        predict(exchange, info, error) != NUCE_OK)
        return error->status;
    info->heap_s = schedule->costs.heap_s;
    info->sort_s = schedule->costs.sort_s;
    info->heap_operations =
        isnan(schedule->costs.heap_s) ? NUCE_UNKNOWN : schedule->costs.heap_operations;
    if (schedule->candidates > 0)
        memcpy(info->choice, schedule->candidate[schedule->chosen].name, sizeof info->choice);
    info->phases = exchange->schedule.phases;
    info->pieces = exchange->schedule.pieces;
    info->messages = summary.messages;
    info->bytes = summary.bytes;
    info->port_bytes = summary.busiest_port;
    info->degree = summary.degree;
    info->nonblocking = exchange->engine.ops->block == NULL
                            ? NUCE_UNKNOWN
                            : exchange->engine.nonblocking || exchange->overlap;
    if (exchange->overlap) {
        info->criterion = NUCE_PART_STEP;
        return NUCE_OK;
    }
    info->criterion = NUCE_PART_COMMUNICATION;
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    if (exchange->has_mesh)
        info->parts |= 1U << NUCE_PART_PACK | 1U << NUCE_PART_UNPACK | 1U << NUCE_PART_COMPUTATION;
    return NUCE_OK;
}

static nuce_status create(void *session, const struct nuce_point *point,
                          struct nuce_counters *counters, void **self, struct nuce_run_info *info,
                          struct nuce_error *error)
{
    struct nuce_session *shared = session;
    const struct nuce_exchange_params *params = point->params;
    struct exchange *exchange = nuce_allocate(1, sizeof *exchange, error);
    struct nuce_run_info found = NUCE_RUN_INFO_UNKNOWN;
    nuce_status status = exchange == NULL ? error->status : NUCE_OK;

    if (nuce_agree(shared->world, status, error) != NUCE_OK) {
        free(exchange);
        return error->status;
    }
    exchange->world = shared->world;
    exchange->counters = counters;
    exchange->has_mesh = strcmp(params->pattern, "mesh") == 0;
    exchange->overlap = params->overlap;
    (void)nuce_text_copy(exchange->network_name, sizeof exchange->network_name, params->network);
    status = prepare(exchange, shared, params, &found, error);
    if (status == NUCE_OK)
        status = set_up(exchange, shared, params, error);
    if (status == NUCE_OK)
        status = nuce_agree(shared->world, describe(exchange, &found, error), error);
    if (status != NUCE_OK) {
        destroy(exchange);
        return status;
    }
    if (exchange->has_mesh)
        nuce_sweep_set(&exchange->sweep, 0);
    *self = exchange;
    *info = found;
    return NUCE_OK;
}

/* Ends a part of the step: its seconds and its counters. */
static double stamp(struct exchange *exchange, enum nuce_sample_part part, double begin,
                    double parts[NUCE_SAMPLE_PARTS])
{
    double now = nuce_clock();

    parts[part] = now - begin;
    nuce_counters_end(exchange->counters, part);
    return now;
}

static void step_in_parts(struct exchange *exchange, double parts[NUCE_SAMPLE_PARTS])
{
    double now = nuce_clock();

    nuce_counters_begin(exchange->counters);
    if (!exchange->has_mesh) {
        nuce_engine_run(&exchange->engine);
        (void)stamp(exchange, NUCE_PART_COMMUNICATION, now, parts);
        return;
    }
    nuce_sweep_pack(&exchange->sweep, &exchange->payload);
    now = stamp(exchange, NUCE_PART_PACK, now, parts);
    nuce_engine_run(&exchange->engine);
    now = stamp(exchange, NUCE_PART_COMMUNICATION, now, parts);
    nuce_sweep_unpack(&exchange->sweep, &exchange->payload);
    now = stamp(exchange, NUCE_PART_UNPACK, now, parts);
    nuce_watch_set(exchange->world->watch, NUCE_ACTIVITY_COMPUTE, -1, 0);
    nuce_sweep_clear(&exchange->sweep);
    nuce_sweep_interior(&exchange->sweep, 0, exchange->sweep.submesh->interior);
    nuce_sweep_boundary(&exchange->sweep);
    (void)stamp(exchange, NUCE_PART_COMPUTATION, now, parts);
}

/* The exchange runs while the interior edges are computed: its own time cannot be told apart. */
static void step_overlapped(struct exchange *exchange)
{
    int64_t interior = exchange->sweep.submesh->interior;

    nuce_counters_begin(exchange->counters);
    nuce_sweep_pack(&exchange->sweep, &exchange->payload);
    nuce_engine_start(&exchange->engine);
    nuce_sweep_clear(&exchange->sweep);
    for (int64_t first = 0; first < interior; first += EDGES_BETWEEN_PROGRESS) {
        int64_t end = first + EDGES_BETWEEN_PROGRESS;

        nuce_sweep_interior(&exchange->sweep, first, end < interior ? end : interior);
        (void)nuce_engine_progress(&exchange->engine);
    }
    nuce_engine_finish(&exchange->engine);
    nuce_sweep_unpack(&exchange->sweep, &exchange->payload);
    nuce_sweep_boundary(&exchange->sweep);
    nuce_counters_end(exchange->counters, NUCE_PART_STEP);
}

static void step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct exchange *exchange = self;

    if (exchange->overlap)
        step_overlapped(exchange);
    else
        step_in_parts(exchange, parts);
}

/* First every byte of every message, then, on a mesh, every ghost's state and every sum. */
static nuce_status verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct exchange *exchange = self;
    double ignored[NUCE_SAMPLE_PARTS];
    nuce_status status;

    nuce_payload_fill(&exchange->payload, salt);
    nuce_world_barrier(exchange->world);
    nuce_engine_run(&exchange->engine);
    status = nuce_payload_check(&exchange->payload, salt, error);
    if (!exchange->has_mesh)
        return status;
    nuce_sweep_set(&exchange->sweep, salt);
    nuce_world_barrier(exchange->world);
    step(exchange, ignored);
    return status == NUCE_OK ? nuce_sweep_check(&exchange->sweep, salt, error) : status;
}

/* On the point's network, else on the paper's CM-5. */
static nuce_status plan(const void *self, int64_t most, json_t **events, const char **network,
                        struct nuce_error *error)
{
    const struct exchange *exchange = self;
    int is_known = exchange->network.ranks > 0;
    struct nuce_network preset;

    if (nuce_network_preset("cm5", exchange->schedule.ranks, &preset, error) != NUCE_OK)
        return error->status;
    *network = is_known ? exchange->network_name : "cm5";
    return nuce_plan_events(&exchange->schedule, is_known ? &exchange->network : &preset, most,
                            events, error);
}

const struct nuce_workload_run nuce_run_exchange = {
    .name = "exchange",
    .open = nuce_session_open,
    .close = nuce_session_close,
    .create = create,
    .step = step,
    .verify = verify,
    .plan = plan,
    .destroy = destroy,
};
