/* The command line of nuce-model schedule and its like: the options of a workload that runs under a
 * schedule, and those of the model. */
#ifndef NUCE_SCHEDULE_ARGUMENTS_H
#define NUCE_SCHEDULE_ARGUMENTS_H

#include "schedules/execution.h"
#include "support/error.h"
#include "tables/grid.h"
#include "workloads/workload.h"

struct nuce_schedule_arguments {
    const struct nuce_workload_ops *workload;
    void *params; /* of workload, owned; complete but for the schedule, and checked */
    char schedules[NUCE_PATH_BYTES]; /* comma list */
    int ranks;
    int64_t samples; /* instances from that of params on */
    enum nuce_execution execution;
    int has_execution; /* whether it was given */
    int emit;          /* the schedule itself */
    enum nuce_grid_format format;
};

void nuce_schedule_arguments_fini(struct nuce_schedule_arguments *arguments);

/* Parses argv; --help prints and exits. Everything but the names of schedules is checked here.
 * Freed with nuce_schedule_arguments_fini. */
nuce_status nuce_schedule_arguments_parse(const struct nuce_workload_ops *workload, int argc,
                                          char **argv, struct nuce_schedule_arguments *out,
                                          struct nuce_error *error);

#endif
