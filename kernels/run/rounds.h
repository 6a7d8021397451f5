/* Rounds of turns: their order, their times, and the rounds that count. */
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

/* The samples of one entrant, all in seconds. Arrays are owned. A sample of several steps is
 * divided by their number. */
struct nuce_samples {
    int64_t count, capacity;
    double *seconds; /* count x NUCE_SAMPLE_PARTS, maximum over ranks; the same on all ranks */
    /* count x NUCE_SAMPLE_PARTS, of the rank that ended last (the lowest of equals). These add
     * up to the step, which separate maxima over ranks do not. STEP is not set. */
    double *last;
    int64_t last_capacity;
    int *last_rank; /* count */
    int64_t last_rank_capacity;
    int *place; /* count: place of the turn in its round, from 0; sample i is of round i */
    int64_t place_capacity;
    double *of_rank; /* rank 0, only on request: count x ranks, the step's; else NULL */
    int64_t of_rank_capacity;
    double first_s;      /* the very first step, maximum over ranks; NaN before it */
    const char *stopped; /* "target-ci", "max-samples" or "time-limit"; NULL: interrupted */
    int too_short;       /* a turn does not exceed the uncertainty of its start */
};

void nuce_samples_fini(struct nuce_samples *samples);

/* A contender, or duplicate, with a turn in every round. */
struct nuce_entrant {
    const struct nuce_workload_run *run; /* borrowed, as the next two */
    void *self;                          /* of run */
    const struct nuce_run_info *info;
    double step_s;               /* of the last warm step with its barrier, seconds; set by
                                  * nuce_sampling_warm_up, as the next */
    double own_s;                /* of the shortest warm step except the first, without barrier */
    struct nuce_glance look;     /* starts zeroed */
    struct nuce_samples samples; /* starts zeroed; freed by the caller, also on failure */
};

/* The sampling of one race's entrants; all borrowed. */
struct nuce_sampling {
    struct nuce_world *world;
    struct nuce_clock_sync *clocks; /* of world */
    struct nuce_measure measure;
    const _Atomic int *interrupted; /* set by a signal, on any rank */
    uint64_t seed;                  /* of the order in each round; the same on all ranks */
    /* Called on every rank before each turn, outside of its time, with the entrant's number;
     * NULL: nothing. */
    void (*turn)(void *context, int entrant);
    void *context;
};

/* Facts of all samples of a race. */
struct nuce_sampling_facts {
    const char *sync;    /* how turns began: barrier or window */
    int64_t batch;       /* steps of a turn */
    int64_t late_rounds; /* rounds that did not count, because a rank was late */
    double skew_s;       /* distance of the ranks' starts, median and 95 % quantile over turns: */
    double skew_high_s;  /* the last start minus the first exit, or the given time. NaN: no turns */
    double residual_s;   /* error of the clocks, compared after the rounds */
    double error_s;      /* uncertainty of that: half of the round trips */
};

/* Sets last_rank, last_share and last_*_s of *found (nuce_results_run). They are means over the
 * middle half of the samples by their step. There they add up to the step's mean, and one
 * disturbed sample has no effect. timed: bit 1 << NUCE_PART_... for each timed part. Sets
 * nothing without samples. */
void nuce_samples_describe_last(const struct nuce_samples *samples, unsigned timed,
                                struct nuce_metrics *found);

/* The rounds of one race. All arrays are made by nuce_rounds_init, owned and freed by
 * nuce_rounds_fini; times are seconds. */
struct nuce_rounds {
    const struct nuce_sampling *sampling; /* borrowed, as the next */
    struct nuce_entrant *entrants;
    int count;
    int64_t steps; /* of a turn */
    int leads_in;  /* an uncounted step precedes each turn */
    struct nuce_meeting meeting;
    struct nuce_rng rng;      /* of the order, identical on all ranks, as the next */
    struct nuce_rng look_rng; /* draws when ranks look at received data */
    double look_drawn;        /* drawn value of this round */
    int *order;               /* count: the entrant in each place */
    int *place;               /* by round and entrant, of a stretch, as are the next seven */
    double *values;           /* values that ranks agree on: see rounds.c */
    double *mine;             /* the same values of this rank alone */
    double *last;             /* parts of the rank that ended last, and its number */
    double *own;              /* this rank's own time of a step */
    double *given;            /* given start of a turn */
    double *paused;           /* nuce_meeting_pause after it */
    struct nuce_taken *taken; /* by round and place */
    int64_t *kept;            /* the rounds of a stretch that count */
    double *scratch;          /* one value a turn of a stretch, or a sample of an entrant */
    double *skew;             /* distance of the ranks' starts, for all turns that count */
    int64_t skews;
    int64_t most;    /* limit of the rounds of the next stretch */
    int64_t late;    /* rounds that do not count, because a rank was late */
    double round_s;  /* time of a round by the last stretch; at first by the warm-up */
    double begun_s;  /* this rank's clock at the first stretch */
    double looked_s; /* elapsed_s at the last comparison of clocks */
};

/* The facts that ranks agree on after a stretch. */
struct nuce_stretch {
    double elapsed_s; /* since begun_s, maximum over ranks */
    int interrupted;
};

/* Makes room for the largest number of samples of the measure, and sets the number of steps of a
 * turn. The same status on all ranks. Collective. Freed with nuce_rounds_fini, also on failure. */
nuce_status nuce_rounds_init(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                             int count, struct nuce_rounds *out, struct nuce_error *error);
void nuce_rounds_fini(struct nuce_rounds *rounds);

/* The number of wanted rounds to take before the ranks communicate again, if left_s of the limit
 * remain; the same on all ranks. */
int64_t nuce_rounds_fitting(const struct nuce_rounds *rounds, int64_t wanted, double left_s);

/* Takes that many rounds without communication between them, and adds those without a late rank
 * to the entrants' samples. Collective; the same status on all ranks. */
void nuce_rounds_take(struct nuce_rounds *rounds, int64_t count, struct nuce_stretch *out);

/* Called before the first stretch. Local. */
void nuce_rounds_begin(struct nuce_rounds *rounds);
/* The rounds so far were a pilot: they do not count, but their time does. Local. */
void nuce_rounds_forget(struct nuce_rounds *rounds);

/* Called after the last round: how ranks began, and the accuracy of their clocks. Collective. */
void nuce_rounds_describe(struct nuce_rounds *rounds, struct nuce_sampling_facts *out);

#endif
