/* Progressive filling: all rates rise together; a flow stops at its limit or when one of its ports
 * is full.
 *
 * A port's share is the rest of its capacity divided by its flows that still rise. Shares only
 * grow: a flow stops at no more than the share of each of its ports, which leaves the others no
 * less. So a round need not find the first flow to stop among all. In a round
 *   - a flow whose limit is at most the shares of all of its ports stops there;
 *   - all flows of a port stop at its share, if that is at most the share of every port that it
 *     shares a flow with. The exception is a port of which a flow has stopped in this round: its
 *     share has grown then.
 *
 * Cost: a round visits the flows that still rise, and all their ports. At least one stops in a
 * round. The number of rounds is the length of a chain of ports with ascending shares, about 5 for
 * random ones. */
#include "schedules/fair_rates.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"

void nuce_fair_rates_init(int ports, const double *capacity, int most, struct nuce_fair_rates *out)
{
    *out = (struct nuce_fair_rates){.capacity = capacity};
    out->port = nuce_allocate(ports, sizeof *out->port);
    out->used = nuce_allocate(ports, sizeof *out->used);
    out->list = nuce_allocate(most, sizeof *out->list);
}

void nuce_fair_rates_fini(struct nuce_fair_rates *rates)
{
    free(rates->port);
    free(rates->used);
    free(rates->list);
    *rates = (struct nuce_fair_rates){0};
}

/* Sets the flow's rate; each of its ports has that much less left, and one flow less. */
static void fair_rates_stop(struct nuce_fair_rates *rates, struct nuce_flow *flow, double rate)
{
    flow->rate = rate;
    for (int side = 0; side < flow->way.count; side++) {
        rates->port[flow->way.place[side]].left -= rate;
        rates->port[flow->way.place[side]].unset--;
    }
}

void nuce_fair_rates_share(struct nuce_fair_rates *rates, struct nuce_flow *flows,
                           const int *chosen, int count)
{
    /* All of the chosen flows rise, and all of their ports are empty. */
    rates->used_count = 0;
    for (int k = 0; k < count; k++) {
        rates->list[k] = chosen[k];
        for (int side = 0; side < flows[chosen[k]].way.count; side++) {
            int p = flows[chosen[k]].way.place[side];

            if (rates->port[p].unset++ == 0) {
                rates->port[p].left = rates->capacity[p];
                rates->used[rates->used_count++] = p;
            }
        }
    }
    while (count > 0) {
        int kept = 0;

        /* Computes the shares again. A port whose flows have all stopped has an infinite or no
         * share, which is never used. */
        for (int k = 0; k < rates->used_count; k++) {
            int p = rates->used[k];

            rates->port[p].share = rates->port[p].left / rates->port[p].unset;
            rates->port[p].is_least = 1;
        }

        /* Stops the flows at their limits. is_least marks the ports of least share among those of
         * the other flows, if none of their flows has stopped. */
        for (int k = 0; k < count; k++) {
            struct nuce_flow *flow = &flows[rates->list[k]];
            double least = INFINITY;
            int stops;

            for (int side = 0; side < flow->way.count; side++)
                least = fmin(least, rates->port[flow->way.place[side]].share);
            stops = flow->limit <= least;
            for (int side = 0; side < flow->way.count; side++)
                rates->port[flow->way.place[side]].is_least &=
                    !stops && rates->port[flow->way.place[side]].share <= least;
            if (stops)
                fair_rates_stop(rates, flow, flow->limit);
            else
                rates->list[kept++] = rates->list[k];
        }
        count = kept;
        kept = 0;
        /* Stops the flows of the marked ports at these ports' shares. */
        for (int k = 0; k < count; k++) {
            struct nuce_flow *flow = &flows[rates->list[k]];
            int side = 0;

            while (side < flow->way.count && !rates->port[flow->way.place[side]].is_least)
                side++;
            if (side < flow->way.count)
                fair_rates_stop(rates, flow, rates->port[flow->way.place[side]].share);
            else
                rates->list[kept++] = rates->list[k];
        }
        count = kept;
    }
}
