/* nuce run: a new campaign from a sweep, run on this machine: by mpiexec, on a simulated machine,
 * or computed by the model. All obstacles are found before the folder of the campaign is made; from
 * then on it can be interrupted and resumed at any time. commands/run_local.h runs it and prints
 * the summary. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/config.h"
#include "campaigns/process.h"
#include "campaigns/profile_keys.h"
#include "campaigns/simulation.h"
#include "campaigns/words.h"
#include "commands/into.h"
#include "commands/run_local.h"
#include "commands/subcommand.h"
#include "db/store.h"
#include "points/launch_factors.h"

struct run_arguments {
    struct nuce_local local;
    const char *config; /* a file, or the name of a shipped sweep */
    int64_t most_ranks; /* of a point, on this machine */
    int is_modelled;
    const char *platform; /* NULL: this machine */
    const char *into;     /* the campaign that gets further contenders; NULL: none */
};

static const struct nuce_option options[] = {
    /* One machine cannot usefully start more than the default: such a sweep is for a cluster. */
    NUCE_OPTION(COUNT, "max-ranks", offsetof(struct run_arguments, most_ranks), "256", "N",
                "most ranks; a sweep with more is refused", .letter = 'm', .minimum = 1),
    NUCE_OPTION(
        FLAG, "modelled", offsetof(struct run_arguments, is_modelled), NULL, NULL,
        "predictions of the papers' cost model instead of measurements, on the network that a "
        "point names, else on cm5",
        .letter = 'M'),
    NUCE_OPTION(TEXT, "platform", offsetof(struct run_arguments, platform), NULL, "PLATFORM",
                "SimGrid platform to simulate on instead of measuring: a file, or a name of "
                "'nuce list platforms'; default: the one that the sweep names"),
    NUCE_INTO_OPTION(struct run_arguments),
    {.name = NULL},
};

/* Reads and checks the sweep and makes the campaign, *out. *joined is the one that it goes into, a
 * new string. The limit on ranks is for this machine
 * alone: a model or a simulator can start any number. For another build of the programs, that
 * build's own launcher starts the ranks. */
static nuce_status run_prepare_campaign(const struct run_arguments *arguments,
                                        struct nuce_campaign *out, char **joined,
                                        struct nuce_error *error)
{
    const char *mpiexec = arguments->local.mpiexec;
    int is_real = !arguments->is_modelled && arguments->platform == NULL, most_ranks = 1;
    struct nuce_machine_files machine = {0};
    struct nuce_problems problems;
    struct nuce_config config;
    char *platform = NULL;

    error->status = nuce_config_load(arguments->config, is_real ? arguments->most_ranks : 0,
                                     &nuce_slurm_judge, &config, &problems, error);
    nuce_problems_print(&problems, stderr);
    config.is_modelled = arguments->is_modelled;
    if (error->status != NUCE_OK)
        goto done;
    error->status = nuce_config_check_modelled(&config, error);
    if (error->status == NUCE_OK && arguments->into != NULL)
        error->status = nuce_into_keep(&config, arguments->local.campaigns, arguments->into,
                                       arguments->local.database, 0, joined, error);
    /* Ranks are started here: on no more nodes than one. */
    for (int64_t i = 0; i < config.plan.count && error->status == NUCE_OK; i++) {
        const json_t *factors = json_object_get(config.plan.points[i].line, "launch");
        int64_t nodes = nuce_launch_count(factors, "nodes");

        if (nodes > 1 && config.sweep.ranks_count == 0)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: the capture is of several nodes, and 'nuce run' starts all "
                           "ranks on this machine: expected 'nuce submit', or 'ranks' in "
                           "the sweep to race its messages here",
                           config.path);
        else if (nodes > 1 || (nodes == 0 && nuce_launch_count(factors, "ntasks-per-node") > 0))
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: nodes, ntasks-per-node: swept, but 'nuce run' starts all "
                           "ranks on this machine: expected 'nuce submit'",
                           config.path);
    }
    if (error->status == NUCE_OK && arguments->platform != NULL)
        error->status =
            nuce_shipped_locate(&nuce_sweep_platforms, arguments->platform, &platform, error);
    else if (config.sweep.platform != NULL && !config.is_modelled)
        platform = nuce_text_duplicate(config.sweep.platform);
    if (error->status == NUCE_OK && platform != NULL) {
        for (int64_t i = 0; i < config.plan.count; i++)
            most_ranks =
                config.plan.points[i].ranks > most_ranks ? config.plan.points[i].ranks : most_ranks;
        error->status = nuce_simulation_prepare(platform, most_ranks, config.sweep.precision_s,
                                                &machine, error);
        config.simulated = &machine;
    } else if (error->status == NUCE_OK && !config.is_modelled) {
        for (int64_t i = 0; i < config.plan.count && error->status == NUCE_OK; i++) {
            const json_t *factors = json_object_get(config.plan.points[i].line, "launch");

            if (!config.sweep.workload->is_command && json_object_get(factors, "mpi") == NULL &&
                !nuce_process_exists(mpiexec))
                nuce_error_set(error, NUCE_BAD_INPUT,
                               "--mpiexec: '%s': %s: expected a program that starts the ranks",
                               mpiexec, strerror(errno));
        }
        if (error->status == NUCE_OK)
            error->status = nuce_words_check_user(&config.plan, mpiexec, error);
    }
    if (error->status == NUCE_OK)
        error->status = nuce_local_check(&arguments->local, NULL, error);
    if (error->status == NUCE_OK) {
        config.taken = nuce_store_last_number(arguments->local.database, config.sweep.name);
        error->status = nuce_campaign_create(arguments->local.campaigns, &config, NULL, out, error);
    }
done:
    nuce_problems_fini(&problems);
    nuce_config_fini(&config);
    nuce_machine_files_fini(&machine);
    free(platform);
    return error->status;
}

/* The prepared campaign is on the disk: even if this program dies, `nuce resume` continues it. */
static nuce_status run_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct run_arguments *arguments = call->arguments;
    struct nuce_campaign campaign;
    char *joined = NULL;

    if (arguments->is_modelled + (arguments->platform != NULL) + (arguments->into != NULL) > 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--modelled, --platform, --into: expected one of them");
    if (run_prepare_campaign(arguments, &campaign, &joined, error) == NUCE_OK) {
        call->ended = nuce_local_main(&arguments->local, &campaign);
        if (joined != NULL)
            fprintf(stderr, "look: nuce show %s,%s: all contenders\n", joined, campaign.name);
        nuce_campaign_fini(&campaign);
    }
    free(joined);
    return error->status;
}

const struct nuce_subcommand nuce_subcommand_run = {
    .name = "run",
    .summary = "run a sweep on this machine",
    .about = "Runs the sweep SWEEP on this machine with mpiexec, as a new campaign; on a "
             "simulated one where it names a platform. SWEEP is a file or a name of 'nuce "
             "list sweeps'. Interrupt it at any time: 'nuce resume' goes on.",
    .examples =
        NUCE_EXAMPLES({"nuce run quick", "race schedules on this machine, in about a minute"},
                      {"nuce run exchange-table5 --modelled",
                       "compute the same points by the papers' cost model"},
                      {"nuce run mine.yaml --into mine.1",
                       "race the contenders that mine.1 has not, with its reference and fastest"}),
    .operands = {.usage = "SWEEP",
                 .least = 1,
                 .most = 1,
                 .expected = "one SWEEP: a file, or a name of 'nuce list sweeps'"},
    .options = options,
    .more = nuce_local_options,
    .arguments_bytes = sizeof(struct run_arguments),
    .operand = offsetof(struct run_arguments, config),
    .run = run_command,
};
