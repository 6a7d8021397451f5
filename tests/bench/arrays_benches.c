/* The benches of decompositions, each beside rb2.
 * ROW(name of the struct, algorithm, parts, latency, members of struct nuce_bench) */
#include "arrays_case.h"

#define ROW(id, algorithm, parts, latency, ...)                                                    \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return nuce_arrays_case_create(algorithm, parts, latency, out, error);                     \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = nuce_arrays_case_ours,                  \
                                               .run_reference = nuce_arrays_case_reference,        \
                                               .destroy = nuce_arrays_case_destroy,                \
                                               __VA_ARGS__};

ROW(arrays_xy2_20, "xy2", 20, 0, .name = "arrays-xy2-20",
    .summary = "decomposition by xy2, 20 parts, latency 0 (the paper: 39 ms)",
    .reference = "the decomposition by rb2", .budget_s = 20e-6)
ROW(arrays_xy2_1000, "xy2", 1000, 0, .name = "arrays-xy2-1000",
    .summary = "decomposition by xy2, 1000 parts, latency 0",
    .reference = "the decomposition by rb2", .budget_s = 1e-3)
ROW(arrays_xy2_100000, "xy2", 100000, 0, .name = "arrays-xy2-100000",
    .summary = "decomposition by xy2, 100000 parts, latency 0",
    .reference = "the decomposition by rb2", .budget_s = 200e-3)
ROW(arrays_xy2_latency_20, "xy2", 20, 100, .name = "arrays-xy2-latency-20",
    .summary = "decomposition by xy2, 20 parts, latency 100 (the paper: 238 ms)",
    .reference = "the decomposition by rb2", .budget_s = 100e-6)
ROW(arrays_xy2_latency_1000, "xy2", 1000, 100, .name = "arrays-xy2-latency-1000",
    .summary = "decomposition by xy2, 1000 parts, latency 100",
    .reference = "the decomposition by rb2", .budget_s = 50e-3)
ROW(arrays_xy2_latency_10000, "xy2", 10000, 100, .name = "arrays-xy2-latency-10000",
    .summary = "decomposition by xy2, 10000 parts, latency 100",
    .reference = "the decomposition by rb2", .budget_s = 5)
ROW(arrays_tile_20, "tile", 20, 100, .name = "arrays-tile-20",
    .summary = "decomposition by tile, 20 parts, latency 100 (the paper: 11.8 s)",
    .reference = "the decomposition by rb2", .budget_s = 2e-3)
