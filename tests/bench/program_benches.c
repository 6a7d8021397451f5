/* The benches that a program under mpiexec runs, and the studies. */
#include "bench.h"

#define ENGINE .program = "../libexec/nuce/nuce-bench-engine"
#define BARRIER .program = "../libexec/nuce/nuce-bench-barrier"
#define LIBRARY(what)                                                                              \
    .program = "../libexec/nuce/nuce-bench-library", .ranks = 1, .arguments = {what}
#define APPLY(what) .program = "../libexec/nuce/nuce-bench-apply", .ranks = 2, .arguments = {what}
#define REDISTRIBUTE(by, number, other, ratio)                                                     \
    .program = "../libexec/nuce/nuce-bench-redistribute", .ranks = number,                         \
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), " #number " ranks, " by, \
    .arguments = {by, other}, .budget_ratio = ratio
#define PDGEMR2D(by, number)                                                                       \
    REDISTRIBUTE(by, number, "pdgemr2d", 0.5), .reference = "pdgemr2d", .needs_scalapack = 1
#define STENCIL(part, number, ratio)                                                               \
    .program = "../libexec/nuce/nuce-bench-stencil", .ranks = number, .arguments = {part},         \
    .budget_ratio = ratio

const struct nuce_bench nuce_bench_programs[] = {
    {ENGINE, .ranks = 2, .name = "engine-ac",
     .summary = "ac by the engine, 2 ranks, 64 KiB each way",
     .reference = "Irecv, Isend and Waitall written straight"},
    {BARRIER, .ranks = 32, .name = "barrier-32", .summary = "our barrier, 32 ranks",
     .reference = "the MPI library's", .budget_s = 2e-3},
    {LIBRARY("left-alone"), .name = "library-left-alone",
     .summary = "a call of libnuce_mpi without a schedule, one rank",
     .reference = "MPI_Ialltoallv and MPI_Wait (less than 1 us less)"},
    {LIBRARY("replaced"), .name = "library-replaced",
     .summary = "a call of libnuce_mpi under ac, one rank",
     .reference = "persistent requests (less than 2 us less)"},
    {APPLY("left-alone"), .name = "apply-left-alone",
     .summary = "a call without a rule under nuce apply, 2 ranks, 8 bytes",
     .reference = "MPI_Alltoallv (less than 1 us less)"},
    {APPLY("replaced"), .name = "apply-replaced",
     .summary = "a known call under nuce apply and ac, 2 ranks, 8 bytes",
     .reference = "ac by libnuce_mpi (less than 2 us less)"},
    {PDGEMR2D("ac", 4), .name = "redistribute-4"},
    {PDGEMR2D("ac", 8), .name = "redistribute-8"},
    {PDGEMR2D("greedy", 4), .name = "redistribute-greedy-4"},
    {PDGEMR2D("greedy", 8), .name = "redistribute-greedy-8"},
    {REDISTRIBUTE("ac", 2, "memcpy", 1.5), .name = "redistribute-memcpy",
     .reference = "two passes of memcpy over the data"},
    {STENCIL("sweep", 1, 1.25), .name = "stencil-sweep-1",
     .summary = "a sweep of five points over 3000 x 3000 doubles, one core",
     .reference = "a triad that moves as many bytes (80 % of its bandwidth)"},
    {STENCIL("sweep", 2, 1.25), .name = "stencil-sweep-2",
     .summary = "the same on two cores at once",
     .reference = "a triad that moves as many bytes (80 % of its bandwidth)"},
    {STENCIL("halo", 4, 1.3), .name = "stencil-halo-4",
     .summary = "the halo of 2000 x 2000 doubles on a grid of 4 ranks, ac",
     .reference = "MPI_Neighbor_alltoallv"},
    {.name = "aa",
     .study = "../libexec/nuce/nuce-bench-aa",
     .summary = "contenders that are the same, and with a planted delay: how often they are told "
                "apart",
     .reference = "a study of three quarters of an hour, run only by name"},
    {.name = "advice",
     .study = "../libexec/nuce/nuce-bench-advice",
     .summary = "advice on a corpus of patterns, judged by a second run of the same races",
     .reference = "a study of half an hour, run only by name"},
    {.name = "race-stopped",
     .study = "../libexec/nuce/nuce-bench-race-stopped",
     .summary = "simulated races that end when they are known: false alarms, launches, acceptance",
     .reference = "a study of some minutes, run only by name"},
    {.name = "race-real",
     .study = "../libexec/nuce/nuce-bench-race-real",
     .summary = "races of the same commands, of a planted 2 %, and the time between two launches",
     .reference = "a study of some hours, run only by name"},
    {.name = NULL},
};
