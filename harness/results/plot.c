/* The files of a plot and the directives in their heads. Directives are a table of names and
 * members: a new one is a row there, a member of struct nuce_plot and a line in plots/README.md.
 * Names in directives become parts of paths, so all are checked to be plain ones (check_names).
 *
 * Order: directives and the head; the files of a plot: its own query, or a shared one, and its
 * script; unknown names; reading one plot, and all. A plot is read whole before it is used; errors
 * in a file are reported with their line. */
#include "results/plot.h"

#include <ctype.h>
#include <glob.h>
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

/* The directives of a head, each with its member. Values are strings; their users interpret
 * them. */
#define DIRECTIVE(name)                                                                            \
    {                                                                                              \
#name, offsetof(struct nuce_plot, name)                                                    \
    }
static const struct {
    const char *name;
    size_t offset;
} directives[] = {
    DIRECTIVE(title),        DIRECTIVE(sweep), DIRECTIVE(options),
    DIRECTIVE(rows),         DIRECTIVE(paper), DIRECTIVE(table),
    DIRECTIVE(pivot),        DIRECTIVE(cells), DIRECTIVE(data),
    DIRECTIVE(wide),         DIRECTIVE(panel), DIRECTIVE(heading),
    DIRECTIVE(series),       DIRECTIVE(style), DIRECTIVE(size),
    DIRECTIVE(environments), DIRECTIVE(apart), DIRECTIVE(verdict),
    DIRECTIVE(says),         DIRECTIVE(query), DIRECTIVE(words),
    DIRECTIVE(heads),        DIRECTIVE(aside), {"script", offsetof(struct nuce_plot, drawn)}};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

/* The address of the directive's value in the plot. */
static char **plot_slot(struct nuce_plot *plot, int directive)
{
    return (char **)(void *)((char *)plot + directives[directive].offset);
}

/* One line of the head: "-- key: value" is a directive, any other comment is prose. text begins
 * with "--" and has length bytes; line is its number, for messages. A directive is lower-case
 * letters followed directly by a colon, such as "-- title: ...". A repeated one continues its
 * value, so that a long list may use several lines. A comment whose first word happens to end with
 * a colon is reported as an unknown directive. Otherwise a typo would pass as prose, and the plot
 * would ignore it. */
static nuce_status parse_line(struct nuce_plot *plot, int line, const char *text, size_t length,
                              struct nuce_error *error)
{
    size_t key_length = strspn(text + 3, "abcdefghijklmnopqrstuvwxyz");
    const char *names[DIRECTIVES], *value, *nearest;
    char key[32];

    if (length < 5 || text[2] != ' ' || key_length == 0 || key_length >= sizeof key ||
        text[3 + key_length] != ':')
        return NUCE_OK;
    memcpy(key, text + 3, key_length);
    key[key_length] = '\0';
    value = text + 4 + key_length;
    while (value < text + length && *value == ' ')
        value++;
    for (int i = 0; i < DIRECTIVES; i++) {
        char **place = plot_slot(plot, i);

        names[i] = directives[i].name;
        if (strcmp(directives[i].name, key) != 0)
            continue;
        nuce_text_append(place, "%s%.*s", *place == NULL ? "" : " ", (int)(text + length - value),
                         value);
        return NUCE_OK;
    }
    nearest = nuce_text_nearest(key, names, DIRECTIVES);
    return nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:4: unknown directive '%s'%s%s%s",
                          plot->path, line, key, nearest == NULL ? "" : " (did you mean '",
                          nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)");
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

/* Parses the comment lines at the beginning of text, up to the first other line. */
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

/* Checks that the directives make a plot: `title` and `rows` are required. */
static nuce_status check_directives(const struct nuce_plot *plot, struct nuce_error *error)
{
    if (plot->title == NULL || plot->rows == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s:1:1: expected lines '-- title: ...' and '-- rows: ...'",
                              plot->path);
    if (plot->environments != NULL && strcmp(plot->environments, "all") != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: environments '%s': expected 'all'",
                              plot->path, plot->environments);
    if (check_names(plot, "paper", plot->paper, error) != NUCE_OK ||
        check_names(plot, "table", plot->table, error) != NUCE_OK ||
        check_names(plot, "sweep", plot->sweep, error) != NUCE_OK ||
        check_names(plot, "says", plot->says, error) != NUCE_OK ||
        check_names(plot, "script", plot->drawn, error) != NUCE_OK)
        return error->status;
    return NUCE_OK;
}

/* The path of plots/NAME+ENDING; a new string. */
static char *plots_path(const char *name, const char *ending, struct nuce_error *error)
{
    char *file = nuce_text_format("plots/%s%s", name, ending);
    char *path = nuce_data_path(file, error);

    free(file);
    return path;
}

/* True if the text has only comments. Empty lines between them do not count. */
static int is_head_alone(const char *text)
{
    while (strncmp(text, "--", 2) == 0) {
        text += strcspn(text, "\n");
        text += strspn(text, "\n");
    }
    return *text == '\0';
}

/* Cuts off what is behind the line "-- says": the query of the sentences, unless one is there. */
static void cut_sentences(struct nuce_plot *plot)
{
    static const char line[] = "\n-- says\n";
    char *at = strstr(plot->sql, line);

    if (at == NULL)
        return;
    at[1] = '\0';
    if (plot->sentences == NULL)
        plot->sentences = nuce_text_duplicate(at + strlen(line));
}

/* If the head names a query, that one follows the head, and the plot has none of its own. So
 * several tables and figures can show the same rows, by queries/QUERY.sql. The plot's own head
 * stays in front, as the comments with which the query begins. Directives of the shared query apply
 * to its plots unless they set them: each string changes hands or is freed. */
static nuce_status find_shared_query(struct nuce_plot *plot, struct nuce_error *error)
{
    struct nuce_plot shared = {0};
    char *name, *query = NULL, *own = plot->sql;
    nuce_status status;

    if (plot->query == NULL)
        return NUCE_OK;
    if (check_names(plot, "query", plot->query, error) != NUCE_OK)
        return error->status;
    if (!is_head_alone(own))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: query '%s': expected no query behind the head", plot->path,
                              plot->query);
    name = nuce_text_format("queries/%s", plot->query);
    shared.path = plots_path(name, ".sql", error);
    status = shared.path == NULL ? error->status : nuce_text_read(shared.path, &query, NULL, error);
    if (status == NUCE_OK)
        status = parse_lines(&shared, query, error);
    for (int i = 0; i < DIRECTIVES; i++) {
        char **mine = plot_slot(plot, i), **its = plot_slot(&shared, i);

        if (*mine == NULL)
            *mine = *its;
        else
            free(*its);
    }
    if (status == NUCE_OK) {
        plot->sql = nuce_text_format("%s%s", own, query);
        free(own);
        cut_sentences(plot);
    }
    free(query);
    free(shared.path);
    free(name);
    return status;
}

/* Reads the plot's file, with the query that it shares. It is read whole: its head is part of the
 * query, as comments. */
static nuce_status read_file(struct nuce_plot *plot, struct nuce_error *error)
{
    if (plot->path == NULL || nuce_text_read(plot->path, &plot->sql, NULL, error) != NUCE_OK ||
        parse_lines(plot, plot->sql, error) != NUCE_OK)
        return error->status;
    cut_sentences(plot);
    return find_shared_query(plot, error);
}

/* If the head names a plot, the sentences are those of that one. */
static nuce_status find_sentences(struct nuce_plot *plot, struct nuce_error *error)
{
    struct nuce_plot other = {0};
    nuce_status status;

    if (plot->says == NULL)
        return NUCE_OK;
    other.path = plots_path(plot->says, ".sql", error);
    status = read_file(&other, error);
    if (status == NUCE_OK && other.sentences == NULL)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: says '%s': no line '-- says' in %s",
                                plot->path, plot->says, other.path);
    free(plot->sentences);
    plot->sentences = other.sentences;
    other.sentences = NULL;
    nuce_plot_fini(&other);
    return status;
}

/* A plot whose NAME.sql is there, in the folder, or among those that nuce ships where that is
 * NULL. */
static nuce_status read_known(const char *folder, const char *name, struct nuce_plot *out,
                              struct nuce_error *error)
{
    struct nuce_plot plot = {.name = nuce_text_duplicate(name),
                             .path = folder != NULL ? nuce_text_format("%s/%s.sql", folder, name)
                                                    : plots_path(name, ".sql", error)};

    if (read_file(&plot, error) != NUCE_OK || check_directives(&plot, error) != NUCE_OK ||
        find_sentences(&plot, error) != NUCE_OK)
        goto fail;
    /* The script of the head's choice must be there; one of its own makes a table a figure. */
    plot.script = folder != NULL && plot.drawn == NULL
                      ? nuce_text_format("%s/%s.gp", folder, name)
                      : plots_path(plot.drawn == NULL ? name : plot.drawn, ".gp", error);
    if (plot.script == NULL)
        goto fail;
    if (access(plot.script, F_OK) != 0 && plot.drawn != NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: script '%s': no %s", plot.path, plot.drawn,
                       plot.script);
        goto fail;
    }
    if (access(plot.script, F_OK) != 0) {
        free(plot.script);
        plot.script = NULL;
    }
    *out = plot;
    return NUCE_OK;
fail:
    nuce_plot_fini(&plot);
    return error->status;
}

/* Lists all files in plots/; the caller cuts the endings off. Freed with nuce_folder_fini, whatever
 * the status. */
static nuce_status plot_read_names(struct nuce_folder *out, struct nuce_error *error)
{
    char *path = nuce_data_path("plots", error);
    nuce_status status = path == NULL ? error->status : nuce_folder_read(out, error, "%s", path);

    free(path);
    return status;
}

/* Cuts ".sql" off; returns 0 if name is not that of a plot. */
static int cut_ending(char *name)
{
    if (!nuce_text_ends(name, ".sql"))
        return 0;
    name[strlen(name) - strlen(".sql")] = '\0';
    return nuce_text_is_name(name);
}

/* Always fails: *error suggests the nearest name. */
static nuce_status unknown_plot(const char *name, struct nuce_error *error)
{
    struct nuce_folder plots = {0};
    const char *nearest;
    const char **names;
    size_t known = 0;

    if (plot_read_names(&plots, error) != NUCE_OK) {
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

/* True if nuce ships that file; name is a valid one. */
static bool is_shipped(const char *folder, const char *name, const char *ending)
{
    struct nuce_error ignored;
    char *file = nuce_text_format("%s/%s%s", folder, name, ending),
         *path = nuce_data_path(file, &ignored);
    bool is_there = path != NULL && access(path, F_OK) == 0;

    free(path);
    free(file);
    return is_there;
}

/* A name is checked before it becomes part of a path: one with slashes could lead out of plots/. */
nuce_status nuce_plot_read(const char *name, struct nuce_plot *out, struct nuce_error *error)
{
    if (!nuce_text_is_name(name))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unknown table or figure '%s': see 'nuce list figures'", name);
    return is_shipped("plots", name, ".sql") ? read_known(NULL, name, out, error)
                                             : unknown_plot(name, error);
}

nuce_status nuce_plot_read_in(const char *folder, const char *name, struct nuce_plot *out,
                              struct nuce_error *error)
{
    char *real; /* gnuplot runs in a folder of its own */

    if (!nuce_text_is_name(name))
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected the NAME of %s/NAME.sql", name,
                              folder);
    real = realpath(folder, NULL);
    if (real == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--plots: '%s': no such folder", folder);
    error->status = read_known(real, name, out, error);
    free(real);
    return error->status;
}

/* Frees directives by their table, so that none is forgotten. */
void nuce_plot_fini(struct nuce_plot *plot)
{
    for (int i = 0; i < DIRECTIVES; i++)
        free(*plot_slot(plot, i));
    free(plot->sql);
    free(plot->sentences);
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
            status = read_known(NULL, plots.entries[i]->d_name, &list.plots[list.count], error);
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

/* The plots for a sweep, best first: the one with its name, those whose head names it, those whose
 * name its name begins with, and last `quick`, which shows any race. */

bool nuce_plot_lists(const char *list, const char *wanted)
{
    char name[128];

    while (nuce_text_word(&list, name, sizeof name)) {
        if (strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

int nuce_plot_nearness(const struct nuce_plot *plot, const char *sweep)
{
    size_t length = strlen(plot->name);

    if (strcmp(plot->name, sweep) == 0)
        return NUCE_PLOT_NEAREST;
    if (nuce_plot_lists(plot->sweep, sweep))
        return 3;
    if (strncmp(sweep, plot->name, length) == 0 && sweep[length] == '-')
        return 2;
    return strcmp(plot->name, "quick") == 0;
}

/* The number follows the last dot: a sweep's name may itself have dots. */
int nuce_plot_sweep_of_campaign(const char *campaign, char sweep[NUCE_SWEEP_BYTES])
{
    const char *dot = strrchr(campaign, '.');
    int numbered = dot != NULL && dot > campaign && dot[1] != '\0' &&
                   strspn(dot + 1, "0123456789") == strlen(dot + 1);

    snprintf(sweep, NUCE_SWEEP_BYTES, "%.*s",
             (int)(numbered ? (size_t)(dot - campaign) : strlen(campaign)), campaign);
    return numbered;
}

/* The title begins with the campaign, and so continues with a small letter. */
nuce_status nuce_plot_read_for_campaign(const char *campaign, struct nuce_plot *out,
                                        struct nuce_error *error)
{
    struct nuce_plot plot = {0};
    char *name, *title;

    if (nuce_plot_read("quick", &plot, error) != NUCE_OK)
        return error->status;
    name = nuce_text_duplicate(campaign);
    title = nuce_text_format("%s: %c%s", campaign, tolower((unsigned char)plot.title[0]),
                             plot.title + 1);
    free(plot.name);
    free(plot.title);
    plot.name = name;
    plot.title = title;
    *out = plot;
    return NUCE_OK;
}

/* False for a database that cannot be read. */
bool nuce_plot_is_campaign(const struct nuce_plot *plot, const char *name, const char *database)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    int64_t rows = 0;
    bool is_campaign = nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
                       nuce_store_narrow(&store, name, &ignored) == NUCE_OK;

    if (is_campaign && plot != NULL)
        is_campaign =
            nuce_store_count(&store, &rows, &ignored,
                             "SELECT count(*) FROM (SELECT 1 FROM result WHERE %s LIMIT 1)",
                             plot->rows) == NUCE_OK &&
            rows == 0;
    nuce_store_close(&store);
    return is_campaign;
}

/* Says why there is nothing called name, where that is meant as a campaign or a sweep: the sweep
 * has a table of another name, or the database has no such campaign. Else *error stays. A name
 * counts as a sweep if nuce ships it, it has a campaign below campaigns/, or the head of a plot
 * names it.
 */
static nuce_status explain_missing(const char *name, const char *database, struct nuce_error *error)
{
    char sweep[NUCE_SWEEP_BYTES], *campaigns = nuce_text_format("campaigns/%s.*", name);
    int numbered = nuce_plot_sweep_of_campaign(name, sweep), nearest = 0;
    struct nuce_store store = {.lock = -1};
    struct nuce_plot_list list = {0};
    struct nuce_error ignored;
    const char *table = NULL;
    glob_t found = {0};
    bool is_known =
        glob(campaigns, GLOB_ONLYDIR, NULL, &found) == 0 || is_shipped("configs", sweep, ".yaml");

    nuce_plot_list_read(&list, &ignored);
    for (int i = 0; i < list.count && !numbered; i++) {
        int near = nuce_plot_nearness(&list.plots[i], sweep);

        if (near > nearest) {
            nearest = near;
            table = list.plots[i].name;
        }
    }
    if (nearest > 2 || (nearest == 2 && is_known))
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s' is a sweep, not a table: expected 'nuce table %s', or another "
                       "of 'nuce list figures'",
                       name, table);
    else if ((numbered || is_known) &&
             nuce_store_open_reading(database, &store, &ignored) == NUCE_OK)
        free(nuce_store_campaign(&store, name, error));
    else if (numbered || is_known)
        *error = ignored;
    nuce_store_close(&store);
    nuce_plot_list_fini(&list);
    globfree(&found);
    free(campaigns);
    return error->status;
}

nuce_status nuce_plot_read_or_campaign(const char *name, const char *database,
                                       struct nuce_plot_choice *choice, struct nuce_plot *out,
                                       struct nuce_error *error)
{
    struct nuce_plot plot = {0};
    nuce_status status = nuce_plot_read(name, &plot, error);

    if ((status == NUCE_BAD_INPUT || (status == NUCE_OK && choice->campaign == NULL)) &&
        nuce_plot_is_campaign(status == NUCE_OK ? &plot : NULL, name, database)) {
        nuce_plot_fini(&plot);
        choice->campaign = name;
        return nuce_plot_read_for_campaign(name, out, error);
    }
    *out = plot;
    return status == NUCE_BAD_INPUT && nuce_text_is_name(name) && !is_shipped("plots", name, ".sql")
               ? explain_missing(name, database, error)
               : status;
}

char *nuce_plot_note(const char *name, const struct nuce_plot_choice *choice)
{
    struct nuce_plot plot = {0};
    struct nuce_error ignored;
    char *command, *note = NULL;

    if (choice->campaign == name && nuce_plot_read(name, &plot, &ignored) == NUCE_OK &&
        plot.sweep != NULL) {
        command = nuce_plot_command(&plot, plot.sweep);
        note = nuce_text_format("note: '%s' of 'nuce list figures' has no rows of the newest "
                                "campaign of that name: these are its races; '%s' gives it rows",
                                name, command);
        free(command);
    }
    nuce_plot_fini(&plot);
    return note;
}
