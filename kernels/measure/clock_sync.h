/* One clock for all ranks: rank 0's. Ranks of one node read the same clock; how far another node's
 * is ahead of it, and how fast it gains, is measured now and again. */
#ifndef NUCE_CLOCK_SYNC_H
#define NUCE_CLOCK_SYNC_H

#include "measure/clock_fit.h"
#include "world/world.h"

struct nuce_clock_sync {
    struct nuce_world *world;  /* borrowed */
    MPI_Comm sharing;          /* the ranks that read one clock; MPI_COMM_NULL: all do */
    MPI_Comm clocks;           /* of each clock the first rank; on the others none */
    int count;                 /* of clocks; 1: nothing is to be done */
    struct nuce_clock_fit fit; /* of this rank's clock; nothing in it: it is rank 0's */
};

/* Finds out which ranks share a clock, and measures the others until their drift is known roughly:
 * as many passes as take a tenth of a second. world is kept. Collective over the world, as are all
 * below but the last. Freed with nuce_clock_sync_fini. */
void nuce_clock_sync_init(struct nuce_world *world, struct nuce_clock_sync *out);
void nuce_clock_sync_fini(struct nuce_clock_sync *sync);

/* Looks at all clocks once more, in log2(clocks) rounds of round trips: the line of each is then
 * drawn anew. A line holds for some seconds, which is how often this is to be called. */
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
