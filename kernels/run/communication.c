/* Communication under a schedule, in the order of its construction. First comes the network of
 * the point, then the plan, buffers and the engine. Last comes the cost model's prediction, for
 * the record. Each step may fail on one rank alone, so all ranks agree after each. */
#include "run/communication.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/gathering.h"
#include "run/node_memory.h"
#include "run/nodes.h"
#include "run/shared_network.h"
#include "schedules/bounds.h"
#include "schedules/execution.h"
#include "schedules/schedule_results.h"
#include "schedules/split.h"

/* The planner of a point with its values, and the places of ranks that it borrows. */
struct point_planner {
    struct nuce_planner planner;
    struct nuce_tuning tuning;
    int *node_of, *group_of;
};

static void point_planner_fini(struct point_planner *planner)
{
    free(planner->node_of);
    free(planner->group_of);
}

/* Uses the network of c; 0 ranks: unknown. Asks the machine for the places of ranks if the
 * point's schedule needs them and neither the point nor its network gives them. *out must not
 * move. Collective; the same status on all ranks. Freed by point_planner_fini, also on failure. */
static nuce_status point_planner_init(const struct nuce_communication *c,
                                      const struct nuce_point *point, struct point_planner *out,
                                      struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = point->workload->scheduling(point->params);
    const struct nuce_placing *placing =
        point->workload->placing == NULL ? NULL : point->workload->placing(point->params);
    const struct nuce_schedule_ops *ops = nuce_schedule_find(scheduling->schedule);
    const char *topology = scheduling->tuning.group_topology;
    int has_groups = topology[0] == '\0' && c->network.ranks > 0 && c->network.tiers.groups > 0;

    *out = (struct point_planner){.tuning = point->workload->tuning(point->params)};
    if (ops->uses & NUCE_USES_NODES)
        nuce_nodes_by_host(c->world, &out->node_of);
    if (topology[0] == '\0' && placing != NULL)
        topology = placing->topology;
    if (nuce_scheduling_wants_groups(scheduling) && !has_groups &&
        nuce_nodes_groups(c->world, topology, &out->group_of, error) != NUCE_OK)
        return error->status;
    out->planner = (struct nuce_planner){
        .world = c->world,
        .ops = ops,
        .tuning = &out->tuning,
        .network = c->network.ranks > 0 ? &c->network : NULL,
        .node_of = out->node_of,
        .group_of = out->group_of,
        .rng = nuce_scheduling_rng(scheduling),
        .is_timed = 1,
        .keeps_whole = c->network.ranks > 0 || point->measure.trace_events > 0,
    };
    return NUCE_OK;
}

/* The costs of planning, for the record. Seconds are the maximum over the ranks that measured
 * them; other ranks have a value below any time. Collective. */
static void plan_describe(struct nuce_world *world, const struct nuce_planning *plan,
                          struct nuce_metrics *found)
{
    static const char *const names[] = {"gather_s",   "compress_s", "schedule_s",
                                        "hand_out_s", "plan_bytes", "whole_bytes"};
    double values[] = {
        plan->gather_s,
        plan->compress_s,
        plan->schedule_s,
        plan->hand_out_s,
        (double)(nuce_pattern_memory(&plan->pattern) + nuce_schedule_memory(&plan->schedule)),
        plan->whole_bytes,
    };
    const int count = sizeof values / sizeof *values, first_of_bytes = 4;

    for (int i = 0; i < count; i++)
        values[i] = isnan(values[i]) ? -1 : values[i];
    nuce_world_maximum(world, values, count);
    for (int i = 0; i < count; i++) {
        if (values[i] >= 0 && i < first_of_bytes)
            nuce_metrics_real(found, names[i], values[i]);
        else if (values[i] >= 0)
            nuce_metrics_integer(found, names[i], (int64_t)values[i]);
    }
}

/* Splits the sent bytes into the original messages. Collective; the same status on all ranks. */
static nuce_status communication_split(struct nuce_communication *c, const struct nuce_point *point,
                                       struct nuce_error *error)
{
    struct nuce_splits splits = {0};
    nuce_status status;

    if (point->workload->splits == NULL || !nuce_splits_apply(&c->plan.schedule))
        return NUCE_OK;
    status = point->workload->splits(point->params, &splits, error);
    if (status == NUCE_OK)
        nuce_schedule_split(&c->plan.schedule, &splits);
    if (status == NUCE_OK && c->plan.whole.schedule.ranks > 0)
        nuce_schedule_split(&c->plan.whole.schedule, &splits);
    status = nuce_world_agree(c->world, status, error);
    if (status == NUCE_OK && splits.count > 0)
        status = nuce_census_match(c->world, &c->plan.schedule, error);
    nuce_splits_fini(&splits);
    return status;
}

/* Buffers and requests. */
static nuce_status communication_set_up(struct nuce_communication *c, struct nuce_arrays *arrays,
                                        struct nuce_buffers *shared, struct nuce_error *error)
{
    struct nuce_engine_input input = {
        .world = c->world, .schedule = &c->plan.schedule, .payload = &c->payload, .arrays = arrays};
    struct nuce_own_copy own = {.copy = nuce_arrays_copy_own, .context = arrays};
    nuce_status status = nuce_payload_init(
        &c->plan.pattern, c->world->rank, arrays != NULL ? &own : NULL, shared, &c->payload, error);

    if (nuce_world_agree(c->world, status, error) != NUCE_OK)
        return error->status;
    return nuce_world_agree(c->world, nuce_engine_init(&input, &c->engine, error), error);
}

/* Predicts on rank 0, which records it and has all inputs. Only done if the point names a
 * network, because the times of another network would not apply. Unscheduled communication and
 * late ranks have no prediction. */
static void communication_predict(const struct nuce_communication *c,
                                  const struct nuce_point *point, struct nuce_metrics *found)
{
    const struct nuce_schedule *schedule = &c->plan.whole.schedule;
    enum nuce_execution execution;
    struct nuce_bounds bounds;

    if (c->network.ranks == 0 || c->world->rank != 0)
        return;
    execution = nuce_execution_of(schedule, &c->network);
    nuce_bounds_compute(&c->plan.whole.pattern, &c->network, &bounds);
    nuce_metrics_real(found, "lower_bound_s", nuce_bounds_of(&bounds, schedule->discipline));
    nuce_metrics_real(found, "single_port_lower_bound_s", bounds.single_port);
    if (!nuce_execution_predicts(schedule, execution) ||
        !nuce_execution_is_modelled(schedule, &c->network) ||
        (point->workload->is_late != NULL && point->workload->is_late(point->params)))
        return;
    nuce_metrics_real(found, "predicted_s",
                      nuce_execution_makespan(schedule, &c->network, execution));
}

/* Describes pattern, schedule and engine for the record, with the model's prediction. Rank 0
 * hashes all messages if it has them, else it collects them. nonblocking is recorded only for
 * library calls that could have blocked. Collective; the same status on all ranks. */
static nuce_status communication_describe(const struct nuce_communication *c,
                                          const struct nuce_point *point,
                                          struct nuce_metrics *found, struct nuce_error *error)
{
    const struct nuce_schedule *told =
        c->plan.whole.schedule.ranks > 0 ? &c->plan.whole.schedule : &c->plan.schedule;
    struct nuce_schedule_totals totals = nuce_census_totals(c->world, &c->plan.schedule);
    struct nuce_pattern_summary summary;
    char hex[NUCE_HASH_BYTES] = "";

    if (nuce_census_summary(c->world, &c->plan.pattern, &summary, error) != NUCE_OK)
        return error->status;
    if (!c->plan.is_whole_known)
        nuce_census_hash(c->world, &c->plan.pattern, hex);
    else if (c->world->rank == 0)
        nuce_pattern_hash(&c->plan.whole.pattern, hex);
    if (c->world->rank == 0)
        nuce_metrics_text(found, "pattern_sha256", hex);
    communication_predict(c, point, found);
    nuce_pattern_describe(&summary, found);
    nuce_schedule_describe(told, &totals, found);
    nuce_metrics_text(found, "network_taken", c->network_name);
    if (c->engine.ops->block != NULL)
        nuce_metrics_integer(found, "nonblocking", c->engine.nonblocking);
    return NUCE_OK;
}

void nuce_communication_overlaps(const struct nuce_communication *c, struct nuce_metrics *found)
{
    if (c->engine.ops->block != NULL)
        nuce_metrics_integer(found, "nonblocking", 1);
}

nuce_status nuce_communication_init(struct nuce_world *world, const struct nuce_point *point,
                                    struct nuce_pattern *rows, struct nuce_arrays *arrays,
                                    struct nuce_communication *out, struct nuce_metrics *found,
                                    struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = point->workload->scheduling(point->params);
    nuce_status status;

    /* The engine keeps pointers into *out. */
    *out = (struct nuce_communication){.world = world};
    status = nuce_shared_network(world, scheduling, &out->network, out->network_name, error);
    if (status == NUCE_OK && nuce_scheduling_emulates(scheduling))
        status = nuce_world_agree(
            world, nuce_scheduling_emulate(scheduling, rows, &out->network, error), error);
    if (status == NUCE_OK) {
        struct point_planner planner;

        status = point_planner_init(out, point, &planner, error);
        if (status == NUCE_OK)
            status = nuce_planning_init(&planner.planner, rows, &out->plan, error);
        if (status == NUCE_OK)
            plan_describe(world, &out->plan, found);
        point_planner_fini(&planner);
    }
    if (status == NUCE_OK)
        status = communication_split(out, point, error);
    if (status == NUCE_OK && arrays == NULL) {
        /* Messages are in buffers, which other contenders may have made already. */
        int64_t bytes = nuce_pattern_rank_bytes(&out->plan.pattern, world->rank);
        int64_t there = nuce_buffers_bytes(world->buffers);

        status = nuce_node_memory_check(world, bytes > there ? bytes - there : 0, error);
    }
    if (status == NUCE_OK)
        status = communication_set_up(out, arrays, world->buffers, error);
    if (status == NUCE_OK)
        status = communication_describe(out, point, found, error);
    if (status != NUCE_OK)
        nuce_communication_fini(out);
    else if (point->measure.trace_events == 0)
        nuce_planning_forget_whole(&out->plan);
    return status;
}

/* context: the rank. */
static int is_of_rank(const void *context, int source, int destination)
{
    const int *rank = context;

    return source == *rank || destination == *rank;
}

nuce_status nuce_communication_init_further(const struct nuce_communication *first,
                                            const struct nuce_point *point,
                                            const struct nuce_pattern *pattern,
                                            struct nuce_communication *out,
                                            struct nuce_error *error)
{
    struct point_planner planner;
    nuce_status status = point_planner_init(first, point, &planner, error);

    *out = (struct nuce_communication){.world = first->world};
    if (status == NUCE_OK) {
        struct nuce_schedule_input input = nuce_planner_input(&planner.planner);

        input.pattern = pattern;
        status = nuce_schedule_create(planner.planner.ops, &input, &out->plan.schedule, error);
        status = nuce_world_agree(out->world, status, error);
    }
    point_planner_fini(&planner);
    if (status == NUCE_OK)
        status = nuce_world_agree(
            out->world,
            nuce_pattern_filter(pattern, is_of_rank, &out->world->rank, &out->plan.pattern, error),
            error);
    if (status == NUCE_OK)
        status = communication_set_up(out, NULL, NULL, error);
    if (status != NUCE_OK)
        nuce_communication_fini(out);
    return status;
}

void nuce_communication_fini(struct nuce_communication *communication)
{
    nuce_engine_fini(&communication->engine);
    nuce_payload_fini(&communication->payload);
    nuce_planning_fini(&communication->plan);
    nuce_network_fini(&communication->network);
    memset(communication, 0, sizeof *communication);
}

/* The transfers of a schedule at the times of the cost model, as JSON in the form of traced
 * steps, so that one picture shows both. */

/* One end of a transfer: [rank, direction, peer, phase, bytes, start, end], seconds from the
 * start. */
static void add_transfer(json_t *events, int rank, const char *direction,
                         const struct nuce_transfer *transfer, int64_t bytes, double start,
                         double end)
{
    json_array_append_new(events,
                          json_pack("[i, s, i, i, I, f, f]", rank, direction, transfer->peer,
                                    transfer->phase, (json_int_t)bytes, start, end));
}

/* Bytes of send k of the rank that are parts of other ranks' messages. */
static int64_t forwarded_bytes(const struct nuce_schedule *schedule, int rank, int64_t k)
{
    const struct nuce_load *load = schedule->loads != NULL ? &schedule->loads[k] : NULL;
    int64_t bytes = 0;

    for (int64_t i = 0; load != NULL && i < load->count; i++) {
        const struct nuce_parcel *parcel = &schedule->parcels[load->first + i];

        bytes += parcel->source != rank ? parcel->bytes : 0;
    }
    return bytes;
}

/* A send and a receive for each piece, and a forwarding event for each send that forwards. */
static int64_t count_events(const struct nuce_schedule *schedule)
{
    int64_t count = 2 * schedule->pieces;

    for (int i = 0; schedule->loads != NULL && i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            count += forwarded_bytes(schedule, i, k) > 0;
    }
    return count;
}

/* The number of events is checked before the model runs. Each piece occurs twice, as a send and
 * as a receive, because its two ends may be busy at different times. A send also has its
 * forwarded bytes. */
json_t *nuce_communication_events(const struct nuce_schedule *schedule,
                                  const struct nuce_network *network, int64_t most)
{
    enum nuce_execution execution = nuce_execution_of(schedule, network);
    struct nuce_timing timing;
    json_t *events;

    if (!nuce_execution_predicts(schedule, execution) ||
        !nuce_execution_is_modelled(schedule, network) || count_events(schedule) > most)
        return NULL;
    nuce_execution_run(schedule, network, execution, &timing);
    events = json_array();
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &schedule->sends[k];
            int64_t forwarded = forwarded_bytes(schedule, i, k);

            add_transfer(events, i, "send", send, send->bytes, timing.send_start[k],
                         timing.send_end[k]);
            if (forwarded > 0)
                add_transfer(events, i, "forward", send, forwarded, timing.send_start[k],
                             timing.send_end[k]);
        }
        for (int64_t k = schedule->receive_start[i]; k < schedule->receive_start[i + 1]; k++)
            add_transfer(events, i, "receive", &schedule->receives[k], schedule->receives[k].bytes,
                         timing.receive_start[k], timing.receive_end[k]);
    }
    nuce_timing_fini(&timing);
    return events;
}

nuce_status nuce_communication_plan(const struct nuce_communication *communication, int64_t most,
                                    json_t **events, const char **network, struct nuce_error *error)
{
    const struct nuce_schedule *schedule = &communication->plan.whole.schedule;
    int is_known = communication->network.ranks > 0;
    struct nuce_network preset;

    if (nuce_network_preset("cm5", schedule->ranks, &preset, error) != NUCE_OK)
        return error->status;
    *network = is_known ? communication->network_name : "cm5";
    *events =
        nuce_communication_events(schedule, is_known ? &communication->network : &preset, most);
    return NUCE_OK;
}

nuce_status nuce_communication_check(struct nuce_communication *communication, uint64_t salt,
                                     struct nuce_error *error)
{
    nuce_payload_fill(&communication->payload, salt);
    nuce_world_barrier(communication->world);
    nuce_engine_run(&communication->engine);
    if (communication->engine.ops->check != NULL) {
        nuce_status status =
            communication->engine.ops->check(communication->engine.self, salt, error);

        /* A byte that is corrupted on its way is wrong at every later rank: the first rank
         * reports it. */
        if (nuce_world_agree(communication->world, status, error) != NUCE_OK)
            return error->status;
    }
    return nuce_payload_check(&communication->payload, salt, error);
}
