/* Sampling: the contenders of a heat step by step, each step begun together by a barrier, in rounds
 * in which every one has its turn, in an order drawn anew each time. What a contender leaves behind
 * (caches, unexpected messages) and what others do to the machine meanwhile hits all alike, so that
 * times of one round can be compared.
 *
 * A sample is the longest of the ranks' own durations, each from that rank's exit from the barrier
 * to the end of its step; the skew with which ranks leave the barrier is not in it. */
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
    int *place;      /* count: whose turn it was in its round, from 0; sample i is of round i */
    int64_t place_capacity;
    double *of_rank; /* rank 0, only if asked for: count x ranks, the step's; else NULL */
    int64_t of_rank_capacity;
    double first_s;      /* the very first step, maximum over ranks; NaN before it */
    const char *stopped; /* "ci", "max" or "limit"; NULL: interrupted */
};

void nuce_samples_fini(struct nuce_samples *samples);

/* One that has its turn in every round. */
struct nuce_entrant {
    const struct nuce_workload_run *run; /* borrowed, as the next two */
    void *self;                          /* of run */
    const struct nuce_run_info *info;
    double step_s; /* of a warm step with its barrier, seconds: set by nuce_sampling_warm_up */
    struct nuce_samples samples; /* starts zeroed; freed by the caller, also on failure */
};

/* How the entrants of one heat are sampled; all borrowed. */
struct nuce_sampling {
    struct nuce_world *world;
    struct nuce_measure measure;
    const _Atomic int *interrupted; /* set by a signal, on any rank */
    uint64_t seed;                  /* of the order in each round; the same on all ranks */
    /* Called on every rank before each turn, outside of its time, with the entrant's number; NULL:
     * nothing. */
    void (*turn)(void *context, int entrant);
    void *context;
};

/* Warms one entrant up and verifies it: NUCE_INTERRUPTED when *interrupted was set on some rank,
 * NUCE_CORRUPT when the check failed; the same on all ranks. Collective. */
nuce_status nuce_sampling_warm_up(const struct nuce_sampling *sampling,
                                  struct nuce_entrant *entrant, struct nuce_error *error);

/* Takes samples of count entrants, which are warm, as many of each. The first is the reference.
 *
 * One alone is sampled until the median is known to the measure's ci. Of several it is the ratios
 * to the reference, round by round, that are to be known so well: a few rounds that are thrown away
 * say how many that takes, and so many new ones are the samples. That number does not depend on
 * what they show, so stopping early bends nothing.
 *
 * NUCE_INTERRUPTED when *interrupted was set on some rank (the samples so far stand), NUCE_FAILED
 * when memory is short: the same on all ranks. Collective. */
nuce_status nuce_sampling_run(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                              int count, struct nuce_error *error);

/* Verifies an entrant that was sampled once more; the same status on all ranks. Collective. */
nuce_status nuce_sampling_verify(const struct nuce_sampling *sampling,
                                 const struct nuce_entrant *entrant, struct nuce_error *error);

/* How many rounds it takes until the 95 % interval of each entrant's median ratio to the reference
 * (entrants[0]) is within fraction of it, by what the rounds in their samples show. At least 1,
 * INT64_MAX where no number of them would do. scratch: as many values as there are rounds. */
int64_t nuce_sampling_rounds_wanted(const struct nuce_entrant *entrants, int count, double fraction,
                                    double *scratch);

#endif
