/* The model of the workload mapping (Moh, Yu, Youn, Lee, Han): makes the network, its routing and
 * the processes, places them, and tells weighted cardinality and latencies.
 *
 * The problem is the same for all placements of an instance: it is kept in the model's memory.
 * Cost: routing O(switches^2) memory, the placement see kernels/mapping. */
#include "points/mapping_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/printable.h"
#include "base/text.h"
#include "mapping/sample.h"

/* One placement's problem. Its parts borrow from each other, so that it stays where it is. */
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

/* Accepts NULL, and what is half built. */
static void problem_destroy(void *made)
{
    struct problem *problem = made;

    if (problem == NULL)
        return;
    nuce_processes_fini(&problem->processes);
    nuce_processors_fini(&problem->processors);
    nuce_routing_fini(&problem->routing);
    nuce_topology_fini(&problem->topology);
    free(problem);
}

/* Drawn by the point's seed and instance, or read; a file's ports are checked against what is said
 * of them. Of a file's islands the largest is the network: no job is on two. */
static nuce_status mapping_make_topology(const struct nuce_mapping_params *params,
                                         struct nuce_topology *out, struct nuce_error *error)
{
    struct nuce_topology_recipe recipe = nuce_mapping_recipe(params);
    struct nuce_rng rng = nuce_mapping_rng(params->seed, params->instance, NUCE_MAPPING_NETWORK);
    int island;

    if (params->topology[0] == '\0')
        return nuce_topology_draw(&recipe, &rng, out, error);
    if (nuce_topology_read(params->topology, out, error) != NUCE_OK)
        return error->status;
    nuce_topology_largest(out, &island, NULL);
    nuce_topology_keep(out, island, NULL, 0);
    if (params->ports == 0 ||
        nuce_topology_check_ports(out, nuce_int(params->ports), error) == NUCE_OK)
        return NUCE_OK;
    nuce_topology_fini(out);
    return nuce_error_prefix(error, "%s", params->topology);
}

/* Of a mesh, or of a COM file's messages. */
static nuce_status mapping_make_processes(const struct nuce_mapping_params *params, int ranks,
                                          struct nuce_processes *out, struct nuce_error *error)
{
    struct nuce_pattern pattern;
    int side[NUCE_SIDES];
    nuce_status status;

    if (params->com[0] == '\0')
        return nuce_processes_read_sides(params->mesh, side, error) != NUCE_OK
                   ? error->status
                   : nuce_processes_mesh(side, out, error);
    if (nuce_pattern_read(params->com, ranks, &pattern, error) != NUCE_OK)
        return error->status;
    status = nuce_processes_pattern(&pattern, out, error);
    nuce_pattern_fini(&pattern);
    return status;
}

/* Fills *problem, all zero before. To be destroyed also after failure. */
static nuce_status make_problem(const struct nuce_mapping_params *params, int ranks,
                                struct problem *problem, struct nuce_error *error)
{
    struct nuce_rng rng = nuce_mapping_rng(params->seed, params->instance, NUCE_MAPPING_NODES);

    if (mapping_make_processes(params, ranks, &problem->processes, error) != NUCE_OK ||
        mapping_make_topology(params, &problem->topology, error) != NUCE_OK ||
        nuce_routing_create(nuce_routing_find(params->routing), &problem->topology,
                            &problem->routing, error) != NUCE_OK)
        return error->status;
    return nuce_processors_choose(&problem->routing, ranks, nuce_int(params->per_node), &rng,
                                  &problem->processors, error);
}

/* [switch, level, parent, place in a walk of the tree] of each; parent null: the root. */
static json_t *switches_json(const struct nuce_routing *routing, const int *place)
{
    json_t *all = json_array();

    for (int s = 0; s < routing->topology->switches; s++)
        json_array_append_new(
            all, json_pack("[i, i, o, i]", s, routing->level[s],
                           routing->parent[s] < 0 ? json_null() : json_integer(routing->parent[s]),
                           place[s]));
    return all;
}

/* [a, b] of each link, a < b. */
static json_t *mapping_links_json(const struct nuce_topology *topology)
{
    json_t *all = json_array();

    for (int s = 0; s < topology->switches; s++) {
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (topology->neighbor[k] > s)
                json_array_append_new(all, json_pack("[i, i]", s, topology->neighbor[k]));
        }
    }
    return all;
}

/* [rank, switch, row, column] of each rank: its place along the first side, and within the rest. */
static json_t *placed_json(const struct problem *problem, const int *processor)
{
    json_t *all = json_array();
    int wide = problem->processes.side[1] * problem->processes.side[2];

    for (int rank = 0; rank < problem->processes.ranks; rank++)
        json_array_append_new(all, json_pack("[i, i, i, i]", rank,
                                             problem->processors.home[processor[rank]], rank / wide,
                                             rank % wide));
    return all;
}

/* What a drawing of network and placement needs. */
static void set_layout(const struct problem *problem, const int *processor, json_t *lists)
{
    int *place = nuce_allocate(problem->topology.switches, sizeof *place);

    nuce_routing_walk(&problem->routing, place);
    json_object_set_new(lists, "switches", switches_json(&problem->routing, place));
    json_object_set_new(lists, "switch_links", mapping_links_json(&problem->topology));
    json_object_set_new(lists, "placed", placed_json(problem, processor));
    free(place);
}

/* "processors": the node of each rank by number; "node_names": what the file calls it, if it names
 * nodes. */
static void set_nodes(const struct problem *problem, const int *processor, json_t *lists)
{
    const struct nuce_topology *topology = &problem->topology;
    json_t *nodes = json_array(), *names = json_array();

    for (int rank = 0; rank < problem->processes.ranks; rank++) {
        int node = problem->processors.node[processor[rank]];
        char *name =
            topology->node_name == NULL ? NULL : nuce_text_duplicate(topology->node_name[node]);

        json_array_append_new(nodes, json_integer(node));
        if (name != NULL) {
            nuce_printable_make(name);
            json_array_append_new(names, json_string(name));
        }
        free(name);
    }
    json_object_set_new(lists, "processors", nodes);
    if (topology->node_name != NULL)
        json_object_set(lists, "node_names", names);
    json_decref(names);
}

static void mapping_describe(const struct problem *problem,
                             const struct nuce_mapping_sample *sample, struct nuce_found *found)
{
    static const char *const latencies[NUCE_MAPPING_CASES] = {"latency_0_s", "latency_10_s",
                                                              "latency_20_s"};

    nuce_found_real(found, "cardinality", sample->cardinality);
    for (int k = 0; k < NUCE_MAPPING_CASES; k++)
        nuce_found_real(found, latencies[k], sample->latency_s[k]);
    nuce_found_real(found, "place_s", sample->seconds);
    nuce_found_integer(found, "network_links", problem->topology.links);
    nuce_found_integer(found, "network_nodes", problem->topology.nodes);
    nuce_found_integer(found, "network_switches", problem->topology.switches);
}

/* Places the processes by the point's placement and tells what that costs. */
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
    nuce_status status = nuce_mapping_sample(nuce_placement_find(params->placement), &input,
                                             &sample, &processor, error);

    if (status != NUCE_OK)
        return status;
    mapping_describe(problem, &sample, found);
    set_nodes(problem, processor, lists);
    if (params->layout)
        set_layout(problem, processor, lists);
    free(processor);
    return NUCE_OK;
}

/* The problem is the same for all placements. */
nuce_status nuce_mapping_model(const void *params, int ranks, struct nuce_model_memory *memory,
                               struct nuce_found *found, json_t *lists, struct nuce_error *error)
{
    const struct nuce_mapping_params *p = params;
    struct problem *problem = memory->kept;

    if (problem == NULL) {
        problem = nuce_allocate(1, sizeof *problem);
        if (make_problem(p, ranks, problem, error) != NUCE_OK) {
            problem_destroy(problem);
            return error->status;
        }
        *memory = (struct nuce_model_memory){.kept = problem, .destroy = problem_destroy};
    }
    return mapping_place(p, problem, found, lists, error);
}
