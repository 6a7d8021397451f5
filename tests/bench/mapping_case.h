/* What the benches of placements share: a square mesh on a network drawn as the mapping paper does,
 * and two placements of it by name. */
#ifndef NUCE_BENCH_MAPPING_CASE_H
#define NUCE_BENCH_MAPPING_CASE_H

#include "bench.h"
#include "mapping/placement.h"

struct nuce_mapping_case {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
    const char *ours, *reference; /* names of placements */
};

/* create of a bench: side x side processes on as many nodes and switches of 8 ports, 129 links for
 * 75 switches and in that proportion for others. */
nuce_status nuce_mapping_case_prepare(int side, int switches, const char *ours,
                                      const char *reference, struct nuce_bench_case *out,
                                      struct nuce_error *error);
void nuce_mapping_case_destroy(void *self);

/* For bench rows: the placement `ours`, and `reference`. */
nuce_status nuce_mapping_case_ours(void *self, struct nuce_error *error);
nuce_status nuce_mapping_case_reference(void *self, struct nuce_error *error);

/* The same for tables of distances: up and down routing, and breadth first from each switch. */
nuce_status nuce_mapping_case_updown(void *self, struct nuce_error *error);
nuce_status nuce_mapping_case_shortest(void *self, struct nuce_error *error);

#endif
