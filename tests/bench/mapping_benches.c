/* The benches of placements: how long they take, or tables of distances.
 * ROW(name of the struct, side, switches, ours, reference, members of struct nuce_bench) */
#include "mapping_case.h"

#define ROW(id, side, switches, ours, reference, ...)                                              \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return nuce_mapping_case_prepare(side, switches, ours, reference, out, error);             \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = nuce_mapping_case_ours,                 \
                                               .run_reference = nuce_mapping_case_reference,       \
                                               .destroy = nuce_mapping_case_destroy,               \
                                               __VA_ARGS__};

ROW(mapping_bm_256, 16, 75, "bm", "curve-swap", .name = "mapping-bm-256",
    .summary = "placement bm, 256 ranks on 75 switches", .reference = "curve-swap",
    .budget_s = 20e-3)
ROW(mapping_curve_swap_256, 16, 75, "curve-swap", "bm", .name = "mapping-curve-swap-256",
    .summary = "placement curve-swap, 256 ranks on 75 switches", .reference = "bm",
    .budget_s = 2e-3)
ROW(mapping_curve_swap_4096, 64, 1200, "curve-swap", "bm", .name = "mapping-curve-swap-4096",
    .summary = "placement curve-swap, 4096 ranks on 1200 switches", .reference = "bm",
    .budget_s = 20e-3)
ROW(mapping_curve_swap_65536, 256, 19200, "curve-swap", "sm", .name = "mapping-curve-swap-65536",
    .summary = "placement curve-swap, 65536 ranks on 19200 switches", .reference = "sm",
    .budget_s = 3, .budget_bytes = 900000000, .least_turns = 3)
ROW(mapping_scotch_256, 16, 75, "curve-swap", "scotch", .name = "mapping-scotch-256",
    .summary = "placement curve-swap, 256 ranks on 75 switches", .reference = "SCOTCH",
    .budget_ratio = 1, .needs_scotch = 1)
ROW(mapping_sm_256, 16, 75, "sm", "rm", .name = "mapping-sm-256",
    .summary = "placement sm, 256 ranks on 75 switches", .reference = "rm", .budget_s = 1e-3)
