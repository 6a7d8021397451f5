/* One clock for all ranks: rank 0's. Ranks of one node read the same clock. The offset and the
 * drift of other nodes' clocks are measured repeatedly. */
#ifndef NUCE_CLOCK_SYNC_H
#define NUCE_CLOCK_SYNC_H

#include "run/world.h"

/* One comparison of a clock with the common one. */
struct nuce_clock_point {
    double local_s; /* this clock */
    double ahead_s; /* this clock minus the common one, at that time */
    double error_s; /* largest error of ahead_s: half of the round trips */
};

/* Number of kept points: at one per second the last minute, over which a clock's rate is steady. */
#define NUCE_CLOCK_POINTS 64

/* All zero: the clock is the common one. */
struct nuce_clock_fit {
    struct nuce_clock_point points[NUCE_CLOCK_POINTS];
    int count;       /* of points, at most NUCE_CLOCK_POINTS */
    int next;        /* index of the next point */
    double middle_s; /* local time at which the line has the value ahead_s */
    double ahead_s;
    double drift;       /* seconds gained per second */
    double drift_error; /* its standard error */
    double residual_s;  /* distance of the last point from the previous line */
};

/* The last added point; there must be one. */
static inline const struct nuce_clock_point *nuce_clock_fit_last(const struct nuce_clock_fit *fit)
{
    return &fit->points[(fit->next + NUCE_CLOCK_POINTS - 1) % NUCE_CLOCK_POINTS];
}

/* Adds a point, which replaces the oldest if the list is full, and fits the line again. */
void nuce_clock_fit_add(struct nuce_clock_fit *fit, const struct nuce_clock_point *point);

/* Seconds after its last point during which the line is valid: until the error of its drift
 * matters compared to half of a round trip. It is at least half of the time between its first
 * and last point, so that few passes suffice even with scatter, and at most two seconds.
 * INFINITY without a point. */
double nuce_clock_fit_holds(const struct nuce_clock_fit *fit);

/* Lead of this clock over the common one when it shows local_s. */
static inline double nuce_clock_fit_ahead(const struct nuce_clock_fit *fit, double local_s)
{
    return fit->ahead_s + fit->drift * (local_s - fit->middle_s);
}

/* Round trips between two clocks, and the rule that ends them. */
#define NUCE_CLOCK_TRIPS 10 /* the limit, for any scatter */

/* All zero: none yet. */
struct nuce_clock_trips {
    double seconds[NUCE_CLOCK_TRIPS];
    int count;
};

/* count is below NUCE_CLOCK_TRIPS. Returns true if this trip is the shortest so far. */
int nuce_clock_trips_add(struct nuce_clock_trips *trips, double seconds);

/* True if more trips would add little, or take too long. */
int nuce_clock_trips_suffice(const struct nuce_clock_trips *trips);

struct nuce_clock_sync {
    struct nuce_world *world;  /* borrowed */
    int *firsts;               /* the first rank that reads each clock; NULL: there is one clock */
    int count;                 /* number of clocks; 1: nothing to do */
    int number;                /* of the clock that this rank is the first to read, else -1 */
    double holds_s;            /* longest time between two passes; the same on all ranks */
    double took_s;             /* time of the first synchronisation, on this rank */
    struct nuce_clock_fit fit; /* of this rank's clock; empty: it is rank 0's */
};

/* Finds the ranks that share a clock, and compares the clocks once. world is kept. Collective
 * over the world, as are all functions below but the last. Freed with nuce_clock_sync_fini. */
void nuce_clock_sync_init(struct nuce_world *world, struct nuce_clock_sync *out);
void nuce_clock_sync_fini(struct nuce_clock_sync *sync);

/* Compares all clocks once more, in log2(clocks) rounds of a few round trips. Each line is
 * fitted again and is valid for holds_s, which grows with the knowledge of the drift. */
void nuce_clock_sync_pass(struct nuce_clock_sync *sync);

/* Accuracy of the clocks, the worst of all ranks by the last pass. */
struct nuce_clock_quality {
    double residual_s; /* distance of a clock from its previous line */
    double error_s;    /* uncertainty of that: half of the round trips, summed up */
};
struct nuce_clock_quality nuce_clock_sync_quality(struct nuce_clock_sync *sync);

/* The time of rank 0's clock when this rank's shows local_s, and the reverse. Local. */
double nuce_clock_sync_common(const struct nuce_clock_sync *sync, double local_s);
double nuce_clock_sync_local(const struct nuce_clock_sync *sync, double common_s);

#endif
