#include "arrays_case.h"

static double units(int parts)
{
    return parts;
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_arrays_case_create_growth("tile", 25, 20, 100, units, out, error);
}

const struct nuce_bench nuce_bench_arrays_tile_growth = {
    .name = "arrays-tile-growth",
    .summary = "decomposition by tile, 25 parts, latency 100, per p",
    .reference = "the same, 20 parts: growth as p has ratio 1",
    .create = create,
    .run_ours = nuce_arrays_case_ours,
    .run_reference = nuce_arrays_case_reference,
    .destroy = nuce_arrays_case_destroy,
};
