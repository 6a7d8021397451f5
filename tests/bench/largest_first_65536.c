#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_schedule_case_prepare("largest-first", 65536, 16, out, error);
}

const struct nuce_bench nuce_bench_largest_first_65536 = {
    .name = "largest-first-65536",
    .summary = "schedule of largest-first, 65536 ranks, d = 16",
    .reference = "the schedule of rs-n",
    .budget_s = 2,
    .budget_bytes = 300000000,
    .least_turns = 3,
    .create = create,
    .run_ours = nuce_schedule_case_ours,
    .run_reference = nuce_schedule_case_rs_n,
    .destroy = nuce_schedule_case_destroy,
};
