#include "workloads/mapping_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/cardinality_bound.h"
#include "mapping/sample.h"
#include "support/memory.h"

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

static nuce_status make_topology(const struct nuce_mapping_params *params,
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
        make_topology(params, &problem->topology, error) != NUCE_OK ||
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

static json_t *links_json(const struct nuce_topology *topology)
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

static nuce_status set_layout(const struct problem *problem, const int *processor, json_t *record,
                              struct nuce_error *error)
{
    int *place = nuce_allocate(problem->topology.switches, sizeof *place, error);
    nuce_status status = place == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = nuce_routing_walk(&problem->routing, place, error);
    if (status == NUCE_OK) {
        (void)json_object_set_new(record, "switches", switches_json(&problem->routing, place));
        (void)json_object_set_new(record, "switch_links", links_json(&problem->topology));
        (void)json_object_set_new(record, "placed", placed_json(problem, processor));
    }
    free(place);
    return status;
}

static void set_sample(const struct problem *problem, const struct nuce_mapping_sample *sample,
                       double bound, json_t *record)
{
    static const char *const latencies[NUCE_MAPPING_CASES] = {"latency_0_s", "latency_10_s",
                                                              "latency_20_s"};

    (void)json_object_set_new(record, "cardinality", json_real(sample->cardinality));
    (void)json_object_set_new(record, "cardinality_bound", json_real(bound));
    for (int k = 0; k < NUCE_MAPPING_CASES; k++) {
        if (isfinite(sample->latency_s[k]))
            (void)json_object_set_new(record, latencies[k], json_real(sample->latency_s[k]));
    }
    (void)json_object_set_new(record, "place_s", json_real(sample->seconds));
    (void)json_object_set_new(record, "network_links", json_integer(problem->topology.links));
}

static nuce_status place(const struct nuce_mapping_params *params, const struct problem *problem,
                         json_t *record, struct nuce_error *error)
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
        status = nuce_mapping_sample(nuce_placement_find(params->algorithm), &input, &sample,
                                     &processor, error);
    if (status != NUCE_OK)
        return status;
    set_sample(problem, &sample, bound, record);
    if (params->layout)
        status = set_layout(problem, processor, record, error);
    free(processor);
    return status;
}

nuce_status nuce_mapping_model(const void *params, int ranks, json_t *record,
                               struct nuce_error *error)
{
    const struct nuce_mapping_params *p = params;
    struct problem problem = {0};
    nuce_status status = make_problem(p, ranks, &problem, error);

    if (status == NUCE_OK)
        status = place(p, &problem, record, error);
    problem_fini(&problem);
    return status;
}
