#include "mapping_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_mapping_case_prepare(16, 75, "sm", "rm", out, error);
}

const struct nuce_bench nuce_bench_mapping_sm_256 = {
    .name = "mapping-sm-256",
    .summary = "placement sm, 256 ranks on 75 switches",
    .reference = "rm",
    .budget_s = 1e-3,
    .create = create,
    .run_ours = nuce_mapping_case_ours,
    .run_reference = nuce_mapping_case_reference,
    .destroy = nuce_mapping_case_destroy,
};
