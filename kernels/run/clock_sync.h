/* One clock for all ranks: rank 0's. Ranks of one node read the same clock; how far another node's
 * is ahead of it, and how fast it gains, is measured now and again. */
#ifndef NUCE_CLOCK_SYNC_H
#define NUCE_CLOCK_SYNC_H

#include "run/world.h"

/* One reading of a clock that is apart from the common one. */
struct nuce_clock_point {
    double local_s; /* this clock */
    double ahead_s; /* this clock minus the common one, then */
    double error_s; /* ahead_s is at most so far from the truth: half of round trips */
};

/* Points that are kept: at one a second the last minute, over which a clock's rate is steady. */
#define NUCE_CLOCK_POINTS 64

/* All zero: a clock that is the common one. */
struct nuce_clock_fit {
    struct nuce_clock_point points[NUCE_CLOCK_POINTS];
    int count;       /* of points, at most NUCE_CLOCK_POINTS */
    int next;        /* where the next one goes */
    double middle_s; /* local: the line is ahead_s there */
    double ahead_s;
    double drift;       /* seconds gained in each */
    double drift_error; /* its standard error */
    double residual_s;  /* the last point was so far from what the line before had said */
};

/* The point that was added last; there is one. */
static inline const struct nuce_clock_point *nuce_clock_fit_last(const struct nuce_clock_fit *fit)
{
    return &fit->points[(fit->next + NUCE_CLOCK_POINTS - 1) % NUCE_CLOCK_POINTS];
}

/* Adds a point, in the place of the oldest if there are many, and draws the line anew. */
void nuce_clock_fit_add(struct nuce_clock_fit *fit, const struct nuce_clock_point *point);

/* How long after its last point the line is good for, seconds: until what it is off by for its
 * drift is no longer small beside half of a round trip, and half as long as its points lie apart in
 * any case, so that few are enough however they scatter; two seconds at most. INFINITY without a
 * point.
 */
double nuce_clock_fit_holds(const struct nuce_clock_fit *fit);

/* How far this clock is ahead of the common one when it says local_s. */
static inline double nuce_clock_fit_ahead(const struct nuce_clock_fit *fit, double local_s)
{
    return fit->ahead_s + fit->drift * (local_s - fit->middle_s);
}

/* Round trips between two clocks, and when there have been enough of them. */
#define NUCE_CLOCK_TRIPS 10 /* no more, however they scatter */

/* All zero: none yet. */
struct nuce_clock_trips {
    double seconds[NUCE_CLOCK_TRIPS];
    int count;
};

/* count is below NUCE_CLOCK_TRIPS. Returns whether it is the shortest so far. */
int nuce_clock_trips_add(struct nuce_clock_trips *trips, double seconds);

/* Whether more of them would say little that is new, or take too long. */
int nuce_clock_trips_suffice(const struct nuce_clock_trips *trips);

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
