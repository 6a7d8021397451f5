#include "arrays_case.h"

static double units(int parts)
{
    return (double)parts * parts;
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create_growth("xy2", 10000, 1000, 100, units, out, error);
}

const struct nuce_bench nuce_bench_arrays_xy2_latency_growth = {
    .name = "arrays-xy2-latency-growth",
    .summary = "decomposition by xy2, 10000 parts, latency 100, per p^2",
    .reference = "the same, 1000 parts: growth as p^2 has ratio 1",
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
