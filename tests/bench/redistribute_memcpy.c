#include "bench.h"

const struct nuce_bench nuce_bench_redistribute_memcpy = {
    .name = "redistribute-memcpy",
    .summary = "4M doubles, cyclic(64) to cyclic(192) and to cyclic(256), 2 ranks, ac",
    .reference = "two passes of memcpy over the data",
    .budget_ratio = 1.5,
    .program = "../libexec/nuce/nuce-bench-redistribute",
    .arguments = {"ac", "memcpy"},
    .ranks = 2,
};
