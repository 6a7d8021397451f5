/* Communication under a schedule, in the order in which it comes to be: the network that the point
 * names, the schedule computed for pattern and network, buffers, the engine, and last what the cost
 * model says of it, for the record. Each step may fail on one rank alone, so all ranks agree after
 * each. */
#include "program/communication.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/planned_events.h"
#include "program/shared_network.h"
#include "schedules/bounds.h"
#include "schedules/execution.h"
#include "schedules/schedule_results.h"
#include "world/nodes.h"
#include "world/rank_groups.h"
#include "world/simulation.h"

/* *seconds: what making the schedule took here, which is a result of the run. It is made a few
 * times over for that, but once, with 0 seconds, where a simulator has the ranks compute in turn:
 * all would wait for each one's repetitions. */
static nuce_status create_schedule(const char *name, const struct nuce_schedule_input *input,
                                   struct nuce_schedule *out, double *seconds,
                                   struct nuce_error *error)
{
    const struct nuce_schedule_ops *ops = nuce_schedule_find(name);

    *seconds = 0;
    if (nuce_simulation_blocks())
        return nuce_schedule_create(ops, input, out, error);
    return nuce_schedule_create_timed(ops, input, out, seconds, error);
}

/* tuning and network (of 0 ranks: not known) are borrowed. */
static struct nuce_schedule_input schedule_input(const struct nuce_communication *c,
                                                 const struct nuce_point *point,
                                                 const struct nuce_network *network,
                                                 const struct nuce_tuning *tuning)
{
    return (struct nuce_schedule_input){
        .pattern = &c->pattern,
        .network = network->ranks > 0 ? network : NULL,
        .tuning = tuning,
        .rng = nuce_scheduling_rng(point->workload->scheduling(point->params))};
}

/* Where ranks are, as the machine tells it. */
struct whereabouts {
    struct nuce_nodes nodes;
    int *group_of;
};

static void whereabouts_fini(struct whereabouts *where)
{
    nuce_nodes_fini(&where->nodes);
    free(where->group_of);
}

/* Fills where and points input at it, where the schedule of point looks at it and neither the point
 * nor its network tells. Collective; the same status on all ranks. Freed also on failure. */
static nuce_status find_whereabouts(struct nuce_world *world, const struct nuce_point *point,
                                    struct nuce_schedule_input *input, struct whereabouts *where,
                                    struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = point->workload->scheduling(point->params);
    const struct nuce_placing *placing =
        point->workload->placing == NULL ? NULL : point->workload->placing(point->params);
    const char *topology = scheduling->group_topology[0] != '\0' ? scheduling->group_topology
                           : placing != NULL                     ? placing->topology
                                                                 : "";
    int has_groups = scheduling->group_topology[0] == '\0' && input->network != NULL &&
                     input->network->tiers.groups > 0;

    if (nuce_schedule_find(scheduling->schedule)->uses & NUCE_USES_NODES) {
        if (nuce_nodes_by_host(world, &where->nodes, error) != NUCE_OK)
            return error->status;
        input->node_of = where->nodes.node_of;
    }
    if (nuce_scheduling_wants_groups(scheduling) && !has_groups) {
        if (nuce_rank_groups(world, topology, &where->group_of, error) != NUCE_OK)
            return error->status;
        input->group_of = where->group_of;
    }
    return NUCE_OK;
}

/* Every rank computes the whole schedule, from the same pattern, network and seed, rather than
 * being sent its part. The time of it is that of the slowest rank. Collective. */
static nuce_status compute_schedule(struct nuce_communication *c, const struct nuce_point *point,
                                    double *seconds, struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = point->workload->scheduling(point->params);
    struct nuce_tuning tuning = point->workload->tuning(point->params);
    struct nuce_schedule_input input = schedule_input(c, point, &c->network, &tuning);
    struct whereabouts where = {.group_of = NULL};
    nuce_status status = find_whereabouts(c->world, point, &input, &where, error);

    if (status == NUCE_OK) {
        status = create_schedule(scheduling->schedule, &input, &c->schedule, seconds, error);
        if (status == NUCE_OK)
            status = nuce_schedule_validate(&c->schedule, &c->pattern, error);
        status = nuce_world_agree(c->world, status, error);
    }
    whereabouts_fini(&where);
    if (status == NUCE_OK)
        nuce_world_maximum(c->world, seconds, 1);
    return status;
}

/* Buffers and requests. */
static nuce_status communication_set_up(struct nuce_communication *c, struct nuce_arrays *arrays,
                                        struct nuce_buffers *shared, struct nuce_error *error)
{
    struct nuce_engine_input input = {
        .world = c->world, .schedule = &c->schedule, .payload = &c->payload, .arrays = arrays};
    struct nuce_own_copy own = {.copy = nuce_arrays_copy_own, .context = arrays};
    nuce_status status = nuce_payload_init_shared(
        &c->pattern, c->world->rank, arrays != NULL ? &own : NULL, shared, &c->payload, error);

    if (nuce_world_agree(c->world, status, error) != NUCE_OK)
        return error->status;
    return nuce_world_agree(c->world, nuce_engine_init(&input, &c->engine, error), error);
}

/* On rank 0, which records it. Only where the point names a network: what another one would cost
 * says nothing about this. What is not scheduled is not predicted. */
static nuce_status communication_predict(const struct nuce_communication *c,
                                         struct nuce_found *found, struct nuce_error *error)
{
    enum nuce_execution execution;
    struct nuce_bounds bounds;
    double makespan;

    if (c->network.ranks == 0 || c->world->rank != 0)
        return NUCE_OK;
    execution = nuce_execution_of(&c->schedule, &c->network);
    if (nuce_bounds_compute(&c->pattern, &c->network, &bounds, error) != NUCE_OK)
        return error->status;
    nuce_found_real(found, "bound_s", nuce_bounds_of(&bounds, c->schedule.discipline));
    nuce_found_real(found, "single_port_bound_s", bounds.single_port);
    if (!nuce_execution_predicts(&c->schedule, execution) ||
        !nuce_execution_is_modelled(&c->schedule, &c->network))
        return NUCE_OK;
    if (nuce_execution_makespan(&c->schedule, &c->network, execution, &makespan, error) != NUCE_OK)
        return error->status;
    nuce_found_real(found, "predicted_s", makespan);
    return NUCE_OK;
}

/* What the record says of pattern, schedule and engine, with the model's prediction. nonblocking is
 * told only of library calls that could have blocked. */
static nuce_status communication_describe(const struct nuce_communication *c,
                                          struct nuce_found *found, struct nuce_error *error)
{
    struct nuce_pattern_summary summary;

    if (nuce_pattern_summarise(&c->pattern, &summary, error) != NUCE_OK ||
        communication_predict(c, found, error) != NUCE_OK ||
        (c->world->rank == 0 &&
         nuce_pattern_describe_content(&c->pattern, found, error) != NUCE_OK))
        return error->status;
    nuce_pattern_describe(&summary, found);
    nuce_schedule_describe(&c->schedule, found);
    nuce_found_text(found, "network_taken", c->network_name);
    if (c->engine.ops->block != NULL)
        nuce_found_integer(found, "nonblocking", c->engine.nonblocking);
    return NUCE_OK;
}

void nuce_communication_overlaps(const struct nuce_communication *c, struct nuce_found *found)
{
    if (c->engine.ops->block != NULL)
        nuce_found_integer(found, "nonblocking", 1);
}

nuce_status nuce_communication_init(struct nuce_world *world, const struct nuce_point *point,
                                    struct nuce_pattern *pattern, struct nuce_arrays *arrays,
                                    struct nuce_communication *out, struct nuce_found *found,
                                    struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = point->workload->scheduling(point->params);
    double seconds = NAN;
    nuce_status status;

    /* The engine keeps pointers into *out. */
    *out = (struct nuce_communication){.world = world, .pattern = *pattern};
    memset(pattern, 0, sizeof *pattern);
    status = nuce_shared_network(world, scheduling, &out->network, out->network_name, error);
    if (status == NUCE_OK)
        status = nuce_world_agree(
            world, nuce_scheduling_emulate(scheduling, &out->pattern, &out->network, error), error);
    if (status == NUCE_OK)
        status = compute_schedule(out, point, &seconds, error);
    if (status == NUCE_OK)
        status = communication_set_up(out, arrays, world->buffers, error);
    if (status == NUCE_OK)
        status = nuce_world_agree(world, communication_describe(out, found, error), error);
    if (status != NUCE_OK)
        nuce_communication_fini(out);
    else
        nuce_found_real(found, "schedule_s", seconds);
    return status;
}

nuce_status nuce_communication_init_further(const struct nuce_communication *first,
                                            const struct nuce_point *point,
                                            struct nuce_pattern *pattern,
                                            struct nuce_communication *out,
                                            struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = point->workload->scheduling(point->params);
    struct nuce_tuning tuning = point->workload->tuning(point->params);
    struct whereabouts where = {.group_of = NULL};
    struct nuce_schedule_input input;
    nuce_status status;

    *out = (struct nuce_communication){.world = first->world, .pattern = *pattern};
    memset(pattern, 0, sizeof *pattern);
    input = schedule_input(out, point, &first->network, &tuning);
    status = find_whereabouts(out->world, point, &input, &where, error);
    if (status == NUCE_OK) {
        status = nuce_schedule_create(nuce_schedule_find(scheduling->schedule), &input,
                                      &out->schedule, error);
        status = nuce_world_agree(out->world, status, error);
    }
    whereabouts_fini(&where);
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
    nuce_schedule_fini(&communication->schedule);
    nuce_network_fini(&communication->network);
    nuce_pattern_fini(&communication->pattern);
    memset(communication, 0, sizeof *communication);
}

nuce_status nuce_communication_plan(const struct nuce_communication *communication, int64_t most,
                                    json_t **events, const char **network, struct nuce_error *error)
{
    int is_known = communication->network.ranks > 0;
    struct nuce_network preset;

    if (nuce_network_preset("cm5", communication->schedule.ranks, &preset, error) != NUCE_OK)
        return error->status;
    *network = is_known ? communication->network_name : "cm5";
    return nuce_planned_events(&communication->schedule,
                               is_known ? &communication->network : &preset, most, events, error);
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

        /* One wrong byte on its way is wrong at every rank that it comes to: the first one tells.
         */
        if (nuce_world_agree(communication->world, status, error) != NUCE_OK)
            return error->status;
    }
    return nuce_payload_check(&communication->payload, salt, error);
}
