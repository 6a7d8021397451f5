/* The benches of placements: a square mesh on a network drawn as the mapping paper does, and two
 * placements of it by name, or tables of distances. */
#include <stdlib.h>

#include "base/allocate.h"
#include "bench.h"
#include "mapping/placement.h"

/* A bench: the mesh side x side on so many switches, and two placements by name. */
struct mappings {
    int side, switches;
    const char *ours, *reference;
};

struct mapping_case {
    const struct mappings *of;
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
};

static void mapping_create(const void *of, struct nuce_bench_case *out)
{
    const struct mappings *mappings = of;
    int side = mappings->side, sides[NUCE_SIDES] = {side, side, 1};
    struct nuce_topology_recipe recipe = {
        .switches = mappings->switches, .ports = 8, .nodes = side * side, .connectivity = 0.75};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct mapping_case *self = nuce_allocate(1, sizeof *self);

    self->of = of;
    MUST(nuce_topology_draw(&recipe, &rng, &self->topology, &error));
    nuce_routing_create(nuce_routing_find("updown"), &self->topology, &self->routing);
    MUST(nuce_processes_mesh(sides, &self->processes, &error));
    MUST(nuce_processors_choose(&self->routing, side * side, 1, &rng, &self->processors, &error));
    out->self = self;
}

static void mapping_destroy(void *self)
{
    struct mapping_case *freed = self;

    nuce_processors_fini(&freed->processors);
    nuce_processes_fini(&freed->processes);
    nuce_routing_fini(&freed->routing);
    nuce_topology_fini(&freed->topology);
    free(freed);
}

static void place(const struct mapping_case *self, const char *name)
{
    struct nuce_placement_input input = {.processes = &self->processes,
                                         .processors = &self->processors,
                                         .rng = nuce_rng_create(2, 0)};
    struct nuce_error error;
    int *processor = nuce_placement_create(nuce_placement_find(name), &input, &error);

    if (processor == NULL)
        nuce_bench_fail(&error);
    free(processor);
}

static void mapping_ours(void *self)
{
    place(self, ((struct mapping_case *)self)->of->ours);
}

static void mapping_reference(void *self)
{
    place(self, ((struct mapping_case *)self)->of->reference);
}

static void route(const struct mapping_case *self, const char *name)
{
    struct nuce_routing routing;

    nuce_routing_create(nuce_routing_find(name), &self->topology, &routing);
    nuce_routing_fini(&routing);
}

static void mapping_updown(void *self)
{
    route(self, "updown");
}

static void mapping_shortest(void *self)
{
    route(self, "shortest");
}

#define OF(side, switches, ours, reference)                                                        \
    .of = &(const struct mappings){side, switches, ours, reference}, .create = mapping_create,     \
    .destroy = mapping_destroy
#define PLACE(side, switches, ours, reference_)                                                    \
    OF(side, switches, ours, reference_),                                                          \
        .run_ours = mapping_ours, .run_reference = mapping_reference, .reference = reference_

const struct nuce_bench nuce_bench_mappings[] = {
    {.name = "mapping-bm-256",
     PLACE(16, 75, "bm", "curve-swap"),
     .summary = "placement bm, 256 ranks on 75 switches",
     .budget_s = 20e-3},
    {.name = "mapping-curve-swap-256",
     PLACE(16, 75, "curve-swap", "bm"),
     .summary = "placement curve-swap, 256 ranks on 75 switches",
     .budget_s = 2e-3},
    {.name = "mapping-curve-swap-4096",
     PLACE(64, 1200, "curve-swap", "bm"),
     .summary = "placement curve-swap, 4096 ranks on 1200 switches",
     .budget_s = 20e-3},
    {.name = "mapping-curve-swap-65536",
     PLACE(256, 19200, "curve-swap", "sm"),
     .summary = "placement curve-swap, 65536 ranks on 19200 switches",
     .budget_s = 3,
     .budget_bytes = 900000000,
     .least_turns = 3},
    {.name = "mapping-routing-65536",
     OF(256, 19200, "rm", "rm"),
     .run_ours = mapping_updown,
     .run_reference = mapping_shortest,
     .least_turns = 3,
     .summary = "distances under up and down routing between 19200 switches",
     .reference = "shortest ways, breadth first from 64 switches at once"},
    {.name = "mapping-scotch-256",
     OF(16, 75, "curve-swap", "scotch"),
     .run_ours = mapping_ours,
     .run_reference = mapping_reference,
     .reference = "SCOTCH",
     .budget_ratio = 1,
     .needs_scotch = 1,
     .summary = "placement curve-swap, 256 ranks on 75 switches"},
    {.name = "mapping-sm-256",
     PLACE(16, 75, "sm", "rm"),
     .summary = "placement sm, 256 ranks on 75 switches",
     .budget_s = 1e-3},
    {.name = NULL},
};
