/* A schedule that follows from each rank's own messages is made on every rank from these alone.
 * Any other schedule is made once per node, from all messages, and distributed. Each step may fail
 * on one rank alone, so all ranks agree after each. */
#include "run/planning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/simulation.h"
#include "schedules/compress.h"
#include "schedules/schedule_results.h"

struct nuce_schedule_input nuce_planner_input(const struct nuce_planner *planner)
{
    return (struct nuce_schedule_input){.network = planner->network,
                                        .tuning = planner->tuning,
                                        .rng = planner->rng,
                                        .node_of = planner->node_of,
                                        .group_of = planner->group_of};
}

/* Marks the ranks that get lists from this leader in a new array, freed by the caller. NULL: the
 * schedule leaves out nothing, or these are all ranks, or this rank leads none. Local. */
static char *wanted_of_leader(const struct nuce_planner *planner)
{
    int *member, count;
    char *wanted = NULL;

    if (planner->ops->concern != NUCE_CONCERN_NODES || !nuce_gathering_leads(planner->world))
        return NULL;
    nuce_gathering_members(planner->world, &member, &count);
    if (count < planner->world->size)
        wanted = nuce_allocate(planner->world->size, sizeof *wanted);
    for (int i = 0; wanted != NULL && i < count; i++)
        wanted[member[i]] = 1;
    free(member);
    return wanted;
}

/* The schedule of pattern, checked against its messages. seconds NULL: its cost is not measured.
 * In a simulator it is made once, with 0 seconds: ranks compute in turn there, and all would wait
 * for each one's repetitions. Local. */
static nuce_status plan_schedule(const struct nuce_planner *planner,
                                 const struct nuce_pattern *pattern, const char *wanted,
                                 double *seconds, struct nuce_schedule *out,
                                 struct nuce_error *error)
{
    struct nuce_schedule_input input = nuce_planner_input(planner);
    struct nuce_pattern messages;
    nuce_status status;

    input.pattern = pattern;
    input.wanted = wanted;
    if (seconds != NULL)
        *seconds = 0;
    status = seconds != NULL && !nuce_simulation_is_on()
                 ? nuce_schedule_create_timed(planner->ops, &input, out, seconds, error)
                 : nuce_schedule_create(planner->ops, &input, out, error);
    if (status != NUCE_OK)
        return status;
    if (wanted == NULL)
        return nuce_schedule_validate(out, pattern, error);
    if (nuce_schedule_wanted(&input, &messages, error) != NUCE_OK)
        return error->status;
    status = nuce_schedule_validate(out, &messages, error);
    nuce_pattern_fini(&messages);
    return status;
}

/* Where the cost of the schedule goes, or NULL. */
static double *schedule_seconds(const struct nuce_planner *planner, struct nuce_planning *plan)
{
    return planner->is_timed ? &plan->schedule_s : NULL;
}

/* Begins a timed step with all ranks at once. Collective. */
static double begin_step(const struct nuce_planner *planner)
{
    if (planner->is_timed)
        nuce_world_barrier(planner->world);
    return nuce_clock();
}

/* Each rank plans from its own messages. Rank 0 also makes the inputs of the model and the
 * picture, for the record. Collective; the same status on all ranks. */
static nuce_status plan_own(const struct nuce_planner *planner, int64_t own_radix,
                            const struct nuce_pattern *rows, struct nuce_planning *plan,
                            struct nuce_error *error)
{
    struct nuce_world *world = planner->world;
    double begin = begin_step(planner);
    nuce_status status;

    if (nuce_gathering_concern(world, rows, own_radix, &plan->pattern, error) != NUCE_OK)
        return error->status;
    plan->gather_s = nuce_clock() - begin;
    status = plan_schedule(planner, &plan->pattern, NULL, schedule_seconds(planner, plan),
                           &plan->schedule, error);
    if (nuce_world_agree(world, status, error) != NUCE_OK ||
        nuce_census_match(world, &plan->schedule, error) != NUCE_OK)
        return error->status;
    if (!planner->keeps_whole)
        return NUCE_OK;
    status = nuce_gathering_whole(world, rows, NUCE_GATHER_FIRST, &plan->whole.pattern, error);
    if (status == NUCE_OK && world->rank == 0)
        status =
            plan_schedule(planner, &plan->whole.pattern, NULL, NULL, &plan->whole.schedule, error);
    return nuce_world_agree(world, status, error);
}

/* One rank a node, its leader, plans from all messages. It makes the schedule of all ranks or of
 * its own, and measures the time of making COM sparse. Only rank 0 keeps it, for the record.
 * Collective; the same status on all ranks. */
static nuce_status plan_once(const struct nuce_planner *planner, const struct nuce_pattern *rows,
                             struct nuce_planning *plan, struct nuce_error *error)
{
    struct nuce_world *world = planner->world;
    struct nuce_pattern *pattern = &plan->whole.pattern;
    struct nuce_schedule *schedule = &plan->whole.schedule;
    double begin = begin_step(planner);
    char *wanted;
    nuce_status status = NUCE_OK;

    if (nuce_gathering_whole(world, rows, NUCE_GATHER_LEADERS, pattern, error) != NUCE_OK)
        return error->status;
    plan->gather_s = nuce_clock() - begin;
    wanted = wanted_of_leader(planner);
    if (nuce_gathering_leads(world)) {
        if (planner->is_timed)
            status = nuce_compress_time(pattern, &plan->compress_s, error);
        if (status == NUCE_OK)
            status = plan_schedule(planner, pattern, wanted, schedule_seconds(planner, plan),
                                   schedule, error);
        if (status == NUCE_OK)
            plan->whole_bytes =
                (double)(nuce_pattern_memory(pattern) + nuce_schedule_memory(schedule));
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        begin = nuce_clock();
        status = nuce_gathering_hand_out(world, pattern, schedule, planner->ops, &plan->pattern,
                                         &plan->schedule, error);
        plan->hand_out_s = nuce_clock() - begin;
        if (world->rank != 0) {
            nuce_planning_forget_whole(plan);
        } else if (status == NUCE_OK && wanted != NULL) {
            nuce_schedule_fini(schedule); /* the omitted part is made now */
            status = plan_schedule(planner, pattern, NULL, NULL, schedule, error);
        }
        status = nuce_world_agree(world, status, error);
    }
    free(wanted);
    return status == NUCE_OK && planner->ops->concern == NUCE_CONCERN_NODES
               ? nuce_census_match(world, &plan->schedule, error)
               : status;
}

/* On a simulated machine all ranks are one process, which makes a schedule of all ranks once. */
nuce_status nuce_planning_init(const struct nuce_planner *planner, const struct nuce_pattern *rows,
                               struct nuce_planning *out, struct nuce_error *error)
{
    int64_t own_radix = nuce_schedule_own_radix(planner->ops, planner->tuning);
    int is_own = own_radix >= 0 && !nuce_simulation_is_on();
    nuce_status status;

    *out = (struct nuce_planning){.is_whole_known = !is_own || planner->keeps_whole,
                                  .gather_s = NAN,
                                  .compress_s = NAN,
                                  .schedule_s = NAN,
                                  .hand_out_s = NAN,
                                  .whole_bytes = NAN};
    status = is_own ? plan_own(planner, own_radix, rows, out, error)
                    : plan_once(planner, rows, out, error);
    if (status != NUCE_OK)
        nuce_planning_fini(out);
    return status;
}

void nuce_planning_forget_whole(struct nuce_planning *plan)
{
    nuce_pattern_fini(&plan->whole.pattern);
    nuce_schedule_fini(&plan->whole.schedule);
}

void nuce_planning_fini(struct nuce_planning *plan)
{
    nuce_pattern_fini(&plan->pattern);
    nuce_schedule_fini(&plan->schedule);
    nuce_planning_forget_whole(plan);
    memset(plan, 0, sizeof *plan);
}
