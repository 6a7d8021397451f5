#include "mapping_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_mapping_case_prepare(256, 19200, "rm", "rm", out, error);
}

const struct nuce_bench nuce_bench_mapping_routing_65536 = {
    .name = "mapping-routing-65536",
    .summary = "distances under up and down routing between 19200 switches",
    .reference = "shortest ways, breadth first from 64 switches at once",
    .least_turns = 3,
    .create = create,
    .run_ours = nuce_mapping_case_updown,
    .run_reference = nuce_mapping_case_shortest,
    .destroy = nuce_mapping_case_destroy,
};
