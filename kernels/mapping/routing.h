/* Routing between switches: the legal paths, and the length and the switches of the shortest one.
 * The routing topology of the mapping paper (Moh et al., section 3.1) is the table of distances
 * under `updown`. */
#ifndef NUCE_ROUTING_H
#define NUCE_ROUTING_H

#include <stdint.h>

#include "mapping/topology.h"

struct nuce_routing_ops;

/* A routing of one topology with all of its distances. Arrays are owned and freed with
 * nuce_routing_fini. While distances are measured 65535 means no path. */
struct nuce_routing {
    const struct nuce_routing_ops *ops;
    const struct nuce_topology *topology; /* borrowed */
    /* The spanning tree of the switches: breadth first from the root of the least height, of
     * several the one with the lowest number. A switch's parent is the lowest of its neighbours one
     * level up. */
    int root, height;
    int *level, *parent; /* switches; the root's parent is -1 */
    int *order;          /* switches, by (level, number) */
    uint16_t *distance;  /* switches x switches: links of the shortest legal path */
};

/* A routing: the paths that messages may take. Distances must be symmetric. */
struct nuce_routing_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary, *source;
    /* Fills routing->distance; all else is set. */
    void (*measure)(struct nuce_routing *routing);
    /* True if a message at `from`, which it reached down a link if `is_down`, may go on to its
     * neighbour `to`. */
    int (*may_go)(const struct nuce_routing *routing, int from, int to, int is_down);
};

/* All routings in the order of routings.def, NULL-ended; the first is the default. */
extern const struct nuce_routing_ops *const nuce_routings[];
/* The routing called name, borrowed from the table; NULL: there is none. */
const struct nuce_routing_ops *nuce_routing_find(const char *name);

/* Time O(links x switches), memory 2 bytes x switches^2. topology is borrowed as long as *out
 * lives. Free with nuce_routing_fini. */
void nuce_routing_create(const struct nuce_routing_ops *ops, const struct nuce_topology *topology,
                         struct nuce_routing *out);
void nuce_routing_fini(struct nuce_routing *routing);

/* Links between switches on the path from a to b: 0 within a switch. Symmetric. */
static inline int nuce_routing_hops(const struct nuce_routing *routing, int a, int b)
{
    return routing->distance[(int64_t)a * routing->topology->switches + b];
}

/* True if the link from a to its neighbour b goes up: to a lower (level, number). */
int nuce_routing_is_up(const struct nuce_routing *routing, int a, int b);

/* The shortest legal path from a to b; of several the one with the lowest number at the first
 * difference: way[0] = a .. way[*hops] = b; way has room for `switches`. O(links). */
void nuce_routing_way(const struct nuce_routing *routing, int a, int b, int *way, int *hops);

/* place[s]: the place of switch s in a walk of the spanning tree. A switch comes before those below
 * it, which are in the order of their numbers. */
void nuce_routing_walk(const struct nuce_routing *routing, int *place);

/* For measure: the distances if every link may be used. */
void nuce_routing_measure_all(struct nuce_routing *routing);

/* row[k] = min(row[k], other[k] + 1) for count entries; 65535 means no path. */
void nuce_routing_relax(uint16_t *row, const uint16_t *other, int count);

#endif
