/* Rounds of turns: whose turn it is, what each took, and which rounds count. */
#ifndef NUCE_ROUNDS_H
#define NUCE_ROUNDS_H

#include "base/rng.h"
#include "run/entrant.h"
#include "run/turn_start.h"

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
