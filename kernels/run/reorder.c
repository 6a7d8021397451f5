/* Asks MPI for communicators that it may reorder (reorder = 1; MPI 4.1, 8.5), and reads the
 * placement from their rank numbers: process i is the rank of the world that got number i.
 * Collective over the world, as all functions here are. */
#include "run/reorder.h"

#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/simulation.h"

/* The processes of a mesh are in row-major order, as in MPI_Cart_create. A graph uses the sum of
 * both directions between two processes as the weight of each. MPI's weights are int: larger
 * numbers of bytes count as INT_MAX. rank[i] becomes the rank in world->comm of rank i of comm. */
nuce_status nuce_reorder(struct nuce_world *world, const struct nuce_processes *processes,
                         int *rank, struct nuce_error *error)
{
    int *scratch = nuce_allocate(world->size, sizeof *scratch);
    int64_t start = processes->start[world->rank];
    int degree = (int)(processes->start[world->rank + 1] - start);
    const int *neighbor = processes->neighbor + start;
    int periods[NUCE_SIDES] = {0};
    MPI_Group reordered, launched;
    MPI_Comm comm;

    if (nuce_simulation_is_on()) { /* SMPI keeps the order, and has no graph topologies */
        free(scratch);
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "placement: 'mpi-reorder': is what an MPI library makes of a machine, "
            "and the simulator's makes nothing: expected another placement");
    }
    if (processes->at == NULL) {
        NUCE_MPI(MPI_Cart_create(world->comm, NUCE_SIDES, processes->side, periods, 1, &comm));
    } else {
        for (int k = 0; k < degree; k++) {
            double bytes = processes->weight[start + k];

            scratch[k] = bytes < INT_MAX ? (int)bytes : INT_MAX;
        }
        NUCE_MPI(MPI_Dist_graph_create_adjacent(world->comm, degree, neighbor, scratch, degree,
                                                neighbor, scratch, MPI_INFO_NULL, 1, &comm));
    }
    for (int i = 0; i < world->size; i++)
        scratch[i] = i;
    NUCE_MPI(MPI_Comm_group(comm, &reordered));
    NUCE_MPI(MPI_Comm_group(world->comm, &launched));
    NUCE_MPI(MPI_Group_translate_ranks(reordered, world->size, scratch, launched, rank));
    NUCE_MPI(MPI_Group_free(&reordered));
    NUCE_MPI(MPI_Group_free(&launched));
    NUCE_MPI(MPI_Comm_free(&comm));
    free(scratch);
    return NUCE_OK;
}
