/* nuce import: the campaigns of a bundle into this database. The bundle is unpacked into a scratch
 * folder, checked as `nuce verify` does, and only then renamed into its place, campaign by
 * campaign; so nothing of a bundle that is altered is ever there. What comes so is marked as
 * imported: its records are read, and nothing that it names is ever started (campaigns/campaign.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "commands/collect_records.h"
#include "commands/subcommand.h"
#include "results/bundle.h"

struct import_arguments {
    const char *path, *database, *campaigns;
    struct nuce_bundle_limits limits; /* of what is unpacked: a bundle may be anybody's */
    int invalid;                      /* what is intact but not valid is taken all the same */
};

/* The campaigns that were imported: what is to be collected. */
struct imported {
    char **names;
    int64_t count, capacity;
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct import_arguments),
    NUCE_CLI_CAMPAIGNS(struct import_arguments),
    NUCE_OPTION(FLAG, "invalid", offsetof(struct import_arguments, invalid), NULL, NULL,
                "also what is intact but not valid: bad lines are left out", .letter = 'i'),
    NUCE_OPTION(BYTES, "limit", offsetof(struct import_arguments, limits.bytes), "4GiB", "BYTES",
                "unpack no more than this", .letter = 'l'),
    {.name = NULL},
};

/* Called for each campaign that is in its place: it is told, and kept for collecting. */
static void note_campaign(void *context, const char *campaign, int was_there)
{
    struct imported *imported = context;
    void *names = imported->names;

    fprintf(stderr, "nuce: %s: %s\n", campaign, was_there ? "was there, the same" : "imported");
    nuce_allocate_more(&names, &imported->capacity, imported->count + 1, sizeof *imported->names);
    imported->names = names;
    imported->names[imported->count++] = nuce_text_duplicate(campaign);
}

/* Collects each campaign; the worst of the exit statuses. */
static int import_collect_campaigns(const struct import_arguments *arguments,
                                    const struct imported *imported)
{
    int worst = 0;

    for (int64_t i = 0; i < imported->count; i++) {
        int status = nuce_collect_records(arguments->database, arguments->campaigns,
                                          imported->names[i], NUCE_COLLECT_RECORDS_ALONE);

        worst = status > worst ? status : worst;
    }
    return worst;
}

/* What was found wrong has been told; whether that is reason to stop is decided here. */
static nuce_status refuse_problems(const struct import_arguments *arguments,
                                   const struct nuce_bundle_report *report,
                                   struct nuce_error *error)
{
    if (report->altered > 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: altered, or no bundle: nothing is imported (traces and matrices "
                              "of messages: 'nuce capture import')",
                              arguments->path);
    if (report->invalid > 0 && !arguments->invalid)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: intact, but not valid: nothing is imported (--invalid takes it "
                              "as it is)",
                              arguments->path);
    return NUCE_OK;
}

/* Unpacked in the folder of campaigns, since only there a campaign can be renamed to its place: a
 * rename does not cross file systems. The folder is made if it is missing, and removed again where
 * nothing came into it. */
static nuce_status import_bundle(const struct import_arguments *arguments,
                                 struct imported *imported, struct nuce_error *error)
{
    struct nuce_bundle_report report = {.tell = nuce_bundle_print_problem, .context = stderr};
    struct nuce_bundle bundle = {0};
    int made = mkdir(arguments->campaigns, 0777) == 0;
    nuce_status status;

    if (!made && errno != EEXIST)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", arguments->campaigns, strerror(errno));
    status = nuce_bundle_open(arguments->path, arguments->campaigns, &arguments->limits, &bundle,
                              &report, error);
    if (status == NUCE_OK)
        status = refuse_problems(arguments, &report, error);
    if (status == NUCE_OK)
        status = nuce_bundle_take(&bundle, arguments->campaigns, note_campaign, imported, error);
    nuce_bundle_close(&bundle);
    if (made && status != NUCE_OK)
        rmdir(arguments->campaigns);
    return status;
}

/* Collects what came in, campaign by campaign. The campaigns stay where they are even where
 * collecting fails: `nuce collect` can be called again. */
static nuce_status import_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct imported imported = {0};
    struct import_arguments *arguments = call->arguments;
    nuce_status status;

    arguments->limits.files = NUCE_BUNDLE_MOST_FILES;
    status = import_bundle(arguments, &imported, error);
    if (status == NUCE_OK)
        call->ended = import_collect_campaigns(arguments, &imported);
    for (int64_t i = 0; i < imported.count; i++)
        free(imported.names[i]);
    free(imported.names);
    return status;
}

const struct nuce_subcommand nuce_subcommand_import = {
    .name = "import",
    .summary = "bring the campaigns of a bundle into the database",
    .about =
        "Checks the archive that 'nuce bundle' has written, unpacks its campaigns into the "
        "folder of campaigns and collects them. A campaign that is there is never overwritten: "
        "the very same is left as it is, another one of that name is an error. What was "
        "imported is read here, not run: nothing that it names is started.",
    .after = "What is not intact and valid is refused, and nothing is left of it. Exit status "
             "2: refused.",
    .operands = {.usage = "BUNDLE", .least = 1, .most = 1, .expected = "one bundle"},
    .options = options,
    .arguments_bytes = sizeof(struct import_arguments),
    .operand = offsetof(struct import_arguments, path),
    .run = import_command,
};
