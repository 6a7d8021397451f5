#include "workloads/mapping_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/cardinality_bound.h"
#include "mapping/sample.h"
#include "support/allocate.h"
#include "support/int.h"

/* One placement's problem. What is in it borrows from other parts of it: it stays where it is. */
struct problem {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
};

struct nuce_topology_recipe nuce_mapping_recipe(const struct nuce_mapping_params *params)
{
    return (struct nuce_topology_recipe){.switches = nuce_int(params->switches),
                                         .ports = nuce_int(params->ports),
                                         .nodes = nuce_int(params->nodes),
                                         .connectivity = params->connectivity,
                                         .reading = strcmp(params->connectivity_of, "all") == 0
                                                        ? NUCE_CONNECTIVITY_ALL
                                                        : NUCE_CONNECTIVITY_FREE};
}

static void problem_fini(struct problem *problem)
{
    nuce_processes_fini(&problem->processes);
    nuce_processors_fini(&problem->processors);
    nuce_routing_fini(&problem->routing);
    nuce_topology_fini(&problem->topology);
}

static nuce_status mapping_make_topology(const struct nuce_mapping_params *params,
                                         struct nuce_topology *out, struct nuce_error *error)
{
    struct nuce_topology_recipe recipe = nuce_mapping_recipe(params);
    struct nuce_rng rng = nuce_mapping_rng(params->seed, params->instance, NUCE_MAPPING_NETWORK);

    return params->topology[0] != '\0' ? nuce_topology_read(params->topology, out, error)
                                       : nuce_topology_draw(&recipe, &rng, out, error);
}

/* To be released with problem_fini, also after failure. */
static nuce_status make_problem(const struct nuce_mapping_params *params, int ranks,
                                struct problem *problem, struct nuce_error *error)
{
    struct nuce_rng rng = nuce_mapping_rng(params->seed, params->instance, NUCE_MAPPING_NODES);
    int side[NUCE_SIDES];

    if (nuce_processes_read_sides(params->mesh, side, error) != NUCE_OK ||
        nuce_processes_mesh(side, &problem->processes, error) != NUCE_OK ||
        mapping_make_topology(params, &problem->topology, error) != NUCE_OK ||
        nuce_routing_create(nuce_routing_find(params->routing), &problem->topology,
                            &problem->routing, error) != NUCE_OK)
        return error->status;
    return nuce_processors_choose(&problem->routing, ranks, nuce_int(params->per_node), &rng,
                                  &problem->processors, error);
}

static json_t *switches_json(const struct nuce_routing *routing, const int *place)
{
    json_t *all = json_array();

    for (int s = 0; s < routing->topology->switches; s++)
        (void)json_array_append_new(
            all, json_pack("[i, i, o, i]", s, routing->level[s],
                           routing->parent[s] < 0 ? json_null() : json_integer(routing->parent[s]),
                           place[s]));
    return all;
}

static json_t *mapping_links_json(const struct nuce_topology *topology)
{
    json_t *all = json_array();

    for (int s = 0; s < topology->switches; s++) {
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (topology->neighbor[k] > s)
                (void)json_array_append_new(all, json_pack("[i, i]", s, topology->neighbor[k]));
        }
    }
    return all;
}

/* Row and column of a rank: its place along the first side, and within the rest. */
static json_t *placed_json(const struct problem *problem, const int *processor)
{
    json_t *all = json_array();
    int wide = problem->processes.side[1] * problem->processes.side[2];

    for (int rank = 0; rank < problem->processes.ranks; rank++)
        (void)json_array_append_new(all, json_pack("[i, i, i, i]", rank,
                                                   problem->processors.home[processor[rank]],
                                                   rank / wide, rank % wide));
    return all;
}

static nuce_status set_layout(const struct problem *problem, const int *processor, json_t *lists,
                              struct nuce_error *error)
{
    int *place = nuce_allocate(problem->topology.switches, sizeof *place, error);
    nuce_status status = place == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = nuce_routing_walk(&problem->routing, place, error);
    if (status == NUCE_OK) {
        (void)json_object_set_new(lists, "switches", switches_json(&problem->routing, place));
        (void)json_object_set_new(lists, "switch_links", mapping_links_json(&problem->topology));
        (void)json_object_set_new(lists, "placed", placed_json(problem, processor));
    }
    free(place);
    return status;
}

static void mapping_describe(const struct problem *problem,
                             const struct nuce_mapping_sample *sample, double bound,
                             struct nuce_found *found)
{
    static const char *const latencies[NUCE_MAPPING_CASES] = {"latency_0_s", "latency_10_s",
                                                              "latency_20_s"};

    nuce_found_real(found, "cardinality", sample->cardinality);
    nuce_found_real(found, "cardinality_bound", bound);
    for (int k = 0; k < NUCE_MAPPING_CASES; k++)
        nuce_found_real(found, latencies[k], sample->latency_s[k]);
    nuce_found_real(found, "place_s", sample->seconds);
    nuce_found_integer(found, "network_links", problem->topology.links);
}

static nuce_status mapping_place(const struct nuce_mapping_params *params,
                                 const struct problem *problem, struct nuce_found *found,
                                 json_t *lists, struct nuce_error *error)
{
    struct nuce_placement_input input = {
        .processes = &problem->processes,
        .processors = &problem->processors,
        .rng = nuce_mapping_rng(params->seed, params->instance, NUCE_MAPPING_PLACEMENT)};
    struct nuce_mapping_sample sample;
    int *processor = NULL;
    double bound = 0;
    nuce_status status = nuce_cardinality_bound(input.processes, input.processors, &bound, error);

    if (status == NUCE_OK)
        status = nuce_mapping_sample(nuce_placement_find(params->placement), &input, &sample,
                                     &processor, error);
    if (status != NUCE_OK)
        return status;
    mapping_describe(problem, &sample, bound, found);
    if (params->layout)
        status = set_layout(problem, processor, lists, error);
    free(processor);
    return status;
}

nuce_status nuce_mapping_model(const void *params, int ranks, struct nuce_found *found,
                               json_t *lists, struct nuce_error *error)
{
    const struct nuce_mapping_params *p = params;
    struct problem problem = {0};
    nuce_status status = make_problem(p, ranks, &problem, error);

    if (status == NUCE_OK)
        status = mapping_place(p, &problem, found, lists, error);
    problem_fini(&problem);
    return status;
}
