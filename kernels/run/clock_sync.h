/* One clock for all ranks: rank 0's. Ranks of one node read the same clock; how far another node's
 * is ahead of it, and how fast it gains, is measured now and again. */
#ifndef NUCE_CLOCK_SYNC_H
#define NUCE_CLOCK_SYNC_H

#include "run/clock_fit.h"
#include "run/world.h"

struct nuce_clock_sync {
    struct nuce_world *world;  /* borrowed */
    int *firsts;               /* of each clock the first rank that reads it; NULL: there is one */
    int count;                 /* of clocks; 1: nothing is to be done */
    int number;                /* of the clock that this rank is the first to read, else -1 */
    double holds_s;            /* from one pass to the next, at most; the same on all ranks */
    double took_s;             /* to synchronise them at first, on this rank */
    struct nuce_clock_fit fit; /* of this rank's clock; nothing in it: it is rank 0's */
};

/* Finds out which ranks share a clock, and looks at the others once. world is kept. Collective over
 * the world, as are all below but the last. Freed with nuce_clock_sync_fini. */
void nuce_clock_sync_init(struct nuce_world *world, struct nuce_clock_sync *out);
void nuce_clock_sync_fini(struct nuce_clock_sync *sync);

/* Looks at all clocks once more, in log2(clocks) rounds of a few round trips: the line of each is
 * then drawn anew, and is good for holds_s, which grows with what is known of the drift. */
void nuce_clock_sync_pass(struct nuce_clock_sync *sync);

/* How well clocks are known, the worst of all ranks by the last pass. */
struct nuce_clock_quality {
    double residual_s; /* a clock was so far from what the line before had said */
    double error_s;    /* and that is known to this: half of the round trips, summed up */
};
struct nuce_clock_quality nuce_clock_sync_quality(struct nuce_clock_sync *sync);

/* What rank 0's clock says when this rank's says local_s, and the other way round. Local. */
double nuce_clock_sync_common(const struct nuce_clock_sync *sync, double local_s);
double nuce_clock_sync_local(const struct nuce_clock_sync *sync, double common_s);

#endif
