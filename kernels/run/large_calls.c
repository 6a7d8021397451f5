/* For an MPI with vector collectives with large counts. */
#include "run/large_calls.h"

const struct nuce_large_calls nuce_large = {
    .alltoallv = MPI_Alltoallv_c,
    .neighbor_alltoallv = MPI_Neighbor_alltoallv_c,
    .ialltoallv = MPI_Ialltoallv_c,
    .ineighbor_alltoallv = MPI_Ineighbor_alltoallv_c,
    .neighbor_alltoallv_init = MPI_Neighbor_alltoallv_init_c,
};
