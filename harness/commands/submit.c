/* nuce submit: a new campaign from a sweep, run as Slurm jobs. All checks come before the
 * campaign's folder is made: sweep, profile, words for sbatch, and whether Slurm answers. A dry run
 * makes the campaign in memory and prints what would be submitted.
 *
 * harness/campaigns decides which points go into which job, what a job requests, and the text of
 * its script. commands/slurm_jobs.h has the loop that submits. A dry run calls the same functions,
 * so its output is what a submission would do. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/units.h"
#include "campaigns/cli.h"
#include "campaigns/cost.h"
#include "campaigns/process.h"
#include "campaigns/script.h"
#include "campaigns/shipped.h"
#include "campaigns/submission.h"
#include "commands/into.h"
#include "commands/slurm_jobs.h"
#include "commands/subcommand.h"
#include "db/store.h"

/* profile: NULL: the built-in defaults, with the sweep's `slurm:`. */
struct submit_arguments {
    const char *config, *profile, *campaigns, *database, *into;
    int dry_run;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "profile", offsetof(struct submit_arguments, profile), NULL, "FILE",
                "profile of this cluster: a file, or a name of 'nuce list profiles'",
                .letter = 'p'),
    NUCE_OPTION(FLAG, "dry-run", offsetof(struct submit_arguments, dry_run), NULL, NULL,
                "cost, srun and sbatch lines, and job scripts on stdout; nothing is submitted or "
                "written. Needs no Slurm: exit status 0, and stderr names what would stop a "
                "submission"),
    NUCE_CLI_CAMPAIGNS(struct submit_arguments),
    NUCE_CLI_DATABASE(struct submit_arguments),
    NUCE_INTO_OPTION(struct submit_arguments),
    {.name = NULL},
};

enum { OPINION_LIMIT_S = 60 };

/* Prints words as a shell reads them. */
static void print_words(const json_t *words)
{
    const json_t *word;
    size_t i;

    json_array_foreach(words, i, word)
    {
        char *quoted = nuce_script_quote(json_string_value(word));

        printf("%s%s", i > 0 ? " " : "", quoted);
        free(quoted);
    }
}

/* One submission as it would be: the command of its launches, the sbatch line and the job script.
 * The random end of the job's name differs each time. answers: Slurm can be asked. */
static nuce_status print_pack(const struct nuce_campaign *campaign, const struct nuce_pack *pack,
                              const struct nuce_profile *profile, int number, int answers,
                              struct nuce_error *error)
{
    char name[NUCE_JOB_NAME_BYTES], buffer[NUCE_UNITS_BYTES], *text = NULL;
    char nodes[NUCE_PACKING_NODES_BYTES];
    struct nuce_script_input input = {.campaign = campaign->path,
                                      .name = name,
                                      .number = number,
                                      .pack = pack,
                                      .profile = profile};
    unsigned char *seen = nuce_allocate(campaign->count, sizeof *seen);
    int64_t points = nuce_packing_count_points(pack, seen);
    struct nuce_process_reply reply = {0};
    struct nuce_error ignored;
    json_t *argv = NULL, *asked, *launcher = NULL;

    free(seen);
    if (nuce_submission_name(campaign, number, name, error) == NUCE_OK)
        argv = nuce_script_argv(&input, error);
    if (argv != NULL)
        text = nuce_script_text(&input, error);
    if (text != NULL)
        launcher = nuce_script_launcher(profile, pack, error);
    if (launcher != NULL) {
        nuce_packing_say_nodes(pack, profile, nodes);
        printf("# submission %d: %lld point%s on %d rank%s in %lld job%s of about %s%s\n", number,
               (long long)points, nuce_text_plural(points), pack->ranks,
               nuce_text_plural(pack->ranks), (long long)pack->count,
               pack->count == 1 ? "" : "s (an array)",
               nuce_units_format_seconds(pack->parts[0].estimate_s, buffer), nodes);
        /* Slurm's answer about the job without submitting it: its possible start, or why partition,
         * account or QOS do not allow it. The script, the last word, does not exist, so --wrap
         * replaces it. Nothing if sbatch cannot be called. */
        asked = json_copy(argv);
        json_array_remove(asked, json_array_size(asked) - 1);
        json_array_append_new(asked, json_string("--test-only"));
        json_array_append_new(asked, json_string("--wrap=true"));
        if (answers && nuce_process_run(asked, OPINION_LIMIT_S, &reply, &ignored) == NUCE_OK) {
            nuce_printable_make(reply.err);
            printf("# Slurm %s: %s\n",
                   nuce_process_succeeded(&reply) ? "would take it now" : "would not take it now",
                   reply.err);
        }
        nuce_process_reply_fini(&reply);
        json_decref(asked);
        fputs("# each launch in a job: ", stdout);
        print_words(launcher);
        printf(" %s ...\n", pack->workload->program);
        print_words(argv);
        error->status = NUCE_OK;
        printf("\n# jobs/%04d.sh:\n%s\n", number, text);
    }
    free(text);
    json_decref(launcher);
    json_decref(argv);
    return error->status;
}

/* Prints the reason if the submission would be refused, and continues. Prints the total nodes and
 * hours, in the words of `nuce plan` and of a real submission, and every submission, numbered from
 * 1 as in a new campaign. */
static nuce_status dry_run(const struct nuce_campaign *campaign, const struct nuce_profile *profile,
                           struct nuce_error *error)
{
    struct nuce_packing packing;
    struct nuce_limits limits;
    struct nuce_error problem;
    char text[NUCE_COST_BYTES], *advice;
    struct nuce_cost cost;
    const char *name;
    json_t *value;

    /* It may exist on another machine, or when all is built. */
    if (nuce_submit_check(profile, campaign, &problem) != NUCE_OK) {
        nuce_error_prefix(&problem, "this would not be submitted now");
        nuce_message_print(problem.message);
    }
    if (nuce_limits_read(profile->via, &limits, error) != NUCE_OK ||
        nuce_packing_make_all(campaign, profile, limits.array_size, &packing, error) != NUCE_OK)
        return error->status;
    printf("# nothing is submitted or written; campaign %s\n# limits of Slurm%s: "
           "MaxArraySize %lld, MaxJobCount %lld; the end of a job's name is random\n",
           campaign->path, limits.known ? "" : " (it could not be asked: its defaults)",
           (long long)limits.array_size, (long long)limits.jobs);
    json_object_foreach(profile->set, name, value)
    {
        char *quoted = nuce_script_quote(json_string_value(value));

        printf("# set in each job: %s=%s\n", name, quoted);
        free(quoted);
    }
    advice = nuce_packing_advice(&packing, profile);
    if (advice != NULL)
        nuce_message_print(advice);
    free(advice);
    error->status = nuce_cost_of(&packing, profile, &cost, error);
    if (error->status == NUCE_OK) {
        nuce_cost_say(&cost, text);
        printf("# in all: %s\n", text);
    }
    for (int64_t i = 0; i < packing.count && error->status == NUCE_OK; i++)
        error->status =
            print_pack(campaign, &packing.packs[i], profile, (int)i + 1, limits.known, error);
    nuce_packing_fini(&packing);
    return error->status;
}

/* Checks the campaign in memory, for the folder that a real one would get. Its path is made
 * absolute, because scripts name it; realpath would fail, because the folder does not exist yet. A
 * refusal before the folder is made is printed here, because advice may follow: *ended has the exit
 * status then, and the result is NUCE_OK. The campaign keeps a copy of the profile: later edits of
 * the file have no effect. */
static nuce_status submit_config(const struct submit_arguments *arguments,
                                 const struct nuce_config *config,
                                 const struct nuce_profile *profile, int *ended,
                                 struct nuce_error *error)
{
    char *folder = getcwd(NULL, 0), *next, *path;
    struct nuce_campaign imagined = {.lock = -1}, campaign;
    struct nuce_error refusal, ignored;
    char *cluster, **names = NULL;
    int64_t count = 0;
    json_t *frozen = NULL;

    if (folder == NULL)
        return nuce_error_set(error, NUCE_FAILED, "current folder: %s", strerror(errno));
    next = nuce_campaign_next_path(arguments->campaigns, config);
    path =
        nuce_text_format("%s%s%s", next[0] == '/' ? "" : folder, next[0] == '/' ? "" : "/", next);
    nuce_campaign_imagine(path, config, &imagined);
    free(path);
    free(next);
    free(folder);
    nuce_slurm_leave_shell(profile);
    error->status = NUCE_OK;
    if (arguments->dry_run) {
        error->status = dry_run(&imagined, profile, error);
    } else if (nuce_submit_check(profile, &imagined, &refusal) != NUCE_OK ||
               nuce_slurm_answers(profile, &refusal) != NUCE_OK) {
        *ended = nuce_message_error(&refusal);
        /* Without Slurm, and without a profile that names its path, a newcomer needs to know what a
         * profile is and how to get a cluster. Printed on stderr, below the error. */
        if (arguments->profile == NULL) {
            cluster = nuce_data_path("slurm/virtual/cluster", &ignored);
            if (nuce_shipped_names(&nuce_profile_shipped, &names, &count, &ignored) == NUCE_OK)
                fprintf(stderr, "--profile NAME|FILE says how a cluster is used; nuce ships ");
            for (int64_t i = 0; i < count; i++)
                fprintf(stderr, "%s%s", names[i],
                        i + 1 < count ? ", " : " ('nuce list profiles')\n");
            fprintf(stderr,
                    "no cluster at hand: '%s up --nodes 8', as root, brings up one on this "
                    "machine; then: nuce submit %s --profile virtual\n",
                    cluster != NULL ? cluster : "slurm/virtual/cluster", arguments->config);
            nuce_shipped_names_free(names, count);
            free(cluster);
        }
    } else if ((frozen = nuce_profile_to_json(profile, error)) != NULL &&
               nuce_campaign_create(arguments->campaigns, config, frozen, &campaign, error) ==
                   NUCE_OK) {
        *ended = nuce_slurm_submit(&campaign, profile);
        nuce_campaign_fini(&campaign);
        error->status = NUCE_OK;
    }
    json_decref(frozen);
    nuce_campaign_fini(&imagined);
    return error->status;
}

/* Refuses a sweep of a simulated machine, or one that no program runs: it needs no cluster.
 * nuce_slurm_profile checks the words after --, one by one. */
static nuce_status submit_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct submit_arguments *arguments = call->arguments;
    struct nuce_config config = {0};
    struct nuce_profile profile = {0};
    const struct nuce_sweep *sweep = &config.sweep;
    char *joined = NULL;

    error->status = nuce_slurm_config(arguments->config, arguments->profile, &config, error);
    if (error->status == NUCE_OK && sweep->platform != NULL)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: platform: '%s': a simulated machine needs no cluster: expected "
                       "'nuce run', or a copy of the sweep without 'platform'",
                       config.path, sweep->platform);
    else if (error->status == NUCE_OK && sweep->workload->program == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: the workload %s is computed, no program runs it: expected "
                       "'nuce run --modelled'",
                       config.path, sweep->workload->name);
    if (error->status == NUCE_OK && arguments->into != NULL)
        error->status = nuce_into_keep(&config, arguments->campaigns, arguments->into,
                                       arguments->database, 1, &joined, error);
    if (error->status == NUCE_OK)
        config.taken = nuce_store_last_number(arguments->database, sweep->name);
    if (error->status == NUCE_OK &&
        nuce_slurm_profile(arguments->profile, sweep->slurm, (const char *const *)call->behind,
                           &profile, error) == NUCE_OK)
        error->status = submit_config(arguments, &config, &profile, &call->ended, error);
    if (error->status == NUCE_OK && joined != NULL)
        fprintf(stderr, "look, once collected: nuce show %s,%s: all contenders\n", joined,
                sweep->name);
    nuce_profile_fini(&profile);
    nuce_config_fini(&config);
    free(joined);
    return error->status;
}

const struct nuce_subcommand nuce_subcommand_submit = {
    .name = "submit",
    .summary = "run a sweep as Slurm jobs",
    .about = "Submits the sweep SWEEP to Slurm, as a new campaign of few jobs. SWEEP is a "
             "file or a name of 'nuce list sweeps'. Options behind -- go to sbatch.",
    .after = "Then: 'nuce status' shows its state, 'nuce resume' submits the missing launches, "
             "'nuce collect' reads the records into the database.",
    .examples = NUCE_EXAMPLES({"nuce submit quick --profile srun-pmi2 --dry-run",
                               "print the job scripts and submit nothing"},
                              {"nuce submit quick --profile srun-pmi2 -- --account=ACCOUNT",
                               "submit it with an option for sbatch"}),
    .operands = {.usage = "SWEEP [-- SBATCH-OPTION...]",
                 .least = 1,
                 .most = 1,
                 .expected = "one SWEEP (a file, or a name of 'nuce list sweeps'), and "
                             "options of sbatch behind --"},
    .options = options,
    .arguments_bytes = sizeof(struct submit_arguments),
    .operand = offsetof(struct submit_arguments, config),
    .passes = 1,
    .run = submit_command,
};
