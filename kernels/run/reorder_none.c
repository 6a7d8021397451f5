/* Where nothing would be reordered: SMPI has no graph topologies, and keeps the order in others. */
#include "run/reorder.h"

nuce_status nuce_reorder(struct nuce_world *world, const struct nuce_processes *processes,
                         int *rank, struct nuce_error *error)
{
    (void)world;
    (void)processes;
    (void)rank;
    return nuce_error_set(
        error, NUCE_BAD_INPUT,
        "placement: 'mpi-reorder': is what an MPI library makes of a machine, and "
        "the simulator's makes nothing: expected another placement");
}
