/* nuce figure: figures of the papers, drawn with gnuplot. "all" draws those with rows in the
 * database, and counts those without. A figure is plots/NAME.sql and NAME.gp (results/plot.h); a
 * capture, which is a file, has a picture of its own (commands/capturing.h). Prints the paths of
 * the files drawn, one per line, for scripts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "commands/capturing.h"
#include "commands/subcommand.h"
#include "results/plot.h"

struct figure_arguments {
    /* formats: words with commas between; call: NULL: the pattern that took most time */
    const char *database, *folder, *formats, *call;
    const char *plots, *title, *size; /* NULL: those of the plot */
    struct nuce_plot_choice choice;
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct figure_arguments),
    NUCE_OPTION(TEXT, "environment", offsetof(struct figure_arguments, choice.environment), NULL,
                "ID", "beginning of an environment's id; default: the newest", .letter = 'e'),
    NUCE_OPTION(TEXT, "run", offsetof(struct figure_arguments, choice.run), NULL, "ID",
                "beginning of a run's hash, for a figure of one run; default: the newest"),
    NUCE_OPTION(TEXT, "campaign", offsetof(struct figure_arguments, choice.campaign), NULL, "NAME",
                "campaign, or a sweep (its newest campaign); default: all campaigns",
                .letter = 'c'),
    NUCE_OPTION(TEXT, "output", offsetof(struct figure_arguments, folder), "figures", "DIR",
                "folder for the figures", .letter = 'o'),
    NUCE_OPTION(TEXT, "format", offsetof(struct figure_arguments, formats), "png,svg,pdf", "LIST",
                "file formats: some of png, svg, pdf", .letter = 'f'),
    NUCE_OPTION(TEXT, "plots", offsetof(struct figure_arguments, plots), NULL, "DIR",
                "folder of your own figures: DIR/NAME.sql and DIR/NAME.gp (plots/README.md)"),
    NUCE_OPTION(TEXT, "title", offsetof(struct figure_arguments, title), NULL, "TEXT",
                "title; default: that of the figure"),
    NUCE_OPTION(TEXT, "size", offsetof(struct figure_arguments, size), NULL, "WIDTHxHEIGHT",
                "size in pixels, 96 to the inch; default: that of the figure"),
    NUCE_OPTION(TEXT, "contenders", offsetof(struct figure_arguments, choice.contenders), NULL,
                "LIST", "contenders to draw, a comma list; default: all"),
    NUCE_OPTION(
        TEXT, "call", offsetof(struct figure_arguments, call), NULL, "ID",
        "pattern of a capture whose matrix is drawn: its id or its place by time; default: the "
        "first by time that has bytes"),
    {.name = NULL},
};

/* Checks that every word of the list is a format and none is empty. */
static nuce_status check_formats(const char *list, struct nuce_error *error)
{
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        int known = 0;

        for (int i = 0; nuce_plot_formats[i] != NULL; i++)
            known |= strlen(nuce_plot_formats[i]) == length &&
                     strncmp(nuce_plot_formats[i], at, length) == 0;
        if (!known)
            return nuce_error_set(error, NUCE_BAD_INPUT, "--format: '%.*s': expected png, svg, pdf",
                                  (int)length, at);
        at += length;
        if (*at == '\0')
            return NUCE_OK;
    }
}

/* True if the comma list contains name. */
static int has_format(const char *list, const char *name)
{
    size_t length = strlen(name);
    const char *at = strstr(list, name);

    while (at != NULL && !((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])))
        at = strstr(at + 1, name);
    return at != NULL;
}

/* Writes one file for each requested format. The folder is made only if there is a file for it.
 * Folders above it are not made, because a typo in a long path should not create folders. drawn
 * NULL: rows that make no figure are a failure; else *drawn shows if they do. */
static nuce_status draw_rows(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                             const struct figure_arguments *arguments, int *drawn,
                             struct nuce_error *error)
{
    const char *folder = arguments->folder;
    char *reason = NULL;
    struct stat facts;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--output: %s: %s", folder, strerror(errno));
    if (stat(folder, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--output: %s: not a folder", folder);
    for (int i = 0; nuce_plot_formats[i] != NULL && reason == NULL; i++) {
        const char *format = nuce_plot_formats[i];

        if (!has_format(arguments->formats, format))
            continue;
        if ((drawn != NULL ? nuce_plot_try_draw(plot, data, folder, format, &reason, error)
                           : nuce_plot_draw(plot, data, folder, format, error)) != NUCE_OK)
            return error->status;
        if (reason == NULL)
            printf("%s/%s.%s\n", folder, plot->name, format);
        else
            *drawn = 0;
    }
    free(reason);
    return NUCE_OK;
}

/* Finds the plot's rows. needed: no rows are an error, which explains how to get some; else data
 * has no rows then. The database is opened for each plot, because one opening serves one plot
 * (plot.h). */
static nuce_status find_rows(const struct nuce_plot *plot, const struct figure_arguments *arguments,
                             int needed, struct nuce_plot_data *out, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    nuce_status status = nuce_store_open_reading(arguments->database, &store, error);

    if (status == NUCE_OK)
        status = (needed ? nuce_plot_query : nuce_plot_find)(plot, &store, &arguments->choice, out,
                                                             error);
    nuce_store_close(&store);
    return status;
}

/* Another text in the place of *text, unless it is NULL. */
static void set_text(char **text, const char *other)
{
    if (other == NULL)
        return;
    free(*text);
    *text = nuce_text_duplicate(other);
}

/* A capture, which is a file and not in the database (a sweep file is not a figure), or a plot of
 * the shipped ones, by its name; without a script of gnuplot it is a table only. The choice is
 * copied, since the name of a campaign goes into it. */
static nuce_status draw_one(const char *name, const struct figure_arguments *arguments,
                            struct nuce_error *error)
{
    struct figure_arguments its = *arguments;
    struct nuce_capture capture = {0};
    struct nuce_plot_data data = {0};
    struct nuce_plot plot = {0};
    char *note = NULL;
    nuce_status status;

    if (nuce_capturing_is_file(name)) {
        status = nuce_cli_is_sweep(name, "figure", error)
                     ? error->status
                     : nuce_capture_read(name, &capture, error);
        if (status == NUCE_OK)
            status = nuce_capturing_picture(&capture, name, its.call, &plot, &data, error);
    } else {
        status = its.plots != NULL ? nuce_plot_read_in(its.plots, name, &plot, error)
                 : nuce_capturing_is_missing(name, error)
                     ? error->status
                     : nuce_plot_read_or_campaign(name, its.database, &its.choice, &plot, error);
        if (status == NUCE_OK && plot.script == NULL)
            status = nuce_error_set(error, NUCE_BAD_INPUT, "%s is a table only: 'nuce table %s'",
                                    plot.name, plot.name);
        if (status == NUCE_OK)
            status = find_rows(&plot, &its, 1, &data, error);
    }
    set_text(&plot.title, its.title);
    set_text(&plot.size, its.size);
    if (status == NUCE_OK)
        status = draw_rows(&plot, &data, &its, NULL, error);
    if (status == NUCE_OK)
        note = nuce_plot_note(name, &its.choice);
    if (note != NULL)
        nuce_message_print(note);
    free(note);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    nuce_capture_fini(&capture);
    return status;
}

/* Counts plots without rows; it is a failure if none has any. A plot that cannot be drawn is also a
 * failure, but the others are still drawn. Bad input (exit status 2) ends the loop: it would repeat
 * for each plot. */
static nuce_status draw_all(const struct figure_arguments *arguments, int *ended,
                            struct nuce_error *error)
{
    struct nuce_plot_list list = {0};
    char left[256];
    int figures = 0, drawn = 0;

    if (nuce_plot_list_read(&list, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < list.count && *ended != 2; i++) {
        const struct nuce_plot *plot = &list.plots[i];
        struct nuce_plot_data data = {0};
        struct nuce_error its;
        int has_rows;

        if (plot->script == NULL)
            continue;
        its.status = find_rows(plot, arguments, 0, &data, &its);
        has_rows = its.status == NUCE_OK && data.grid.rows > 0;
        if (has_rows)
            its.status = draw_rows(plot, &data, arguments, &has_rows, &its);
        if (its.status != NUCE_OK)
            *ended = nuce_message_error(&its);
        nuce_plot_data_fini(&data);
        figures++;
        drawn += has_rows;
    }
    nuce_plot_list_fini(&list);
    if (*ended != 0 || drawn == figures)
        return NUCE_OK;
    snprintf(left, sizeof left,
             "%.100s has rows for %d of %d figures: 'nuce list figures' names them and the "
             "sweeps that measure them",
             arguments->database, drawn, figures);
    nuce_message_print(left);
    *ended = drawn == 0;
    return NUCE_OK;
}

/* Formats are checked before anything is drawn, so that a typo in the last one does not leave half
 * of the files. The first name that fails ends it. */
static nuce_status figure_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct figure_arguments *arguments = call->arguments;
    const struct nuce_plot asked = {.path = (char[]){"--size"}, .size = (char *)arguments->size};
    int width, height;

    if (check_formats(arguments->formats, error) != NUCE_OK ||
        nuce_plot_size(&asked, &width, &height, error) != NUCE_OK)
        return error->status;
    for (char **name = call->texts; *name != NULL; name++) {
        if (strcmp(*name, "all") == 0 &&
            (arguments->plots != NULL || arguments->title != NULL || arguments->size != NULL))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "all: --plots, --title and --size are of figures by name");
    }
    for (char **name = call->texts; *name != NULL; name++) {
        int ended = 0;

        if ((strcmp(*name, "all") == 0 ? draw_all(arguments, &ended, error)
                                       : draw_one(*name, arguments, error)) != NUCE_OK)
            ended = nuce_message_error(error);
        call->ended = ended > call->ended ? ended : call->ended;
    }
    return NUCE_OK;
}

const struct nuce_subcommand nuce_subcommand_figure = {
    .name = "figure",
    .summary = "draw figures with gnuplot",
    .about =
        "Draw figures, the races of a campaign (for a sweep, its newest), all figures that have "
        "measurements, or captures. Prints the names of the files.",
    .examples = NUCE_EXAMPLES(
        {"nuce figure quick.1 --format svg", "draw the races of a campaign"},
        {"nuce figure all --output pictures", "draw every figure that has measurements"}),
    .operands = {.usage = "NAME...|CAMPAIGN...|SWEEP...|FILE...|all",
                 .least = 1,
                 .most = -1,
                 .expected = "the NAME of a figure, or 'all': see 'nuce list figures'"},
    .options = options,
    .arguments_bytes = sizeof(struct figure_arguments),
    .run = figure_command,
};
