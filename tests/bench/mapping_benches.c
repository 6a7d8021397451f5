/* The benches of placements: a square mesh on a network drawn as the mapping paper does, and two
 * placements of it by name, or tables of distances. */
#include <stdlib.h>

#include "base/allocate.h"
#include "bench.h"
#include "mapping/placement.h"

struct nuce_mapping_case {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
    const char *ours, *reference; /* names of placements */
};

static void mapping_destroy(void *self);

static nuce_status mapping_prepare(int side, int switches, const char *ours, const char *reference,
                                   struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_topology_recipe recipe = {
        .switches = switches, .ports = 8, .nodes = side * side, .connectivity = 0.75};
    int sides[NUCE_SIDES] = {side, side, 1};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_mapping_case *self = nuce_allocate(1, sizeof *self);

    self->ours = ours;
    self->reference = reference;
    if (nuce_topology_draw(&recipe, &rng, &self->topology, error) != NUCE_OK) {
        mapping_destroy(self);
        return error->status;
    }
    nuce_routing_create(nuce_routing_find("updown"), &self->topology, &self->routing);
    if (nuce_processes_mesh(sides, &self->processes, error) != NUCE_OK ||
        nuce_processors_choose(&self->routing, side * side, 1, &rng, &self->processors, error) !=
            NUCE_OK) {
        mapping_destroy(self);
        return error->status;
    }
    out->self = self;
    return NUCE_OK;
}

static void mapping_destroy(void *self)
{
    struct nuce_mapping_case *freed = self;

    if (freed == NULL)
        return;
    nuce_processors_fini(&freed->processors);
    nuce_processes_fini(&freed->processes);
    nuce_routing_fini(&freed->routing);
    nuce_topology_fini(&freed->topology);
    free(freed);
}

static nuce_status place(const struct nuce_mapping_case *self, const char *name,
                         struct nuce_error *error)
{
    struct nuce_placement_input input = {.processes = &self->processes,
                                         .processors = &self->processors,
                                         .rng = nuce_rng_create(2, 0)};
    int *processor = nuce_placement_create(nuce_placement_find(name), &input, error);

    free(processor);
    return processor == NULL ? error->status : NUCE_OK;
}

static nuce_status mapping_ours(void *self, struct nuce_error *error)
{
    const struct nuce_mapping_case *what = self;

    return place(what, what->ours, error);
}

static nuce_status mapping_reference(void *self, struct nuce_error *error)
{
    const struct nuce_mapping_case *what = self;

    return place(what, what->reference, error);
}

static nuce_status route(const struct nuce_mapping_case *self, const char *name,
                         struct nuce_error *error)
{
    struct nuce_routing routing;

    (void)error;
    nuce_routing_create(nuce_routing_find(name), &self->topology, &routing);
    nuce_routing_fini(&routing);
    return NUCE_OK;
}

static nuce_status mapping_updown(void *self, struct nuce_error *error)
{
    return route(self, "updown", error);
}

static nuce_status mapping_shortest(void *self, struct nuce_error *error)
{
    return route(self, "shortest", error);
}

#define ROW(id, side, switches, ours, reference, ...)                                              \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return mapping_prepare(side, switches, ours, reference, out, error);                       \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = mapping_ours,                           \
                                               .run_reference = mapping_reference,                 \
                                               .destroy = mapping_destroy,                         \
                                               __VA_ARGS__};

ROW(mapping_bm_256, 16, 75, "bm", "curve-swap", .name = "mapping-bm-256",
    .summary = "placement bm, 256 ranks on 75 switches", .reference = "curve-swap",
    .budget_s = 20e-3)
ROW(mapping_curve_swap_256, 16, 75, "curve-swap", "bm", .name = "mapping-curve-swap-256",
    .summary = "placement curve-swap, 256 ranks on 75 switches", .reference = "bm",
    .budget_s = 2e-3)
ROW(mapping_curve_swap_4096, 64, 1200, "curve-swap", "bm", .name = "mapping-curve-swap-4096",
    .summary = "placement curve-swap, 4096 ranks on 1200 switches", .reference = "bm",
    .budget_s = 20e-3)
ROW(mapping_curve_swap_65536, 256, 19200, "curve-swap", "sm", .name = "mapping-curve-swap-65536",
    .summary = "placement curve-swap, 65536 ranks on 19200 switches", .reference = "sm",
    .budget_s = 3, .budget_bytes = 900000000, .least_turns = 3)
ROW(mapping_scotch_256, 16, 75, "curve-swap", "scotch", .name = "mapping-scotch-256",
    .summary = "placement curve-swap, 256 ranks on 75 switches", .reference = "SCOTCH",
    .budget_ratio = 1, .needs_scotch = 1)
ROW(mapping_sm_256, 16, 75, "sm", "rm", .name = "mapping-sm-256",
    .summary = "placement sm, 256 ranks on 75 switches", .reference = "rm", .budget_s = 1e-3)

static nuce_status mapping_create_routing(struct nuce_bench_case *out, struct nuce_error *error)
{
    return mapping_prepare(256, 19200, "rm", "rm", out, error);
}

const struct nuce_bench nuce_bench_mapping_routing_65536 = {
    .name = "mapping-routing-65536",
    .summary = "distances under up and down routing between 19200 switches",
    .reference = "shortest ways, breadth first from 64 switches at once",
    .least_turns = 3,
    .create = mapping_create_routing,
    .run_ours = mapping_updown,
    .run_reference = mapping_shortest,
    .destroy = mapping_destroy,
};
