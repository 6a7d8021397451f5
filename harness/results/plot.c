/* The files of a plot and the directives in their heads. Directives are a table of names and
 * members, so that a new one is a row there, a member of struct nuce_plot and a line in
 * plots/README.md. Names in directives become parts of paths, so all are checked to be plain ones
 * (check_names).
 *
 * Order: directives and the head; the files of a plot: its own query, or a shared one, and its
 * script; unknown names; reading one plot, and all. A plot is read whole before it is used; what is
 * wrong in a file is told with its line. */
#include "results/plot.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/folder.h"
#include "base/text.h"
#include "base/text_file.h"

/* What a head may say; values are texts, whose meaning is that of who reads them. */
static const struct {
    const char *name;
    size_t offset;
} directives[] = {
    {"title", offsetof(struct nuce_plot, title)},
    {"sweep", offsetof(struct nuce_plot, sweep)},
    {"options", offsetof(struct nuce_plot, options)},
    {"rows", offsetof(struct nuce_plot, rows)},
    {"paper", offsetof(struct nuce_plot, paper)},
    {"table", offsetof(struct nuce_plot, table)},
    {"pivot", offsetof(struct nuce_plot, pivot)},
    {"cells", offsetof(struct nuce_plot, cells)},
    {"data", offsetof(struct nuce_plot, data)},
    {"wide", offsetof(struct nuce_plot, wide)},
    {"panel", offsetof(struct nuce_plot, panel)},
    {"heading", offsetof(struct nuce_plot, heading)},
    {"series", offsetof(struct nuce_plot, series)},
    {"style", offsetof(struct nuce_plot, style)},
    {"size", offsetof(struct nuce_plot, size)},
    {"script", offsetof(struct nuce_plot, drawn)},
    {"environments", offsetof(struct nuce_plot, environments)},
    {"apart", offsetof(struct nuce_plot, apart)},
    {"verdict", offsetof(struct nuce_plot, verdict)},
    {"says", offsetof(struct nuce_plot, says)},
    {"query", offsetof(struct nuce_plot, query)},
    {"words", offsetof(struct nuce_plot, words)},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

/* Where the directive's value stands in the plot. */
static char **plot_slot(struct nuce_plot *plot, int directive)
{
    return (char **)(void *)((char *)plot + directives[directive].offset);
}

/* Sets a directive; one that is given again goes on where it ended. So a long list may be written
 * over several lines. value has length bytes. */
static void set_directive(struct nuce_plot *plot, int directive, const char *value, size_t length)
{
    char **place = plot_slot(plot, directive);
    char *text = *place == NULL ? nuce_text_format("%.*s", (int)length, value)
                                : nuce_text_format("%s %.*s", *place, (int)length, value);

    free(*place);
    *place = text;
}

/* A slip would else be prose, and the plot be drawn without what it says. */
static nuce_status unknown_directive(const struct nuce_plot *plot, int line, const char *key,
                                     struct nuce_error *error)
{
    const char *names[DIRECTIVES];
    const char *nearest;

    for (int i = 0; i < DIRECTIVES; i++)
        names[i] = directives[i].name;
    nearest = nuce_text_nearest(key, names, DIRECTIVES);
    return nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:4: unknown directive '%s'%s%s%s",
                          plot->path, line, key, nearest == NULL ? "" : " (did you mean '",
                          nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)");
}

/* One line of the head: "-- key: value" is a directive, any other comment is prose. text begins
 * with "--" and has length bytes; line is its number, for messages. A directive is small letters
 * and a colon right behind them, such as "-- title: ..."; a comment whose first word ends with a
 * colon by chance is told as an unknown one. */
static nuce_status parse_line(struct nuce_plot *plot, int line, const char *text, size_t length,
                              struct nuce_error *error)
{
    size_t key_length = strspn(text + 3, "abcdefghijklmnopqrstuvwxyz");
    char key[32];
    const char *value;

    if (length < 5 || text[2] != ' ' || key_length == 0 || key_length >= sizeof key ||
        text[3 + key_length] != ':')
        return NUCE_OK;
    memcpy(key, text + 3, key_length);
    key[key_length] = '\0';
    value = text + 4 + key_length;
    while (value < text + length && *value == ' ')
        value++;
    for (int i = 0; i < DIRECTIVES; i++) {
        if (strcmp(directives[i].name, key) == 0) {
            set_directive(plot, i, value, (size_t)(text + length - value));
            return NUCE_OK;
        }
    }
    return unknown_directive(plot, line, key, error);
}

/* text: names with blanks between them, or NULL. */
static nuce_status check_names(const struct nuce_plot *plot, const char *directive,
                               const char *text, struct nuce_error *error)
{
    char name[128];

    while (nuce_text_word(&text, name, sizeof name)) {
        if (!nuce_text_is_name(name))
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s '%s': expected a name", plot->path,
                                  directive, name);
    }
    return NUCE_OK;
}

/* The comment lines at the beginning of text, which end at the first line that is no comment. */
static nuce_status parse_lines(struct nuce_plot *plot, const char *text, struct nuce_error *error)
{
    for (int line = 1; strncmp(text, "--", 2) == 0; line++) {
        size_t length = strcspn(text, "\n");

        if (length >= 3 && parse_line(plot, line, text, length, error) != NUCE_OK)
            return error->status;
        text += length + (text[length] == '\n');
    }
    return NUCE_OK;
}

/* Whether the directives together are a plot's: `title` and `rows` must be among them. */
static nuce_status check_directives(const struct nuce_plot *plot, struct nuce_error *error)
{
    if (plot->title == NULL || plot->rows == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s:1:1: expected lines '-- title: ...' and '-- rows: ...'",
                              plot->path);
    if (plot->environments != NULL && strcmp(plot->environments, "all") != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: environments '%s': expected 'all'",
                              plot->path, plot->environments);
    if (check_names(plot, "paper", plot->paper, error) != NUCE_OK)
        return error->status;
    if (check_names(plot, "table", plot->table, error) != NUCE_OK)
        return error->status;
    if (check_names(plot, "sweep", plot->sweep, error) != NUCE_OK)
        return error->status;
    if (check_names(plot, "says", plot->says, error) != NUCE_OK)
        return error->status;
    return check_names(plot, "script", plot->drawn, error);
}

/* The path of plots/NAME+ENDING; a new string. */
static char *plots_path(const char *name, const char *ending, struct nuce_error *error)
{
    char *file = nuce_text_format("plots/%s%s", name, ending);
    char *path = nuce_data_path(file, error);

    free(file);
    return path;
}

/* Reads NAME.sql whole: its head is part of the query, as comments. */
static nuce_status find_query(const char *name, struct nuce_plot *plot, struct nuce_error *error)
{
    plot->name = nuce_text_duplicate(name);
    plot->path = plots_path(name, ".sql", error);
    if (plot->path == NULL)
        return error->status;
    return nuce_text_read(plot->path, &plot->sql, NULL, error);
}

/* Whether the text has nothing but lines of comments. Empty lines between count as none. */
static int is_head_alone(const char *text)
{
    while (strncmp(text, "--", 2) == 0) {
        text += strcspn(text, "\n");
        text += strspn(text, "\n");
    }
    return *text == '\0';
}

/* What the head of a shared query says holds for its plots, but where they say it themselves. Each
 * string changes hands or is freed, also on failure: `shared` owns none in the end. */
static nuce_status take_directives(struct nuce_plot *plot, char *path, const char *query,
                                   struct nuce_error *error)
{
    struct nuce_plot shared = {.path = path};
    nuce_status status = parse_lines(&shared, query, error);

    for (int i = 0; i < DIRECTIVES; i++) {
        char **own = plot_slot(plot, i), **other = plot_slot(&shared, i);

        if (*own == NULL)
            *own = *other;
        else
            free(*other);
    }
    return status;
}

/* Where the head names a query, that comes behind it: the plot has none of its own. So several
 * tables and figures show the same rows, by queries/QUERY.sql. The plot's own head stays in front,
 * as the comments with which the query begins. */
static nuce_status find_shared_query(struct nuce_plot *plot, struct nuce_error *error)
{
    char *name, *path, *query = NULL, *whole = NULL;
    nuce_status status;

    if (plot->query == NULL)
        return NUCE_OK;
    if (check_names(plot, "query", plot->query, error) != NUCE_OK)
        return error->status;
    if (!is_head_alone(plot->sql))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: query '%s': expected no query behind the head", plot->path,
                              plot->query);
    name = nuce_text_format("queries/%s", plot->query);
    path = plots_path(name, ".sql", error);
    status = path == NULL ? error->status : nuce_text_read(path, &query, NULL, error);
    if (status == NUCE_OK)
        status = take_directives(plot, path, query, error);
    if (status == NUCE_OK)
        whole = nuce_text_format("%s%s", plot->sql, query);
    if (status == NUCE_OK) {
        free(plot->sql);
        plot->sql = whole;
    }
    free(query);
    free(path);
    free(name);
    return status;
}

/* The script of the head's choice must be there; one of its own makes a table a figure.
 * plot->script is NULL for a plot that is a table only. */
static nuce_status find_script(struct nuce_plot *plot, struct nuce_error *error)
{
    plot->script = plots_path(plot->drawn == NULL ? plot->name : plot->drawn, ".gp", error);
    if (plot->script == NULL)
        return error->status;
    if (access(plot->script, F_OK) == 0)
        return NUCE_OK;
    if (plot->drawn != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: script '%s': no %s", plot->path,
                              plot->drawn, plot->script);
    free(plot->script);
    plot->script = NULL;
    return NUCE_OK;
}

/* A plot whose NAME.sql is there. */
static nuce_status read_known(const char *name, struct nuce_plot *out, struct nuce_error *error)
{
    struct nuce_plot plot = {0};

    if (find_query(name, &plot, error) != NUCE_OK ||
        parse_lines(&plot, plot.sql, error) != NUCE_OK ||
        find_shared_query(&plot, error) != NUCE_OK || check_directives(&plot, error) != NUCE_OK ||
        find_script(&plot, error) != NUCE_OK) {
        nuce_plot_fini(&plot);
        return error->status;
    }
    *out = plot;
    return NUCE_OK;
}

/* All files in plots/, whatever they are: who uses their names cuts the ending off. Freed with
 * nuce_folder_fini, whatever the status. */
static nuce_status plot_read_names(struct nuce_folder *out, struct nuce_error *error)
{
    char *path = nuce_data_path("plots", error);
    nuce_status status = path == NULL ? error->status : nuce_folder_read(out, error, "%s", path);

    free(path);
    return status;
}

/* Cuts ".sql" off; 0 if name is not that of a plot. */
static int cut_ending(char *name)
{
    if (!nuce_text_ends(name, ".sql"))
        return 0;
    name[strlen(name) - strlen(".sql")] = '\0';
    return nuce_text_is_name(name);
}

/* NUCE_BAD_INPUT: that name is a sweep's or a campaign's, or the nearest name. Always fails: *error
 * says what name may have been meant to be. */
static nuce_status unknown_plot(const char *name, struct nuce_error *error)
{
    struct nuce_folder plots = {0};
    const char *nearest;
    const char **names;
    size_t known = 0;

    if (nuce_plot_taken_for_sweep(name, error) || plot_read_names(&plots, error) != NUCE_OK) {
        nuce_folder_fini(&plots);
        return error->status;
    }
    names = nuce_allocate(plots.count, sizeof *names);
    for (int i = 0; i < plots.count; i++) {
        if (cut_ending(plots.entries[i]->d_name))
            names[known++] = plots.entries[i]->d_name;
    }
    nearest = nuce_text_nearest(name, names, known);
    if (nearest != NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "unknown table or figure '%s' (did you mean '%s'?)",
                       name, nearest);
    else
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "unknown table or figure '%s': see 'nuce list figures'", name);
    nuce_folder_fini(&plots);
    free(names);
    return error->status;
}

/* A name is checked before it becomes part of a path: one with slashes could lead out of plots/. */
nuce_status nuce_plot_read(const char *name, struct nuce_plot *out, struct nuce_error *error)
{
    char *path = NULL;
    int there;

    if (!nuce_text_is_name(name))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unknown table or figure '%s': see 'nuce list figures'", name);
    path = plots_path(name, ".sql", error);
    if (path == NULL)
        return error->status;
    there = access(path, F_OK) == 0;
    free(path);
    return there ? read_known(name, out, error) : unknown_plot(name, error);
}

/* Directives by their table, so that none is forgotten. */
void nuce_plot_fini(struct nuce_plot *plot)
{
    for (int i = 0; i < DIRECTIVES; i++)
        free(*plot_slot(plot, i));
    free(plot->sql);
    free(plot->script);
    free(plot->path);
    free(plot->name);
    *plot = (struct nuce_plot){0};
}

nuce_status nuce_plot_list_read(struct nuce_plot_list *out, struct nuce_error *error)
{
    struct nuce_plot_list list = {0};
    struct nuce_folder plots = {0};
    nuce_status status = plot_read_names(&plots, error);

    if (status == NUCE_OK)
        list.plots = nuce_allocate(plots.count, sizeof *list.plots);
    for (int i = 0; i < plots.count && status == NUCE_OK; i++) {
        if (cut_ending(plots.entries[i]->d_name)) {
            status = read_known(plots.entries[i]->d_name, &list.plots[list.count], error);
            list.count += status == NUCE_OK;
        }
    }
    nuce_folder_fini(&plots);
    if (status != NUCE_OK) {
        nuce_plot_list_fini(&list);
        return status;
    }
    *out = list;
    return NUCE_OK;
}

void nuce_plot_list_fini(struct nuce_plot_list *list)
{
    for (int i = 0; i < list->count; i++)
        nuce_plot_fini(&list->plots[i]);
    free(list->plots);
    *list = (struct nuce_plot_list){0};
}

char *nuce_plot_command(const struct nuce_plot *plot, const char *sweep)
{
    return nuce_text_format("nuce run %s%s%s", sweep, plot->options == NULL ? "" : " ",
                            plot->options == NULL ? "" : plot->options);
}

/* Which plots show what a sweep gives: before all others the one that is called as it is, then
 * those whose head names it, then those that its name begins with, and last `quick`, which shows
 * whatever there is. */

/* Whether the plot's directive `sweep`, a list of names, has this one. */
static int names_sweep(const struct nuce_plot *plot, const char *sweep)
{
    const char *rest = plot->sweep;
    char name[NUCE_SWEEP_BYTES];

    while (nuce_text_word(&rest, name, sizeof name)) {
        if (strcmp(name, sweep) == 0)
            return 1;
    }
    return 0;
}

int nuce_plot_nearness(const struct nuce_plot *plot, const char *sweep)
{
    size_t length = strlen(plot->name);

    if (strcmp(plot->name, sweep) == 0)
        return NUCE_PLOT_NEAREST;
    if (names_sweep(plot, sweep))
        return 3;
    if (strncmp(sweep, plot->name, length) == 0 && sweep[length] == '-')
        return 2;
    return strcmp(plot->name, "quick") == 0;
}

/* The number stands behind the last dot: a sweep's name may have dots itself. */
int nuce_plot_sweep_of_campaign(const char *campaign, char sweep[NUCE_SWEEP_BYTES])
{
    const char *dot = strrchr(campaign, '.');
    int numbered = dot != NULL && dot > campaign && dot[1] != '\0' &&
                   strspn(dot + 1, "0123456789") == strlen(dot + 1);

    snprintf(sweep, NUCE_SWEEP_BYTES, "%.*s",
             (int)(numbered ? (size_t)(dot - campaign) : strlen(campaign)), campaign);
    return numbered;
}

/* Whether nuce ships a configuration of that name. */
static int is_shipped(const char *sweep)
{
    struct nuce_error ignored;
    char *file = nuce_text_format("configs/%s.yaml", sweep);
    char *path = nuce_data_path(file, &ignored);
    int there = path != NULL && access(path, F_OK) == 0;

    free(path);
    free(file);
    return there;
}

/* Whether campaigns/NAME+ENDING is a campaign. */
static int has_folder(const char *name, const char *ending)
{
    char *path = nuce_text_format("campaigns/%s%s/plan.jsonl", name, ending);
    int there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* The nearest plot; *nearness is how near. */
static const char *sweep_find_plot(const struct nuce_plot_list *list, const char *sweep,
                                   int *nearness)
{
    const char *found = "quick";

    *nearness = 0;
    for (int i = 0; i < list->count; i++) {
        int near = nuce_plot_nearness(&list->plots[i], sweep);

        if (near > *nearness) {
            *nearness = near;
            found = list->plots[i].name;
        }
    }
    return found;
}

int nuce_plot_taken_for_sweep(const char *name, struct nuce_error *error)
{
    struct nuce_plot_list list = {0};
    struct nuce_error ignored;
    char sweep[NUCE_SWEEP_BYTES];
    int numbered = nuce_plot_sweep_of_campaign(name, sweep), nearness, taken;
    const char *plot;

    if (nuce_plot_list_read(&list, &ignored) != NUCE_OK)
        return 0;
    plot = sweep_find_plot(&list, sweep, &nearness);
    taken = nearness > 2 || is_shipped(sweep) || has_folder(name, numbered ? "" : ".1");
    if (taken && numbered)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s' is a campaign, not a table: expected 'nuce table %s --campaign "
                       "%s', or another of 'nuce list figures'",
                       name, plot, name);
    else if (taken)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s' is a sweep, not a table: expected 'nuce table %s', or another "
                       "of 'nuce list figures'",
                       name, plot);
    nuce_plot_list_fini(&list);
    return taken;
}

/* Whether the database has a campaign of that name, or one of a sweep of it (nuce_store_narrow).
 * One that cannot be read has none. */
static int database_has(const char *database, const char *campaign)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    int has = nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
              nuce_store_narrow(&store, campaign, &ignored) == NUCE_OK;

    nuce_store_close(&store);
    return has;
}

/* The title begins with the campaign, and so goes on with a small letter. */
nuce_status nuce_plot_read_for_campaign(const char *campaign, struct nuce_plot *out,
                                        struct nuce_error *error)
{
    struct nuce_plot plot = {0};
    char *name, *title;

    if (nuce_plot_read("quick", &plot, error) != NUCE_OK)
        return error->status;
    name = nuce_text_format("%s", campaign);
    title = nuce_text_format("%s: %c%s", campaign, tolower((unsigned char)plot.title[0]),
                             plot.title + 1);
    free(plot.name);
    free(plot.title);
    plot.name = name;
    plot.title = title;
    *out = plot;
    return NUCE_OK;
}

/* A table wins over a campaign of the same name. */
nuce_status nuce_plot_read_or_campaign(const char *name, const char *database,
                                       struct nuce_plot_choice *choice, struct nuce_plot *out,
                                       struct nuce_error *error)
{
    nuce_status status = nuce_plot_read(name, out, error);

    if (status != NUCE_BAD_INPUT || !nuce_text_is_name(name) || !database_has(database, name))
        return status;
    choice->campaign = name;
    return nuce_plot_read_for_campaign(name, out, error);
}
