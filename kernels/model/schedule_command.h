/* What nuce-model schedule and its like do: schedules of a workload's patterns by the papers' cost
 * model, a row of means for each. */
#ifndef NUCE_SCHEDULE_COMMAND_H
#define NUCE_SCHEDULE_COMMAND_H

#include "workloads/workload.h"

/* workload runs under a schedule. Prints the rows to stdout, errors to stderr; returns the exit
 * status. */
int nuce_schedule_command(const struct nuce_workload_ops *workload, int argc, char **argv);

#endif
