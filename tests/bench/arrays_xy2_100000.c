#include "arrays_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create("xy2", 100000, 0, out, error);
}

const struct nuce_bench nuce_bench_arrays_xy2_100000 = {
    .name = "arrays-xy2-100000",
    .summary = "decomposition by xy2, 100000 parts, latency 0",
    .reference = "the decomposition by rb2",
    .budget_s = 200e-3,
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
