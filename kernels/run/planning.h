/* Planning: from each rank's own row of COM to its part of a schedule, agreed among all ranks. */
#ifndef NUCE_PLANNING_H
#define NUCE_PLANNING_H

#include "run/gathering.h"
#include "run/world.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* The inputs of a plan; all pointers are borrowed. */
struct nuce_planner {
    struct nuce_world *world;
    const struct nuce_schedule_ops *ops;
    const struct nuce_tuning *tuning;
    const struct nuce_network *network; /* NULL: not known */
    const int *node_of;  /* ranks: the nodes (nuce_nodes_by_host); NULL: ops does not use them */
    const int *group_of; /* ranks: the groups of their nodes; NULL: not known, or not used */
    struct nuce_rng rng;
    int is_timed;    /* measures the cost of each step, and makes the schedule a few times for it */
    int keeps_whole; /* rank 0 must have all messages: a model or a traced step needs them */
};

/* The plan of a rank, all of it owned. Costs are NaN where this rank did not measure them. */
struct nuce_planning {
    struct nuce_pattern pattern;   /* at least this rank's own messages */
    struct nuce_schedule schedule; /* with at least this rank's lists */
    int is_whole_known;            /* rank 0 has made whole; the same value on all ranks */
    struct {
        struct nuce_pattern pattern;
        struct nuce_schedule schedule;
    } whole; /* rank 0 until nuce_planning_forget_whole; else empty */
    double gather_s, compress_s, schedule_s, hand_out_s;
    double whole_bytes; /* NaN also if this rank lacks some */
};

/* The input of a schedule with planner's values, without a pattern. */
struct nuce_schedule_input nuce_planner_input(const struct nuce_planner *planner);

/* Plans for the rows of all ranks, of which only this rank's row is read. *out is empty on
 * failure. Freed with nuce_planning_fini. Collective over the world; the same status on all ranks.
 */
nuce_status nuce_planning_init(const struct nuce_planner *planner, const struct nuce_pattern *rows,
                               struct nuce_planning *out, struct nuce_error *error);
void nuce_planning_forget_whole(struct nuce_planning *plan);
void nuce_planning_fini(struct nuce_planning *plan);

#endif
