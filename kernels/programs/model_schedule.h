/* What the subcommands of nuce-model that show schedules share: all but the workload. */
#ifndef NUCE_MODEL_SCHEDULE_H
#define NUCE_MODEL_SCHEDULE_H

#include "points/workload.h"

/* Runs the subcommand for a workload that runs under a schedule; as nuce_model_run. */
int nuce_model_run_schedules(const struct nuce_workload_ops *workload, int argc, char **argv);

#endif
