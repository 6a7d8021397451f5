/* Max-min fair rates: how simultaneous transfers share ports. A transfer can get more only if one
 * that has no more than it gets less (Bertsekas and Gallager, "Data Networks", 2nd edition,
 * 6.5.2). */
#ifndef NUCE_FAIR_RATES_H
#define NUCE_FAIR_RATES_H

#include "base/error.h"
#include "schedules/network.h"

struct nuce_flow {
    struct nuce_way way; /* its ports, all different; at least one */
    double limit;        /* bytes per second by itself; > 0, finite */
    double rate;         /* the result, bytes per second */
};

struct nuce_fair_port {
    double left;  /* the rest of the capacity */
    double share; /* share of each flow without a rate */
    int unset;    /* flows that have no rate yet; 0 between calls */
    int is_least; /* no port that it shares such a flow with has a lesser share */
};

struct nuce_fair_rates {
    const double *capacity; /* ports: bytes per second, > 0, also INFINITY; borrowed */
    /* Scratch. */
    struct nuce_fair_port *port;
    int *used; /* ports: those that flows go through */
    int used_count;
    int *list; /* flows that have no rate yet */
};

/* For at most `most` flows. Freed with nuce_fair_rates_fini, also on failure. */
void nuce_fair_rates_init(int ports, const double *capacity, int most, struct nuce_fair_rates *out);
void nuce_fair_rates_fini(struct nuce_fair_rates *rates);

/* Sets the rate of flows[chosen[0 .. count - 1]]. O(count rounds); see fair_rates.c. */
void nuce_fair_rates_share(struct nuce_fair_rates *rates, struct nuce_flow *flows,
                           const int *chosen, int count);

#endif
