#include "arrays_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create("xy2", 20, 100, out, error);
}

const struct nuce_bench nuce_bench_arrays_xy2_latency_20 = {
    .name = "arrays-xy2-latency-20",
    .summary = "decomposition by xy2, 20 parts, latency 100 (the paper: 238 ms)",
    .reference = "the decomposition by rb2",
    .budget_s = 100e-6,
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
