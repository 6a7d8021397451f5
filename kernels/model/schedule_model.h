/* One algorithm on one pattern, by the model: its schedule, the time to make it, its makespan and
 * the bounds. */
#ifndef NUCE_SCHEDULE_MODEL_H
#define NUCE_SCHEDULE_MODEL_H

#include "bounds.h"
#include "error.h"
#include "execution.h"
#include "schedule.h"
#include "workload.h"

/* The pattern of params in bytes, meshes too. Freed with
 * nuce_pattern_fini. */
nuce_status nuce_model_pattern(const struct nuce_exchange_params *params, int ranks,
                               struct nuce_pattern *out, struct nuce_error *error);

struct nuce_model_schedule {
    struct nuce_schedule schedule;
    int is_timed;              /* 0: no model tells the time: the schedule is dynamic */
    struct nuce_timing timing; /* in `execution`, if is_timed */
    enum nuce_execution execution;
    struct nuce_bounds bounds;
    double seconds; /* processor time of computing the schedule, the median of up to 5 */
};

void nuce_model_schedule_fini(struct nuce_model_schedule *model);

/* What params' algorithm makes of pattern on network. execution NULL: the one that fits the
 * discipline. Freed with nuce_model_schedule_fini. */
nuce_status nuce_model_schedule(const struct nuce_exchange_params *params,
                                const struct nuce_pattern *pattern,
                                const struct nuce_network *network,
                                const enum nuce_execution *execution,
                                struct nuce_model_schedule *out, struct nuce_error *error);

#endif
