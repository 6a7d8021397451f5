/* The execution of the workloads; kernels/points describes them. */
#ifndef NUCE_RUNS_H
#define NUCE_RUNS_H

#include "run/workload_run.h"

extern const struct nuce_workload_run nuce_exchange_run;
extern const struct nuce_workload_run nuce_redistribute_run;
extern const struct nuce_workload_run nuce_stencil_run;

/* Workloads that measure the machine rather than an algorithm. None runs under a schedule that
 * is compared: contention posts all at once, permutations and links make their own messages, and
 * speeds sends nothing. */
extern const struct nuce_workload_run nuce_contention_run;
extern const struct nuce_workload_run nuce_permutations_run;
extern const struct nuce_workload_run nuce_links_run;
extern const struct nuce_workload_run nuce_speeds_run;

#endif
