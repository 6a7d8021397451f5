/* Round trips between two clocks, and when there have been enough of them. */
#ifndef NUCE_CLOCK_TRIPS_H
#define NUCE_CLOCK_TRIPS_H

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
