#include "arrays_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create("xy2", 1000, 100, out, error);
}

const struct nuce_bench nuce_bench_arrays_xy2_latency_1000 = {
    .name = "arrays-xy2-latency-1000",
    .summary = "decomposition by xy2, 1000 parts, latency 100",
    .reference = "the decomposition by rb2",
    .budget_s = 50e-3,
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
