#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    out->self = nuce_schedule_case_create(4096, 0, 16, error);
    return out->self != NULL ? NUCE_OK : error->status;
}

const struct nuce_bench nuce_bench_rs_n_4096 = {
    .name = "rs-n-4096",
    .summary = "schedule of rs-n, 4096 ranks, d = 16",
    .reference = "rs-n on an n x n matrix, as the paper has it",
    .budget_s = 50e-3,
    .budget_bytes = 0,
    .create = create,
    .run_ours = nuce_schedule_case_rs_n,
    .run_reference = nuce_schedule_case_matrix,
    .destroy = nuce_schedule_case_destroy,
};
