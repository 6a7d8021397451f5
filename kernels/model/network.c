/* nuce-model network: a NETWORK FILE of a network that is drawn, such as `network: random` draws
 * it, for a virtual cluster or to look at. */
#include <argp.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#include "model/model.h"
#include "networks/network.h"
#include "support/option.h"
#include "workloads/scheduling.h"

struct params {
    struct nuce_scheduling scheduling; /* what is drawn */
    int64_t ranks;
    int ports;
};

#define AT(member) offsetof(struct params, member)

static const struct nuce_option rows[] = {
    {.name = "ranks",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(ranks),
     .argument = "N",
     .help = "of the network",
     .minimum = 1},
    {.name = "bandwidth",
     .type = NUCE_OPTION_BANDWIDTHS,
     .offset = AT(scheduling.bandwidth),
     .argument = "LOW..HIGH",
     .help = "bytes per second, of every pair, or of every port"},
    {.name = "startup",
     .type = NUCE_OPTION_DURATIONS,
     .offset = AT(scheduling.startup),
     .argument = "LOW..HIGH",
     .help = "startup latency of every pair; left out: none"},
    {.name = "symmetric",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(scheduling.symmetric),
     .help = "one bandwidth and startup for both directions of a pair"},
    {.name = "ports",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(ports),
     .help = "draw what each rank's port carries, both ways alike; a pair has the lesser of its "
             "two ports"},
    {.name = "seed",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(scheduling.seed),
     .preset = "1",
     .argument = "N",
     .help = "of what is drawn (1)"},
    {.name = "instance",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(scheduling.instance),
     .preset = "0",
     .argument = "K",
     .help = "which of the seed's networks (0)"},
    {.name = NULL},
};

#define ROWS (sizeof rows / sizeof *rows - 1)
#define FIRST_KEY 0x300

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct nuce_error error;
    char said[NUCE_ERROR_TEXT_BYTES];

    if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s': expected only options", text);
    if (key < FIRST_KEY || key >= FIRST_KEY + (int)ROWS)
        return ARGP_ERR_UNKNOWN;
    if (nuce_option_set(&rows[key - FIRST_KEY], state->input, text == NULL ? "true" : text,
                        &error) != NUCE_OK)
        argp_error(state, "%s", nuce_error_text(&error, NUCE_ERROR_OPTIONS, said));
    return 0;
}

static nuce_status check(const struct params *params, struct nuce_error *error)
{
    if (params->ranks == 0 || params->ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%lld': expected 1 to %d",
                              (long long)params->ranks, NUCE_NETWORK_MAX_RANKS);
    if (!(params->scheduling.bandwidth.high > 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--bandwidth: not given: expected LOW..HIGH, such as 10MB..200MB");
    return NUCE_OK;
}

static nuce_status draw(const struct params *params, struct nuce_network *out,
                        struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = &params->scheduling;
    struct nuce_network_ranges ranges = {.startup = scheduling->startup,
                                         .bandwidth = scheduling->bandwidth,
                                         .symmetric = scheduling->symmetric};
    struct nuce_rng rng = nuce_scheduling_network_rng(scheduling);

    if (params->ports)
        return nuce_network_draw_ports((int)params->ranks, &ranges, &rng, out, error);
    return nuce_network_draw((int)params->ranks, &ranges, &rng, out, error);
}

static int run(int argc, char **argv)
{
    struct argp_option options[ROWS + 1] = {{0}};
    struct argp argp = {.options = options,
                        .parser = parse,
                        .doc = "Draws an uneven network and writes it to standard output as a "
                               "NETWORK FILE."};
    struct params params = {0};
    struct nuce_network network = {0};
    struct nuce_error error = {0};
    nuce_status status;

    for (size_t i = 0; i < ROWS; i++)
        options[i] = (struct argp_option){.name = rows[i].name,
                                          .key = FIRST_KEY + (int)i,
                                          .arg = rows[i].argument,
                                          .doc = rows[i].help};
    nuce_option_presets(rows, &params);
    (void)argp_parse(&argp, argc, argv, 0, NULL, &params);
    status = check(&params, &error);
    if (status == NUCE_OK)
        status = draw(&params, &network, &error);
    if (status == NUCE_OK) {
        nuce_network_print(&network, stdout);
        if (fflush(stdout) != 0)
            status = nuce_error_set(&error, NUCE_FAILED, "cannot write the network");
    }
    nuce_network_fini(&network);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    return nuce_exit_status(status);
}

const struct nuce_model_command nuce_model_network_command = {
    .name = "network",
    .summary = "a network that is drawn, as a NETWORK FILE",
    .run = run,
};
