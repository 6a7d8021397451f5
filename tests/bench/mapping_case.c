#include "mapping_case.h"

#include <stdlib.h>

#include "base/allocate.h"

nuce_status nuce_mapping_case_prepare(int side, int switches, const char *ours,
                                      const char *reference, struct nuce_bench_case *out,
                                      struct nuce_error *error)
{
    struct nuce_topology_recipe recipe = {
        .switches = switches, .ports = 8, .nodes = side * side, .connectivity = 0.75};
    int sides[NUCE_SIDES] = {side, side, 1};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_mapping_case *self = nuce_allocate(1, sizeof *self);

    self->ours = ours;
    self->reference = reference;
    if (nuce_topology_draw(&recipe, &rng, &self->topology, error) != NUCE_OK) {
        nuce_mapping_case_destroy(self);
        return error->status;
    }
    nuce_routing_create(nuce_routing_find("updown"), &self->topology, &self->routing);
    if (nuce_processes_mesh(sides, &self->processes, error) != NUCE_OK ||
        nuce_processors_choose(&self->routing, side * side, 1, &rng, &self->processors, error) !=
            NUCE_OK) {
        nuce_mapping_case_destroy(self);
        return error->status;
    }
    out->self = self;
    return NUCE_OK;
}

void nuce_mapping_case_destroy(void *self)
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

nuce_status nuce_mapping_case_ours(void *self, struct nuce_error *error)
{
    const struct nuce_mapping_case *what = self;

    return place(what, what->ours, error);
}

nuce_status nuce_mapping_case_reference(void *self, struct nuce_error *error)
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

nuce_status nuce_mapping_case_updown(void *self, struct nuce_error *error)
{
    return route(self, "updown", error);
}

nuce_status nuce_mapping_case_shortest(void *self, struct nuce_error *error)
{
    return route(self, "shortest", error);
}
