#include "mapping_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_mapping_case_prepare(64, 1200, "curve-swap", "bm", out, error);
}

const struct nuce_bench nuce_bench_mapping_curve_swap_4096 = {
    .name = "mapping-curve-swap-4096",
    .summary = "placement curve-swap, 4096 ranks on 1200 switches",
    .reference = "bm",
    .budget_s = 20e-3,
    .create = create,
    .run_ours = nuce_mapping_case_ours,
    .run_reference = nuce_mapping_case_reference,
    .destroy = nuce_mapping_case_destroy,
};
