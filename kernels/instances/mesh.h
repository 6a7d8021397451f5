/* Unstructured meshes as graphs: nodes, their neighbours and, if the file has them, coordinates. */
#ifndef NUCE_MESH_H
#define NUCE_MESH_H

#include <stdint.h>

#include "base/error.h"

/* The graph that is made of a mesh. A file that holds a graph has the nodal one alone. */
enum nuce_mesh_graph {
    NUCE_MESH_NODAL, /* its nodes, joined by the edges of elements */
    NUCE_MESH_DUAL,  /* its cells, the elements of the highest dimension, joined where two share a
                        face; in the order of the file, at the mean of their corners */
};

/* Undirected, no loops, no duplicate edges: node a lists b exactly if b lists a. Neighbours
 * ascending. Owned; empty when all is 0. 12 bytes per node and 8 per edge, and 8 per node and
 * dimension. */
struct nuce_mesh {
    int64_t nodes;
    int64_t edges;       /* undirected: half the length of neighbor */
    int64_t *start;      /* nodes + 1 */
    int32_t *neighbor;   /* 2 * edges */
    int dimensions;      /* 2 or 3, or 0: no coordinates */
    double *coordinates; /* nodes x dimensions, row by row; NULL without */
    const char *note;    /* unused content of the file, static; NULL: none */
};

/* Frees the content of *mesh and empties it; accepts an empty (all zero) one. */
void nuce_mesh_fini(struct nuce_mesh *mesh);

/* A file format; one file each, one row in formats.def. */
struct nuce_mesh_format {
    const char *name; /* "metis", "gmsh", "matrix-market" */
    const char *summary;
    const char *const *endings; /* of file names, with the dot, NULL-ended; .gz may follow */
    /* Parses length bytes at text; path is for messages, which name line and column. */
    nuce_status (*parse)(const char *path, const char *text, size_t length, struct nuce_mesh *out,
                         struct nuce_error *error);
    /* The same for the dual graph; NULL: its files hold graphs, without cells. */
    nuce_status (*parse_dual)(const char *path, const char *text, size_t length,
                              struct nuce_mesh *out, struct nuce_error *error);
};

/* All formats in the order of formats.def, NULL-ended. No two share an ending. */
extern const struct nuce_mesh_format *const nuce_mesh_formats[];

/* The format that path's ending (before .gz) names, or NULL. */
const struct nuce_mesh_format *nuce_mesh_format_of(const char *path);

/* Reads the file at path, gzip'd or not, in the format of its ending, into *out, freed with
 * nuce_mesh_fini. NUCE_BAD_INPUT with file, line and column for any error in it: cut off, a node
 * out of range, an asymmetric graph, empty, no cells for a dual one; *out is then unchanged.
 * Memory: the whole text in addition to the mesh. */
nuce_status nuce_mesh_read(const char *path, enum nuce_mesh_graph graph, struct nuce_mesh *out,
                           struct nuce_error *error);

/* The path of the mesh that the user calls name: a file if name has a slash or a known ending, else
 * one that nuce ships (configs/meshes/NAME.*). NUCE_BAD_INPUT for an unknown name, with the nearest
 * shipped one. A new string in *path, freed by the caller; *shipped is true for a shipped mesh. */
nuce_status nuce_mesh_locate(const char *name, char **path, int *shipped, struct nuce_error *error);

/* Calls each with the name of every shipped mesh, sorted, until it fails. Returns the result of the
 * last call. */
nuce_status nuce_mesh_each_shipped(nuce_status (*each)(void *context, const char *name,
                                                       struct nuce_error *error),
                                   void *context, struct nuce_error *error);

/* From a list of edges to a mesh. */

/* A growing list of edges, all zero when empty. The ends are in any order; an edge may occur
 * several times and in both directions. */
struct nuce_edge_list {
    int64_t count, capacity;
    int32_t (*edge)[2]; /* owned */
};

void nuce_edge_list_fini(struct nuce_edge_list *list);

/* Adds an edge between a and b, numbers from 0. */
void nuce_edge_list_add(struct nuce_edge_list *list, int32_t a, int32_t b);

/* The graph of the edges among nodes 0 .. nodes - 1, each edge once, loops dropped, without
 * coordinates. O(nodes + edges), plus the sorting of each row. Freed with nuce_mesh_fini. */
void nuce_mesh_from_edges(int64_t nodes, const struct nuce_edge_list *list, struct nuce_mesh *out);

#endif
