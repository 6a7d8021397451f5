/* The end of `run` and `resume`: running, the summary, the database, the exit status. Whatever
 * keeps runs from being made, what was measured is collected and told: it may be hours of work. */
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "campaigns/advice.h"
#include "campaigns/cli.h"
#include "campaigns/launcher.h"
#include "commands/collect_records.h"
#include "commands/run_local.h"
#include "db/store.h"

const struct nuce_option nuce_local_options[] = {
    NUCE_CLI_CAMPAIGNS(struct nuce_local),
    NUCE_CLI_DATABASE(struct nuce_local),
    NUCE_OPTION(TEXT, "mpiexec", offsetof(struct nuce_local, mpiexec), NUCE_MPIEXEC, "PATH",
                "MPI launcher", .letter = 'x'),
    {.name = NULL},
};

/* Points that stand so (nuce_campaign_stands). */
static int64_t count_stands(const struct nuce_campaign *campaign, const char *stands)
{
    int64_t count = 0;

    for (int64_t i = 0; i < campaign->count; i++)
        count += strcmp(nuce_campaign_stands(&campaign->points[i]), stands) == 0;
    return count;
}

/* "campaigns/quick.1: 40 points: 38 ok, 2 failed". */
static void local_print_summary(const struct nuce_campaign *campaign)
{
    static const char *const others[] = {"refused", "too few launches", "not run", NULL};
    const char *const *const lists[] = {nuce_record_statuses, others};
    int64_t launches = nuce_campaign_most_launches(campaign);
    const char *separator = ": ";

    printf("%s: %lld point%s", campaign->path, (long long)campaign->count,
           nuce_text_plural(campaign->count));
    if (launches > 1)
        printf(", each in %lld launches", (long long)launches);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const char *const *stands = lists[i]; *stands != NULL; stands++) {
            int64_t count = count_stands(campaign, *stands);

            if (count > 0) {
                printf("%s%lld %s", separator, (long long)count, *stands);
                separator = ", ";
            }
        }
    }
    putchar('\n');
}

/* The records go to the database whatever became of the runs. The folder of campaigns is the one
 * that this campaign lies in, which --campaigns need not be: it may have been named by its path. */
static int local_gather(const struct nuce_local *local, const struct nuce_campaign *campaign)
{
    char *folder = nuce_text_duplicate(campaign->path), *slash = strrchr(folder, '/');
    int status;

    if (slash != NULL)
        slash[slash == folder] = '\0';
    status = nuce_collect_records(local->database, slash != NULL ? folder : ".", campaign->name,
                                  NUCE_COLLECT_RECORDS_AFTER_RUN);
    free(folder);
    return status;
}

/* again: the command that goes on later, for the launcher's messages. */
static nuce_status local_launch(const struct nuce_local *local, struct nuce_campaign *campaign,
                                const char *again, struct nuce_error *error)
{
    const char *const starter[] = {local->mpiexec, NULL};
    struct nuce_launcher launcher;
    nuce_status status;

    if (campaign->launcher == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s/campaign.json: launcher: unknown: from another version of nuce",
                              campaign->path);
    status = nuce_launcher_init(&launcher, campaign->launcher, campaign, starter, error);
    launcher.again = again;
    if (status == NUCE_OK)
        status = nuce_launcher_run(&launcher, campaign, error);
    nuce_launcher_fini(&launcher);
    return status;
}

nuce_status nuce_local_check(const struct nuce_local *local, struct nuce_error *error)
{
    return nuce_store_check_writing(local->database, error) == NUCE_OK
               ? NUCE_OK
               : nuce_error_prefix(error, "--database");
}

/* The first status that is not 0 counts: what ended the runs says more than what collecting them
 * met. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign)
{
    struct nuce_error error;
    char *again = nuce_advice(campaign, "resume", &error);
    int status = 0, gathered;

    if (again == NULL || local_launch(local, campaign, again, &error) != NUCE_OK)
        status = nuce_message_error(&error);
    local_print_summary(campaign);
    if (status == nuce_error_exit_status(NUCE_INTERRUPTED))
        fprintf(stderr, "to go on: %s\n", again);
    if (status == 0 && count_stands(campaign, "ok") < campaign->count)
        status = 1;
    free(again);
    gathered = local_gather(local, campaign);
    if (status == 0)
        status = gathered;
    return status;
}
