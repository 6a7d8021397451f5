/* nuce report: the whole content of a database, as one page. results/html_report.h reads and writes
 * the page; this file puts it into a file. A failed plot does not prevent the page: its place shows
 * the failure, and so does the exit status. The page needs no other file, and runs no script. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/cli.h"
#include "commands/capturing.h"
#include "commands/subcommand.h"
#include "results/html_report.h"

/* campaign, or named as the operand: NULL: all; environment: NULL: the newest. */
struct report_arguments {
    const char *database, *campaign, *named, *environment, *output, *campaigns;
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct report_arguments),
    NUCE_CLI_CAMPAIGN(struct report_arguments),
    NUCE_CLI_ENVIRONMENT(struct report_arguments),
    NUCE_OPTION(TEXT, "output", offsetof(struct report_arguments, output), "report.html", "FILE",
                "file for the page", .letter = 'o'),
    NUCE_OPTION(TEXT, "campaigns", offsetof(struct report_arguments, campaigns), "campaigns", "DIR",
                "folder of campaigns, which keep the captures that were raced"),
    {.name = NULL},
};

/* Checked before the work, so that a typo does not waste it. */
static nuce_status check_output(const char *output, struct nuce_error *error)
{
    const char *slash = strrchr(output, '/');
    char *folder = slash == NULL ? nuce_text_format(".")
                                 : nuce_text_format("%.*s/", (int)(slash - output), output);
    struct stat facts;

    error->status = NUCE_OK;
    if (stat(folder, &facts) != 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "--output: %s: %s", folder, strerror(errno));
    else if (*basename(output) == '\0' || (stat(output, &facts) == 0 && S_ISDIR(facts.st_mode)))
        nuce_error_set(error, NUCE_BAD_INPUT, "--output: '%s': expected the name of a file",
                       output);
    free(folder);
    return error->status;
}

/* Maximum on a terminal; the page has all. */
#define SENTENCES 12

/* The page is complete before anything is written. Standard output has only its name; its first
 * sentences are also printed for people. Exit status 1 if a table or figure failed, although the
 * page is written and shows the others: the failure is reported here and on the page. */
static nuce_status report_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct report_arguments *arguments = call->arguments;
    struct nuce_report report = {0};
    struct nuce_text_print page = {0};
    nuce_status status;

    if (arguments->named != NULL && arguments->campaign != NULL)
        return nuce_error_refuse(
            error, "campaign", "'%.200s' is given already: expected one of them", arguments->named);
    if (arguments->named != NULL)
        arguments->campaign = arguments->named;
    status = check_output(arguments->output, error);
    if (status == NUCE_OK)
        status = nuce_report_read(arguments->database, arguments->campaign, arguments->environment,
                                  &report, error);
    if (status == NUCE_OK && report.shown == 0 && report.failed == 0)
        status = nuce_error_set(
            error, NUCE_FAILED,
            "nothing to report: no table or figure has rows in %s%s ('nuce list "
            "figures' names them and their sweeps)",
            arguments->database, arguments->environment == NULL ? "" : " of that environment");
    if (status == NUCE_OK)
        status = nuce_capturing_report(&report, arguments->campaigns, error);
    report.campaigns = arguments->campaigns;
    if (status == NUCE_OK) {
        nuce_text_print_begin(&page);
        status = nuce_report_write(&report, page.file, error);
        nuce_text_print_end(&page);
    }
    if (status == NUCE_OK)
        status = nuce_safe_write_path(arguments->output, page.text, page.length, error);
    free(page.text);
    if (status == NUCE_OK) {
        printf("%s\n", arguments->output);
        for (int i = 0; i < report.plots.count; i++) {
            if (&report.parts[i] == nuce_report_races(&report))
                nuce_plot_say_found(&report.parts[i].data, SENTENCES, stderr);
        }
        for (int i = 0; i < report.plots.count; i++) {
            if (report.parts[i].failure != NULL)
                nuce_message_print(report.parts[i].failure);
        }
        for (int64_t i = 0; i < report.capture_count; i++) {
            if (report.captures[i].part.failure != NULL)
                nuce_message_print(report.captures[i].part.failure);
        }
        if (report.failed > 0)
            status = nuce_error_set(error, NUCE_FAILED,
                                    "%d of %d tables and figures failed: the page says so",
                                    report.failed, report.plots.count);
    }
    nuce_report_fini(&report);
    return status;
}

const struct nuce_subcommand nuce_subcommand_report = {
    .name = "report",
    .summary = "write all results as one HTML page",
    .about = "Write the results in the database as one self-contained HTML page: verdict, tables "
             "and figures beside the papers', environments, what is missing. "
             "CAMPAIGN, as --campaign: its results alone.",
    .examples = NUCE_EXAMPLES(
        {"nuce report", "write all results to report.html"},
        {"nuce report quick.1 --output quick.html", "write one campaign to quick.html"}),
    .operands = {.usage = "[CAMPAIGN]", .least = 0, .most = 1, .expected = "one campaign"},
    .options = options,
    .arguments_bytes = sizeof(struct report_arguments),
    .operand = offsetof(struct report_arguments, named),
    .run = report_command,
};
