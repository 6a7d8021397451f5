/* nuce cancel: ends the Slurm jobs of a campaign, and no others. campaigns/cancel.c selects them by
 * number, name and user together. If Slurm cannot be asked, nothing is cancelled. Results stay, and
 * the campaign's folder is not changed except by the jobs when they end. */
#include "campaigns/cancel.h"

#include <stdio.h>
#include <stdlib.h>

#include "campaigns/cli.h"
#include "commands/subcommand.h"

/* campaign: a name below the folder campaigns, or a path; NULL: the newest. */
struct cancel_arguments {
    const char *campaign, *campaigns;
};

static const struct nuce_option options[] = {
    NUCE_CLI_CAMPAIGNS(struct cancel_arguments),
    {.name = NULL},
};

/* Refuses a campaign that does not run in Slurm. The line on stdout has the number of jobs; stderr
 * first reports each job that was left alone. Exit status 1 also if only some were left: a script
 * that frees a cluster must not take that for success. */
static nuce_status cancel_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct cancel_arguments *arguments = call->arguments;
    struct nuce_cancel cancel = {.report = nuce_message_report};
    struct nuce_overview overview;
    char *others = NULL;
    nuce_status status;

    if (nuce_overview_make_any(arguments->campaigns, arguments->campaign, &overview, &others,
                               error) != NUCE_OK)
        return error->status;
    if (others != NULL)
        status =
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "several campaigns have jobs, such as %s and %s: expected one of them",
                           others, overview.campaign.name);
    else if (!nuce_campaign_is_slurm(&overview.campaign))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: was not submitted to Slurm: expected one of 'nuce submit'; "
                                "Ctrl-C stops a run on this machine",
                                overview.campaign.path);
    else if (!overview.queue_known)
        status = nuce_error_set(error, NUCE_FAILED, "%s: nothing cancelled: %s",
                                overview.campaign.path, overview.trouble);
    else
        status = nuce_cancel_jobs(&cancel, &overview, error);
    if (status == NUCE_OK) {
        printf("%s: %lld job%s cancelled, %lld left\n", overview.campaign.path,
               (long long)cancel.cancelled, cancel.cancelled == 1 ? "" : "s",
               (long long)cancel.left);
        call->ended = cancel.left > 0;
    }
    free(others);
    nuce_overview_fini(&overview);
    return status;
}

const struct nuce_subcommand nuce_subcommand_cancel = {
    .name = "cancel",
    .summary = "cancel the Slurm jobs of a campaign",
    .about =
        "Cancels the waiting and running Slurm jobs of CAMPAIGN (default: the one that has "
        "jobs; for a sweep, its newest). Only jobs with the submitted number, name and user are "
        "cancelled. Finished runs stay; 'nuce resume' submits the rest again.",
    .after = "Exit status 1 if a job of that name is left, with the reason.",
    .examples = NUCE_EXAMPLES({"nuce cancel", "cancel the jobs of the newest campaign"},
                              {"nuce cancel quick.1", "cancel those of one campaign"}),
    .operands = {.usage = "[CAMPAIGN]", .least = 0, .most = 1, .expected = "one CAMPAIGN"},
    .options = options,
    .arguments_bytes = sizeof(struct cancel_arguments),
    .operand = offsetof(struct cancel_arguments, campaign),
    .run = cancel_command,
};
