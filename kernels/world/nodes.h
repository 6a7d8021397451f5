/* Which ranks are on one node, and which of them speak to other nodes. */
#ifndef NUCE_NODES_H
#define NUCE_NODES_H

#include "world/world.h"

/* Nodes and their ranks, both ways. All arrays are owned. */
struct nuce_nodes {
    int nodes;
    int *node_of; /* ranks */
    int *start;   /* nodes + 1: node n's ranks are rank[start[n]] .. rank[start[n + 1] - 1] */
    int *rank;    /* ranks, ascending on each node */
};

/* Numbers nodes from 0 in the order of their first ranks: node_of[i] is the node of rank i, whose
 * name is the text at names + i x width. Ranks of one name are on one node. */
void nuce_nodes_group(const char *names, int width, int ranks, int *node_of);

/* The names of the hosts of all ranks, zero-ended; rank i's is at *names + i x *width. Freed by the
 * caller. Collective over the world; the same status on all ranks. */
nuce_status nuce_nodes_names(struct nuce_world *world, char **names, int *width,
                             struct nuce_error *error);

/* The nodes of so many ranks from node_of (copied; numbers from 0). Local. Freed with
 * nuce_nodes_fini. */
nuce_status nuce_nodes_init(const int *node_of, int ranks, struct nuce_nodes *out,
                            struct nuce_error *error);
void nuce_nodes_fini(struct nuce_nodes *nodes);

/* The nodes of the world by host name, so that nodes under one kernel (containers) count as they
 * are named. Freed with nuce_nodes_fini. Collective over the world; the same status on all
 * ranks. */
nuce_status nuce_nodes_by_host(struct nuce_world *world, struct nuce_nodes *out,
                               struct nuce_error *error);

/* The rank of `node` that speaks to node `other`, which is another one: its ranks take turns at the
 * nodes that follow it, so that no rank speaks for all. Local. */
int nuce_nodes_agent(const struct nuce_nodes *nodes, int node, int other);

#endif
