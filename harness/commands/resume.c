/* nuce resume: what is missing of a campaign. The campaign itself says how it was run
 * (campaign.json), so here or under Slurm is not a question of options; those of the other way are
 * refused instead of being passed over. Points that have their runs are never run again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "campaigns/words.h"
#include "commands/run_local.h"
#include "commands/slurm_jobs.h"
#include "commands/subcommand.h"

struct resume_arguments {
    struct nuce_local local;
    const char *campaign; /* NULL: the newest */
    struct nuce_slurm_wish wish;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(
        TEXT, "profile", offsetof(struct resume_arguments, wish.profile), NULL, "FILE",
        "new profile of this cluster: a file, or a name of 'nuce list profiles'; default: the "
        "profile of the last time",
        .letter = 'p'),
    {.name = NULL},
};

/* A campaign keeps the plan that it was made with, while its sweep file may have got another
 * contender since. It is looked for where most have it, as NAME.yaml in the current folder. */
static void note_changed_sweep(const struct nuce_campaign *campaign)
{
    const char *sha256 = json_string_value(json_object_get(campaign->description, "sweep_sha256"));
    const char *dot = strrchr(campaign->name, '.');
    char *file = nuce_text_format("%.*s.yaml", (int)(dot != NULL ? dot - campaign->name : 0),
                                  campaign->name);
    char hash[NUCE_HASH_BYTES];
    struct nuce_error ignored;

    if (sha256 != NULL && nuce_hash_file(file, hash, &ignored) == NUCE_OK &&
        strcmp(hash, sha256) != 0)
        fprintf(stderr,
                "nuce: note: %s has changed since %s was made, which keeps its plan; to run the "
                "new points: nuce run %s --into %s\n",
                file, campaign->name, file, campaign->name);
    free(file);
}

/* The campaign is opened to run: only one nuce at a time can have it so (campaigns/campaign.h); a
 * second one is refused. A campaign on this machine has no jobs to report. */
static nuce_status resume_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct resume_arguments *arguments = call->arguments;
    struct nuce_campaign campaign;
    nuce_status status;

    if (call->is_cut)
        arguments->wish.words = (const char *const *)call->behind;
    if (nuce_campaign_open(arguments->local.campaigns, arguments->campaign, NUCE_CAMPAIGN_RUN,
                           &campaign, error) != NUCE_OK)
        return error->status;
    status = NUCE_OK;
    note_changed_sweep(&campaign);
    if (nuce_campaign_is_slurm(&campaign)) {
        call->ended = nuce_slurm_resume(&campaign, &arguments->wish);
    } else if (arguments->wish.profile != NULL || arguments->wish.words != NULL) {
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: runs on this machine: --profile and options behind -- are for "
                                "campaigns of 'nuce submit'",
                                campaign.path);
    } else if (nuce_words_check_user_again(&campaign, arguments->local.mpiexec, error) != NUCE_OK ||
               nuce_local_check(&arguments->local, &campaign, error) != NUCE_OK) {
        status = error->status;
    } else {
        call->ended = nuce_local_main(&arguments->local, &campaign);
    }
    nuce_campaign_fini(&campaign);
    return status;
}

const struct nuce_subcommand nuce_subcommand_resume = {
    .name = "resume",
    .summary = "run the missing launches of a campaign",
    .about = "Runs the launches that are missing from CAMPAIGN, together with the reference: here, "
             "or as Slurm jobs if it was submitted. Launches in queued or running jobs are left "
             "alone. CAMPAIGN is the name of a folder below --campaigns, a path, or a sweep (its "
             "newest campaign). Default: the newest of all.",
    .after = "Jobs use the profile and the options of the previous submission. --profile FILE "
             "replaces that profile and drops these options: keys that FILE lacks come from the "
             "sweep's `slurm:`. Options behind -- replace the previous ones.",
    .examples = NUCE_EXAMPLES({"nuce resume", "run the missing launches of the newest campaign"},
                              {"nuce resume quick.1 --profile my-cluster.yaml",
                               "submit the missing launches of quick.1, with that profile's time"}),
    .operands = {.usage = "[CAMPAIGN] [-- SBATCH-OPTION...]",
                 .least = 0,
                 .most = 1,
                 .expected = "one CAMPAIGN, and options of sbatch behind --"},
    .options = options,
    .more = nuce_local_options,
    .arguments_bytes = sizeof(struct resume_arguments),
    .operand = offsetof(struct resume_arguments, campaign),
    .passes = 1,
    .run = resume_command,
};
