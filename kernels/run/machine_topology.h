/* The switches and nodes that the ranks run on. */
#ifndef NUCE_MACHINE_TOPOLOGY_H
#define NUCE_MACHINE_TOPOLOGY_H

#include "base/error.h"
#include "mapping/topology.h"
#include "points/placing.h"
#include "run/world.h"

/* The file to read: that of placing; else the platform that is simulated; else, in a job of Slurm,
 * the topology.conf beside $SLURM_CONF, in /etc/slurm, or where nodes without a configuration of
 * their own keep it (/run/slurm/conf). A new string, freed by the caller; NULL with *error:
 * NUCE_BAD_INPUT where there is none. Local. */
char *nuce_machine_topology_path(const struct nuce_placing *placing, struct nuce_error *error);

/* Reads path and fills node[rank], one for each rank of world: the node of the topology that the
 * rank runs on, by the name of its host, or, if placing says so, in their order. NUCE_BAD_INPUT
 * names path and what it lacks; *out is then as it was. *out is freed with nuce_topology_fini. Rank
 * 0, which knows the hosts; local. */
nuce_status nuce_machine_topology(const struct nuce_world *world,
                                  const struct nuce_placing *placing, const char *path,
                                  struct nuce_topology *out, int *node, struct nuce_error *error);

#endif
