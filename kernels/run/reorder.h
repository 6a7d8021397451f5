/* The placement that the MPI library makes, where it is allowed to reorder. */
#ifndef NUCE_REORDER_H
#define NUCE_REORDER_H

#include "base/error.h"
#include "mapping/processes.h"
#include "run/world.h"

/* Fills rank[process], as many as world has ranks: the rank that MPI_Cart_create puts in the place
 * of each process of a mesh, MPI_Dist_graph_create_adjacent, told the weights, in that of each
 * process of a pattern. NUCE_BAD_INPUT where the MPI library cannot be asked. Collective; the same
 * result on all ranks. */
nuce_status nuce_reorder(struct nuce_world *world, const struct nuce_processes *processes,
                         int *rank, struct nuce_error *error);

#endif
