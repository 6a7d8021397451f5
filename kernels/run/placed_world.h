/* The world as the processes of a placed workload see it: their own numbers for ranks. */
#ifndef NUCE_PLACED_WORLD_H
#define NUCE_PLACED_WORLD_H

#include <jansson.h>

#include "base/error.h"
#include "points/point.h"
#include "run/world.h"

struct nuce_placed_world {
    struct nuce_world world; /* rank is the process; communicators are numbered so */
    int first;               /* the rank, as launched, of process 0 */
    int64_t moved;           /* processes that are not on the node of the rank of their number */
    double cardinality;      /* modelled: bytes x links; NaN: no topology is known */
    double latency_s;        /* modelled, of a message's header; NaN also where none are sent */
    char topology[NUCE_PATH_BYTES]; /* NAME@SHA-256; "": none */
};

/* Places the processes of point (nuce_placed_ranks_wanted is not NULL) as it wants: rank 0 computes
 * on the whole pattern. world is borrowed, and its wait policy copied. NUCE_BAD_INPUT: the topology
 * cannot be read or lacks hosts. Collective over world; all ranks return the same status, and *out
 * is as it was on failure. Freed with nuce_placed_world_fini, collective over the placed world. */
nuce_status nuce_placed_world_init(struct nuce_world *world, const struct nuce_point *point,
                                   struct nuce_placed_world *out, struct nuce_error *error);
void nuce_placed_world_fini(struct nuce_placed_world *placed);

/* Brings *value (an object, or NULL) from process 0 to rank 0 of world, the one that placed was
 * made of; elsewhere *value becomes NULL. Takes the reference given. Collective; all ranks return
 * the same status. */
nuce_status nuce_placed_world_bring(struct nuce_world *world,
                                    const struct nuce_placed_world *placed, json_t **value,
                                    struct nuce_error *error);

#endif
