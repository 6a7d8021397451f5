/* The world as the processes of a placed workload see it: their own numbers for ranks. */
#ifndef NUCE_PLACED_WORLD_H
#define NUCE_PLACED_WORLD_H

#include <jansson.h>

#include "base/error.h"
#include "mapping/topology.h"
#include "points/placing.h"
#include "points/point.h"
#include "run/world.h"

/* The file to read: that of placing; else the platform that is simulated; else, in a job of Slurm,
 * the topology.conf beside $SLURM_CONF, in /etc/slurm, or where nodes without a configuration of
 * their own keep it (/run/slurm/conf). A new string, freed by the caller; NULL with *error:
 * NUCE_BAD_INPUT where there is none. Local. */
char *nuce_placed_world_topology_path(const struct nuce_placing *placing, struct nuce_error *error);

/* Reads path and fills node[rank], one for each rank of world: the node of the topology that the
 * rank runs on, by the name of its host, or, if placing says so, in their order. NUCE_BAD_INPUT
 * names path and what it lacks; *out is then as it was. *out is freed with nuce_topology_fini. Rank
 * 0, which knows the hosts; local. */
nuce_status nuce_placed_world_topology(const struct nuce_world *world,
                                       const struct nuce_placing *placing, const char *path,
                                       struct nuce_topology *out, int *node,
                                       struct nuce_error *error);

/* The switches and nodes that the ranks run on. */
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
