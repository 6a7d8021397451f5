/* nuce collect: from the record files of campaigns to the database. Runs that died with Slurm jobs
 * are recorded first (commands/slurm_jobs.h), so that they are among what is collected.
 * Idempotent; the only writer of the database beside `run`, `resume` and `import`, which call the
 * same (commands/collect_records.h). */
#include <stdlib.h>
#include <string.h>

#include "campaigns/campaign.h"
#include "campaigns/cli.h"
#include "commands/collect_records.h"
#include "commands/slurm_jobs.h"
#include "commands/subcommand.h"

/* database is made if it is missing; campaigns is the folder of campaigns. */
struct collect_arguments {
    const char *campaign, *database, *campaigns; /* campaign: NULL: all */
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct collect_arguments),
    NUCE_CLI_CAMPAIGNS(struct collect_arguments),
    {.name = NULL},
};

/* DIR/NAME, in the form that other subcommands take and print, is NAME in the folder DIR: the word
 * is changed in argv, which the program owns. Slurm is asked only about submitted campaigns. If it
 * does not answer, its information waits for the next call, and the records are collected
 * nevertheless. */
static nuce_status collect_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct collect_arguments *arguments = call->arguments;
    char *path = call->count > 0 ? call->texts[0] : NULL, *slash, *found = NULL;
    size_t length = path != NULL ? strlen(path) : 0;

    if (nuce_collect_records_check(arguments->database, error) != NUCE_OK)
        return error->status;
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    arguments->campaign = path;
    slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash != NULL) {
        *slash = '\0';
        arguments->campaigns = slash == path ? "/" : path;
        arguments->campaign = slash + 1;
    }
    if (path != NULL &&
        nuce_campaign_locate(arguments->campaigns, arguments->campaign, &found, error) == NUCE_OK)
        arguments->campaign = strrchr(found, '/') + 1;
    nuce_slurm_settle(arguments->campaigns, arguments->campaign);
    call->ended = nuce_collect_records(arguments->database, arguments->campaigns,
                                       arguments->campaign, NUCE_COLLECT_RECORDS_ALONE);
    free(found);
    return NUCE_OK;
}

const struct nuce_subcommand nuce_subcommand_collect = {
    .name = "collect",
    .summary = "read the records of campaigns into the database",
    .about =
        "Reads the record files of one campaign, or of all, into the database. CAMPAIGN is the "
        "name of a folder below --campaigns, a path, or a sweep (its newest campaign). Collecting "
        "again "
        "changes nothing.",
    .after = "Exit status 1 if a line could not be collected; the others were. Exit status 2 if "
             "an input is refused; beside a campaign of a name that the database has from "
             "another time, all others were collected.",
    .examples = NUCE_EXAMPLES(
        {"nuce collect", "read the records of all campaigns below ./campaigns"},
        {"nuce collect quick.1 --database other.db", "read one campaign into another database"}),
    .operands = {.usage = "[CAMPAIGN]", .least = 0, .most = 1, .expected = "one CAMPAIGN"},
    .options = options,
    .arguments_bytes = sizeof(struct collect_arguments),
    .run = collect_command,
};
