/* nuce table: a table of the papers, ours beside theirs. */
#include <argp.h>
#include <stdio.h>

#include "plot.h"
#include "report.h"
#include "subcommand.h"

struct arguments {
    const char *name, *database, *environment, *format;
};

static const struct argp_option options[] = {
    {"database",                     'd', "FILE", 0, "database (default: nuce.db)", 0},
    {"environment",                        'e', "ID", 0, "environment whose id begins so (default: the newest)", 0},
    {"format", 'f', "FORMAT", 0, "text, markdown, csv, latex or json (default: text)", 0},
    {0                             },
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
    case 'f':
        arguments->format = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            return ARGP_ERR_UNKNOWN;
        arguments->name = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the NAME of a table expected: see 'nuce list figures'");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* People get title and footer; in LaTeX they are comments. */
static void print_line(enum nuce_grid_format format, const char *text, int is_title)
{
    if (format == NUCE_GRID_TEXT || format == NUCE_GRID_MARKDOWN)
        (void)printf(is_title ? "%s\n\n" : "\n%s\n", text);
    else if (format == NUCE_GRID_LATEX)
        (void)printf("%% %s\n", text);
}

static nuce_status print_table(const struct nuce_plot *plot, struct nuce_store *store,
                               const struct arguments *arguments, enum nuce_grid_format format,
                               struct nuce_error *error)
{
    struct nuce_plot_data data = {0};
    struct nuce_grid table = {0};
    nuce_status status = nuce_plot_query(
        plot, store, &(struct nuce_plot_choice){.environment = arguments->environment}, &data,
        error);

    if (status == NUCE_OK)
        status = nuce_plot_table(plot, &data, format, &table, error);
    if (status == NUCE_OK) {
        print_line(format, plot->title, 1);
        status = nuce_grid_print(&table, format, stdout, error);
        print_line(format, data.where, 0);
        print_line(format, data.what, 0);
        if (data.doubts[0] != '\0')
            print_line(format, data.doubts, 0);
    }
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    return status;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "NAME",
                                     "Print a table: what was measured beside the paper's numbers. "
                                     "csv and json give one row a value, for programs.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {.database = "nuce.db", .format = "text"};
    struct nuce_store store = {.lock = -1};
    struct nuce_plot plot = {0};
    struct nuce_error error;
    enum nuce_grid_format format;
    nuce_status status;

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    status = nuce_grid_format_parse(arguments.format, 5, &format, &error);
    if (status == NUCE_OK)
        status = nuce_plot_read(arguments.name, &plot, &error);
    if (status == NUCE_OK)
        status = nuce_store_open_reading(arguments.database, &store, &error);
    if (status == NUCE_OK)
        status = print_table(&plot, &store, &arguments, format, &error);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
    return status == NUCE_OK ? 0 : nuce_report_error(&error);
}

const struct nuce_subcommand nuce_subcommand_table = {
    .name = "table",
    .summary = "print a table, the paper's numbers beside ours",
    .run = run,
};
