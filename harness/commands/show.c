/* nuce show: the content of the database. The word is, in this order: one of the views below, a
 * capture (a file that is one), a table of 'nuce list figures', a campaign or sweep. So a view's
 * name wins over a file's, and a campaign with the name of a table needs its number, NAME.1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grid_fit.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "commands/capturing.h"
#include "commands/subcommand.h"
#include "results/grid_read.h"
#include "results/plot.h"

/* what: NULL: campaigns; campaign: NULL: all; trace: --trace, for a capture alone. */
struct show_arguments {
    const char *what, *campaign, *database;
    int wide, trace;
    enum nuce_grid_format format;
};

/* The views, a query each: files of plots/show. In text for people, `people` (NULL: the same)
 * replaces it, and `more` (NULL: nothing) follows below. Programs get full ids and unchanged
 * JSON. */
static const struct show_view {
    const char *name, *people, *more;
} views[] = {
    {.name = "campaigns"},
    {.name = "points"},
    {.name = "runs"},
    {.name = "environments", .people = "environments-people", .more = "environments-keys"},
};
enum { VIEWS = sizeof views / sizeof *views, POINTS = 1 };

static const struct nuce_option options[] = {
    NUCE_CLI_CAMPAIGN(struct show_arguments),
    NUCE_CLI_DATABASE(struct show_arguments),
    NUCE_CLI_WIDE(struct show_arguments),
    NUCE_OPTION(FLAG, "trace", offsetof(struct show_arguments, trace), NULL, NULL,
                "times of each rank in each call, of a capture taken with --trace"),
    NUCE_CLI_FORMAT(struct show_arguments),
    {.name = NULL},
};

/* Prints the rows of plots/show/NAME.sql; *rows is their number. As text it omits columns without
 * any value, and is at most 100 characters wide unless --wide. */
static nuce_status print_rows(struct nuce_store *store, const struct show_arguments *arguments,
                              const char *name, int64_t *rows, struct nuce_error *error)
{
    char *file = nuce_text_format("plots/show/%s.sql", name);
    char *sql = nuce_store_shipped(file, error);
    struct nuce_grid grid = {0};
    nuce_status status =
        sql == NULL ? error->status : nuce_grid_query(store, &grid, error, "%s", sql);

    if (status == NUCE_OK && arguments->format == NUCE_GRID_TEXT)
        nuce_grid_drop_empty(&grid, 1);
    if (status == NUCE_OK)
        status = nuce_grid_print_fitted(&grid, arguments->format, arguments->wide, stdout, error);
    *rows = grid.rows;
    nuce_grid_fini(&grid);
    free(sql);
    free(file);
    return status;
}

/* Prints the rows of a view, narrowed to one campaign on request; *rows is their number. As text it
 * is for people, with `more` below it. */
static nuce_status print_view(struct nuce_store *store, const struct show_arguments *arguments,
                              const struct show_view *view, int64_t *rows, struct nuce_error *error)
{
    int is_text = arguments->format == NUCE_GRID_TEXT;
    int64_t rows_below;
    nuce_status status = nuce_store_narrow(store, arguments->campaign, error);

    if (status == NUCE_OK)
        status =
            print_rows(store, arguments,
                       is_text && view->people != NULL ? view->people : view->name, rows, error);
    if (status == NUCE_OK && is_text && view->more != NULL) {
        putchar('\n');
        status = print_rows(store, arguments, view->more, &rows_below, error);
    }
    return status;
}

/* Shows the races of a campaign, or of the newest of a sweep; its points if there was none. The
 * table `quick` shows races of any workload. Its message about an unknown campaign is replaced by
 * suggestions. Plots restrict their store, so it is reopened for points. If no run ended well, a
 * message prevents a misreading of the empty result. */
static nuce_status print_campaign(struct nuce_store *store, const struct show_arguments *arguments,
                                  struct nuce_error *error)
{
    const struct nuce_plot_choice choice = {.campaign = arguments->what,
                                            .is_wide = arguments->wide};
    struct show_arguments narrowed = *arguments;
    struct nuce_plot_data data = {0};
    struct nuce_plot plot = {0};
    int64_t rows = 0;
    nuce_status status;

    narrowed.campaign = arguments->what;
    if (arguments->campaign != NULL && strcmp(arguments->campaign, arguments->what) != 0)
        return nuce_error_refuse(error, "campaign",
                                 "'%.200s': expected a table of 'nuce list figures' to show of it, "
                                 "'%.200s' is none",
                                 arguments->campaign, arguments->what);
    status = nuce_plot_read_for_campaign(arguments->what, &plot, error);
    if (status == NUCE_OK)
        status = nuce_plot_find(&plot, store, &choice, &data, error);
    if (status == NUCE_BAD_INPUT)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "show: '%s': expected campaigns, points, runs, environments, a table "
                       "of 'nuce list figures', or a campaign or sweep that %s has runs of",
                       arguments->what, arguments->database);
    if (status == NUCE_OK && data.grid.rows > 0) {
        status = nuce_plot_print_found(&plot, &data, arguments->format, error);
    } else if (status == NUCE_OK) {
        nuce_store_close(store);
        status = nuce_store_open_reading(arguments->database, store, error);
        if (status == NUCE_OK)
            status = print_view(store, &narrowed, &views[POINTS], &rows, error);
        if (status == NUCE_OK && rows == 0 && arguments->format == NUCE_GRID_TEXT)
            printf("no run of %s ended well: 'nuce status %s' shows the state of its points\n",
                   arguments->what, arguments->what);
    }
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    return status;
}

/* For a capture, shows the patterns; as text, sentences about the whole capture come first. A word
 * that is not a view is a table of 'nuce list figures', such as a verdict, or a campaign. A word
 * with a slash, or that ends with .capture, is meant as a file: the message reports a missing file,
 * not a missing table. */
static nuce_status show_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct show_arguments *arguments = call->arguments;
    const struct nuce_plot_choice choice = {.campaign = arguments->campaign,
                                            .is_wide = arguments->wide};
    struct nuce_store store = {.lock = -1};
    const struct show_view *view = NULL;
    struct nuce_plot plot = {0};
    struct nuce_capture capture = {0};
    struct nuce_grid grid = {0};
    int64_t rows;
    nuce_status status;

    if (arguments->what == NULL)
        arguments->what = "campaigns";
    for (int i = 0; i < VIEWS && view == NULL; i++)
        view = strcmp(views[i].name, arguments->what) == 0 ? &views[i] : NULL;
    if (view == NULL && nuce_capturing_is_file(arguments->what)) {
        if (nuce_cli_is_sweep(arguments->what, "show", error))
            return error->status;
        status = nuce_capture_read(arguments->what, &capture, error);
        if (status == NUCE_OK && arguments->trace)
            status = nuce_capturing_timeline(&capture, arguments->what, &grid, error);
        else if (status == NUCE_OK)
            nuce_capturing_table(&capture, &grid);
        if (status == NUCE_OK && arguments->format == NUCE_GRID_TEXT && !arguments->trace)
            nuce_capturing_tell(&capture, arguments->what, stdout);
        nuce_capture_fini(&capture);
        return nuce_cli_print(&grid, arguments->format, status, error);
    }
    if (view == NULL && nuce_capturing_is_missing(arguments->what, error))
        return error->status;
    if (arguments->trace)
        return nuce_error_refuse(error, "trace", "expected a capture, '%.200s' is none",
                                 arguments->what);
    status = nuce_store_open_reading(arguments->database, &store, error);
    if (status == NUCE_OK && view != NULL)
        status = print_view(&store, arguments, view, &rows, error);
    else if (status == NUCE_OK && nuce_plot_read(arguments->what, &plot, error) == NUCE_OK &&
             (arguments->campaign != NULL ||
              !nuce_plot_is_campaign(&plot, arguments->what, arguments->database)))
        status = nuce_plot_print(&plot, &store, &choice, arguments->format, error);
    else if (status == NUCE_OK)
        status = print_campaign(&store, arguments, error);
    nuce_plot_fini(&plot);
    nuce_store_close(&store);
    return status;
}

const struct nuce_subcommand nuce_subcommand_show = {
    .name = "show",
    .summary = "show a campaign's races, or lists of the database",
    .about = "Show what the database holds (default: campaigns), a table of 'nuce list figures', "
             "such as exchange-verdict, the races of a campaign (for a sweep, its newest), or the "
             "patterns of a capture ('nuce capture').",
    .examples = NUCE_EXAMPLES(
        {"nuce show quick.1", "show a campaign: ratios, fastest, noise"},
        {"nuce show runs --campaign quick.1 --format csv", "list the runs of one campaign as CSV"}),
    .operands = {.usage = "[campaigns|points|runs|environments|TABLE|CAMPAIGN|SWEEP|FILE]",
                 .least = 0,
                 .most = 1,
                 .expected = "one thing to show"},
    .options = options,
    .arguments_bytes = sizeof(struct show_arguments),
    .operand = offsetof(struct show_arguments, what),
    .run = show_command,
};
