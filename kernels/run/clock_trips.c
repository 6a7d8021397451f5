/* The shortest of some round trips is the one whose middle is known best, and it is the shortest
 * for good once others have come out alike: what keeps a trip waiting is never twice the same. On
 * an idle network that is so after three or four; where each waits for a processor or for others'
 * messages it may never be so, and time ends it. */
#include "run/clock_trips.h"

#include <math.h>

/* So many trips that take no longer than this many times the shortest are alike. */
#define ALIKE_ENOUGH 3
#define ALIKE_RATIO 1.1

/* No more trips after so many seconds, but at least so many: one of them may have waited. The first
 * one does not count, since the other rank may be busy with others for long before. */
#define ENOUGH_S 0.01
#define LEAST 3

static double shortest(const struct nuce_clock_trips *trips)
{
    double least = INFINITY;

    for (int i = 0; i < trips->count; i++)
        least = fmin(least, trips->seconds[i]);
    return least;
}

int nuce_clock_trips_add(struct nuce_clock_trips *trips, double seconds)
{
    double before = shortest(trips);

    trips->seconds[trips->count++] = seconds;
    return seconds < before;
}

int nuce_clock_trips_suffice(const struct nuce_clock_trips *trips)
{
    double least = shortest(trips), spent_s = 0;
    int alike = 0;

    for (int i = 0; i < trips->count; i++) {
        alike += trips->seconds[i] <= ALIKE_RATIO * least;
        spent_s += i == 0 ? 0 : trips->seconds[i];
    }
    return trips->count >= NUCE_CLOCK_TRIPS || alike >= ALIKE_ENOUGH ||
           (trips->count >= LEAST && spent_s >= ENOUGH_S);
}
