/* The common end of `run` and `resume`: running, the summary, the database, the exit status. If an
 * error stops the runs, the results so far are still collected and reported: they may be hours of
 * work. */
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "campaigns/ending.h"
#include "campaigns/launcher.h"
#include "campaigns/script.h"
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

/* Number of points with that status (nuce_campaign_stands). */
static int64_t count_stands(const struct nuce_campaign *campaign, const char *stands)
{
    int64_t count = 0;

    for (int64_t i = 0; i < campaign->count; i++)
        count += strcmp(nuce_campaign_stands(&campaign->points[i]), stands) == 0;
    return count;
}

nuce_status nuce_local_check(const struct nuce_local *local, const struct nuce_campaign *campaign,
                             struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;

    if (nuce_collect_records_check(local->database, error) == NUCE_OK && campaign != NULL &&
        nuce_store_open_reading(local->database, &store, &ignored) == NUCE_OK)
        nuce_store_check_campaign(&store, campaign->id, nuce_campaign_created(campaign), error);
    nuce_store_close(&store);
    return error->status;
}

/* The records go to the database even if runs failed. The folder of campaigns is the parent of this
 * campaign. It may differ from --campaigns, because the campaign may have been named by its path.
 * The first status that is not 0 counts: the end of the runs is more informative than errors of
 * collecting. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign)
{
    const char *const starter[] = {local->mpiexec, NULL};
    char *again = nuce_script_advice(campaign, "resume"); /* the command that continues later */
    char *folder = nuce_text_duplicate(campaign->path), *slash = strrchr(folder, '/');
    static const char *const others[] = {"refused", "too few launches", "not run", NULL};
    const char *const *const lists[] = {nuce_record_statuses, others};
    struct nuce_launcher launcher = {.ops = campaign->launcher};
    int64_t launches;
    const char *separator = ": ";
    struct nuce_error error;
    int status = 0, gathered, known;

    if (campaign->launcher == NULL)
        error.status = nuce_error_set(
            &error, NUCE_BAD_INPUT,
            "%s/campaign.json: launcher: unknown: from another version of nuce", campaign->path);
    else
        error.status = nuce_launcher_init(&launcher, campaign->launcher, campaign, starter, &error);
    launcher.again = again;
    if (error.status == NUCE_OK)
        error.status = nuce_launcher_run(&launcher, campaign, &error);
    nuce_launcher_fini(&launcher);
    if (error.status != NUCE_OK)
        status = nuce_message_error(&error);
    /* "campaigns/quick.1: 40 points: 38 ok, 2 failed". */
    printf("%s: %lld point%s", campaign->path, (long long)campaign->count,
           nuce_text_plural(campaign->count));
    /* The runs wanted may fall while a race runs. */
    launches = nuce_campaign_runs(campaign).most;
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
    if (status == nuce_error_exit_status(NUCE_INTERRUPTED))
        fprintf(stderr, "to go on: %s\n", again);
    if (status == 0 && count_stands(campaign, "ok") < campaign->count)
        status = 1;
    known = nuce_ending_say(campaign->points, campaign->count, stdout);
    status = status != 0 ? status : known;
    free(again);
    if (slash != NULL)
        slash[slash == folder] = '\0';
    gathered = nuce_collect_records(local->database, slash != NULL ? folder : ".", campaign->name,
                                    NUCE_COLLECT_RECORDS_AFTER_RUN);
    free(folder);
    return status != 0 ? status : gathered;
}
