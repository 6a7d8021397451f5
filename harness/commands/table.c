/* nuce table: a table of the papers, ours beside theirs. */
#include <argp.h>
#include <stdio.h>

#include "commands/subcommand.h"
#include "results/message.h"
#include "results/plot.h"

struct arguments {
    char **names; /* NULL-ended, at least one; borrowed from argv */
    const char *database, *environment, *campaign, *format;
};

static const struct argp_option options[] = {
    {"database", 'd', "FILE", 0, "database (default: nuce.db)", 0},
    {"environment", 'e', "ID", 0, "environment whose id begins so (default: the newest)", 0},
    {"campaign", 'c', "ID", 0, "of this campaign and its runs alone", 0},
    {"format", 'f', "FORMAT", 0, "text, markdown, csv, latex or json (default: text)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'd':
        arguments->database = text;
        return 0;
    case 'e':
        arguments->environment = text;
        return 0;
    case 'c':
        arguments->campaign = text;
        return 0;
    case 'f':
        arguments->format = text;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->names = state->argv + state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the NAME of a table expected: see 'nuce list figures'");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static nuce_status print(const char *name, const struct arguments *arguments,
                         enum nuce_grid_format format, struct nuce_error *error)
{
    const struct nuce_plot_choice choice = {.environment = arguments->environment,
                                            .campaign = arguments->campaign};
    struct nuce_store store = {.lock = -1};
    struct nuce_plot plot = {0};
    nuce_status status = nuce_plot_read(name, &plot, error);

    if (status == NUCE_OK)
        status = nuce_store_open_reading(arguments->database, &store, error);
    if (status == NUCE_OK)
        status = nuce_plot_print(&plot, &store, &choice, format, error);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
    return status;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "NAME...",
                                     "Print tables: what was measured beside the paper's numbers. "
                                     "csv and json give one row a value, for programs.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {.database = "nuce.db", .format = "text"};
    struct nuce_error error;
    enum nuce_grid_format format;
    nuce_status status;

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    status = nuce_grid_format_parse(arguments.format, 5, &format, &error);
    for (char **name = arguments.names; *name != NULL && status == NUCE_OK; name++)
        status = print(*name, &arguments, format, &error);
    return status == NUCE_OK ? 0 : nuce_message_error(&error);
}

const struct nuce_subcommand nuce_subcommand_table = {
    .name = "table",
    .summary = "print a table, the paper's numbers beside ours",
    .run = run,
};
