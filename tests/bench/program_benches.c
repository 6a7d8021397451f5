/* The benches that a program under mpiexec runs. */
#include "bench.h"

/* name of the struct, of the program, ranks, members of struct nuce_bench */
#define ROW(id, of, number, ...)                                                                   \
    const struct nuce_bench nuce_bench_##id = {                                                    \
        .program = "../libexec/nuce/nuce-bench-" of, .ranks = number, __VA_ARGS__};

ROW(engine_ac, "engine", 2, .name = "engine-ac",
    .summary = "ac by the engine, 2 ranks, 64 KiB each way",
    .reference = "Irecv, Isend and Waitall written straight")
ROW(barrier_32, "barrier", 32, .name = "barrier-32", .summary = "our barrier, 32 ranks",
    .reference = "the MPI library's", .budget_s = 2e-3)
ROW(redistribute_4, "redistribute", 4, .name = "redistribute-4",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 4 ranks, ac",
    .reference = "pdgemr2d", .budget_ratio = 0.5, .needs_scalapack = 1,
    .arguments = {"ac", "pdgemr2d"})
ROW(redistribute_8, "redistribute", 8, .name = "redistribute-8",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 8 ranks, ac",
    .reference = "pdgemr2d", .budget_ratio = 0.5, .needs_scalapack = 1,
    .arguments = {"ac", "pdgemr2d"})
ROW(redistribute_greedy_4, "redistribute", 4, .name = "redistribute-greedy-4",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 4 ranks, greedy",
    .reference = "pdgemr2d", .budget_ratio = 0.5, .needs_scalapack = 1,
    .arguments = {"greedy", "pdgemr2d"})
ROW(redistribute_greedy_8, "redistribute", 8, .name = "redistribute-greedy-8",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 8 ranks, greedy",
    .reference = "pdgemr2d", .budget_ratio = 0.5, .needs_scalapack = 1,
    .arguments = {"greedy", "pdgemr2d"})
ROW(redistribute_memcpy, "redistribute", 2, .name = "redistribute-memcpy",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 2 ranks, ac",
    .reference = "two passes of memcpy over the data", .budget_ratio = 1.5,
    .arguments = {"ac", "memcpy"})
ROW(stencil_sweep_1, "stencil", 1, .name = "stencil-sweep-1",
    .summary = "a sweep of five points over 3000 x 3000 doubles, one core",
    .reference = "a triad that moves as many bytes (80 % of its bandwidth)", .budget_ratio = 1.25,
    .arguments = {"sweep"})
ROW(stencil_sweep_2, "stencil", 2, .name = "stencil-sweep-2",
    .summary = "the same on two cores at once",
    .reference = "a triad that moves as many bytes (80 % of its bandwidth)", .budget_ratio = 1.25,
    .arguments = {"sweep"})
ROW(stencil_halo_4, "stencil", 4, .name = "stencil-halo-4",
    .summary = "the halo of 2000 x 2000 doubles on a grid of 4 ranks, ac",
    .reference = "MPI_Neighbor_alltoallv", .budget_ratio = 1.3, .arguments = {"halo"})

const struct nuce_bench nuce_bench_aa = {
    .name = "aa",
    .summary =
        "contenders that are the same, and with a planted delay: how often they are told apart",
    .reference = "a study of three quarters of an hour, run only by name",
    .study = "../libexec/nuce/nuce-bench-aa",
};
