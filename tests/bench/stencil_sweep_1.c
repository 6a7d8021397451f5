#include "bench.h"

const struct nuce_bench nuce_bench_stencil_sweep_1 = {
    .name = "stencil-sweep-1",
    .summary = "a sweep of five points over 3000 x 3000 doubles, one core",
    .reference = "a triad that moves as many bytes (80 % of its bandwidth)",
    .budget_ratio = 1.25,
    .program = "../libexec/nuce/nuce-bench-stencil",
    .arguments = {"sweep"},
    .ranks = 1,
};
