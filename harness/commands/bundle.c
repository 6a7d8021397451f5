/* nuce bundle: campaigns as one archive. */
#include "bundle/bundle.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/print.h"
#include "cli/cli.h"
#include "commands/subcommand.h"
#include "launch/campaign.h"
#include "support/hash.h"
#include "support/text.h"

struct arguments {
    char **names; /* argv's, count of them */
    int count;
    const char *campaigns, *output;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "the new file (default: CAMPAIGN.tar.gz)", 0},
    {"campaigns", 'c', "DIR", 0, "folder of campaigns (default: campaigns)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'o':
        arguments->output = text;
        return 0;
    case 'c':
        arguments->campaigns = text;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->names = state->argv + state->next;
        arguments->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a campaign, see 'nuce status' or 'nuce show campaigns'");
        return 0;
    case ARGP_KEY_END:
        if (arguments->count > 1 && arguments->output == NULL)
            argp_error(state, "several campaigns in one bundle: name it by --output");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* NAME.tar.gz here for the campaign called NAME or FOLDER/NAME. */
static char *default_output(const char *campaign, struct nuce_error *error)
{
    size_t length = strlen(campaign), first;

    while (length > 1 && campaign[length - 1] == '/')
        length--;
    for (first = length; first > 0 && campaign[first - 1] != '/'; first--)
        continue;
    return nuce_text_format(error, "%.*s.tar.gz", (int)(length - first), campaign + first);
}

/* The checksum is for whoever keeps the bundle: that in it guards against accidents only. */
static nuce_status print_made(const char *output, const struct nuce_bundle *bundle,
                              const struct nuce_bundle_report *report, struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES];

    if (nuce_hash_file(output, hash, error) != NUCE_OK)
        return error->status;
    (void)printf("%s  %s\n", hash, output);
    (void)fprintf(stderr, "nuce: ");
    nuce_bundle_print_counts(bundle, stderr);
    (void)fprintf(stderr, " -> %s%s\n", output,
                  report->invalid > 0 ? "; not valid, as said above" : "");
    return NUCE_OK;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "CAMPAIGN...",
        "Writes campaigns to one archive: sweep, plan, records with the environment of every job, "
        "and checksums. The same campaigns give the same bytes. CAMPAIGN is the name of a folder "
        "below --campaigns, or a path."
        "\v'nuce verify' checks it, 'nuce import' brings it into another database; tar and "
        "'sha256sum -c' read it too. Logs, job scripts and the meshes or networks that a sweep "
        "names are "
        "not in it: tables and figures do without. Prints the archive's SHA-256.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.campaigns = "campaigns"};
    struct nuce_bundle_report report = {.tell = nuce_bundle_print_problem, .context = stderr};
    struct nuce_bundle bundle = {0};
    struct nuce_error error;
    char *output;
    nuce_status status = NUCE_FAILED;

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    output = arguments.output != NULL ? nuce_text_format(&error, "%s", arguments.output)
                                      : default_output(arguments.names[0], &error);
    if (output != NULL)
        status = nuce_bundle_create(arguments.campaigns, arguments.names, arguments.count, output,
                                    &bundle, &report, &error);
    if (status == NUCE_OK) {
        status = print_made(output, &bundle, &report, &error);
        nuce_bundle_close(&bundle);
    }
    free(output);
    return nuce_cli_finish(status == NUCE_OK ? 0 : nuce_message_error(&error));
}

const struct nuce_subcommand nuce_subcommand_bundle = {
    .name = "bundle", .summary = "write campaigns to one archive", .run = run};
