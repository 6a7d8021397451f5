/* Process topologies: the processes that exchange messages, and their places on a mesh or line. The
 * paper's G_v. */
#ifndef NUCE_PROCESSES_H
#define NUCE_PROCESSES_H

#include <stdint.h>

#include "base/error.h"
#include "schedules/pattern.h"

#define NUCE_PROCESSES_MAX (1 << 20)

enum { NUCE_SIDES = 3 };

/* Undirected: each edge is in the rows of both its ends, with the same weight. No process has an
 * edge to itself. Rows as in struct nuce_pattern: the neighbours of process i are entries start[i]
 * .. start[i + 1] - 1. Arrays are owned. */
struct nuce_processes {
    int ranks;
    int64_t *start; /* ranks + 1 */
    int *neighbor;  /* ascending within a row */
    double *weight; /* of each entry: 1 in a mesh; in a pattern the bytes of both directions */
    int side[NUCE_SIDES]; /* of the mesh, 1 for missing ones; of a pattern ranks, 1, 1 */
    int *at;              /* of a pattern: the process at each place of a line on which processes
                             with much to exchange are close; NULL in a mesh, whose processes are
                             numbered row by row, the last side running fastest */
};

/* Frees the content of *processes and empties it; accepts an empty (all zero) one. */
void nuce_processes_fini(struct nuce_processes *processes);

/* A mesh of sides (each at least 1), of at most NUCE_PROCESSES_MAX processes: else NUCE_BAD_INPUT.
 * Edges to the nearest along each side, none around the border. */
nuce_status nuce_processes_mesh(const int side[NUCE_SIDES], struct nuce_processes *out,
                                struct nuce_error *error);

/* Reads sides such as 16x16, 4x4x4 or 100; missing ones are 1. NUCE_BAD_INPUT names the text. */
nuce_status nuce_processes_read_sides(const char *text, int side[NUCE_SIDES],
                                      struct nuce_error *error);

/* The processes that exchange pattern's messages, and a line of them (`at`). The weight of an edge
 * is the bytes of both directions. Messages to oneself are ignored. NUCE_BAD_INPUT: more than
 * NUCE_PROCESSES_MAX ranks. */
nuce_status nuce_processes_pattern(const struct nuce_pattern *pattern, struct nuce_processes *out,
                                   struct nuce_error *error);

/* Puts the processes of a pattern on a mesh of sides, row by row, the last side running fastest. It
 * has as many places as processes. Their edges stay those of the pattern. */
void nuce_processes_lay(struct nuce_processes *processes, const int side[NUCE_SIDES]);

/* Part of the mesh, or of the line of a pattern: sizes along each side from low on. */
struct nuce_block {
    int low[NUCE_SIDES], size[NUCE_SIDES];
};

/* The block that has all processes. */
struct nuce_block nuce_processes_whole(const struct nuce_processes *processes);
int nuce_block_volume(const struct nuce_block *block);
/* Halves along the longest side (the first of several); the first half is the larger if the side is
 * odd. volume > 1. */
void nuce_block_halve(const struct nuce_block *block, struct nuce_block half[2]);
/* The processes of block, row by row; rank has room for its volume. */
void nuce_block_ranks(const struct nuce_processes *processes, const struct nuce_block *block,
                      int *ranks);

/* The process at a place of the mesh, or of the line. */
int nuce_processes_at(const struct nuce_processes *processes, const int place[NUCE_SIDES]);

/* order[k]: the k-th process along a space-filling curve through the mesh (a generalised Hilbert
 * curve: any sides), or along the line. */
void nuce_processes_curve(const struct nuce_processes *processes, int *order);

#endif
