/* The node of each rank. */
#ifndef NUCE_NODES_H
#define NUCE_NODES_H

#include "base/error.h"
#include "run/world.h"

/* Numbers nodes from 0 in the order of their first ranks. node_of[i] is the node of rank i, with
 * the name at names + i x width. Ranks with equal names are on one node. */
void nuce_nodes_group(const char *names, int width, int ranks, int *node_of);

#define NUCE_NODE_NAME_BYTES 65 /* HOST_NAME_MAX of Linux, and the end */

/* The names of the hosts of all ranks, zero-ended; rank i's is at i x NUCE_NODE_NAME_BYTES. A new
 * array, freed by the caller. Collective over the world; the same on all ranks. */
char *nuce_nodes_names(struct nuce_world *world);

/* Makes *node_of, world->size numbers: the node of each rank, by host name, numbered as in
 * nuce_nodes_group. Nodes under one kernel (containers) thus count by name. Freed by the caller.
 * Collective over the world; the same status on all ranks. */
void nuce_nodes_by_host(struct nuce_world *world, int **node_of);

/* The groups of the ranks' nodes, by the machine's topology. */
/* Makes *group_of: the group of each rank's node, by the switch that it is attached to. A new
 * array on all ranks, freed by the caller. topology is the file; "": the machine's
 * (nuce_placed_world_topology_path), and NULL if it has none. NUCE_BAD_INPUT: the file cannot be
 * read, lacks a host, or has no groups. Collective over the world; the same status on all ranks. */
nuce_status nuce_nodes_groups(struct nuce_world *world, const char *topology, int **group_of,
                              struct nuce_error *error);

#endif
