/* Which ranks are on one node. */
#ifndef NUCE_NODES_H
#define NUCE_NODES_H

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

#endif
