#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_schedule_case_prepare("greedy", 64, 63, out, error);
}

const struct nuce_bench nuce_bench_greedy_64 = {
    .name = "greedy-64",
    .summary = "schedule of greedy, 64 ranks, d = 63",
    .reference = "the schedule of rs-n",
    .budget_s = 300e-6,
    .budget_bytes = 0,
    .create = create,
    .run_ours = nuce_schedule_case_ours,
    .run_reference = nuce_schedule_case_rs_n,
    .destroy = nuce_schedule_case_destroy,
};
