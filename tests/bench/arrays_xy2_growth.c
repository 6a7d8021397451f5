#include <math.h>

#include "arrays_case.h"

static double units(int parts)
{
    return parts * log2(parts);
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create_growth("xy2", 100000, 1000, 0, units, out, error);
}

const struct nuce_bench nuce_bench_arrays_xy2_growth = {
    .name = "arrays-xy2-growth",
    .summary = "decomposition by xy2, 100000 parts, latency 0, per p log p",
    .reference = "the same, 1000 parts: growth as p log p has ratio 1",
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
