#include "program/arguments.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "support/jsonl.h"
#include "support/memory.h"
#include "support/text.h"
#include "workloads/point.h"

/* Keys of argp: our own options first, then the rows of the two tables. */
enum {
    KEY_POINTS = 0x200,
    KEY_RECORDS,
    KEY_CAMPAIGN,
    KEY_NETWORKS,
    KEY_FACTS,
    KEY_HOSTS,
    KEY_FORMAT,
    KEY_ROWS = 0x300,
};

#define ROWS_MOST 64

/* What argp needs while it parses. */
struct parser {
    struct nuce_arguments *arguments;
    struct nuce_error *error;
    const struct nuce_option *rows[ROWS_MOST];
    size_t count;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct parser *parser = state->input;
    struct nuce_arguments *arguments = parser->arguments;

    if (key >= KEY_ROWS && key < KEY_ROWS + (int)parser->count) {
        const struct nuce_option *row = parser->rows[key - KEY_ROWS];

        (void)json_object_set_new(arguments->given, row->name,
                                  json_string(text == NULL ? "true" : text));
        return 0;
    }
    switch (key) {
    case KEY_POINTS:
        arguments->points = text;
        return 0;
    case KEY_RECORDS:
        arguments->records = text;
        return 0;
    case KEY_CAMPAIGN:
        arguments->campaign = text;
        return 0;
    case KEY_NETWORKS:
        arguments->networks = text;
        return 0;
    case KEY_FACTS:
        arguments->launch.facts = text;
        return 0;
    case KEY_HOSTS:
        arguments->launch.hosts = text;
        return 0;
    case KEY_FORMAT:
        return nuce_grid_format_parse(text, NUCE_GRID_PLAIN_FORMATS, &arguments->format,
                                      parser->error) == NUCE_OK
                   ? 0
                   : EINVAL;
    case ARGP_KEY_ARG:
        (void)nuce_error_set(parser->error, NUCE_BAD_INPUT,
                             "'%s': expected only options (see --help)", text);
        return EINVAL;
    case ARGP_KEY_ERROR:
        if (parser->error->status == NUCE_OK)
            (void)nuce_error_set(parser->error, NUCE_BAD_INPUT,
                                 "'%s': unknown option, or one without its value (see --help)",
                                 state->argv[state->next - 1]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)fprintf(stream, "%s %s\n", state->name, NUCE_VERSION);
}

static struct argp_option *add_rows(struct argp_option *next, struct parser *parser,
                                    const struct nuce_option *table, int group)
{
    for (; table->name != NULL; table++) {
        NUCE_ASSERT(parser->count < ROWS_MOST);
        *next++ = (struct argp_option){.name = table->name,
                                       .key = KEY_ROWS + (int)parser->count,
                                       .arg = table->argument,
                                       .doc = table->help,
                                       .group = group};
        parser->rows[parser->count++] = table;
    }
    return next;
}

/* Without its own error messages, which every rank would print, argp gives no help either. */
static int asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0 ||
            strcmp(argv[i], "--usage") == 0)
            return 1;
    }
    return 0;
}

/* Adds the default to the help of an option that has one. argp frees what is not text itself. */
static char *show_default(int key, const char *text, void *input)
{
    const struct parser *parser = input;
    struct nuce_error error;

    if (key >= KEY_ROWS && key < KEY_ROWS + (int)parser->count) {
        const struct nuce_option *row = parser->rows[key - KEY_ROWS];

        if (row->preset != NULL && row->type != NUCE_OPTION_FLAG)
            return nuce_text_format(&error, "%s (default %s)", text, row->preset);
    }
    return (char *)text;
}

nuce_status nuce_arguments_parse(const struct nuce_workload_ops *workload, int argc, char **argv,
                                 struct nuce_arguments *out, struct nuce_error *error)
{
    static const struct argp_option own[] = {
        {"points", KEY_POINTS, "FILE", 0, "plan lines to run", 3},
        {"records", KEY_RECORDS, "FILE", 0, "record each run in FILE, which must not exist", 3},
        {"campaign", KEY_CAMPAIGN, "NAME", 0, "stored in the records", 3},
        {"networks", KEY_NETWORKS, "FOLDER", 0, "of measured networks (networks)", 3},
        {"facts", KEY_FACTS, "FILE", 0, "to record: {\"cluster\": {...}, \"launch\": {...}}", 3},
        {"hosts", KEY_HOSTS, "FILE", 0, "fail unless rank K runs on the host of line K + 1", 3},
        {"format", KEY_FORMAT, "text|json|csv", 0, "of the results on standard output (text)", 4},
        {0},
    };
    struct argp_option all[ROWS_MOST + 16] = {{0}};
    struct nuce_arguments arguments = {
        .workload = workload, .campaign = "", .networks = "networks"};
    struct parser parser = {.arguments = &arguments, .error = error};
    struct argp_option *next = all;
    struct argp argp = {.options = all, .parser = parse_option, .help_filter = show_default};
    char *help;
    int code;

    *next++ = (struct argp_option){.doc = "The point (values may be comma lists):", .group = 1};
    next = add_rows(next, &parser, workload->options, 1);
    *next++ = (struct argp_option){.doc = "The measurement:", .group = 2};
    next = add_rows(next, &parser, nuce_measure_options, 2);
    *next++ = (struct argp_option){.doc = "For the harness:", .group = 3};
    *next++ = (struct argp_option){.doc = "Output:", .group = 4};
    memcpy(next, own, sizeof own);
    help = nuce_text_format(error, "Measures the workload '%s': %s.\v%s\n", workload->name,
                            workload->summary, workload->source);
    arguments.given = json_object();
    if (help == NULL || arguments.given == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    argp.doc = help;
    error->status = NUCE_OK;
    argp_program_version_hook = print_version;
    code = nuce_option_check_words(argc, argv, error) != NUCE_OK
               ? EINVAL
               : argp_parse(&argp, argc, argv, asks_for_help(argc, argv) ? 0 : ARGP_NO_ERRS, NULL,
                            &parser);
    free(help);
    if (code != 0 && error->status == NUCE_OK)
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "cannot read the command line: %s",
                             strerror(code));
    if (error->status == NUCE_OK && (arguments.records == NULL) != (arguments.points == NULL))
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "--points and --records go together");
    if (error->status != NUCE_OK) {
        nuce_arguments_fini(&arguments);
        return error->status;
    }
    *out = arguments;
    return NUCE_OK;
}

void nuce_arguments_fini(struct nuce_arguments *arguments)
{
    json_decref(arguments->given);
    memset(arguments, 0, sizeof *arguments);
}
