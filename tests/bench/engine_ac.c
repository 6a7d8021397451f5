#include "bench.h"

const struct nuce_bench nuce_bench_engine_ac = {
    .name = "engine-ac",
    .summary = "ac by the engine, 2 ranks, 64 KiB each way",
    .reference = "Irecv, Isend and Waitall written straight",
    .program = "../libexec/nuce/nuce-bench-engine",
    .ranks = 2,
};
