/* Looks at what steps received while samples are taken: a flipped bit in one step of many is gone
 * with the next. */
#ifndef NUCE_GLANCE_H
#define NUCE_GLANCE_H

#include <stdint.h>

#include "measure/workload_run.h"
#include "support/rng.h"

/* Of one entrant, on one rank; starts zeroed. */
struct nuce_glance {
    int64_t turns, looks; /* that the entrant had; after which its bytes were looked at */
    int64_t wrong;        /* looks that found other bytes than the first */
    uint64_t mark;        /* of the first look */
    double mark_s;        /* what a look takes: the shortest so far */
};

/* After a turn of turn_s, outside of its time: looks, or, where that would take more than a fifth
 * of the turn, looks by chance as often as it may. Nothing where the workload has no mark. Local.
 */
void nuce_glance_after(struct nuce_glance *look, const struct nuce_workload_run *run, void *self,
                       double turn_s, struct nuce_rng *rng);

/* Adds what another look at the same workload found: that of the twin. */
void nuce_glance_add(struct nuce_glance *look, const struct nuce_glance *other);

#endif
