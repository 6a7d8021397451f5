#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    out->self = nuce_schedule_case_create(65536, 0, 16, error);
    return out->self != NULL ? NUCE_OK : error->status;
}

const struct nuce_bench nuce_bench_rs_n_65536 = {
    .name = "rs-n-65536",
    .summary = "schedule of rs-n, 65536 ranks, d = 16",
    .reference = "the schedule of ac, which has nothing to decide",
    .budget_s = 1.5,
    .budget_bytes = 200000000,
    .create = create,
    .run_ours = nuce_schedule_case_rs_n,
    .run_reference = nuce_schedule_case_ac,
    .destroy = nuce_schedule_case_destroy,
};
