/* Rounds of turns: whose turn it is, what each took, and which rounds count. */
#ifndef NUCE_ROUNDS_H
#define NUCE_ROUNDS_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/result.h"
#include "base/rng.h"
#include "points/workload.h"
#include "run/clock_sync.h"
#include "run/spot_check.h"
#include "run/turn_start.h"
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

/* Sets last_rank, last_share and last_*_s of *found (nuce_results_run): means over the middle half
 * of the samples by their step, so that they add up to the step's mean there and one sample in
 * which the machine was elsewhere says nothing. timed: bit 1 << NUCE_PART_... for each part that
 * was. Nothing is set where there are no samples. */
void nuce_samples_describe_last(const struct nuce_samples *samples, unsigned timed,
                                struct nuce_found *found);

/* The rounds of one heat. All arrays are made by nuce_rounds_init, owned and freed by
 * nuce_rounds_fini; times are seconds. */
struct nuce_rounds {
    const struct nuce_sampling *sampling; /* borrowed, as the next */
    struct nuce_entrant *entrants;
    int count;
    int64_t steps; /* of a turn */
    int leads_in;  /* a step that does not count goes before each turn */
    struct nuce_meeting meeting;
    struct nuce_rng rng;      /* of the order, in step on all ranks, as the next */
    struct nuce_rng look_rng; /* of when ranks look at what they received */
    double look_drawn;        /* of this round */
    int *order;               /* count: whose turn it is in which place */
    int *place;               /* by round and entrant, of a stretch, as are the next seven */
    double *values;           /* what ranks agree on: see rounds.c */
    double *mine;             /* the same values of this rank alone */
    double *last;             /* parts of the rank that ended last, and which that is */
    double *own;              /* this rank's own time of a step */
    double *given;            /* when a turn was to begin */
    double *paused;           /* nuce_meeting_pause after it */
    struct nuce_taken *taken; /* by round and place */
    int64_t *kept;            /* which rounds of a stretch count */
    double *scratch;          /* as many values as a stretch has turns, or an entrant samples */
    double *skew;             /* how far apart ranks began, of all turns that count */
    int64_t skews;
    int64_t most;    /* rounds of the next stretch, at most */
    int64_t late;    /* rounds that do not count, for somebody was late */
    double round_s;  /* what a round takes by the last stretch; at first by the warm-up */
    double begun_s;  /* this rank's clock at the first stretch */
    double looked_s; /* what elapsed_s was when clocks were compared last */
};

/* What ranks agree on after a stretch. */
struct nuce_stretch {
    double elapsed_s; /* since begun_s, longest of the ranks */
    int interrupted;
};

/* Room for the samples that the measure asks for at most; how many steps make a turn. The same
 * status on all ranks. Collective. Freed with nuce_rounds_fini, also on failure. */
nuce_status nuce_rounds_init(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                             int count, struct nuce_rounds *out, struct nuce_error *error);
void nuce_rounds_fini(struct nuce_rounds *rounds);

/* How many of wanted rounds to take before the ranks talk again, if so much of limit_s is left; the
 * same on all ranks. */
int64_t nuce_rounds_fitting(const struct nuce_rounds *rounds, int64_t wanted, double left_s);

/* Takes so many rounds without a word between the ranks, and keeps those in which nobody was late
 * in the entrants' samples. Collective; the same status on all ranks. */
void nuce_rounds_take(struct nuce_rounds *rounds, int64_t count, struct nuce_stretch *out);

/* Before the first stretch. Local. */
void nuce_rounds_begin(struct nuce_rounds *rounds);
/* What was taken so far was a pilot: it does not count, but for the time it took. Local. */
void nuce_rounds_forget(struct nuce_rounds *rounds);

/* After the last round: how ranks began, and how well their clocks were known. Collective. */
void nuce_rounds_describe(struct nuce_rounds *rounds, struct nuce_sampling_facts *out);

#endif
