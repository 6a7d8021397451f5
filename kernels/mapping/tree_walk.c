/* Preorder of the spanning tree without recursion: sizes of the subtrees from the lowest level up,
 * then each switch's place from its parent's, from the root down. What is close in the walk is
 * close in the tree, which `curve` and bisections use. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mapping/routing.h"

void nuce_routing_walk(const struct nuce_routing *routing, int *place)
{
    int switches = routing->topology->switches;
    int *size = nuce_allocate(switches, sizeof *size);
    int *next = nuce_allocate(switches, sizeof *next);

    /* By level: when a switch is met here all below it have been added to it; in the loop behind,
     * its parent has its place already. */
    for (int i = switches - 1; i >= 0; i--) {
        int s = routing->order[i];

        size[s]++;
        if (i > 0)
            size[routing->parent[s]] += size[s];
    }
    for (int i = 0; i < switches; i++) {
        int s = routing->order[i];

        place[s] = 0;
        if (i > 0) {
            place[s] = next[routing->parent[s]];
            next[routing->parent[s]] += size[s];
        }
        next[s] = place[s] + 1;
    }
    free(size);
    free(next);
}
