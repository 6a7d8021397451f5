/* Lower bounds of the time of any schedule. */
#ifndef NUCE_BOUNDS_H
#define NUCE_BOUNDS_H

#include "base/error.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* Lower bounds in seconds, by the assumption about the ports. */
struct nuce_bounds {
    double single_port; /* seconds: max over ranks of the row sum and the column sum of T + bytes /
                           B: the papers' lower bound, with one transfer at a time per rank */
    double port; /* seconds: max over ports, rails, insides and nodes of bytes / capacity and over
                    messages of T + bytes / B: a bound on every network if ranks do not forward
                    messages */
    double forwarded; /* seconds: max over ports and nodes of bytes / capacity, of the bytes that
                         leave or reach a node by all of its rails together, of a rank's bytes by
                         rail and inside, and of the longest message by the fastest of all pairs: a
                         bound also with forwarding */
};

/* The bound of a schedule of that discipline. It is `forwarded` if the ranks may forward messages.
 * That includes dynamic schedules, whose executor (a call of the library) may do so. */
double nuce_bounds_of(const struct nuce_bounds *bounds, enum nuce_discipline discipline);

/* network has as many ranks as pattern. Messages to oneself cost nothing. O(ranks + messages). */
void nuce_bounds_compute(const struct nuce_pattern *pattern, const struct nuce_network *network,
                         struct nuce_bounds *out);

#endif
