#include "bench.h"

const struct nuce_bench nuce_bench_redistribute_8 = {
    .name = "redistribute-8",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 8 ranks, ac",
    .reference = "pdgemr2d",
    .budget_ratio = 0.5,
    .needs_scalapack = 1,
    .program = "../libexec/nuce/nuce-bench-redistribute",
    .arguments = {"ac", "pdgemr2d"},
    .ranks = 8,
};
