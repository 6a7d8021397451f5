/* The workload `mapping`: a placement of processes on the nodes of a network of switches (Moh, Yu,
 * Youn, Lee and Han). No program runs it: what it costs is computed. */
#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mapping/placement.h"
#include "support/text.h"
#include "workloads/mapping_model.h"
#include "workloads/results.h"

#define AT(member) offsetof(struct nuce_mapping_params, member)

static const char *placement_name(size_t index)
{
    return nuce_placements[index] == NULL ? NULL : nuce_placements[index]->name;
}

static const char *mapping_reading_name(size_t index)
{
    static const char *const names[] = {"free", "all", NULL};

    return names[index];
}

static const char *mapping_routing_name(size_t index)
{
    return nuce_routings[index] == NULL ? NULL : nuce_routings[index]->name;
}

static const struct nuce_option options[] = {
    {.name = "placement",
     .type = NUCE_OPTION_CHOICE,
     .offset = AT(placement),
     .preset = "bm",
     .argument = "NAME",
     .help = "how processes are placed (nuce list placements)",
     .flags = NUCE_OPTION_COMPARED,
     .choices = placement_name},
    {.name = "mesh",
     .type = NUCE_OPTION_LIST,
     .offset = AT(mesh),
     .argument = "AxB[xC]",
     .help = "processes that talk to the nearest along each side; left out: two sides as nearly "
             "equal as they can be"},
    {.name = "topology",
     .type = NUCE_OPTION_FILE,
     .offset = AT(topology),
     .argument = "FILE",
     .help = "a topology file; left out: the network is drawn"},
    {.name = "switches",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(switches),
     .preset = "75",
     .argument = "N",
     .help = "of a network that is drawn",
     .minimum = 1},
    {.name = "ports",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(ports),
     .preset = "8",
     .argument = "N",
     .help = "of a switch that is drawn",
     .minimum = 1},
    {.name = "connectivity",
     .type = NUCE_OPTION_REAL,
     .offset = AT(connectivity),
     .preset = "0.75",
     .argument = "R",
     .help = "the part of the ports that is connected",
     .minimum = 0},
    {.name = "connectivity-of",
     .type = NUCE_OPTION_CHOICE,
     .offset = AT(connectivity_of),
     .preset = "free",
     .argument = "free|all",
     .help = "the ports that nodes leave free, or all, those of nodes counted as connected",
     .choices = mapping_reading_name},
    {.name = "nodes",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(nodes),
     .preset = "256",
     .argument = "N",
     .help = "of a network that is drawn; fewer processes get a random subset",
     .minimum = 1},
    {.name = "routing",
     .type = NUCE_OPTION_CHOICE,
     .offset = AT(routing),
     .preset = "updown",
     .argument = "NAME",
     .help = "updown, tree or shortest",
     .choices = mapping_routing_name},
    {.name = "per-node",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(per_node),
     .preset = "1",
     .argument = "N",
     .help = "processes on a node",
     .minimum = 1},
    {.name = "instance",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(instance),
     .preset = "0",
     .argument = "K",
     .help = "which network, or of a given one which subset of the nodes; in a sweep "
             "'instances: N' stands for 0 .. N - 1",
     .flags = NUCE_OPTION_COUNTED},
    {.name = "seed",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(seed),
     .preset = "1",
     .argument = "N",
     .help = "of all that is drawn"},
    {.name = "layout",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(layout),
     .preset = "false",
     .help = "record the switches, their links and who is on them, for a drawing"},
    {.name = NULL},
};

/* What is of a network that is drawn, where one is given, is left out, and what is not given. */
static int mapping_applies(const struct nuce_option *option, const void *params)
{
    static const char *const drawn[] = {"switches",        "ports", "connectivity",
                                        "connectivity-of", "nodes", NULL};
    const struct nuce_mapping_params *p = params;

    if (strcmp(option->name, "topology") == 0)
        return p->topology[0] != '\0';
    if (strcmp(option->name, "layout") == 0)
        return p->layout;
    for (int i = 0; drawn[i] != NULL && p->topology[0] != '\0'; i++) {
        if (strcmp(option->name, drawn[i]) == 0)
            return 0;
    }
    return 1;
}

/* The sides of the mesh, which become what mesh says. */
static nuce_status complete_mesh(struct nuce_mapping_params *p, int ranks, struct nuce_error *error)
{
    int side[NUCE_SIDES], least;
    int64_t volume;

    if (p->mesh[0] == '\0') {
        for (least = (int)sqrt((double)ranks); least > 1 && ranks % least != 0;)
            least--;
        (void)snprintf(p->mesh, sizeof p->mesh, "%dx%d", least > 1 ? least : 1,
                       ranks / (least > 1 ? least : 1));
    }
    if (nuce_processes_read_sides(p->mesh, side, error) != NUCE_OK)
        return error->status;
    volume = (int64_t)side[0] * side[1] * side[2];
    if (volume != ranks)
        return nuce_error_refuse(error, "mesh",
                                 "'%s': a mesh of %lld processes: expected one of %d, the ranks",
                                 p->mesh, (long long)volume, ranks);
    if (side[2] > 1)
        (void)snprintf(p->mesh, sizeof p->mesh, "%dx%dx%d", side[0], side[1], side[2]);
    else
        (void)snprintf(p->mesh, sizeof p->mesh, "%dx%d", side[0], side[1]);
    return NUCE_OK;
}

static nuce_status mapping_check_most(const char *key, int64_t value, int64_t most,
                                      struct nuce_error *error)
{
    if (value <= most)
        return NUCE_OK;
    return nuce_error_refuse(error, key, "'%lld': expected 1 to %lld", (long long)value,
                             (long long)most);
}

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

static nuce_status mapping_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_mapping_params *p = params;
    struct nuce_topology_recipe recipe;

    if (mapping_check_most("ranks", ranks, NUCE_PROCESSES_MAX, error) != NUCE_OK ||
        mapping_check_most("per-node", p->per_node, NUCE_PROCESSES_MAX, error) != NUCE_OK ||
        mapping_check_most("switches", p->switches, NUCE_TOPOLOGY_MAX_SWITCHES, error) != NUCE_OK ||
        mapping_check_most("ports", p->ports, NUCE_TOPOLOGY_MAX_PORTS, error) != NUCE_OK ||
        mapping_check_most("nodes", p->nodes, NUCE_TOPOLOGY_MAX_NODES, error) != NUCE_OK ||
        complete_mesh(p, ranks, error) != NUCE_OK)
        return error->status;
    if (p->topology[0] != '\0')
        return NUCE_OK;
    recipe = nuce_mapping_recipe(p);
    if (nuce_topology_check_recipe(&recipe, error) != NUCE_OK)
        return error->status;
    return check_room(p, p->nodes, ranks, error);
}

static nuce_status mapping_inspect(const void *params, int ranks, struct nuce_facts *facts,
                                   struct nuce_error *error)
{
    const struct nuce_mapping_params *p = params;
    int nodes = 0;

    if (p->topology[0] == '\0')
        return NUCE_OK;
    if (nuce_facts_topology_nodes(facts, p->topology, &nodes, error) != NUCE_OK)
        return error->status;
    return check_room(p, nodes, ranks, error);
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"cardinality", NUCE_REAL, "links", "links that messages cross, by their weights", NULL, 0},
    {"cardinality_bound", NUCE_REAL, "links", "no placement's cardinality is less", NULL, 0},
    {"latency_0_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "a message, all to those a process talks to", NULL, 0},
    {"latency_10_s", NUCE_REAL, NUCE_UNIT_SECONDS, "the same with 10 % to any process", NULL, 0},
    {"latency_20_s", NUCE_REAL, NUCE_UNIT_SECONDS, "the same with 20 % to any process", NULL, 0},
    {"place_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor seconds: finding the placement", NULL, NUCE_RESULT_COMPUTATION},
    {"network_links", NUCE_INTEGER, "links", "links between switches", NULL, 0},
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
    .model = nuce_mapping_model,
};
