/* shortest: any path, as on networks whose virtual channels prevent deadlock. The difference to
 * updown is the cost of up and down routing.
 * Source: breadth-first search. */
#include "mapping/routing.h"

static int shortest_may_go(const struct nuce_routing *routing, int from, int to, int is_down)
{
    (void)routing;
    (void)from;
    (void)to;
    (void)is_down;
    return 1;
}

const struct nuce_routing_ops nuce_routing_shortest = {
    .name = "shortest",
    .summary = "the fewest links, whatever their direction",
    .source = "breadth-first search",
    .measure = nuce_routing_measure_all,
    .may_go = shortest_may_go,
};
