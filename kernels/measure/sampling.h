/* Sampling: step after step, each begun together by a barrier, until the median is known well
 * enough. A sample is the longest of the ranks' own durations, each from that rank's exit from the
 * barrier to the end of its step; the skew with which ranks leave the barrier is not in it. */
#ifndef NUCE_SAMPLING_H
#define NUCE_SAMPLING_H

#include <stdatomic.h>
#include <stdint.h>

#include "measure/workload_run.h"
#include "support/error.h"
#include "workloads/workload.h"
#include "world/world.h"

struct nuce_samples {
    int64_t count, capacity;
    double *seconds; /* count x NUCE_SAMPLE_PARTS, maximum over ranks; the same on all ranks */
    double *of_rank; /* rank 0, only if asked for: count x ranks, the step's; else NULL */
    int64_t of_rank_capacity;
    double first_s;      /* the very first step, maximum over ranks; NaN before it */
    const char *stopped; /* "ci", "max" or "limit"; NULL: interrupted */
};

void nuce_samples_fini(struct nuce_samples *samples);

/* Warms up, verifies, samples and verifies again. NUCE_INTERRUPTED when *interrupted was set on
 * some rank (the samples so far stand), NUCE_CORRUPT when a check failed, NUCE_FAILED when memory
 * is short: the same on all ranks. *samples starts zeroed and is freed by the caller with
 * nuce_samples_fini, also on failure. Collective. */
nuce_status nuce_sampling_run(struct nuce_world *world, const struct nuce_workload_run *run,
                              void *self, const struct nuce_measure *measure,
                              const struct nuce_run_info *info, struct nuce_counters *counters,
                              const _Atomic int *interrupted, struct nuce_samples *samples,
                              struct nuce_error *error);

#endif
