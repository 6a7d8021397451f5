/* The workload `speeds`: the sweep rate of each rank, all at the same time. These are the weights
 * by which an array is cut (Kaddoura, Ranka and Wang, 1: processors of different speeds). Nothing
 * is exchanged. A rank's speed is measured while all others sweep as well, since they share caches
 * and memory. With a network its file is rewritten with the speeds. */
#include <string.h>

#include "points/results.h"
#include "points/stencil_instance.h"
#include "points/workload.h"
#include "schedules/words.h"

#define AT(member) offsetof(struct nuce_speeds_params, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(COUNT, "stencil", AT(points), "5", "5|9",
                "cells that a mean covers, including the cell itself", .minimum = 5),
    NUCE_OPTION(CHOICE, "element", AT(element), "double", "TYPE", "type of a cell: double or float",
                .words = (const char *const[]){"double", "float", NULL}),
    NUCE_OPTION(COUNT, "side", AT(side), "1500", "N",
                "side of the array that each rank sweeps over, N x N cells", .minimum = 1),
    NUCE_OPTION(LIST, "emulate-speeds", AT(emulate_speeds), NULL, "LIST",
                "relative speeds of the ranks, such as 1,2,4,8, emulated by extra work",
                .flags = NUCE_OPTION_IF_SET),
    {.name = "network",
     .type = NUCE_OPTION_FILE,
     .offset = AT(scheduling.network),
     .argument = "NAME",
     .help =
         "NETWORK FILE, or measured (by nuce-calibrate links on these hosts); nuce writes a copy "
         "with the speeds into the folder of networks",
     .flags = NUCE_OPTION_NETWORK | NUCE_OPTION_IF_SET,
     /* Then the newest one is rewritten with the speeds. */
     .words = (const char *const[]){NUCE_NETWORK_MEASURED, NULL}},
    {.name = NULL},
};

/* A drawn network is not of these hosts: speeds in it would be meaningless. */
static nuce_status speeds_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_speeds_params *p = params;
    const char *network = p->scheduling.network;

    if (p->points != 5 && p->points != 9)
        return nuce_error_refuse(error, "stencil", "'%lld': expected 5 or 9", (long long)p->points);
    if (strcmp(network, NUCE_NETWORK_RANDOM) == 0 || strcmp(network, NUCE_NETWORK_EMULATED) == 0)
        return nuce_error_refuse(error, "network",
                                 "'%s': expected a NETWORK FILE, a preset or measured", network);
    if (p->emulate_speeds[0] == '\0')
        return NUCE_OK;
    if (nuce_stencil_list_normalise("emulate-speeds", p->emulate_speeds, sizeof p->emulate_speeds,
                                    error) != NUCE_OK)
        return error->status;
    return nuce_stencil_list_read("emulate-speeds", p->emulate_speeds, ranks, NULL, error);
}

static nuce_status speeds_inspect(const void *params, int ranks, struct nuce_facts *facts,
                                  struct nuce_error *error)
{
    const struct nuce_speeds_params *p = params;

    return nuce_scheduling_inspect(&p->scheduling, ranks, facts, error);
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"network_file", NUCE_TEXT, "", "network file that the run wrote", "network file", 0},
    {"cells_least", NUCE_REAL, "cells/s",
     "rate of the slowest rank", "cells/s: least", NUCE_RESULT_DERIVED},
    {"cells_most", NUCE_REAL, "cells/s", "rate of the fastest rank", "most", NUCE_RESULT_DERIVED},
    {"cells_error", NUCE_REAL, NUCE_UNIT_RATIO,
     "largest half-width of an interval / median", "error", NUCE_RESULT_DERIVED},
    {"relative_speeds", NUCE_TEXT, "",
     "speeds of the ranks, the fastest 1", "relative speeds", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_results_part,
    own_results,
    nuce_results_run,
    NULL,
};

const struct nuce_workload_ops nuce_workload_speeds = {
    .name = "speeds",
    .summary = "cells per second of each rank: weights for a decomposition",
    .source = "Kaddoura, Ranka, Wang: Array Decompositions for Nonuniform Computational "
              "Environments, 1",
    .program = "nuce-calibrate",
    .subcommand = "speeds",
    .examples = NUCE_EXAMPLES(
        {"mpiexec -n 8 nuce-calibrate speeds", "measure how fast each rank sweeps over cells"},
        {"mpiexec -n 8 nuce-calibrate speeds --network measured",
         "add the speeds to the network file of these hosts"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_speeds_params),
    .complete = speeds_complete,
    .inspect = speeds_inspect,
};
