/* What no schedule can be faster than. */
#ifndef NUCE_BOUNDS_H
#define NUCE_BOUNDS_H

#include "base/error.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* Lower bounds of the time of any schedule, by what is true of the ports. */
struct nuce_bounds {
    double single_port; /* seconds: max over ranks of the row sum and the column sum of T + bytes /
                           B: the papers' lower bound, where a rank does one transfer at a time */
    double port; /* seconds: max over ports, rails, insides and nodes of bytes / capacity and over
                    messages of T + bytes / B: a bound on every network, unless messages go by
                    way of other ranks */
    double forwarded; /* seconds: max over ports and nodes of bytes / capacity, of what leaves or
                         reaches a node by all of its rails together, of a rank's bytes by rail and
                         inside, and of the longest message by the fastest of all pairs: a bound for
                         these, too */
};

/* The bound of a schedule of that discipline: of one whose ranks may send a message on, and of a
 * dynamic one, whose executor may (a call of the library), the one that allows it. */
double nuce_bounds_of(const struct nuce_bounds *bounds, enum nuce_discipline discipline);

/* network is of as many ranks. Messages to oneself cost nothing. O(ranks + messages). */
void nuce_bounds_compute(const struct nuce_pattern *pattern, const struct nuce_network *network,
                         struct nuce_bounds *out);

#endif
