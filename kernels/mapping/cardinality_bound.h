/* What no placement's cardinality can be less than. */
#ifndef NUCE_CARDINALITY_BOUND_H
#define NUCE_CARDINALITY_BOUND_H

#include "mapping/placement.h"

/* least[k], k = 0 .. ranks: at least so much weight joins any k processes to the others. An array
 * freed by the caller, or NULL with *error. Exact for meshes of one and two sides longer than 1; of
 * three, up to some 20000 processes, it follows from their layers (exact for all k of 2 x 2 x 2 to
 * 3 x 3 x 3, which can be tried); of others from the degrees alone. */
double *nuce_processes_least_cuts(const struct nuce_processes *processes, struct nuce_error *error);

/* Of any k processes of a mesh of two sides longer than 1: at least so many of the four sides that
 * each has do not lie at another of them, those at the border of the mesh among these; of a mesh of
 * one side, of the two that each has. 0 for what is no such mesh. */
int nuce_processes_least_perimeter(const struct nuce_processes *processes, int k);

/* How many sides lie at the border of such a mesh, two of each of nuce_processes_corners, 4 or, of
 * one side, 0; 0 for others. */
int nuce_processes_corners(const struct nuce_processes *processes);
int nuce_processes_border(const struct nuce_processes *processes);

/* A lower bound of the cardinality over all placements of processes on processors. Whatever way a
 * message goes, it crosses every set of switches that holds one of its ends. So where sets have
 * shares such that those which a link leaves sum to 1 at most on each link, the cardinality is at
 * least the sum over sets of share x least[processors in the set]. The sets are single switches,
 * what is below a link of the spanning tree and, in smaller networks, what is within so many links
 * of a switch; in larger networks, than which the best packing takes too long, a packing one set
 * after another.
 * Where few processes are on a switch the least cut is that of a corner of the mesh, and there are
 * but four. So a set may count with its least perimeter instead, and what lies at the border is
 * taken off once for all sets: a process there lies at it once, in a corner twice, and at worst
 * they are those whose switches are in sets of the largest shares. That too is linear in the
 * shares: the sum of the so many largest is a minimum over a threshold and what exceeds it.
 * Whole for meshes, as cardinalities are.
 * How tight: on 37 made-up networks, irregular, tori and trees, with meshes of one to three sides
 * and 16 to 256 processes, it is what the placement `anneal` reaches on 12, 0.93 of it in the
 * median and 0.69 at least, where some 80 irregular switches have about three processes each: which
 * of the two is nearer to the best is not known there. */
nuce_status nuce_cardinality_bound(const struct nuce_processes *processes,
                                   const struct nuce_processors *processors, double *out,
                                   struct nuce_error *error);

#endif
