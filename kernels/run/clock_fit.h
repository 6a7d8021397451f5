/* What one clock is ahead of another, and how fast it gains: a line through what was measured. */
#ifndef NUCE_CLOCK_FIT_H
#define NUCE_CLOCK_FIT_H

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

#endif
