/* nuce-model network: draws an uneven network as `network: random` does, and writes it as a
 * NETWORK FILE, for a virtual cluster or for inspection. The same seed and instance give the
 * same network in both. */
#include <stddef.h>
#include <stdio.h>

#include "base/command_line.h"
#include "points/scheduling.h"
#include "programs/model_command.h"
#include "schedules/network.h"

/* The command line. */
struct params {
    struct nuce_scheduling scheduling; /* options of the drawing */
    int64_t ranks;
    int ports;
};

#define AT(member) offsetof(struct params, member)

static const struct nuce_option rows[] = {
    NUCE_OPTION(COUNT, "ranks", AT(ranks), NULL, "N", "number of ranks", .minimum = 1),
    NUCE_OPTION(BANDWIDTHS, "bandwidth", AT(scheduling.bandwidth), NULL, "LOW..HIGH",
                "bytes per second of every pair, or of every port"),
    NUCE_OPTION(DURATIONS, "startup", AT(scheduling.startup), NULL, "LOW..HIGH",
                "startup latency of every pair; default: 0"),
    NUCE_OPTION(FLAG, "symmetric", AT(scheduling.symmetric), NULL, NULL,
                "one bandwidth and startup for both directions of a pair"),
    NUCE_OPTION(FLAG, "ports", AT(ports), NULL, NULL,
                "random rate of each rank's port, both directions alike; a pair has the lower of "
                "its two ports"),
    NUCE_OPTION(COUNT, "seed", AT(scheduling.seed), "1", "N", "seed of the random draws"),
    NUCE_OPTION(COUNT, "instance", AT(scheduling.instance), "0", "K",
                "number of the seed's network"),
    {.name = NULL},
};

static nuce_status draw(const struct params *params, struct nuce_network *out,
                        struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = &params->scheduling;
    struct nuce_network_ranges ranges = {.startup = scheduling->startup,
                                         .bandwidth = scheduling->bandwidth,
                                         .symmetric = scheduling->symmetric};
    struct nuce_rng rng = nuce_scheduling_network_rng(scheduling);

    if (params->ranks == 0 || params->ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%lld': expected 1 to %d",
                              (long long)params->ranks, NUCE_NETWORK_MAX_RANKS);
    if (!(scheduling->bandwidth.high > 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--bandwidth: not given: expected LOW..HIGH, such as 10MB..200MB");
    if (params->ports)
        return nuce_network_draw_ports((int)params->ranks, &ranges, &rng, out, error);
    return nuce_network_draw((int)params->ranks, &ranges, &rng, out, error);
}

static int run(int argc, char **argv)
{
    struct params params = {0};
    struct nuce_command_line line = {
        .about = "Draws an uneven network and writes it to standard output as a NETWORK FILE.",
        .examples = NUCE_EXAMPLES(
            {"nuce-model network --ranks 8 --bandwidth 10MB..200MB > n.network",
             "draw unlike pairs"},
            {"nuce-model network --ranks 8 --bandwidth 10MB..200MB --ports", "draw unlike ports"}),
        .groups = {{.rows = rows, .params = &params}}};
    struct nuce_network network = {0};
    struct nuce_error error = {0};
    nuce_status status;

    nuce_command_line_parse(&line, argc, argv);
    status = draw(&params, &network, &error);
    if (status == NUCE_OK) {
        nuce_network_print(&network, stdout);
        if (fflush(stdout) != 0)
            status = nuce_error_set(&error, NUCE_FAILED, "cannot write the network");
    }
    nuce_network_fini(&network);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    return nuce_error_exit_status(status);
}

const struct nuce_model_command nuce_model_network_command = {
    .name = "network",
    .summary = "a network that is drawn, as a NETWORK FILE",
    .run = run,
};
