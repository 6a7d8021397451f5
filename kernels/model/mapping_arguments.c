#include "model/mapping_arguments.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "mapping/placement.h"
#include "schedules/pattern.h"
#include "support/command_line.h"

struct params {
    char placement[NUCE_PATH_BYTES], mesh[NUCE_PATH_BYTES], com[NUCE_PATH_BYTES];
    char topology[NUCE_PATH_BYTES], reading[NUCE_NAME_BYTES], routing[NUCE_NAME_BYTES];
    int format;
    int64_t ranks, switches, ports, nodes, per_node, seed, samples;
    double connectivity;
};

static const char *reading_name(size_t index)
{
    static const char *const names[] = {"free", "all"};

    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

static const char *routing_name(size_t index)
{
    return nuce_routings[index] == NULL ? NULL : nuce_routings[index]->name;
}

#define AT(member) offsetof(struct params, member)

enum row {
    ROW_PLACEMENT,
    ROW_MESH,
    ROW_COM,
    ROW_RANKS,
    ROW_PER_NODE,
    ROW_TOPOLOGY,
    ROW_SWITCHES,
    ROW_PORTS,
    ROW_CONNECTIVITY,
    ROW_READING,
    ROW_NODES,
    ROW_ROUTING,
    ROW_SEED,
    ROW_SAMPLES,
    ROW_FORMAT,
    ROWS,
};

static const struct nuce_option rows[] = {
    [ROW_PLACEMENT] = {.name = "placement",
                       .type = NUCE_OPTION_LIST,
                       .offset = AT(placement),
                       .preset = "rm,sm,bm",
                       .argument = "A,B,...",
                       .help = "placements"},
    [ROW_MESH] = {.name = "mesh",
                  .type = NUCE_OPTION_LIST,
                  .offset = AT(mesh),
                  .argument = "AxB[xC]",
                  .help = "processes that talk to the nearest along each side"},
    [ROW_COM] = {.name = "com",
                 .type = NUCE_OPTION_FILE,
                 .offset = AT(com),
                 .argument = "FILE",
                 .help = "instead: processes that exchange the messages of a COM file"},
    [ROW_RANKS] = {.name = "ranks",
                   .type = NUCE_OPTION_COUNT,
                   .offset = AT(ranks),
                   .argument = "N",
                   .help = "processes, to hold the mesh or the COM file against",
                   .minimum = 1},
    [ROW_PER_NODE] = {.name = "per-node",
                      .type = NUCE_OPTION_COUNT,
                      .offset = AT(per_node),
                      .preset = "1",
                      .argument = "N",
                      .help = "processes on a node",
                      .minimum = 1},
    [ROW_TOPOLOGY] = {.name = "topology",
                      .type = NUCE_OPTION_FILE,
                      .offset = AT(topology),
                      .argument = "FILE",
                      .help =
                          "Slurm's topology.conf, or lines 'switch A B' (a link) and 'node "
                          "NAME SWITCH', or a measured network (nuce-calibrate links), whose "
                          "leaves are then found; --ports is then what no switch may have more of"},
    [ROW_SWITCHES] = {.name = "switches",
                      .type = NUCE_OPTION_COUNT,
                      .offset = AT(switches),
                      .argument = "N",
                      .help = "of a network that is drawn (75)",
                      .minimum = 1},
    [ROW_PORTS] = {.name = "ports",
                   .type = NUCE_OPTION_COUNT,
                   .offset = AT(ports),
                   .argument = "N",
                   .help = "of a switch (8)",
                   .minimum = 1},
    [ROW_CONNECTIVITY] = {.name = "connectivity",
                          .type = NUCE_OPTION_REAL,
                          .offset = AT(connectivity),
                          .argument = "R",
                          .help = "the part of the ports that is connected (0.75)"},
    [ROW_READING] = {.name = "connectivity-of",
                     .type = NUCE_OPTION_CHOICE,
                     .offset = AT(reading),
                     .argument = "free|all",
                     .help = "the ports that nodes leave free, or all, those of nodes counted as "
                             "connected: 129 or 97 links for 75 switches, 8 ports, 256 nodes and "
                             "0.75 (free)",
                     .choices = reading_name},
    [ROW_NODES] = {.name = "nodes",
                   .type = NUCE_OPTION_COUNT,
                   .offset = AT(nodes),
                   .argument = "N",
                   .help = "of the network; fewer processes get a random subset (256)",
                   .minimum = 1},
    [ROW_ROUTING] = {.name = "routing",
                     .type = NUCE_OPTION_CHOICE,
                     .offset = AT(routing),
                     .preset = "updown",
                     .argument = "NAME",
                     .help = "updown, tree or shortest",
                     .choices = routing_name},
    [ROW_SEED] = {.name = "seed",
                  .type = NUCE_OPTION_COUNT,
                  .offset = AT(seed),
                  .preset = "1",
                  .argument = "N",
                  .help = "of all that is drawn"},
    [ROW_SAMPLES] = {.name = "samples",
                     .type = NUCE_OPTION_COUNT,
                     .offset = AT(samples),
                     .preset = "1",
                     .argument = "N",
                     .help = "networks, or subsets of a given one, to take means over",
                     .minimum = 1},
    [ROW_FORMAT] = {.name = "format",
                    .type = NUCE_OPTION_WORD,
                    .offset = AT(format),
                    .preset = "text",
                    .argument = "text|json|csv",
                    .help = "of the results",
                    .choices = nuce_grid_format_name},
    [ROWS] = {.name = NULL},
};

/* Where nothing is said of the network that is drawn: the paper's. */
enum { SWITCHES = 75, PORTS = 8, NODES = 256 };
#define CONNECTIVITY 0.75
#define NOT_GIVEN (-1) /* of a connectivity */

static void list_placements(FILE *file)
{
    (void)fprintf(file, "Placements:\n");
    for (size_t i = 0; nuce_placements[i] != NULL; i++)
        (void)fprintf(file, "  %-11s%s\n", nuce_placements[i]->name, nuce_placements[i]->summary);
    (void)fprintf(file, "\nRoutings:\n");
    for (size_t i = 0; nuce_routings[i] != NULL; i++)
        (void)fprintf(file, "  %-11s%s\n", nuce_routings[i]->name, nuce_routings[i]->summary);
    (void)fprintf(
        file,
        "\nResults, means over samples, with standard deviations under KEY_sd:\n"
        "  cardinality  sum over edges of weight x links between the switches of its ends\n"
        "  cardinality_bound\n"
        "               no placement's cardinality is less\n"
        "  latency_us   microseconds of a message by the paper's delays, without contention, when\n"
        "               0, 10 or 20 per cent of messages go to any other process\n"
        "  seconds      processor time of finding the placement\n"
        "  processors   the node of each process, by number in the order of the topology (one\n"
        "               sample, JSON), and node_names where a file names them\n"
        "  cardinality_percent, gain_percent\n"
        "               beside rm in the same network, where that is among the placements\n");
}

static nuce_status check_range(enum row row, int64_t value, int64_t most, struct nuce_error *error)
{
    if (value <= most)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT, "--%s: '%lld': expected 1 to %lld", rows[row].name,
                          (long long)value, (long long)most);
}

static nuce_status make_processes(const struct params *params, struct nuce_processes *out,
                                  struct nuce_error *error)
{
    struct nuce_pattern pattern;
    int side[NUCE_SIDES];
    nuce_status status;

    if (check_range(ROW_RANKS, params->ranks, NUCE_PROCESSES_MAX, error) != NUCE_OK)
        return error->status;
    if ((params->mesh[0] == '\0') == (params->com[0] == '\0'))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--mesh or --com: expected one of them, such as --mesh 16x16");
    if (params->com[0] == '\0') {
        if (nuce_processes_read_sides(params->mesh, side, error) != NUCE_OK ||
            nuce_processes_mesh(side, out, error) != NUCE_OK)
            return error->status;
        if (params->ranks > 0 && params->ranks != out->ranks) {
            int ranks = out->ranks;

            nuce_processes_fini(out);
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "--mesh: '%s': a mesh of %d processes: expected %lld, as --ranks "
                                  "says",
                                  params->mesh, ranks, (long long)params->ranks);
        }
        return NUCE_OK;
    }
    if (nuce_pattern_read(params->com, (int)params->ranks, &pattern, error) != NUCE_OK)
        return error->status;
    status = nuce_processes_pattern(&pattern, out, error);
    nuce_pattern_fini(&pattern);
    return status;
}

static nuce_status make_recipe(const struct params *params, struct nuce_topology_recipe *out,
                               struct nuce_error *error)
{
    if (check_range(ROW_SWITCHES, params->switches, NUCE_TOPOLOGY_MAX_SWITCHES, error) != NUCE_OK ||
        check_range(ROW_PORTS, params->ports, NUCE_TOPOLOGY_MAX_PORTS, error) != NUCE_OK ||
        check_range(ROW_NODES, params->nodes, NUCE_TOPOLOGY_MAX_NODES, error) != NUCE_OK)
        return error->status;
    *out = (struct nuce_topology_recipe){
        .switches = params->switches == 0 ? SWITCHES : (int)params->switches,
        .ports = params->ports == 0 ? PORTS : (int)params->ports,
        .nodes = params->nodes == 0 ? NODES : (int)params->nodes,
        .connectivity = params->connectivity < 0 ? CONNECTIVITY : params->connectivity,
        .reading =
            strcmp(params->reading, "all") == 0 ? NUCE_CONNECTIVITY_ALL : NUCE_CONNECTIVITY_FREE};
    return NUCE_OK;
}

static nuce_status read_topology(const struct params *params, struct nuce_topology *out,
                                 struct nuce_error *error)
{
    const char *drawn = params->switches > 0         ? "switches"
                        : params->connectivity >= 0  ? "connectivity"
                        : params->reading[0] != '\0' ? "connectivity-of"
                        : params->nodes > 0          ? "nodes"
                                                     : NULL;

    if (drawn != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--%s: expected only without --topology, which has '%s'", drawn,
                              params->topology);
    if (nuce_topology_read(params->topology, out, error) != NUCE_OK)
        return error->status;
    if (params->ports == 0 || nuce_topology_check_ports(out, (int)params->ports, error) == NUCE_OK)
        return NUCE_OK;
    nuce_topology_fini(out);
    return nuce_error_prefix(error, "%s", params->topology);
}

void nuce_mapping_arguments_fini(struct nuce_mapping_arguments *arguments)
{
    nuce_processes_fini(&arguments->processes);
    nuce_topology_fini(&arguments->topology);
}

nuce_status nuce_mapping_arguments_parse(int argc, char **argv, struct nuce_mapping_arguments *out,
                                         struct nuce_error *error)
{
    struct params given = {.connectivity = NOT_GIVEN};
    const struct params *params = &given;
    struct nuce_command_line line = {
        .about = "Places processes on the nodes of a network of switches, and says how far apart "
                 "those that talk to each other are.",
        .list = list_placements,
        .groups = {{.rows = rows, .params = &given}}};
    struct nuce_mapping_arguments arguments = {0};
    nuce_status status;

    nuce_command_line_parse(&line, argc, argv);
    if (check_range(ROW_PER_NODE, params->per_node, NUCE_PROCESSES_MAX, error) != NUCE_OK ||
        make_recipe(params, &arguments.recipe, error) != NUCE_OK ||
        make_processes(params, &arguments.processes, error) != NUCE_OK)
        return error->status;
    status =
        params->topology[0] == '\0' ? NUCE_OK : read_topology(params, &arguments.topology, error);
    if (status != NUCE_OK) {
        nuce_mapping_arguments_fini(&arguments);
        return status;
    }
    memcpy(arguments.placements, params->placement, sizeof arguments.placements);
    arguments.format = (enum nuce_grid_format)params->format;
    arguments.routing = nuce_routing_find(params->routing);
    arguments.per_node = (int)params->per_node;
    arguments.seed = params->seed;
    arguments.samples = params->samples;
    *out = arguments;
    return NUCE_OK;
}
