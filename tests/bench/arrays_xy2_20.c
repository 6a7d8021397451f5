#include "arrays_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create("xy2", 20, 0, out, error);
}

const struct nuce_bench nuce_bench_arrays_xy2_20 = {
    .name = "arrays-xy2-20",
    .summary = "decomposition by xy2, 20 parts, latency 0 (the paper: 39 ms)",
    .reference = "the decomposition by rb2",
    .budget_s = 20e-6,
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
