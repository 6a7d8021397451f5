/* updown: a path goes up any number of links, possibly none, and then down any number; the up end
 * of a link is its lower (level, number). No cycle of waiting messages can close, so there is no
 * deadlock. A single link is always legal: linked switches are one apart.
 *
 * The table row by row: down(s, .) is the least of 0 at s itself and 1 + down(t, .) over the links
 * down from s, made from the lowest switches upwards. The distance is the least of down(s, .) and 1
 * + distance(t, .) over the links up from s, from the root downwards. O(links x switches).
 * Source: Moh et al., section 3.1; Schroeder et al., Autonet, SRC Research Report 59, 1990. */
#include <string.h>

#include "mapping/routing.h"

/* Computes row s from the rows of the switches that its links up (or down) lead to. */
static void relax_row(struct nuce_routing *routing, int s, int up)
{
    const struct nuce_topology *topology = routing->topology;
    int switches = topology->switches;
    uint16_t *row = routing->distance + (int64_t)s * switches;

    for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
        int t = topology->neighbor[k];

        if (nuce_routing_is_up(routing, s, t) == up)
            nuce_routing_relax(row, routing->distance + (int64_t)t * switches, switches);
    }
}

static void updown_measure(struct nuce_routing *routing)
{
    int switches = routing->topology->switches;

    memset(routing->distance, 0xff,
           (size_t)switches * (size_t)switches * sizeof *routing->distance);
    for (int i = switches - 1; i >= 0; i--) {
        int s = routing->order[i];

        routing->distance[(int64_t)s * switches + s] = 0;
        relax_row(routing, s, 0);
    }
    for (int i = 0; i < switches; i++)
        relax_row(routing, routing->order[i], 1);
}

/* Any link before the first link down, and only links down after it. */
static int updown_may_go(const struct nuce_routing *routing, int from, int to, int is_down)
{
    return !is_down || !nuce_routing_is_up(routing, from, to);
}

const struct nuce_routing_ops nuce_routing_updown = {
    .name = "updown",
    .summary = "up any number of links towards the root, then down",
    .source = "Moh et al., section 3.1; Autonet",
    .measure = updown_measure,
    .may_go = updown_may_go,
};
