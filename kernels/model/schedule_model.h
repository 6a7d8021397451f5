/* A schedule of a pattern, by the model: its transfers, the time to make it, its makespan and the
 * bounds. */
#ifndef NUCE_SCHEDULE_MODEL_H
#define NUCE_SCHEDULE_MODEL_H

#include "schedules/bounds.h"
#include "schedules/execution.h"
#include "schedules/schedule.h"
#include "support/error.h"
#include "workloads/workload.h"

/* What schedules are made from. */
struct nuce_model_instance {
    struct nuce_pattern pattern;
    struct nuce_network network;
    char *network_name; /* as nuce_scheduling_network says it */
};

/* The pattern of params, of workload, which runs under a schedule, and its network, or the preset
 * or file called otherwise where it names none. Freed with nuce_model_instance_fini. */
nuce_status nuce_model_instance(const struct nuce_workload_ops *workload, const void *params,
                                int ranks, const char *otherwise, struct nuce_model_instance *out,
                                struct nuce_error *error);
void nuce_model_instance_fini(struct nuce_model_instance *instance);

struct nuce_model_schedule {
    struct nuce_schedule schedule;
    int is_timed; /* 0: no model tells the time: the schedule is dynamic, or has too much in
        flight */
    struct nuce_timing timing; /* in `execution`, if is_timed */
    enum nuce_execution execution;
    struct nuce_bounds bounds;
    double seconds; /* processor time of computing the schedule, the median of up to 5 */
};

void nuce_model_schedule_fini(struct nuce_model_schedule *model);

/* What the schedule that params of workload name makes of instance. execution NULL: the one
 * that fits the discipline. Freed with nuce_model_schedule_fini. */
nuce_status nuce_model_schedule(const struct nuce_workload_ops *workload, const void *params,
                                const struct nuce_model_instance *instance,
                                const enum nuce_execution *execution,
                                struct nuce_model_schedule *out, struct nuce_error *error);

#endif
