/* The placement by the MPI library, which may reorder ranks. */
#ifndef NUCE_REORDER_H
#define NUCE_REORDER_H

#include "base/error.h"
#include "mapping/processes.h"
#include "run/world.h"

/* Fills rank[process], as many as world has ranks. For a mesh, MPI_Cart_create chooses the rank
 * of each process. For a pattern, MPI_Dist_graph_create_adjacent does, with the weights.
 * NUCE_BAD_INPUT if the MPI library cannot be asked. Collective; the same result on all ranks. */
nuce_status nuce_reorder(struct nuce_world *world, const struct nuce_processes *processes,
                         int *rank, struct nuce_error *error);

#endif
