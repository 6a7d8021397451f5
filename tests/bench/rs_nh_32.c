#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    out->self = nuce_schedule_case_create(32, 0, 16, error);
    return out->self != NULL ? NUCE_OK : error->status;
}

const struct nuce_bench nuce_bench_rs_nh_32 = {
    .name = "rs-nh-32",
    .summary = "schedule of rs-nh, 32 ranks, d = 16",
    .reference = "that of rs-n, which neither looks at sizes nor splits",
    .budget_s = 500e-6,
    .budget_bytes = 0,
    .create = create,
    .run_ours = nuce_schedule_case_rs_nh,
    .run_reference = nuce_schedule_case_rs_n,
    .destroy = nuce_schedule_case_destroy,
};
