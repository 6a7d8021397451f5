/* nuce bundle: campaigns as one archive. What goes into it and in which order is
 * results/bundle.h's; here are the options, and what is said of it: the archive's SHA-256 on
 * stdout, as sha256sum prints it, all else on stderr. Nothing of the campaigns is changed. */
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
                "the new file; left out: CAMPAIGN.tar.gz", .letter = 'o'),
    NUCE_CLI_CAMPAIGNS(struct bundle_arguments),
    {.name = NULL},
};

/* NAME.tar.gz here for the campaign called NAME or FOLDER/NAME. In the current folder, whatever
 * folder the campaign is in; slashes at the end of a path do not count. A new string; NULL with
 * *error. */
static char *default_output(const char *campaign)
{
    size_t length = strlen(campaign), first;

    while (length > 1 && campaign[length - 1] == '/')
        length--;
    for (first = length; first > 0 && campaign[first - 1] != '/'; first--)
        continue;
    return nuce_text_format("%.*s.tar.gz", (int)(length - first), campaign + first);
}

/* The checksum is for whoever keeps the bundle: that in it guards against accidents only. */
static nuce_status print_made(const char *output, const struct nuce_bundle *bundle,
                              const struct nuce_bundle_report *report, struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES];

    if (nuce_hash_file(output, hash, error) != NUCE_OK)
        return error->status;
    printf("%s  %s\n", hash, output);
    fprintf(stderr, "nuce: ");
    nuce_bundle_print_counts(bundle, stderr);
    fprintf(stderr, " -> %s%s\n", output, report->invalid > 0 ? "; not valid, as said above" : "");
    return NUCE_OK;
}

/* A bundle of several campaigns has no name of its own, so it must be given one; nothing is read
 * before that is clear. Exit status 0 also for a bundle that is not valid: it is what the folder
 * holds, and the line on stderr says so. */
static nuce_status bundle_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct bundle_arguments *arguments = call->arguments;
    struct nuce_bundle_report report = {.tell = nuce_bundle_print_problem, .context = stderr};
    struct nuce_bundle bundle = {0};
    struct nuce_bundle_request request;
    char *output;
    nuce_status status = NUCE_FAILED;

    if (call->count > 1 && arguments->output == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "several campaigns in one bundle: name it by --output");
    output = arguments->output != NULL ? nuce_text_duplicate(arguments->output)
                                       : default_output(call->texts[0]);
    request = (struct nuce_bundle_request){arguments->campaigns, call->texts, call->count, output};
    status = nuce_bundle_create(&request, &bundle, &report, error);
    if (status == NUCE_OK) {
        status = print_made(output, &bundle, &report, error);
        nuce_bundle_close(&bundle);
    }
    free(output);
    return status;
}

const struct nuce_subcommand nuce_subcommand_bundle = {
    .name = "bundle",
    .summary = "write campaigns to one archive",
    .about = "Writes campaigns to one archive: sweep, plan, records with the environment of "
             "every job, what jobs noted whose prologue failed, and checksums. The same "
             "campaigns give the same bytes. CAMPAIGN is "
             "the name of a folder below --campaigns, or a path.",
    .after =
        "'nuce verify' checks it, 'nuce import' brings it into another database; tar and "
        "'sha256sum -c' read it too. Logs, job scripts and large input files are not in it. Prints "
        "the archive's SHA-256.",
    .operands = {.usage = "CAMPAIGN...",
                 .least = 1,
                 .most = -1,
                 .expected = "a campaign, see 'nuce status' or 'nuce show campaigns'"},
    .options = options,
    .arguments_bytes = sizeof(struct bundle_arguments),
    .run = bundle_command,
};
