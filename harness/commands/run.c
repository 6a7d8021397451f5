/* nuce run: a new campaign from a sweep, run on this machine. */
#include <stdlib.h>
#include <string.h>

#include "campaigns/local.h"
#include "cli/cli.h"
#include "commands/subcommand.h"
#include "launch/simulation.h"
#include "slurm/keys.h"
#include "support/text.h"
#include "support/units.h"
#include "sweeps/config.h"

/* More than one machine can usefully start; a sweep for a cluster is recognised by it. */
#define MOST_RANKS 256

struct arguments {
    struct nuce_local local;
    const char *config;
    int64_t most_ranks;
    int is_modelled;
    const char *platform; /* NULL: this machine */
};

static const struct argp_option options[] = {
    {"max-ranks", 'm', "N", 0, "refuse sweeps with more ranks than this (256)", 0},
    {"modelled", 'M', NULL, 0,
     "do not measure: record what the papers' cost model says (of the network that a point names, "
     "else of cm5)",
     0},
    {"platform", 'p', "PLATFORM", 0,
     "do not measure: run the kernels on the machine that this SimGrid platform describes, a file "
     "or a name of 'nuce list platforms'; in the place of one that the sweep names",
     0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct nuce_error error;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->local;
        return 0;
    case 'm':
        if (nuce_parse_count(value, &arguments->most_ranks, &error) != NUCE_OK ||
            arguments->most_ranks < 1)
            argp_error(state, "--max-ranks: '%s': expected a number of at least 1", value);
        return 0;
    case 'M':
        arguments->is_modelled = 1;
        return 0;
    case 'p':
        arguments->platform = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->config != NULL)
            argp_error(state, "'%s': expected one CONFIG", value);
        arguments->config = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->is_modelled && arguments->platform != NULL)
            argp_error(state, "--modelled and --platform: expected one of them");
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a CONFIG: a file, or a name of 'nuce list configs'");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&nuce_local_argp, 0, NULL, 0},
    {0},
};

/* The most ranks that a point has. */
static int most_ranks(const struct nuce_plan *plan)
{
    int most = 1;

    for (int64_t i = 0; i < plan->count; i++)
        most = plan->points[i].ranks > most ? plan->points[i].ranks : most;
    return most;
}

/* On which machine the sweep is run: *path is a new string, or NULL for this one. */
static nuce_status choose_platform(const struct arguments *arguments,
                                   const struct nuce_sweep *sweep, char **path,
                                   struct nuce_error *error)
{
    *path = NULL;
    if (arguments->is_modelled)
        return NUCE_OK;
    if (arguments->platform != NULL)
        return nuce_shipped_locate(&nuce_platform_shipped, arguments->platform, path, error);
    if (sweep->platform == NULL)
        return NUCE_OK;
    *path = nuce_text_format(error, "%s", sweep->platform);
    return *path == NULL ? error->status : NUCE_OK;
}

static nuce_status prepare(const struct arguments *arguments, struct nuce_campaign *out,
                           struct nuce_error *error)
{
    struct nuce_problems problems;
    struct nuce_machine_files machine = {0};
    struct nuce_config config;
    int is_real = !arguments->is_modelled && arguments->platform == NULL;
    char *platform = NULL;
    nuce_status status;

    status = nuce_config_load(arguments->config, is_real ? arguments->most_ranks : 0,
                              &nuce_slurm_judge, &config, &problems, error);
    nuce_problems_print(&problems, stderr);
    config.is_modelled = arguments->is_modelled;
    if (status == NUCE_OK && config.is_modelled && config.sweep.workload->pattern == NULL &&
        config.sweep.workload->model == NULL)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--modelled: %s: the workload %s runs under no schedule: there is "
                                "no model of it",
                                config.path, config.sweep.workload->name);
    if (status == NUCE_OK && !config.is_modelled && config.sweep.workload->program == NULL)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: the workload %s is computed, no program runs it: expected "
                                "--modelled",
                                config.path, config.sweep.workload->name);
    if (status == NUCE_OK)
        status = choose_platform(arguments, &config.sweep, &platform, error);
    if (status == NUCE_OK && platform != NULL) {
        status = nuce_simulation_prepare(platform, most_ranks(&config.plan), &machine, error);
        config.simulated = &machine;
    }
    if (status == NUCE_OK)
        status = nuce_campaign_create(arguments->local.campaigns, &config, NULL, out, error);
    nuce_problems_fini(&problems);
    nuce_config_fini(&config);
    nuce_machine_files_fini(&machine);
    free(platform);
    return status;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "CONFIG",
        "Runs the sweep CONFIG on this machine with mpiexec, as a new campaign; on a simulated one "
        "where it names a platform. CONFIG is a file or a name of 'nuce list configs'. Interrupt "
        "it at any time: 'nuce resume' goes on.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.most_ranks = MOST_RANKS};
    struct nuce_campaign campaign;
    struct nuce_error error;
    int status;

    (void)argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (prepare(&arguments, &campaign, &error) != NUCE_OK)
        return nuce_message_error(&error);
    status = nuce_local_main(&arguments.local, &campaign);
    nuce_campaign_fini(&campaign);
    return status;
}

const struct nuce_subcommand nuce_subcommand_run = {
    .name = "run", .summary = "run a sweep on this machine", .run = run};
