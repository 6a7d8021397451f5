#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_schedule_case_prepare("greedy", 1024, 1023, out, error);
}

const struct nuce_bench nuce_bench_greedy_1024 = {
    .name = "greedy-1024",
    .summary = "schedule of greedy, 1024 ranks, d = 1023",
    .reference = "the schedule of rs-n",
    .budget_s = 0.5,
    .budget_bytes = 0,
    .least_turns = 3,
    .create = create,
    .run_ours = nuce_schedule_case_ours,
    .run_reference = nuce_schedule_case_rs_n,
    .destroy = nuce_schedule_case_destroy,
};
