/* Partitions of a mesh, and the pattern that follows from them: the nodes that each part needs of
 * each other. */
#ifndef NUCE_PARTITION_H
#define NUCE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "instances/mesh.h"
#include "schedules/pattern.h"

/* The part of each node of a mesh; parts are ranks. part is owned; no part is empty. */
struct nuce_partition {
    int parts;
    int64_t nodes;
    int *part;        /* nodes: the part of each */
    int64_t edge_cut; /* edges between parts */
};

/* Frees the content of *partition and empties it; accepts an empty (all zero) one. */
void nuce_partition_fini(struct nuce_partition *partition);

/* A method: one file, one row in partitions.def. */
struct nuce_partition_ops {
    const char *name; /* "kway", "kway-volume", "rcb" */
    const char *summary;
    const char *source;
    bool needs_coordinates; /* of the nodes: not called for a mesh without them */
    /* Fills part[0 .. mesh->nodes - 1] with 0 .. parts - 1; deterministic in seed. Called with
     * 1 < parts <= mesh->nodes. */
    nuce_status (*assign)(const struct nuce_mesh *mesh, int parts, int64_t seed, int *part,
                          struct nuce_error *error);
};

/* All methods in the order of partitions.def, NULL-ended. */
extern const struct nuce_partition_ops *const nuce_partitions[];
/* The method called name, borrowed from the table; NULL: there is none. */
const struct nuce_partition_ops *nuce_partition_find(const char *name);

/* NUCE_BAD_INPUT, about `partition`, if the method needs coordinates and the mesh has none. Known
 * before a mesh is cut. */
nuce_status nuce_partition_check(const struct nuce_partition_ops *ops, bool has_coordinates,
                                 struct nuce_error *error);

/* The version of METIS that nuce was built with, static, "5.1.0": another one may cut
 * differently. */
const char *nuce_partition_metis_version(void);

/* Cuts mesh into parts, none of them empty, into *out, freed with nuce_partition_fini. The same
 * seed gives the same partition. NUCE_BAD_INPUT if there are more parts than nodes, or if the
 * method needs coordinates and the mesh has none; *out is then unchanged. */
nuce_status nuce_partition_create(const struct nuce_partition_ops *ops,
                                  const struct nuce_mesh *mesh, int parts, int64_t seed,
                                  struct nuce_partition *out, struct nuce_error *error);

/* The same by the file at path, as METIS writes it (GRAPH.part.N): the part of each node, a number
 * from 0 on a line. NUCE_BAD_INPUT, naming the place, where it is not of so many nodes and parts,
 * or leaves a part empty. */
nuce_status nuce_partition_read(const char *path, const struct nuce_mesh *mesh, int parts,
                                struct nuce_partition *out, struct nuce_error *error);

/* Only that file: *out, if not NULL, is a new array of the parts of so many nodes. */
nuce_status nuce_partition_read_parts(const char *path, int64_t nodes, int parts, int **out,
                                      struct nuce_error *error);

/* The paper's COM in units: entry (i, j) counts the nodes of part i that have a neighbour in part
 * j; each goes once to each such part (Ranka, Wang and Kumar, test set 3). A unit is a node's
 * value, which the caller scales to bytes. O(nodes + edges). Freed with nuce_pattern_fini. */
nuce_status nuce_partition_pattern(const struct nuce_mesh *mesh,
                                   const struct nuce_partition *partition, struct nuce_pattern *out,
                                   struct nuce_error *error);

/* One rank's part of the mesh. Local numbers: owned nodes 0 .. owned - 1 in ascending global order,
 * then ghosts owned .. owned + ghosts - 1, by owner, then by global number. All arrays are owned.
 * neighbor[k] gets the nodes in send_node from send_start[k] up to send_start[k + 1]. */
struct nuce_submesh {
    int64_t owned, ghosts;
    int64_t *global;      /* owned + ghosts: the global number of each local node */
    int64_t interior;     /* edges between owned nodes; they come first */
    int64_t edges;        /* all edges with at least one owned node */
    int32_t (*edge)[2];   /* edges: local numbers; ends of an interior edge ascending, of other
                             edges the owned node first */
    int neighbors;        /* parts that share an edge with this one */
    int *neighbor;        /* neighbors, ascending */
    int64_t *send_start;  /* neighbors + 1: into send_node */
    int32_t *send_node;   /* owned nodes that go to each neighbour, ascending global order */
    int64_t *ghost_start; /* neighbors + 1: the ghosts from neighbor[k] are local nodes owned +
                             ghost_start[k] .. owned + ghost_start[k + 1] - 1, in the order in which
                             their owner sends them */
};

/* Frees the content of *submesh and empties it; accepts an empty (all zero) one. */
void nuce_submesh_fini(struct nuce_submesh *submesh);

/* The part of rank `part` of the mesh, computed alone, without communication. O(nodes + edges of
 * the mesh), with nothing larger than the mesh in memory. Freed with nuce_submesh_fini. */
void nuce_submesh_create(const struct nuce_mesh *mesh, const struct nuce_partition *partition,
                         int part, struct nuce_submesh *out);

#endif
