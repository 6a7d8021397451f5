/* tree: only the links of the spanning tree, each switch to its parent, are used. Linked switches
 * can then be several links apart, as 4 and 7 in Figure 3 of the mapping paper, which are three
 * apart. Under up and down routing as the text states it they would be one apart. Networks that
 * Slurm describes are trees: there all routings agree.
 * Source: Moh et al., Figure 3; Slurm, topology.conf. */
#include <string.h>

#include "mapping/routing.h"

/* Distances to the switches below, from the leaves upwards; to all others by the parent, from the
 * root downwards. */
static void tree_measure(struct nuce_routing *routing)
{
    int64_t switches = routing->topology->switches;
    uint16_t *distance = routing->distance;

    memset(distance, 0xff, (size_t)(switches * switches) * sizeof *distance);
    for (int64_t s = 0; s < switches; s++)
        distance[s * switches + s] = 0;
    for (int64_t i = switches - 1; i > 0; i--) {
        int s = routing->order[i];

        nuce_routing_relax(distance + routing->parent[s] * switches, distance + s * switches,
                           (int)switches);
    }
    for (int64_t i = 1; i < switches; i++) {
        int s = routing->order[i];

        nuce_routing_relax(distance + s * switches, distance + routing->parent[s] * switches,
                           (int)switches);
    }
}

/* Over a link of the tree, in either direction. */
static int tree_may_go(const struct nuce_routing *routing, int from, int to, int is_down)
{
    (void)is_down;
    return routing->parent[from] == to || routing->parent[to] == from;
}

const struct nuce_routing_ops nuce_routing_tree = {
    .name = "tree",
    .summary = "only the links of the spanning tree",
    .source = "Moh et al., Figure 3; Slurm's topology.conf",
    .measure = tree_measure,
    .may_go = tree_may_go,
};
