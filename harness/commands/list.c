/* nuce list: the available choices. Each kind is a row of `listings`, which fills a grid from the
 * table where that kind is registered (workloads.def, schedules.def, ...), so that an addition
 * there is listed here automatically. Shipped files are described by the first sentence of their
 * comment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/cli.h"
#include "campaigns/config.h"
#include "campaigns/profile.h"
#include "commands/list_keys.h"
#include "commands/subcommand.h"
#include "instances/decomposition.h"
#include "mapping/placement.h"
#include "points/workload.h"
#include "results/plot.h"
#include "schedules/generator.h"
#include "schedules/schedule.h"

/* The kinds that can be listed, for messages and --help. */
#define KINDS                                                                                      \
    "workloads, schedules, decompositions, placements, patterns, keys, values, metrics, columns, " \
    "figures, sweeps, profiles or platforms"

struct list_arguments {
    const char *words[2]; /* what, and a topic or NULL */
    enum nuce_grid_format format;
};

/* A kind of choice. fill sets the columns of grid, which is all zero, and adds its rows; on failure
 * the caller frees the grid. shipped: files shipped with nuce, instead. */
struct listing {
    const char *name;
    nuce_status (*fill)(struct nuce_grid *grid, struct nuce_error *error);
    const struct nuce_shipped *shipped;
};

/* A function that lists a registered table with the columns of `names`; the cells follow them. */
#define LIST(function, table, names, ...)                                                          \
    static nuce_status function(struct nuce_grid *grid, struct nuce_error *error)                  \
    {                                                                                              \
        (void)error;                                                                               \
        nuce_grid_init(sizeof names / sizeof *names, names, grid);                                 \
        for (int i = 0; table[i] != NULL; i++)                                                     \
            nuce_cli_add(grid, (const char *const[]){__VA_ARGS__});                                \
        return NUCE_OK;                                                                            \
    }

/* source: the paper or document that it comes from. label: what tables for people add to the name.
 * discipline: the order of a rank's messages in time; needs: the information about the network or
 * the nodes that the schedule needs. */
static const char *const of_workloads[] = {"name", "program", "summary", "source"};
static const char *const of_schedules[] = {"name",  "label",   "discipline",
                                           "needs", "summary", "source"};
static const char *const described[] = {"name", "summary", "source"};

LIST(list_workloads, nuce_workloads, of_workloads, nuce_workloads[i]->name,
     nuce_workloads[i]->program, nuce_workloads[i]->summary, nuce_workloads[i]->source)
LIST(list_schedules, nuce_schedules, of_schedules, nuce_schedules[i]->name,
     nuce_schedules[i]->label == NULL ? "" : nuce_schedules[i]->label,
     nuce_discipline_name(nuce_schedules[i]->discipline), nuce_needs_name(nuce_schedules[i]->needs),
     nuce_schedules[i]->summary, nuce_schedules[i]->source)
LIST(list_decompositions, nuce_decompositions, described, nuce_decompositions[i]->name,
     nuce_decompositions[i]->summary, nuce_decompositions[i]->source)
LIST(list_placements, nuce_placements, described, nuce_placements[i]->name,
     nuce_placements[i]->summary, nuce_placements[i]->source)

/* In addition to the description: whether the generator uses `degree`, and its further options. */
static nuce_status list_patterns(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"name", "degree", "summary", "source", "options"};

    (void)error;
    nuce_grid_init(5, names, grid);
    for (int i = 0; nuce_generators[i] != NULL; i++) {
        const struct nuce_generator_ops *generator = nuce_generators[i];
        const char *degree = nuce_generator_uses(generator, "degree") ? "yes" : "no";
        char options[NUCE_MESSAGE_BYTES] = "";
        const char *cells[] = {generator->name, degree, generator->summary, generator->source,
                               options};

        for (int k = 0; generator->options != NULL && generator->options[k] != NULL; k++) {
            size_t length = strlen(options);

            snprintf(options + length, sizeof options - length, "%s%s", k > 0 ? " " : "",
                     generator->options[k]);
        }

        nuce_cli_add(grid, cells);
    }
    return NUCE_OK;
}

/* sweep: the configuration that gives the rows of the plot. */
static nuce_status list_figures(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"name", "sweep", "drawn", "title"};
    struct nuce_plot_list list = {0};
    nuce_status status;

    nuce_grid_init(4, names, grid);

    status = nuce_plot_list_read(&list, error);
    for (int i = 0; status == NUCE_OK && i < list.count; i++) {
        const struct nuce_plot *plot = &list.plots[i];
        const char *cells[] = {plot->name, plot->sweep,
                               plot->script != NULL ? "table and figure" : "table", plot->title};

        nuce_cli_add(grid, cells);
    }
    nuce_plot_list_fini(&list);
    return status;
}

/* In the order of KINDS, as in messages and --help. Sweeps (run by their name), profiles of
 * clusters, and machines for simulation are shipped files. */
static const struct listing listings[] = {
    {.name = "workloads", .fill = list_workloads},
    {.name = "schedules", .fill = list_schedules},
    {.name = "decompositions", .fill = list_decompositions},
    {.name = "placements", .fill = list_placements},
    {.name = "patterns", .fill = list_patterns},
    {.name = "keys", .fill = nuce_list_keys},
    {.name = "values", .fill = nuce_list_values},
    {.name = "metrics", .fill = nuce_list_metrics},
    {.name = "columns", .fill = nuce_list_columns},
    {.name = "figures", .fill = list_figures},
    {.name = "sweeps", .shipped = &nuce_config_shipped},
    {.name = "profiles", .shipped = &nuce_profile_shipped},
    {.name = "platforms", .shipped = &nuce_sweep_platforms},
};

#define LISTINGS (sizeof listings / sizeof *listings)

static const struct nuce_option options[] = {
    NUCE_CLI_FORMAT_ANY(struct list_arguments),
    {.name = NULL},
};

/* Keeps the rows that have the topic in a cell, alone or in a list with commas. A unit is not a
 * topic: 'ratio' is one, too. */
static nuce_status keep_topic(struct nuce_grid *grid, const char *what, const char *topic,
                              struct nuce_error *error)
{
    struct nuce_grid kept = {0};
    struct nuce_cell *row;
    size_t length = strlen(topic);

    nuce_grid_init(grid->columns, (const char *const *)grid->names, &kept);
    for (int64_t i = 0; i < grid->rows; i++) {
        int has_topic = 0;

        for (int k = 0; !has_topic && k < grid->columns; k++) {
            const char *text =
                strcmp(grid->names[k], "unit") == 0 ? NULL : nuce_grid_cell(grid, i, k)->text;

            while (text != NULL && !has_topic) {
                has_topic = strncmp(text, topic, length) == 0 &&
                            (text[length] == '\0' || text[length] == ',');
                text = strstr(text, ", ");
                text = text != NULL ? text + 2 : NULL;
            }
        }
        if (!has_topic)
            continue;
        nuce_grid_add_row(&kept, &row);
        for (int k = 0; k < grid->columns; k++)
            nuce_cell_copy(&row[k], nuce_grid_cell(grid, i, k)->type,
                           nuce_grid_cell(grid, i, k)->text);
    }
    nuce_grid_fini(grid);
    *grid = kept;
    if (kept.rows > 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "list %s: '%s': expected a name or topic that 'nuce list %s' shows", what,
                          topic, what);
}

/* A row for each shipped file, in nuce's data folder; no row if that is missing. A file without a
 * comment has an empty summary. Paths are for programs; text has their folder once, below it. */
static nuce_status list_shipped(const struct nuce_shipped *shipped, int has_paths,
                                struct nuce_grid *grid, char **folder, struct nuce_error *error)
{
    static const char *const names[] = {"name", "path", "summary"};
    static const char *const brief[] = {"name", "summary"};
    char **files = NULL;
    int64_t count = 0;

    nuce_grid_init(has_paths ? 3 : 2, has_paths ? names : brief, grid);
    error->status = nuce_shipped_names(shipped, &files, &count, error);
    for (int64_t k = 0; error->status == NUCE_OK && k < count; k++) {
        char *path = nuce_shipped_path(shipped, files[k], error);
        char *summary = path != NULL ? nuce_shipped_summary(path) : NULL;

        if (summary != NULL)
            nuce_cli_add(grid,
                         (const char *const[]){files[k], has_paths ? path : summary, summary});
        error->status = summary != NULL ? NUCE_OK : error->status;
        if (k == 0 && path != NULL)
            *folder = nuce_text_format("%.*s", (int)(strrchr(path, '/') - path), path);
        free(summary);
        free(path);
    }
    nuce_shipped_names_free(files, count);
    return error->status;
}

/* An unknown word is refused with the nearest known one. */
static nuce_status list_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct list_arguments *arguments = call->arguments;
    const char *names[LISTINGS], *nearest, *what = arguments->words[0];

    if (strcmp(what, "configs") == 0) /* the name of their folder */
        what = "sweeps";
    for (size_t i = 0; i < LISTINGS; i++) {
        const struct listing *listing = &listings[i];
        struct nuce_grid grid = {0};
        char *folder = NULL;

        names[i] = listing->name;
        if (strcmp(listing->name, what) != 0)
            continue;
        error->status = listing->shipped == NULL
                            ? listing->fill(&grid, error)
                            : list_shipped(listing->shipped, arguments->format != NUCE_GRID_TEXT,
                                           &grid, &folder, error);
        if (error->status == NUCE_OK && arguments->words[1] != NULL)
            error->status = keep_topic(&grid, what, arguments->words[1], error);
        error->status = nuce_cli_print(&grid, arguments->format, error->status, error);
        if (error->status == NUCE_OK && folder != NULL && arguments->format == NUCE_GRID_TEXT)
            printf("\nFiles: %s/NAME%s\n", folder, listing->shipped->ending);
        free(folder);
        return error->status;
    }
    if (nuce_option_ended(what) != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "list %s: %s", what, nuce_option_ended(what));
    nearest = nuce_text_nearest(what, names, LISTINGS);
    return nuce_error_set(error, NUCE_BAD_INPUT, "list: unknown '%s'%s%s%s: expected " KINDS, what,
                          nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
                          nearest != NULL ? "'?)" : "");
}

const struct nuce_subcommand nuce_subcommand_list = {
    .name = "list",
    .summary = "list schedules, sweeps, keys, figures, ... to choose from",
    .about = "Lists the choices that nuce offers. keys: those of a sweep file; values: the names "
             "that keys and options of programs accept; metrics: results of a run; columns: "
             "those of tables, CSV and views. TOPIC keeps the rows that name it.",
    .examples =
        NUCE_EXAMPLES({"nuce list sweeps", "list the sweeps that nuce ships"},
                      {"nuce list keys exchange", "list every key of a sweep of exchanges"}),
    .after = "KIND: " KINDS ".",
    .operands = {.usage = "KIND [TOPIC]",
                 .least = 1,
                 .most = 2,
                 .expected = "one of " KINDS ", and at most one topic"},
    .options = options,
    .arguments_bytes = sizeof(struct list_arguments),
    .operand = offsetof(struct list_arguments, words),
    .run = list_command,
};
