/* nuce-model platform: writes a machine as a platform file, on which SimGrid's SMPI runs the
 * kernels. The machines are in kernels/programs; irregular is made here from a topology and its
 * routing. */
#include <stddef.h>
#include <stdio.h>

#include "base/command_line.h"
#include "programs/model_command.h"
#include "programs/platform.h"

struct params {
    const char *name; /* of the platform; NULL: not given */
    int64_t ranks, switches, ports, seed;
    double connectivity;
    char network[NUCE_PATH_BYTES], topology[NUCE_PATH_BYTES];
};

#define AT(member) offsetof(struct params, member)

/* The comment in a platform file with the command cannot contain the two dashes of long options,
 * so each option has a letter. */
static const struct nuce_option rows[] = {
    NUCE_OPTION(COUNT, "ranks", AT(ranks), NULL, "P",
                "number of hosts, node-0 to node-(P - 1); default: that of the platform",
                .letter = 'r', .minimum = 1),
    NUCE_OPTION(FILE, "network", AT(network), NULL, "FILE", "NETWORK FILE of platform uneven",
                .letter = 'n'),
    NUCE_OPTION(
        FILE, "topology", AT(topology), NULL, "FILE",
        "switches and nodes of platform irregular, as in nuce-model mapping; default: the same "
        "random network as there",
        .letter = 't'),
    NUCE_OPTION(COUNT, "switches", AT(switches), "75", "N", "switches of a random network",
                .letter = 's', .minimum = 1),
    NUCE_OPTION(COUNT, "ports", AT(ports), "8", "N", "ports per switch", .letter = 'p',
                .minimum = 1),
    NUCE_OPTION(REAL, "connectivity", AT(connectivity), "0.75", "R",
                "fraction of the ports without nodes that is connected", .letter = 'c'),
    NUCE_OPTION(COUNT, "seed", AT(seed), "1", "N", "seed of the random draws", .letter = 'd'),
    {.name = NULL},
};

/* Nodes of irregular without --ranks: those of the mapping paper (section 5). */
#define NODES 256

/* Room for the options that draw a topology, which the file has as a comment. */
#define DRAWN_BYTES 128

/* Reads or draws the topology of irregular. drawn gets the options, as letters, that draw the
 * same; it is unchanged if the topology was read. */
static nuce_status make_topology(const struct params *params, struct nuce_topology *out,
                                 char drawn[DRAWN_BYTES], struct nuce_error *error)
{
    int64_t nodes = params->ranks == 0 ? NODES : params->ranks;
    struct nuce_rng rng = nuce_rng_create((uint64_t)params->seed, 0);
    struct nuce_topology_recipe recipe = {.nodes = (int)nodes,
                                          .connectivity = params->connectivity};

    if (params->topology[0] != '\0') {
        nuce_status status = nuce_topology_read(params->topology, out, error);

        if (status != NUCE_OK || out->islands == 1)
            return status;
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: switches '%s' and others are apart: expected ways between all "
                              "switches of a platform",
                              params->topology, out->switch_name[0]);
    }
    if (params->switches > NUCE_TOPOLOGY_MAX_SWITCHES)
        return nuce_error_refuse(error, "switches", "'%lld': expected 1 to %d",
                                 (long long)params->switches, NUCE_TOPOLOGY_MAX_SWITCHES);
    if (params->ports > NUCE_TOPOLOGY_MAX_PORTS)
        return nuce_error_refuse(error, "ports", "'%lld': expected 1 to %d",
                                 (long long)params->ports, NUCE_TOPOLOGY_MAX_PORTS);
    recipe.switches = (int)params->switches;
    recipe.ports = (int)params->ports;
    snprintf(drawn, DRAWN_BYTES, "-r %lld -s %lld -p %lld -c %.17g -d %lld", (long long)nodes,
             (long long)params->switches, (long long)params->ports, params->connectivity,
             (long long)params->seed);
    return nuce_topology_draw(&recipe, &rng, out, error);
}

/* The only routing is up-down routing (updown), which has no deadlock on any network of
 * switches. Options of irregular begin with the third row. */
static nuce_status print(const struct params *params, struct nuce_error *error)
{
    struct nuce_platform_input input = {0};
    const struct nuce_platform_ops *ops;
    const struct nuce_option *option = &rows[2];
    struct nuce_network network = {0};
    struct nuce_topology topology = {0};
    struct nuce_routing routing = {0};
    char drawn[DRAWN_BYTES] = "";
    nuce_status status = NUCE_OK;

    if (nuce_platform_find(params->name == NULL ? "" : params->name, &ops, error) != NUCE_OK)
        return error->status;
    if (params->ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%lld': expected 1 to %d",
                              (long long)params->ranks, NUCE_NETWORK_MAX_RANKS);
    while (option->name != NULL && !nuce_option_is_set(option, params))
        option++;
    if (!ops->is_routed && option->name != NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "--%s: %s has switches of its own: expected no such option, or irregular", option->name,
            ops->name);
    input.ranks = (int)params->ranks;
    if (params->network[0] != '\0') {
        if (nuce_network_read(params->network, input.ranks, &network, error) != NUCE_OK)
            return error->status;
        input.network_name = params->network;
        input.network = &network;
    }
    if (ops->is_routed) {
        status = make_topology(params, &topology, drawn, error);
        if (status == NUCE_OK)
            nuce_routing_create(nuce_routing_find("updown"), &topology, &routing);
        input.routing = &routing;
        input.drawn = drawn[0] == '\0' ? NULL : drawn;
    }
    if (status == NUCE_OK)
        status = nuce_platform_print(ops, &input, stdout, error);
    nuce_routing_fini(&routing);
    nuce_topology_fini(&topology);
    nuce_network_fini(&network);
    if (status == NUCE_OK && (fflush(stdout) != 0 || ferror(stdout)))
        return nuce_error_set(error, NUCE_FAILED, "cannot write the platform");
    return status;
}

static void list_platforms(FILE *file)
{
    for (size_t i = 0; nuce_platforms[i] != NULL; i++)
        fprintf(file, "  %-10s %s\n", nuce_platforms[i]->name, nuce_platforms[i]->summary);
}

static int run(int argc, char **argv)
{
    struct params params = {0};
    struct nuce_command_line line = {
        .about = "Writes a machine to standard output as a platform file for SimGrid's smpirun.",
        .examples = NUCE_EXAMPLES({"nuce-model platform irregular --ranks 256 > irregular.xml",
                                   "write a network of switches that is drawn"},
                                  {"nuce-model platform uneven --network ports.network > ports.xml",
                                   "write the machine of a NETWORK FILE"}),
        .list = list_platforms,
        .operands = {.usage = "NAME", .most = 1, .expected = "one platform", .into = &params.name},
        .groups = {{.rows = rows, .params = &params}}};
    struct nuce_error error = {0};
    nuce_status status;

    nuce_command_line_parse(&line, argc, argv);
    status = print(&params, &error);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    return nuce_error_exit_status(status);
}

const struct nuce_model_command nuce_model_platform_command = {
    .name = "platform",
    .summary = "a machine for SimGrid to run the kernels on, as a platform file",
    .run = run,
};
