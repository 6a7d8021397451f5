#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    out->self = nuce_schedule_case_create(65536, 0, 16, error);
    return out->self != NULL ? NUCE_OK : error->status;
}

const struct nuce_bench nuce_bench_rs_nh_65536 = {
    .name = "rs-nh-65536",
    .summary = "schedule of rs-nh, 65536 ranks, d = 16",
    .reference = "that of rs-n, which neither looks at sizes nor splits",
    .budget_s = 10,
    .budget_bytes = 250000000,
    .create = create,
    .run_ours = nuce_schedule_case_rs_nh,
    .run_reference = nuce_schedule_case_rs_n,
    .destroy = nuce_schedule_case_destroy,
};
