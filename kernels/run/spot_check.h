/* Looks at the received data of steps during sampling: a flipped bit in one step of many
 * disappears with the next. */
#ifndef NUCE_SPOT_CHECK_H
#define NUCE_SPOT_CHECK_H

#include <stdint.h>

#include "run/workload_run.h"
#include "run/world.h"

/* Looks of one entrant, on one rank; starts zeroed. */
struct nuce_glance {
    double share;         /* of the rounds with a look; the same on all ranks, as the next */
    double mark_s;        /* time of a look */
    int64_t turns, looks; /* turns of the entrant; those with a look */
    int64_t wrong;        /* looks that found other bytes than the first */
    uint64_t mark;        /* of the first look */
    uint64_t balance;     /* if steps differ: received minus sent, of all looks, which is 0 over
                           * all ranks */
};

/* Called after the warm-up, before turns of at least turn_s, which is the same on all ranks. All
 * turns get a look if that takes at most a fifth of their time, else the share that takes a
 * fifth. There are no looks if the workload has no mark, or if steps differ and each is prepared
 * (prepares). Collective. */
void nuce_glance_begin(struct nuce_world *world, const struct nuce_workload_run *run, void *self,
                       int prepares, double turn_s, struct nuce_glance *look);

/* Called before a turn: returns true if it gets a look. drawn: of its round, uniform in [0, 1),
 * the same on all ranks. */
int nuce_glance_is_due(struct nuce_glance *look, double drawn);

/* Takes a look, outside of the turn's time. Local. */
void nuce_glance_take(struct nuce_glance *look, const struct nuce_workload_run *run, void *self);

/* Returns NUCE_CORRUPT if some look found wrong data. Collective; all ranks return the same
 * status. */
nuce_status nuce_glance_verify(struct nuce_world *world, const struct nuce_glance *look,
                               struct nuce_error *error);

#endif
