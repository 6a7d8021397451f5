/* The world of a placed workload's processes, with their own numbers for ranks. */
#ifndef NUCE_PLACED_WORLD_H
#define NUCE_PLACED_WORLD_H

#include <jansson.h>

#include "base/error.h"
#include "mapping/topology.h"
#include "points/placing.h"
#include "points/point.h"
#include "run/world.h"

/* The topology file: that of placing; else the simulated platform; else, in a job of Slurm, a
 * topology.conf. It is next to $SLURM_CONF, in /etc/slurm, or in /run/slurm/conf, where nodes
 * without a configuration of their own keep it. A new string, freed by the caller; NULL with
 * *error: NUCE_BAD_INPUT if there is none. Local. */
char *nuce_placed_world_topology_path(const struct nuce_placing *placing, struct nuce_error *error);

/* Reads path and fills node[rank], one for each rank of world: the rank's node in the topology.
 * It is found by the name of its host, or, with the option of placing, in order. NUCE_BAD_INPUT
 * names path and the error; *out is then unchanged. *out is freed with nuce_topology_fini. Rank
 * 0, which knows the hosts; local. */
nuce_status nuce_placed_world_topology(const struct nuce_world *world,
                                       const struct nuce_placing *placing, const char *path,
                                       struct nuce_topology *out, int *node,
                                       struct nuce_error *error);

/* The ranks as processes of a placed workload, and the results of the placement. */
struct nuce_placed_world {
    struct nuce_world world; /* rank is the process number, also in the communicators */
    int first;               /* original rank of process 0 */
    int64_t moved;           /* processes that are not on the node of the rank with their number */
    double cardinality;      /* modelled: bytes x links; NaN: no topology is known */
    double latency_s;        /* modelled, of a message's header; NaN also without messages */
    char topology[NUCE_PATH_BYTES]; /* NAME@SHA-256; "": none */
};

/* Places the processes of point, which must want a placement (nuce_placed_ranks_wanted is not
 * NULL). Rank 0 computes it on the whole pattern. world is borrowed, and its wait policy copied.
 * NUCE_BAD_INPUT: the topology cannot be read or lacks hosts. Collective over world; all ranks
 * return the same status, and *out is unchanged on failure. Freed with nuce_placed_world_fini,
 * collective over the placed world. */
nuce_status nuce_placed_world_init(struct nuce_world *world, const struct nuce_point *point,
                                   struct nuce_placed_world *out, struct nuce_error *error);
void nuce_placed_world_fini(struct nuce_placed_world *placed);

/* Moves *value (an object, or NULL) from process 0 of placed to rank 0 of world, from which
 * placed was made; elsewhere *value becomes NULL. Takes over the reference. Collective; all
 * ranks return the same status. */
nuce_status nuce_placed_world_bring(struct nuce_world *world,
                                    const struct nuce_placed_world *placed, json_t **value,
                                    struct nuce_error *error);

#endif
