#include "arrays_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create("tile", 20, 100, out, error);
}

const struct nuce_bench nuce_bench_arrays_tile_20 = {
    .name = "arrays-tile-20",
    .summary = "decomposition by tile, 20 parts, latency 100 (the paper: 11.8 s)",
    .reference = "the decomposition by rb2",
    .budget_s = 2e-3,
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
