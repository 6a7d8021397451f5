/* The workload `mapping`: a placement of processes on the nodes of a network of switches (Moh, Yu,
 * Youn, Lee and Han). No program runs it: its cost is computed. A point has one network, drawn or
 * given, and one set of its nodes; `samples` takes the mean over several. A point is complete when
 * its mesh is written in its shortest form, and the network can be drawn; inspect checks files
 * later. With a given topology the options of a drawn network have no effect, and are no part of
 * the point's identity. */
#include "points/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/int.h"
#include "base/printable.h"
#include "base/statistics.h"
#include "base/text.h"
#include "mapping/placement.h"
#include "mapping/topology.h"
#include "points/results.h"

#define AT(member) offsetof(struct nuce_mapping_params, member)

static const char *placement_name(size_t index)
{
    return nuce_placements[index] == NULL ? NULL : nuce_placements[index]->name;
}

static const char *mapping_routing_name(size_t index)
{
    return nuce_routings[index] == NULL ? NULL : nuce_routings[index]->name;
}

static const struct nuce_option options[] = {
    NUCE_OPTION(CHOICE, "placement", AT(placement), "bm", "NAME",
                "placement of the processes (nuce list placements)", .flags = NUCE_OPTION_COMPARED,
                .choices = placement_name),
    NUCE_OPTION(LIST, "mesh", AT(mesh), NULL, "AxB[xC]",
                "sides of the process mesh, in which nearest neighbours communicate; default: "
                "two sides as equal as possible"),
    NUCE_OPTION(FILE, "com", AT(com), NULL, "FILE",
                "COM file whose messages the processes exchange, instead of a mesh",
                .flags = NUCE_OPTION_IF_SET),
    NUCE_OPTION(FILE, "topology", AT(topology), NULL, "FILE",
                "topology.conf of Slurm, lines 'switch A B' and 'node NAME SWITCH', or a measured "
                "network, whose leaves are derived; default: a random network",
                .flags = NUCE_OPTION_IF_SET),
    NUCE_OPTION(COUNT, "switches", AT(switches), "75", "N", "switches of a random network",
                .flags = NUCE_OPTION_DRAWN, .minimum = 1),
    NUCE_OPTION(COUNT, "ports", AT(ports), NULL, "N",
                "ports per switch; default: 8 in a random network, otherwise those in use",
                .minimum = 1),
    NUCE_OPTION(REAL, "connectivity", AT(connectivity), "0.75", "R",
                "fraction of the ports that is connected", .flags = NUCE_OPTION_DRAWN,
                .minimum = 0),
    /* How the paper's connectivity may be read: docs/papers/mapping.md. */
    NUCE_OPTION(CHOICE, "connectivity-of", AT(connectivity_of), "free", "free|all",
                "ports of 'connectivity': free (without nodes) or all (those of nodes count as "
                "connected); 129 or 97 links with the other defaults",
                .flags = NUCE_OPTION_DRAWN, .words = (const char *const[]){"free", "all", NULL}),
    NUCE_OPTION(COUNT, "nodes", AT(nodes), "256", "N",
                "nodes of a random network; fewer processes get a random subset",
                .flags = NUCE_OPTION_DRAWN, .minimum = 1),
    NUCE_OPTION(CHOICE, "routing", AT(routing), "updown", "NAME",
                "routes between switches: updown, tree or shortest",
                .choices = mapping_routing_name),
    NUCE_OPTION(COUNT, "per-node", AT(per_node), "1", "N", "processes per node", .minimum = 1),
#define NUCE_DRAWING_AT(member) AT(member)
#include "points/drawing_options.inc"
#undef NUCE_DRAWING_AT
    NUCE_OPTION(FLAG, "layout", AT(layout), "false", NULL,
                "record of the switches, their links and their processes, for a drawing",
                .flags = NUCE_OPTION_IF_SET),
    {.name = NULL},
};

/* A given network is not drawn, and processes of a COM file are on no mesh. */
static int mapping_applies(const struct nuce_option *option, const void *params)
{
    const struct nuce_mapping_params *p = params;

    if (strcmp(option->name, "mesh") == 0)
        return p->com[0] == '\0';
    if (strcmp(option->name, "ports") == 0 || option->flags & NUCE_OPTION_DRAWN)
        return p->topology[0] == '\0';
    return 1;
}

#define PORTS 8 /* of a switch of the paper's network */

/* The network must have room for all processes. */
static nuce_status check_room(const struct nuce_mapping_params *p, int64_t nodes, int ranks,
                              struct nuce_error *error)
{
    if (nodes * p->per_node >= ranks)
        return NUCE_OK;
    return nuce_error_refuse(error, "ranks",
                             "'%d': the network has %lld nodes of %lld processor%s: expected at "
                             "most %lld",
                             ranks, (long long)nodes, (long long)p->per_node,
                             nuce_text_plural(p->per_node), (long long)(nodes * p->per_node));
}

/* The recipe of the network of (complete) params. */
static struct nuce_topology_recipe mapping_recipe(const struct nuce_mapping_params *params)
{
    return (struct nuce_topology_recipe){.switches = nuce_int(params->switches),
                                         .ports = nuce_int(params->ports),
                                         .nodes = nuce_int(params->nodes),
                                         .connectivity = params->connectivity,
                                         .reading = strcmp(params->connectivity_of, "all") == 0
                                                        ? NUCE_CONNECTIVITY_ALL
                                                        : NUCE_CONNECTIVITY_FREE};
}

static nuce_status mapping_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_mapping_params *p = params;
    const struct {
        const char *key;
        int64_t value, most;
    } limits[] = {
        {"ranks", ranks, NUCE_PROCESSES_MAX},
        {"per-node", p->per_node, NUCE_PROCESSES_MAX},
        {"switches", p->switches, NUCE_TOPOLOGY_MAX_SWITCHES},
        {"ports", p->ports, NUCE_TOPOLOGY_MAX_PORTS},
        {"nodes", p->nodes, NUCE_TOPOLOGY_MAX_NODES},
    };
    struct nuce_topology_recipe recipe;
    int side[NUCE_SIDES], least;

    /* Options are int64_t; the model uses int. */
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].value > limits[i].most)
            return nuce_error_refuse(error, limits[i].key, "'%lld': expected 1 to %lld",
                                     (long long)limits[i].value, (long long)limits[i].most);
    }
    /* Writes the sides in their shortest form; without a mesh, the two that are nearest to equal.
     * The loop ends at 1, which divides everything. */
    if (p->com[0] == '\0' && p->mesh[0] == '\0') {
        for (least = (int)sqrt((double)ranks); least > 1 && ranks % least != 0;)
            least--;
        least = least > 1 ? least : 1;
        snprintf(p->mesh, sizeof p->mesh, "%dx%d", least, ranks / least);
    }
    if (p->com[0] == '\0') {
        int64_t volume;

        if (nuce_processes_read_sides(p->mesh, side, error) != NUCE_OK)
            return error->status;
        volume = (int64_t)side[0] * side[1] * side[2]; /* bounded when sides are read */
        if (volume != ranks)
            return nuce_error_refuse(
                error, "mesh", "'%s': a mesh of %lld processes: expected one of %d, the ranks",
                p->mesh, (long long)volume, ranks);
        if (side[2] > 1)
            snprintf(p->mesh, sizeof p->mesh, "%dx%dx%d", side[0], side[1], side[2]);
        else
            snprintf(p->mesh, sizeof p->mesh, "%dx%d", side[0], side[1]);
    } else if (p->mesh[0] != '\0')
        return nuce_error_refuse(error, "mesh", "'%s': expected either a mesh or com", p->mesh);
    if (p->topology[0] != '\0')
        return NUCE_OK;
    if (p->ports == 0)
        p->ports = PORTS;
    recipe = mapping_recipe(p);
    if (nuce_topology_check_recipe(&recipe, error) != NUCE_OK)
        return error->status;
    return check_room(p, p->nodes, ranks, error);
}

static nuce_status mapping_inspect(const void *params, int ranks, struct nuce_facts *facts,
                                   struct nuce_error *error)
{
    const struct nuce_mapping_params *p = params;
    const struct nuce_fact *fact;

    if (p->com[0] != '\0') {
        fact = nuce_facts_com(facts, p->com, error);
        if (fact == NULL)
            return nuce_error_about(error, "com");
        if (fact->size != ranks)
            return nuce_error_refuse(error, "ranks", "'%d': %s is for %d ranks, expected as many",
                                     ranks, p->com, nuce_int(fact->size));
    }
    if (p->topology[0] == '\0')
        return NUCE_OK;
    fact = nuce_facts_topology(facts, p->topology, error);
    if (fact == NULL)
        return error->status;
    if (fact->size > fact->joined && fact->joined * p->per_node < ranks)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': switches join %d of the network's %d nodes at most: "
                                 "expected at most %lld",
                                 ranks, fact->joined, nuce_int(fact->size),
                                 (long long)(fact->joined * p->per_node));
    return check_room(p, fact->joined, ranks, error);
}

/* As many ranks as the mesh or the COM file has. */
static nuce_status mapping_ranks(const void *params, struct nuce_facts *facts, int *out,
                                 struct nuce_error *error)
{
    const struct nuce_mapping_params *p = params;
    int side[NUCE_SIDES];
    int64_t volume;

    if (p->com[0] != '\0') {
        const struct nuce_fact *fact = nuce_facts_com(facts, p->com, error);

        if (fact == NULL)
            return error->status;
        *out = nuce_int(fact->size);
        return NUCE_OK;
    }
    if (p->mesh[0] == '\0')
        return NUCE_OK;
    if (nuce_processes_read_sides(p->mesh, side, error) != NUCE_OK)
        return error->status;
    volume = (int64_t)side[0] * side[1];
    if (volume <= NUCE_PROCESSES_MAX)
        volume *= side[2];
    if (volume > NUCE_PROCESSES_MAX)
        return nuce_error_refuse(error, "mesh", "'%s': expected at most %d processes", p->mesh,
                                 NUCE_PROCESSES_MAX);
    *out = (int)volume;
    return NUCE_OK;
}

/* The streams of an instance's draws. Each kind of draw has one of its own: another placement does
 * not change the networks. */
enum stream { STREAM_NETWORK, STREAM_NODES, STREAM_PLACEMENT, STREAMS };

static struct nuce_rng rng_of(const struct nuce_mapping_params *params, enum stream stream)
{
    return nuce_rng_create((uint64_t)params->seed,
                           (uint64_t)params->instance * STREAMS + (uint64_t)stream);
}

/* The input of a placement. Its parts borrow from each other, so it must not be moved. */
struct problem {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
};

/* Accepts NULL, and a partly built problem. */
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

/* Fills *problem, all zero before: processes of a mesh, or of a COM file's messages. The caller
 * destroys it, also after failure. */
static nuce_status make_problem(const struct nuce_mapping_params *params, int ranks,
                                struct problem *problem, struct nuce_error *error)
{
    struct nuce_rng rng = rng_of(params, STREAM_NODES), drawing = rng_of(params, STREAM_NETWORK);
    struct nuce_topology_recipe recipe = mapping_recipe(params);
    struct nuce_topology *topology = &problem->topology;
    struct nuce_pattern pattern = {0};
    int side[NUCE_SIDES], island;
    nuce_status status;

    if (params->com[0] == '\0') {
        status = nuce_processes_read_sides(params->mesh, side, error);
        if (status == NUCE_OK)
            status = nuce_processes_mesh(side, &problem->processes, error);
    } else {
        status = nuce_pattern_read(params->com, ranks, &pattern, error);
        if (status == NUCE_OK)
            status = nuce_processes_pattern(&pattern, &problem->processes, error);
        nuce_pattern_fini(&pattern);
    }
    if (status != NUCE_OK)
        return status;
    /* Drawn by the point's seed and instance, or read. A file's ports are checked against the given
     * number. The largest island of a file is the network: no job is on two. */
    if (params->topology[0] == '\0') {
        if (nuce_topology_draw(&recipe, &drawing, topology, error) != NUCE_OK)
            return error->status;
    } else {
        if (nuce_topology_read(params->topology, topology, error) != NUCE_OK)
            return error->status;
        nuce_topology_largest(topology, &island, NULL);
        nuce_topology_keep(topology, island, NULL, 0);
        if (params->ports > 0 &&
            nuce_topology_check_ports(topology, nuce_int(params->ports), error) != NUCE_OK)
            return nuce_error_prefix(error, "%s", params->topology);
    }
    nuce_routing_create(nuce_routing_find(params->routing), topology, &problem->routing);
    return nuce_processors_choose(&problem->routing, ranks, nuce_int(params->per_node), &rng,
                                  &problem->processors, error);
}

/* A placement that takes less than AGAIN_S seconds is repeated, up to a total number, and the
 * median time counts: the first run has cold caches. */
#define AGAIN_S 10e-3
#define MOST_TIMES 5

/* The processor of each rank, freed by the caller; *seconds is the processor time of one placement.
 * NULL with *error, which begins with the placement's name. */
static int *place_processes(const struct nuce_placement_ops *ops,
                            const struct nuce_placement_input *input, double *seconds,
                            struct nuce_error *error)
{
    double times[MOST_TIMES];
    int count = 0, *found = NULL;

    do {
        double start = nuce_processor_clock();

        free(found);
        found = nuce_placement_create(ops, input, error);
        if (found == NULL) {
            nuce_error_prefix(error, "%s", ops->name);
            return NULL;
        }
        times[count++] = nuce_processor_clock() - start;
    } while (count < MOST_TIMES && times[0] < AGAIN_S);
    nuce_statistics_sort(times, count);
    *seconds = nuce_statistics_median(times, count);
    return found;
}

/* The model (Moh, Yu, Youn, Lee, Han): makes the network, its routing and the processes, places
 * them, and reports weighted cardinality and latencies. The problem is the same for all placements
 * of an instance, so the model's memory keeps it.
 * Cost: routing O(switches^2) memory; for the placement see kernels/mapping.
 *
 * The lists for a drawing of network and placement: "switches": [switch, level, parent, place in a
 * walk of the tree] of each; parent null: the root; "switch_links": [a, b] of each link, a < b;
 * "placed": [rank, switch, row, column] of each rank: its place along the first side, and within
 * the rest. */
static nuce_status mapping_model(const void *params, int ranks, struct nuce_model_memory *memory,
                                 struct nuce_metrics *found, json_t *lists,
                                 struct nuce_error *error)
{
    /* The paper's cases: messages to any other process, as a share of all. */
    static const struct {
        const char *name;
        double distant;
    } latencies[] = {{"latency_0_s", 0}, {"latency_10_s", 0.1}, {"latency_20_s", 0.2}};
    const struct nuce_mapping_params *p = params;
    struct problem *problem = memory->kept;
    struct nuce_placement_input input = {.rng = rng_of(p, STREAM_PLACEMENT)};
    json_t *nodes, *names, *switches, *links, *placed;
    const struct nuce_topology *topology;
    const struct nuce_routing *routing;
    double seconds, latency_s;
    int *processor, *place, wide;
    char **node_name;

    if (problem == NULL) {
        problem = nuce_allocate(1, sizeof *problem);
        if (make_problem(p, ranks, problem, error) != NUCE_OK) {
            problem_destroy(problem);
            return error->status;
        }
        *memory = (struct nuce_model_memory){.kept = problem, .destroy = problem_destroy};
    }
    input.processes = &problem->processes;
    input.processors = &problem->processors;
    processor = place_processes(nuce_placement_find(p->placement), &input, &seconds, error);
    if (processor == NULL)
        return error->status;
    nuce_metrics_real(found, "cardinality",
                      nuce_placement_cardinality(input.processes, input.processors, processor));
    for (size_t k = 0; k < sizeof latencies / sizeof *latencies; k++) {
        nuce_placement_latency(input.processes, input.processors, processor, latencies[k].distant,
                               &latency_s);
        nuce_metrics_real(found, latencies[k].name, latency_s);
    }
    nuce_metrics_real(found, "place_s", seconds);
    nuce_metrics_integer(found, "network_links", problem->topology.links);
    nuce_metrics_integer(found, "network_nodes", problem->topology.nodes);
    nuce_metrics_integer(found, "network_switches", problem->topology.switches);
    /* "processors": the node of each rank by number; "node_names": its name in the file, if the
     * file names nodes. */
    nodes = json_array();
    names = json_array();
    node_name = problem->topology.node_name;
    for (int rank = 0; rank < problem->processes.ranks; rank++) {
        int node = problem->processors.node[processor[rank]];

        json_array_append_new(nodes, json_integer(node));
        if (node_name != NULL) {
            char *name = nuce_text_duplicate(node_name[node]);

            nuce_printable_make(name);
            json_array_append_new(names, json_string(name));
            free(name);
        }
    }
    json_object_set_new(lists, "processors", nodes);
    if (node_name != NULL)
        json_object_set(lists, "node_names", names);
    json_decref(names);
    if (p->layout) {
        topology = &problem->topology;
        routing = &problem->routing;
        wide = problem->processes.side[1] * problem->processes.side[2];
        switches = json_array();
        links = json_array();
        placed = json_array();
        place = nuce_allocate(topology->switches, sizeof *place);
        nuce_routing_walk(routing, place);
        for (int s = 0; s < topology->switches; s++) {
            json_array_append_new(
                switches,
                json_pack("[i, i, o, i]", s, routing->level[s],
                          routing->parent[s] < 0 ? json_null() : json_integer(routing->parent[s]),
                          place[s]));
            for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
                if (topology->neighbor[k] > s)
                    json_array_append_new(links, json_pack("[i, i]", s, topology->neighbor[k]));
            }
        }
        for (int rank = 0; rank < problem->processes.ranks; rank++)
            json_array_append_new(placed, json_pack("[i, i, i, i]", rank,
                                                    problem->processors.home[processor[rank]],
                                                    rank / wide, rank % wide));
        json_object_set_new(lists, "switches", switches);
        json_object_set_new(lists, "switch_links", links);
        json_object_set_new(lists, "placed", placed);
        free(place);
    }
    free(processor);
    return NUCE_OK;
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"cardinality", NUCE_REAL, "links", "links that messages cross, weighted by the messages", NULL, 0},
    {"latency_0_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "modelled latency of a message, all traffic between processes that communicate", NULL, 0},
    {"latency_10_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "modelled latency of a message, 10 % of the traffic to random processes", NULL, 0},
    {"latency_20_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "modelled latency of a message, 20 % of the traffic to random processes", NULL, 0},
    {"place_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of the search for the placement", NULL, NUCE_RESULT_COMPUTATION},
    {"network_links", NUCE_INTEGER, "links", "links between switches", NULL, 0},
    {"network_nodes", NUCE_INTEGER, "nodes", "nodes of the network", NULL, 0},
    {"network_switches", NUCE_INTEGER, "switches", "switches of the network", NULL, 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    own_results,
    nuce_results_run,
    NULL,
};

const struct nuce_workload_ops nuce_workload_mapping = {
    .name = "mapping",
    .summary = "placements of processes on networks of switches, computed and not run",
    .source = "Moh, Yu, Youn, Lee, Han: Mapping Strategies for Switch-Based Cluster Systems of "
              "Irregular Topology",
    .model_command = "mapping",
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_mapping_params),
    .complete = mapping_complete,
    .applies = mapping_applies,
    .inspect = mapping_inspect,
    .ranks = mapping_ranks,
    .model = mapping_model,
};
