/* A sequence of patterns, and the schedule under which each of them is sent: computed anew for
 * every so many, and kept in between. */
#ifndef NUCE_SEQUENCE_H
#define NUCE_SEQUENCE_H

#include <stdint.h>

#include "networks/network.h"
#include "schedules/execution.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "support/error.h"
#include "support/result.h"

/* Longer sequences are taken for a slip: each step has buffers' places and requests of its own. */
#define NUCE_SEQUENCE_MOST 1000

struct nuce_sequence_terms {
    int64_t steps; /* 1: no sequence */
    int64_t reuse; /* steps that a schedule is kept for, the one that it is computed for included */
    int repairs;   /* what a kept schedule has no room for is scheduled too, behind it, and stays in
                      it; 0: it is posted all at once behind the others */
};

struct nuce_sequence_step {
    struct nuce_pattern pattern;
    struct nuce_schedule planned; /* what the schedule in force has room for */
    struct nuce_schedule rest;    /* what it has not: to follow; of no pieces: nothing */
};

/* Starts zeroed. */
struct nuce_sequence {
    struct nuce_sequence_terms terms;
    struct nuce_sequence_step *step; /* terms.steps */
    struct nuce_schedule plan;       /* in force in the step that was made last */
    struct nuce_pattern room;        /* of plan */
    struct nuce_pattern beyond;      /* what the next step's pattern has beyond it */
    int64_t schedules;               /* computed, repairs not counted */
    int64_t rest_bytes;              /* of all steps so far */
    double seconds; /* processor time that schedules and their upkeep took so far */
};

/* Room for the steps; their patterns are the caller's to put there. Freed with nuce_sequence_fini,
 * which takes an empty one. */
nuce_status nuce_sequence_init(const struct nuce_sequence_terms *terms, struct nuce_sequence *out,
                               struct nuce_error *error);
void nuce_sequence_fini(struct nuce_sequence *sequence);

/* For each step in its turn: *wanted is the pattern that a schedule is wanted of, by the algorithm
 * of the sequence, borrowed until nuce_sequence_take; NULL: none. Pure, as the next. */
nuce_status nuce_sequence_want(struct nuce_sequence *sequence, int64_t step,
                               const struct nuce_pattern **wanted, struct nuce_error *error);

/* Then: makes what the step has planned and its rest, and checks that both together deliver every
 * byte of its pattern once. schedule, which is taken over and emptied, also on failure, is what was
 * wanted and took so many seconds to make; NULL: nothing was. */
nuce_status nuce_sequence_take(struct nuce_sequence *sequence, int64_t step,
                               struct nuce_schedule *schedule, double seconds,
                               struct nuce_error *error);

/* Rows of what nuce_sequence_describe sets. */
extern const struct nuce_result nuce_sequence_results[];

/* Adds what the whole sequence comes to, in place of what was said of its first pattern: bounds and
 * the prediction, which *predicted gets too (NaN: there is none), if network is not NULL. No step
 * waits for all ranks of the one before, so the bounds are those of all messages together.
 * execution NULL: what fits each schedule. */
nuce_status nuce_sequence_describe(const struct nuce_sequence *sequence,
                                   const struct nuce_network *network,
                                   const enum nuce_execution *execution, double *predicted,
                                   struct nuce_found *found, struct nuce_error *error);

#endif
