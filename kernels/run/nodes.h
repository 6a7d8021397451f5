/* Which ranks are on one node. */
#ifndef NUCE_NODES_H
#define NUCE_NODES_H

#include "base/error.h"
#include "run/world.h"

/* Numbers nodes from 0 in the order of their first ranks: node_of[i] is the node of rank i, whose
 * name is the text at names + i x width. Ranks of one name are on one node. */
void nuce_nodes_group(const char *names, int width, int ranks, int *node_of);

/* The names of the hosts of all ranks, zero-ended; rank i's is at *names + i x *width. Freed by the
 * caller. Collective over the world; the same status on all ranks. */
void nuce_nodes_names(struct nuce_world *world, char **names, int *width);

/* *node_of: world->size: the node of each rank, numbered as nuce_nodes_group does, by host name, so
 * that nodes under one kernel (containers) count as they are named. Freed by the caller. Collective
 * over the world; the same status on all ranks. */
void nuce_nodes_by_host(struct nuce_world *world, int **node_of);

/* The groups of nodes that the ranks run on, as the machine's topology tells them. */
/* *group_of[rank]: the number of the group that the rank's node is in, by the switch that it hangs
 * on: a new array on all ranks, freed by the caller. topology is the file; "": what the machine
 * says (nuce_placed_world_topology_path), and NULL where that says nothing. NUCE_BAD_INPUT: it
 * cannot be read, lacks a host, or has no groups. Collective over the world; the same status on all
 * ranks. */
nuce_status nuce_nodes_groups(struct nuce_world *world, const char *topology, int **group_of,
                              struct nuce_error *error);

#endif
