#include "bench.h"

const struct nuce_bench nuce_bench_barrier_32 = {
    .name = "barrier-32",
    .summary = "our barrier, 32 ranks",
    .reference = "the MPI library's",
    .budget_s = 2e-3,
    .program = "../libexec/nuce/nuce-bench-barrier",
    .ranks = 32,
};
