/* nuce verify: checks whether a bundle is intact, and whether it is valid. The bundle is unpacked
 * into a temporary folder; nothing is collected. Intact: every file has its checksum. Valid:
 * collect accepts every line. --recompute: all results other than times can be reproduced. Each
 * check runs only if the one before it succeeds; every problem is reported. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "commands/subcommand.h"
#include "results/bundle.h"

struct verify_arguments {
    const char *path;
    enum nuce_grid_format format;
    int recompute;
    struct nuce_bundle_limits limits; /* for unpacking: a bundle may come from a stranger */
};

static const struct nuce_option options[] = {
    NUCE_OPTION(WORD, "format", offsetof(struct verify_arguments, format), "text", "FORMAT",
                "output format: text or json", .letter = 'f', .choices = nuce_grid_format_name),
    NUCE_OPTION(BYTES, "limit", offsetof(struct verify_arguments, limits.bytes), "4GiB", "BYTES",
                "unpack no more than this", .letter = 'l'),
    NUCE_OPTION(
        FLAG, "recompute", offsetof(struct verify_arguments, recompute), NULL, NULL,
        "comparison with recomputed instances, patterns, schedules, bounds and predictions"),
    {.name = NULL},
};

/* JSON output comes at the end, so problems are kept. context: the array for them. */
static void keep_problem(void *context, const char *kind, const char *problem)
{
    json_array_append_new(context, json_pack("{s:s, s:s}", "kind", kind, "problem", problem));
}

/* Prints a run of which nothing could be recomputed, and the reason: for example a network that is
 * not in the bundle. */
static void print_reason(void *context, const char *reason)
{
    char message[NUCE_MESSAGE_BYTES];

    (void)context;
    snprintf(message, sizeof message, "not recomputed: %s", reason);
    nuce_message_print(message);
}

/* Returns the exit status: 1 also for a bundle that is intact and not valid. problems collects
 * those for the JSON output. For an altered bundle, `valid` is null, because it is unknown. */
static nuce_status verify_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct verify_arguments *arguments = call->arguments;
    json_t *problems = json_array();
    int as_json = arguments->format == NUCE_GRID_JSON;
    struct nuce_bundle_report report = {
        .tell = as_json ? keep_problem : nuce_bundle_print_problem,
        .context = as_json ? (void *)problems : (void *)stdout,
    };
    struct nuce_bundle_recomputed recomputed;
    struct nuce_bundle bundle = {0};
    nuce_status status = NUCE_OK;
    json_t *object;
    char *text;
    int recomputes;

    /* The option has the formats of all tables, but a verdict has no rows. */
    if (arguments->format == NUCE_GRID_CSV)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "--format: expected text or json");
    arguments->limits.files = NUCE_BUNDLE_MOST_FILES;
    if (status == NUCE_OK)
        status =
            nuce_bundle_open(arguments->path, NULL, &arguments->limits, &bundle, &report, error);
    recomputes = status == NUCE_OK && arguments->recompute && report.altered + report.invalid == 0;
    if (recomputes)
        status = nuce_bundle_recompute(&bundle, &report, print_reason, NULL, &recomputed, error);
    if (status == NUCE_OK && as_json) {
        object = json_pack(
            "{s:s, s:b, s:o, s:I, s:I, s:I, s:I, s:O}", "bundle", arguments->path, "intact",
            report.altered == 0, "valid",
            report.altered > 0 ? json_null() : json_boolean(report.invalid == 0), "campaigns",
            (json_int_t)bundle.campaigns, "points", (json_int_t)bundle.points, "record_files",
            (json_int_t)bundle.record_files, "runs", (json_int_t)bundle.runs, "problems", problems);
        if (object != NULL && recomputes)
            json_object_set_new(object, "recomputed",
                                json_pack("{s:I, s:I, s:I}", "runs", (json_int_t)recomputed.runs,
                                          "quantities", (json_int_t)recomputed.quantities,
                                          "skipped", (json_int_t)recomputed.skipped));
        text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
        json_decref(object);
        if (text == NULL)
            status = nuce_error_set(error, NUCE_FAILED, "%s: cannot be printed as JSON",
                                    arguments->path);
        else
            puts(text);
        free(text);
    }
    /* Skipped runs are reported, because they were not checked. */
    if (status == NUCE_OK && !as_json && recomputes) {
        printf("%s: recomputed %lld quantit%s of %lld run%s", arguments->path,
               (long long)recomputed.quantities, recomputed.quantities == 1 ? "y" : "ies",
               (long long)recomputed.runs, nuce_text_plural(recomputed.runs));
        if (recomputed.skipped > 0)
            printf("; %lld run%s cannot be recomputed", (long long)recomputed.skipped,
                   nuce_text_plural(recomputed.skipped));
        printf("\n");
    }
    /* One line, for grep in scripts; the problems are above it. */
    if (status == NUCE_OK && !as_json) {
        printf("%s: %s", arguments->path,
               report.altered > 0   ? "altered"
               : report.invalid > 0 ? "intact, not valid: "
                                    : "intact and valid: ");
        if (report.altered == 0)
            nuce_bundle_print_counts(&bundle, stdout);
        printf("\n");
    }
    nuce_bundle_close(&bundle);
    json_decref(problems);
    call->ended = report.altered + report.invalid > 0;
    return status;
}

const struct nuce_subcommand nuce_subcommand_verify = {
    .name = "verify",
    .summary = "check that a bundle is intact and valid",
    .about = "Checks that a bundle is intact (every file has its checksum, none is missing or "
             "extra) and valid ('nuce collect' takes every line, and every run's job is "
             "described). Names every file that fails. --recompute also computes the metrics of "
             "the runs, except times and counters, from the plan and the files in the bundle, and "
             "compares them.",
    .after =
        "Checksums say that nothing is missing or damaged, not who made the bundle: sign the "
        "archive itself ('ssh-keygen -Y sign -n nuce -f KEY BUNDLE'). Exit status: 0 intact "
        "and valid, 1 not, 2 there is no bundle. For an altered bundle, valid is null in JSON.",
    .examples = NUCE_EXAMPLES(
        {"nuce verify quick.1.tar.gz", "check files and checksums"},
        {"nuce verify quick.1.tar.gz --recompute", "also compute schedules and predictions again"}),
    .operands = {.usage = "BUNDLE", .least = 1, .most = 1, .expected = "one bundle"},
    .options = options,
    .arguments_bytes = sizeof(struct verify_arguments),
    .operand = offsetof(struct verify_arguments, path),
    .run = verify_command,
};
