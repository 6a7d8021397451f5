/* From a list of edges to a mesh. */
#ifndef NUCE_GRAPH_H
#define NUCE_GRAPH_H

#include <stdint.h>

#include "base/error.h"
#include "instances/mesh.h"

/* A growing list of edges, all zero when empty. Ends in any order; an edge may come several times
 * and either way round. */
struct nuce_edge_list {
    int64_t count, capacity;
    int32_t (*edge)[2]; /* owned */
};

void nuce_edge_list_fini(struct nuce_edge_list *list);

/* Adds an edge between a and b, numbers from 0. */
void nuce_edge_list_add(struct nuce_edge_list *list, int32_t a, int32_t b);

/* The graph of the edges among nodes 0 .. nodes - 1, each edge once, loops dropped, without
 * coordinates. O(nodes + edges) but for the sorting of each row. Freed with nuce_mesh_fini. */
void nuce_mesh_from_edges(int64_t nodes, const struct nuce_edge_list *list, struct nuce_mesh *out);

#endif
