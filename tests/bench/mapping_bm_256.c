#include "mapping_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_mapping_case_prepare(16, 75, "bm", "curve-swap", out, error);
}

const struct nuce_bench nuce_bench_mapping_bm_256 = {
    .name = "mapping-bm-256",
    .summary = "placement bm, 256 ranks on 75 switches",
    .reference = "curve-swap",
    .budget_s = 20e-3,
    .create = create,
    .run_ours = nuce_mapping_case_ours,
    .run_reference = nuce_mapping_case_reference,
    .destroy = nuce_mapping_case_destroy,
};
