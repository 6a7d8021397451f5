#include "mapping_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_mapping_case_prepare(16, 75, "curve-swap", "scotch", out, error);
}

const struct nuce_bench nuce_bench_mapping_scotch_256 = {
    .name = "mapping-scotch-256",
    .summary = "placement curve-swap, 256 ranks on 75 switches",
    .reference = "SCOTCH",
    .budget_ratio = 1,
    .needs_scotch = 1,
    .create = create,
    .run_ours = nuce_mapping_case_ours,
    .run_reference = nuce_mapping_case_reference,
    .destroy = nuce_mapping_case_destroy,
};
