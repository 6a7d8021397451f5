#include "bench.h"

const struct nuce_bench nuce_bench_stencil_halo_4 = {
    .name = "stencil-halo-4",
    .summary = "the halo of 2000 x 2000 doubles on a grid of 4 ranks, ac",
    .reference = "MPI_Neighbor_alltoallv",
    .budget_ratio = 1.3,
    .program = "../libexec/nuce/nuce-bench-stencil",
    .arguments = {"halo"},
    .ranks = 4,
};
