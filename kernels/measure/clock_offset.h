/* How far the clocks of the nodes are apart. */
#ifndef NUCE_CLOCK_OFFSET_H
#define NUCE_CLOCK_OFFSET_H

#include "world/world.h"

struct nuce_clock_offset {
    double offset_s; /* nuce_clock() here minus nuce_clock() on rank 0, at one moment */
    double error_s;  /* the offset is at most so far from the truth: half the round trip */
};

/* Rank 0 exchanges messages with each rank in turn; of all round trips the shortest counts, since
 * its reply was stamped nearest to its middle (Cristian, "Probabilistic clock synchronization",
 * Distributed Computing 3, 1989). Collective; takes ranks x 50 round trips. */
struct nuce_clock_offset nuce_clock_offset(struct nuce_world *world);

#endif
