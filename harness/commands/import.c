/* nuce import: the campaigns of a bundle into this database. The bundle is unpacked into a scratch
 * folder, checked as `nuce verify` does, and only then renamed into its place, campaign by
 * campaign. So no content of an altered bundle ever appears there. The campaigns are marked as
 * imported: their records are read, and no program that they name is ever started
 * (campaigns/campaign.h). */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "campaigns/campaign.h"
#include "campaigns/cli.h"
#include "commands/collect_records.h"
#include "commands/subcommand.h"
#include "db/store.h"
#include "results/bundle.h"

struct import_arguments {
    const char *path, *database, *campaigns;
    struct nuce_bundle_limits limits; /* for unpacking: a bundle may come from a stranger */
    int invalid;                      /* accepts an intact but invalid bundle */
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct import_arguments),
    NUCE_CLI_CAMPAIGNS(struct import_arguments),
    NUCE_OPTION(FLAG, "invalid", offsetof(struct import_arguments, invalid), NULL, NULL,
                "bundles that are intact but not valid too, without their bad lines",
                .letter = 'i'),
    NUCE_OPTION(BYTES, "limit", offsetof(struct import_arguments, limits.bytes), "4GiB", "BYTES",
                "most bytes to unpack", .letter = 'l'),
    {.name = NULL},
};

/* Called for each campaign in its place: reports it, and keeps it for collecting. context: an array
 * of names. */
static void note_campaign(void *context, const char *campaign, int was_there)
{
    fprintf(stderr, "nuce: %s: %s\n", campaign,
            was_there ? "already there, identical" : "imported");
    json_array_append_new(context, json_string(campaign));
}

/* Refuses a bundle with a campaign of which the database has another of that name: its records
 * could not be collected. */
static nuce_status check_names(const struct nuce_bundle *bundle, const char *database,
                               struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    const char *name;
    json_t *files;

    error->status = NUCE_OK;
    if (nuce_store_open_reading(database, &store, &ignored) != NUCE_OK)
        return NUCE_OK;
    json_object_foreach(bundle->files, name, files)
    {
        char *path = nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/campaigns/%s/campaign.json",
                                      bundle->scratch.path, name);
        json_t *facts = json_load_file(path, 0, NULL);
        const char *id = json_string_value(json_object_get(facts, "campaign"));

        if (id != NULL && error->status == NUCE_OK)
            nuce_store_check_campaign(&store, id,
                                      json_string_value(json_object_get(facts, "created")), error);
        json_decref(facts);
        free(path);
    }
    nuce_store_close(&store);
    return error->status;
}

/* Unpacks in the folder of campaigns, because a rename does not cross file systems. The folder is
 * made if it is missing, and removed again if it stays empty. Problems have been reported; this
 * function decides if they are a reason to stop. Collects the new campaigns one by one; the worst
 * of the exit statuses counts. The campaigns stay in place even if collecting fails: `nuce collect`
 * can be called again. */
static nuce_status import_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct import_arguments *arguments = call->arguments;
    struct nuce_bundle_report report = {.tell = nuce_bundle_print_problem, .context = stderr};
    struct nuce_bundle bundle = {0};
    json_t *imported, *name;
    nuce_status status;
    int made;
    size_t i;

    if (nuce_campaign_check_folder(arguments->campaigns, error) != NUCE_OK ||
        nuce_collect_records_check(arguments->database, error) != NUCE_OK)
        return error->status;
    made = mkdir(arguments->campaigns, 0777) == 0;
    if (!made && errno != EEXIST)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", arguments->campaigns, strerror(errno));
    imported = json_array();
    arguments->limits.files = NUCE_BUNDLE_MOST_FILES;
    status = nuce_bundle_open(arguments->path, arguments->campaigns, &arguments->limits, &bundle,
                              &report, error);
    if (status == NUCE_OK && report.altered > 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: altered, or not a bundle: nothing is imported (traces and "
                                "matrices of messages: 'nuce capture import')",
                                arguments->path);
    else if (status == NUCE_OK && report.invalid > 0 && !arguments->invalid)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: intact, but not valid: nothing is imported (--invalid takes "
                                "it as it is)",
                                arguments->path);
    if (status == NUCE_OK)
        status = check_names(&bundle, arguments->database, error);
    if (status == NUCE_OK)
        status = nuce_bundle_take(&bundle, arguments->campaigns, note_campaign, imported, error);
    nuce_bundle_close(&bundle);
    if (made && status != NUCE_OK)
        rmdir(arguments->campaigns);
    json_array_foreach(imported, i, name)
    {
        int ended = status != NUCE_OK
                        ? 0
                        : nuce_collect_records(arguments->database, arguments->campaigns,
                                               json_string_value(name), NUCE_COLLECT_RECORDS_ALONE);

        call->ended = ended > call->ended ? ended : call->ended;
    }
    json_decref(imported);
    return status;
}

const struct nuce_subcommand nuce_subcommand_import = {
    .name = "import",
    .summary = "add the campaigns of a bundle to the database",
    .about = "Checks the archive that 'nuce bundle' has written, unpacks its campaigns into the "
             "folder of campaigns and collects them. An existing campaign is never overwritten: an "
             "identical one is left as it is, a different one of that name is an error. Imported "
             "campaigns are read here, not run: nothing that they name is started.",
    .after = "A bundle that is not intact and valid, or has a campaign of a name that the database "
             "has from another time, is refused, and leaves nothing. Exit status 2: refused.",
    .examples = NUCE_EXAMPLES(
        {"nuce import quick.1.tar.gz", "add the campaigns of a bundle to ./campaigns and nuce.db"},
        {"nuce import quick.1.tar.gz --database other.db", "collect them into another database"}),
    .operands = {.usage = "BUNDLE", .least = 1, .most = 1, .expected = "one bundle"},
    .options = options,
    .arguments_bytes = sizeof(struct import_arguments),
    .operand = offsetof(struct import_arguments, path),
    .run = import_command,
};
