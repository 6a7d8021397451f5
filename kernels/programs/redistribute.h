/* How the workload `redistribute` runs. */
#ifndef NUCE_REDISTRIBUTE_H
#define NUCE_REDISTRIBUTE_H

#include "run/workload_run.h"

extern const struct nuce_workload_run nuce_redistribute_run;

#endif
