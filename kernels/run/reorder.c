/* Asks MPI for communicators that it may reorder (reorder = 1; MPI 4.1, 8.5), and reads the
 * placement off their rank numbers: process i is the rank of the world that got number i.
 * Collective over the world, as all functions here are. */
#include "run/reorder.h"

#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"

/* The processes of a mesh are in row-major order, as MPI_Cart_create has them. */
static MPI_Comm make_mesh(struct nuce_world *world, const int side[NUCE_SIDES])
{
    int periods[NUCE_SIDES] = {0};
    MPI_Comm comm;

    NUCE_MPI(MPI_Cart_create(world->comm, NUCE_SIDES, side, periods, 1, &comm));
    return comm;
}

/* MPI's weights are int: bytes beyond it count as INT_MAX. */
static int weight_of(double bytes)
{
    return bytes < INT_MAX ? (int)bytes : INT_MAX;
}

/* What goes back and forth between two processes counts alike in both directions. weights: room for
 * this rank's neighbours. */
static MPI_Comm make_graph(struct nuce_world *world, const struct nuce_processes *processes,
                           int *weights)
{
    int64_t start = processes->start[world->rank];
    int degree = (int)(processes->start[world->rank + 1] - start);
    const int *neighbor = processes->neighbor + start;
    MPI_Comm comm;

    for (int k = 0; k < degree; k++)
        weights[k] = weight_of(processes->weight[start + k]);
    NUCE_MPI(MPI_Dist_graph_create_adjacent(world->comm, degree, neighbor, weights, degree,
                                            neighbor, weights, MPI_INFO_NULL, 1, &comm));
    return comm;
}

/* rank[i] becomes the rank in world->comm of rank numbers[i] of comm. */
static void reorder_translate(struct nuce_world *world, MPI_Comm comm, const int *numbers,
                              int *rank)
{
    MPI_Group reordered, launched;

    NUCE_MPI(MPI_Comm_group(comm, &reordered));
    NUCE_MPI(MPI_Comm_group(world->comm, &launched));
    NUCE_MPI(MPI_Group_translate_ranks(reordered, world->size, numbers, launched, rank));
    NUCE_MPI(MPI_Group_free(&reordered));
    NUCE_MPI(MPI_Group_free(&launched));
}

nuce_status nuce_reorder(struct nuce_world *world, const struct nuce_processes *processes,
                         int *rank, struct nuce_error *error)
{
    int *scratch = nuce_allocate(world->size, sizeof *scratch);
    MPI_Comm comm;

    (void)error;
    comm = processes->at == NULL ? make_mesh(world, processes->side)
                                 : make_graph(world, processes, scratch);
    for (int i = 0; i < world->size; i++)
        scratch[i] = i;
    reorder_translate(world, comm, scratch, rank);
    NUCE_MPI(MPI_Comm_free(&comm));
    free(scratch);
    return NUCE_OK;
}
