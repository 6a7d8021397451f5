/* Looks at what steps received while samples are taken: a flipped bit in one step of many is gone
 * with the next. */
#ifndef NUCE_SPOT_CHECK_H
#define NUCE_SPOT_CHECK_H

#include <stdint.h>

#include "run/workload_run.h"
#include "run/world.h"

/* Of one entrant, on one rank; starts zeroed. */
struct nuce_glance {
    double share;         /* of the rounds that are looked at; the same on all ranks, as the next */
    double mark_s;        /* what a look takes */
    int64_t turns, looks; /* that the entrant had; after which its bytes were looked at */
    int64_t wrong;        /* looks that found other bytes than the first */
    uint64_t mark;        /* of the first look */
    uint64_t balance;     /* where steps differ: of all looks, what was received less what was sent,
                             which over all ranks is 0 */
};

/* After the warm-up, before turns of turn_s at least, the same on all ranks: all are looked at
 * where that takes at most a fifth of them, else as many of them as take so much. None where the
 * workload has no mark, and none where steps differ and the run begins anew before each (prepares).
 * Collective. */
void nuce_glance_begin(struct nuce_world *world, const struct nuce_workload_run *run, void *self,
                       int prepares, double turn_s, struct nuce_glance *look);

/* After a turn: whether it is looked at. drawn: of its round, uniform in [0, 1), the same on all
 * ranks. */
int nuce_glance_is_due(struct nuce_glance *look, double drawn);

/* Looks, outside of the turn's time. Local. */
void nuce_glance_take(struct nuce_glance *look, const struct nuce_workload_run *run, void *self);

/* Whether all looks found what they should: NUCE_CORRUPT where they did not. Collective; all ranks
 * return the same status. */
nuce_status nuce_glance_verify(struct nuce_world *world, const struct nuce_glance *look,
                               struct nuce_error *error);

#endif
