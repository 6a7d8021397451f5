#include "mapping_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_mapping_case_prepare(256, 19200, "curve-swap", "sm", out, error);
}

const struct nuce_bench nuce_bench_mapping_curve_swap_65536 = {
    .name = "mapping-curve-swap-65536",
    .summary = "placement curve-swap, 65536 ranks on 19200 switches",
    .reference = "sm",
    .budget_s = 3,
    .budget_bytes = 900000000,
    .least_turns = 3,
    .create = create,
    .run_ours = nuce_mapping_case_ours,
    .run_reference = nuce_mapping_case_reference,
    .destroy = nuce_mapping_case_destroy,
};
