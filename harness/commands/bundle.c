/* nuce bundle: campaigns as one archive. results/bundle.h defines its content and order; here are
 * the options, and the messages. The archive's SHA-256 goes to stdout, as sha256sum prints it, all
 * else to stderr. The campaigns are not changed. */
#include "results/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "campaigns/cli.h"
#include "commands/subcommand.h"

struct bundle_arguments {
    const char *campaigns, *output; /* folder; NULL: CAMPAIGN.tar.gz */
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "output", offsetof(struct bundle_arguments, output), NULL, "FILE",
                "new file; default: CAMPAIGN.tar.gz", .letter = 'o'),
    NUCE_CLI_CAMPAIGNS(struct bundle_arguments),
    {.name = NULL},
};

/* A bundle of several campaigns has no name of its own, so the user must give one; nothing is read
 * before that. A bundle of one campaign is NAME.tar.gz in the current folder, whatever the folder
 * of the campaign NAME; slashes at the end of a path do not count. The printed checksum is for the
 * owner of the bundle, because the one inside guards against accidents only. Exit status 0 also for
 * an invalid bundle: it holds the folder's real content, and the line on stderr reports it. */
static nuce_status bundle_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct bundle_arguments *arguments = call->arguments;
    struct nuce_bundle_report report = {.tell = nuce_bundle_print_problem, .context = stderr};
    struct nuce_bundle bundle = {0};
    struct nuce_bundle_request request;
    char hash[NUCE_HASH_BYTES], *output, *folder = NULL;
    nuce_status status;

    if (call->count > 1 && arguments->output == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "several campaigns in one bundle: name it by --output");
    if (arguments->output == NULL &&
        nuce_campaign_locate(arguments->campaigns, call->texts[0], &folder, error) != NUCE_OK)
        return error->status;
    output = folder == NULL ? nuce_text_duplicate(arguments->output)
                            : nuce_text_format("%s.tar.gz", strrchr(folder, '/') + 1);
    free(folder);
    request = (struct nuce_bundle_request){arguments->campaigns, call->texts, call->count, output};
    status = nuce_bundle_create(&request, &bundle, &report, error);
    if (status == NUCE_OK) {
        status = nuce_hash_file(output, hash, error);
        if (status == NUCE_OK) {
            printf("%s  %s\n", hash, output);
            fprintf(stderr, "nuce: ");
            nuce_bundle_print_counts(&bundle, stderr);
            fprintf(stderr, " -> %s%s\n", output,
                    report.invalid > 0 ? "; not valid, as said above" : "");
        }
        nuce_bundle_close(&bundle);
    }
    free(output);
    return status;
}

const struct nuce_subcommand nuce_subcommand_bundle = {
    .name = "bundle",
    .summary = "write campaigns to one archive",
    .about = "Writes campaigns to one archive: sweep, plan, records with the environment of "
             "every job, notes of jobs with a failed prologue, and checksums. The same "
             "campaigns give the same bytes. CAMPAIGN is "
             "the name of a folder below --campaigns, a path, or a sweep (its newest campaign).",
    .after =
        "'nuce verify' checks it, 'nuce import' adds it to another database; tar and "
        "'sha256sum -c' read it too. Logs, job scripts and large input files are not in it. Prints "
        "the archive's SHA-256.",
    .examples = NUCE_EXAMPLES(
        {"nuce bundle quick.1", "write a campaign to quick.1.tar.gz"},
        {"nuce bundle quick.1 quick.2 --output both.tar.gz", "write two to one archive"}),
    .operands = {.usage = "CAMPAIGN...",
                 .least = 1,
                 .most = -1,
                 .expected = "a campaign, see 'nuce status' or 'nuce show campaigns'"},
    .options = options,
    .arguments_bytes = sizeof(struct bundle_arguments),
    .run = bundle_command,
};
