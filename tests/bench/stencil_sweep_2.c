#include "bench.h"

const struct nuce_bench nuce_bench_stencil_sweep_2 = {
    .name = "stencil-sweep-2",
    .summary = "the same on two cores at once",
    .reference = "a triad that moves as many bytes (80 % of its bandwidth)",
    .budget_ratio = 1.25,
    .program = "../libexec/nuce/nuce-bench-stencil",
    .arguments = {"sweep"},
    .ranks = 2,
};
