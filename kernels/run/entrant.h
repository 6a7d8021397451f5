/* Who takes part in the rounds of a heat, how they are to be sampled, and their samples. */
#ifndef NUCE_ENTRANT_H
#define NUCE_ENTRANT_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/result.h"
#include "points/workload.h"
#include "run/clock_sync.h"
#include "run/spot_check.h"
#include "run/workload_run.h"
#include "run/world.h"

/* The samples of one entrant, all in seconds. Arrays are owned. A sample of several steps is a
 * step's share of it. */
struct nuce_samples {
    int64_t count, capacity;
    double *seconds; /* count x NUCE_SAMPLE_PARTS, maximum over ranks; the same on all ranks */
    /* count x NUCE_SAMPLE_PARTS, of the rank that ended last alone (the lowest of equals): what
     * adds up to the step, which maxima over ranks, each by itself, do not. STEP is not set. */
    double *last;
    int64_t last_capacity;
    int *last_rank; /* count */
    int64_t last_rank_capacity;
    int *place; /* count: whose turn it was in its round, from 0; sample i is of round i */
    int64_t place_capacity;
    double *of_rank; /* rank 0, only if asked for: count x ranks, the step's; else NULL */
    int64_t of_rank_capacity;
    double first_s;      /* the very first step, maximum over ranks; NaN before it */
    const char *stopped; /* "ci", "max" or "limit"; NULL: interrupted */
    int too_short;       /* a turn is no longer than what is unknown of its start */
};

/* Room for so many. Local. Freed with nuce_samples_fini. */
void nuce_samples_reserve(struct nuce_samples *samples, int64_t most);
void nuce_samples_fini(struct nuce_samples *samples);

/* One that has its turn in every round. */
struct nuce_entrant {
    const struct nuce_workload_run *run; /* borrowed, as the next two */
    void *self;                          /* of run */
    const struct nuce_run_info *info;
    double step_s;           /* of the last warm step with its barrier, seconds, as the next set by
                                nuce_sampling_warm_up */
    double own_s;            /* of the shortest warm step but the first, without it */
    struct nuce_glance look; /* starts zeroed */
    struct nuce_samples samples; /* starts zeroed; freed by the caller, also on failure */
};

/* How the entrants of one heat are sampled; all borrowed. */
struct nuce_sampling {
    struct nuce_world *world;
    struct nuce_clock_sync *clocks; /* of world */
    struct nuce_measure measure;
    const _Atomic int *interrupted; /* set by a signal, on any rank */
    uint64_t seed;                  /* of the order in each round; the same on all ranks */
    /* Called on every rank before each turn, outside of its time, with the entrant's number; NULL:
     * nothing. */
    void (*turn)(void *context, int entrant);
    void *context;
};

/* What is true of all samples of a heat. */
struct nuce_sampling_facts {
    const char *sync;    /* how turns began: barrier or window */
    int64_t batch;       /* steps of a turn */
    int64_t late_rounds; /* that did not count, for a rank was not ready when its turn began */
    double skew_s; /* how far apart ranks began, the median and the 95 % quantile over turns: */
    double skew_high_s; /* last from the first exit, or from the given time. NaN: no turns */
    double residual_s;  /* the clocks, looked at after the rounds, were off by so much */
    double error_s;     /* which is known to this: half of the round trips */
};

/* The step taken apart: the parts of the rank that ends last. */
/* Sets last_rank, last_share and last_*_s of *found (nuce_results_run): means over the middle half
 * of the samples by their step, so that they add up to the step's mean there and one sample in
 * which the machine was elsewhere says nothing. timed: bit 1 << NUCE_PART_... for each part that
 * was. Nothing is set where there are no samples. */
void nuce_samples_describe_last(const struct nuce_samples *samples, unsigned timed,
                                struct nuce_found *found);

#endif
