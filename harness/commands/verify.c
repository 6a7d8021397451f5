/* nuce verify: whether a bundle is intact, and whether it is valid. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "bundle/bundle.h"
#include "bundle/findings_print.h"
#include "cli/cli.h"
#include "commands/subcommand.h"

struct arguments {
    const char *path;
    enum nuce_grid_format format;
    struct nuce_bundle_limits limits;
};

static const struct argp_option options[] = {
    {"format",                      'f', "FORMAT", 0, "text (the default) or json", 0},
    {"limit",                     'l', "BYTES", 0, "unpack no more than this (default: 4GiB)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'f':
        arguments->format = nuce_cli_format(text, state);
        if (arguments->format == NUCE_GRID_CSV)
            argp_error(state, "--format: expected text or json");
        return 0;
    case 'l':
        nuce_bundle_limit(text, state, &arguments->limits);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            return ARGP_ERR_UNKNOWN;
        arguments->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a bundle");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static json_t *problems_of(const struct nuce_findings *findings)
{
    json_t *problems = json_array();

    for (int64_t i = 0; i < findings->count; i++) {
        const struct nuce_finding *finding = &findings->list[i];

        (void)json_array_append_new(
            problems, json_pack("{s:s, s:s, s:I, s:s}", "kind", nuce_finding_name(finding->kind),
                                "file", finding->file, "line", (json_int_t)finding->line, "problem",
                                finding->problem));
    }
    return problems;
}

static nuce_status print_json(const char *path, const struct nuce_bundle_counts *counts,
                              const struct nuce_findings *findings, struct nuce_error *error)
{
    int altered = nuce_findings_of(findings, NUCE_FINDING_ALTERED) > 0;
    json_t *valid = altered ? json_null() : json_boolean(findings->count == 0);
    json_t *object = json_pack(
        "{s:s, s:b, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "bundle", path, "intact",
        !altered, "valid", valid, "campaigns", (json_int_t)counts->campaigns, "points",
        (json_int_t)counts->points, "record_files", (json_int_t)counts->record_files, "runs",
        (json_int_t)counts->runs, "ok", (json_int_t)counts->ok, "jobs", (json_int_t)counts->jobs,
        "environments", (json_int_t)counts->environments, "problems", problems_of(findings));
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;

    json_decref(object);
    if (text == NULL)
        return nuce_error_set(error, NUCE_FAILED, "%s: cannot be printed as JSON", path);
    (void)puts(text);
    free(text);
    return NUCE_OK;
}

static void print_text(const char *path, const struct nuce_bundle_counts *counts,
                       const struct nuce_findings *findings)
{
    int altered = nuce_findings_of(findings, NUCE_FINDING_ALTERED) > 0;

    nuce_findings_print(findings, stdout);
    (void)printf("%s: %s", path,
                 altered ? "altered"
                         : (findings->count > 0 ? "intact, not valid" : "intact and valid"));
    if (!altered) {
        (void)printf(": ");
        nuce_bundle_counts_print(counts, stdout);
    }
    (void)printf("\n");
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "BUNDLE",
        "Says whether a bundle, an archive or the folder it unpacks to, is intact (every file has "
        "its checksum, none is missing or extra) and valid (records are whole, points hash to "
        "their names, plan, records and environments agree). Names every file that is not."
        "\vExit status: 0 intact and valid, 1 not, 2 there is no bundle. Of one that is altered "
        "nothing is said but that: valid is null in JSON.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {
        .format = NUCE_GRID_TEXT, .limits = {NUCE_BUNDLE_MOST_BYTES, NUCE_BUNDLE_MOST_FILES}
    };
    struct nuce_bundle_counts counts = {0};
    struct nuce_findings findings = {0};
    struct nuce_error error;
    nuce_status status;
    int bad;

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    status = nuce_bundle_verify(arguments.path, &arguments.limits, &counts, &findings, &error);
    if (status == NUCE_OK && arguments.format == NUCE_GRID_JSON)
        status = print_json(arguments.path, &counts, &findings, &error);
    else if (status == NUCE_OK)
        print_text(arguments.path, &counts, &findings);
    bad = findings.count > 0;
    nuce_findings_fini(&findings);
    return nuce_cli_finish(status == NUCE_OK ? bad : nuce_message_error(&error));
}

const struct nuce_subcommand nuce_subcommand_verify = {
    .name = "verify", .summary = "check that a bundle is intact and valid", .run = run};
