/* The rows of a plot: the chosen results, next to those of the paper.
 *
 * * Each step makes temporary tables that the next may read. The order is `chosen` (plot_choose.c),
 * the jobs behind it (plots/origin), the families of names, the paper's numbers, words and shared
 * tables, the text about the origin. The plot's own query and its sentences come last, and can only
 * select. For many rows the steps run twice: first with no row in `chosen`, to see which of its
 * hundred columns the queries read (find_columns), then for real. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "campaigns/config.h"
#include "campaigns/profile_keys.h"
#include "instances/decomposition.h"
#include "mapping/placement.h"
#include "results/grid_read.h"
#include "results/plot.h"
#include "schedules/schedule.h"

/* From this number of rows on it pays to find out first which columns a plot reads. */
enum { FEW_ROWS = 100 };

/* "; run 'nuce run NAME --modelled' (6000 points, by the model)": the command that gives rows, and
 * its cost according to the plan. A new string; NULL with *error. */
static char *plot_run_say(const struct nuce_plot *plot)
{
    char *command, *cost = NULL, *text;
    struct nuce_config config = {0};
    struct nuce_problems problems;
    struct nuce_error ignored;
    nuce_status status;

    if (plot->sweep == NULL)
        return nuce_text_duplicate("");
    command = nuce_plot_command(plot, plot->sweep);
    status = nuce_config_load(plot->sweep, 0, &nuce_slurm_judge, &config, &problems, &ignored);
    if (status == NUCE_OK && plot->options != NULL && strcmp(plot->options, "--modelled") == 0)
        cost = nuce_text_format("%lld point%s, by the model", (long long)config.plan.count,
                                nuce_text_plural(config.plan.count));
    else if (status == NUCE_OK)
        cost = nuce_sampling_time_estimate(&config);
    text = cost != NULL ? nuce_text_format("; run '%s' (%s)", command, cost)
                        : nuce_text_format("; run '%s'", command);
    free(cost);
    nuce_problems_fini(&problems);
    nuce_config_fini(&config);
    free(command);
    return text;
}

/* Says why the plot has no rows of the run that was asked for. Plots of a traced step have
 * events_lost in their condition. Always an error. */
static nuce_status no_rows_of_run(const struct nuce_plot *plot, struct nuce_store *store,
                                  const char *run, struct nuce_error *error)
{
    char *why = nuce_store_text(
        store, error,
        "SELECT coalesce((SELECT CASE WHEN status <> 'ok' THEN 'its status is ' || status"
        "  WHEN NOT %d THEN 'it is of another workload or kind'"
        "  WHEN events_lost IS NULL THEN 'none of its steps was traced; ''nuce run SWEEP'' with"
        " ''trace: true'' below ''measure:'' traces one, but no single call of MPI'"
        "  ELSE 'it sent no message' END FROM run WHERE substr(hash, 1, length(%Q)) = %Q),"
        " 'it is not there: see ''nuce show runs''')",
        strstr(plot->rows, "events_lost") != NULL, run, run);

    if (why != NULL)
        nuce_error_set(error, NUCE_FAILED, "%s: no rows for it of run %s in %s: %s", plot->name,
                       run, store->path, why);
    free(why);
    return error->status;
}

/* Explains which command gives rows, and lists the existing results, in case it is the wrong
 * database. These are the results that the store was narrowed to, such as a campaign's. Always an
 * error. */
static nuce_status no_rows(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_error *error)
{
    static const char sql[] =
        "SELECT coalesce(group_concat(printf('%%s %%s (%%d point%%s)', kind, workload, n,"
        "  iif(n = 1, '', 's')), ', '), 'no run that ended well')"
        " FROM (SELECT kind, workload, count(DISTINCT point) AS n FROM result"
        "  GROUP BY kind, workload ORDER BY kind, workload)";
    char *there, *run;

    if (choice != NULL && choice->environment != NULL)
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: no rows of an environment whose id begins with '%s': see "
                              "'nuce show environments'",
                              plot->name, choice->environment);
    if (choice != NULL && choice->run != NULL)
        return no_rows_of_run(plot, store, choice->run, error);
    there = nuce_store_text(store, error, sql);
    if (there == NULL)
        return error->status;
    run = plot_run_say(plot);
    if (choice != NULL && choice->campaign != NULL)
        nuce_error_set(error, NUCE_FAILED,
                       "%s: no rows for it of campaign %s in %s, which has %s: see 'nuce "
                       "status %s'",
                       plot->name, choice->campaign, store->path, there, choice->campaign);
    else
        nuce_error_set(error, NUCE_FAILED, "%s: no rows for it in %s, which has %s%s", plot->name,
                       store->path, there, run);
    free(run);
    free(there);
    return error->status;
}

/* Makes the tables (name, place) of families, with the place of each member in nuce's lists. Places
 * continue from family to family, so that no two names share one; figures also choose colours by
 * them. The exceptions are `whole_schedules`, the schedules for which all ranks must know the whole
 * pattern, and `by_simplicity`, in which the simplest schedule has the least place. */
static nuce_status list_families(struct nuce_store *store, struct nuce_error *error)
{
    static const char insert[] = "INSERT INTO %s VALUES (%Q, %d, %Q)";
    int place = 0, whole = 0;
    nuce_status status = nuce_store_execute(
        store,
        "CREATE TEMP TABLE schedules (name TEXT PRIMARY KEY, place INTEGER NOT NULL, label TEXT);"
        "CREATE TEMP TABLE decompositions (name TEXT PRIMARY KEY, place INTEGER NOT NULL, label "
        "TEXT);"
        "CREATE TEMP TABLE placements (name TEXT PRIMARY KEY, place INTEGER NOT NULL, label TEXT);"
        "CREATE TEMP TABLE whole_schedules (name TEXT PRIMARY KEY, place INTEGER NOT NULL, label "
        "TEXT);"
        "CREATE TEMP TABLE by_simplicity (name TEXT PRIMARY KEY, place INTEGER NOT NULL, label "
        "TEXT);"
        "CREATE TEMP VIEW contenders AS SELECT * FROM schedules UNION ALL"
        " SELECT * FROM decompositions UNION ALL SELECT * FROM placements",
        error);

    for (int i = 0; status == NUCE_OK && nuce_schedules[i] != NULL; i++) {
        const char *name = nuce_schedules[i]->name;

        status = nuce_store_run(store, error, insert, "schedules", name, ++place,
                                nuce_schedules[i]->label);
        if (status == NUCE_OK)
            status = nuce_store_run(store, error, insert, "by_simplicity", name,
                                    100 * (int)nuce_schedule_effort(nuce_schedules[i]) + i, NULL);
        if (status == NUCE_OK && nuce_schedules[i]->concern != NUCE_CONCERN_OWN)
            status = nuce_store_run(store, error, insert, "whole_schedules", name, ++whole, NULL);
    }
    for (int i = 0; status == NUCE_OK && nuce_decompositions[i] != NULL; i++)
        status =
            nuce_store_run(store, error, insert, "decompositions", nuce_decompositions[i]->name,
                           ++place, nuce_decompositions[i]->label);
    for (int i = 0; status == NUCE_OK && nuce_placements[i] != NULL; i++)
        status = nuce_store_run(store, error, insert, "placements", nuce_placements[i]->name,
                                ++place, nuce_placements[i]->label);
    return status;
}

/* Puts the path of a shipped file in front of the error. */
static void blame(const char *file, struct nuce_error *error)
{
    struct nuce_error ignored;
    char *path = nuce_data_path(file, &ignored);

    nuce_error_prefix(error, "%s", path == NULL ? file : path);
    free(path);
}

/* Makes the tables that the head names, a step for each word. The papers' numbers are one table.
 * The table `word` has the words of the directive, by which several plots distinguish their shared
 * query. A table NAME has the result of plots/tables/NAME.sql; the order is that of the head,
 * because a table may read those before it. Names have been checked to be plain ones (plot.c). The
 * text about the origin reads two of them, which are empty if the head does not name them. */
static nuce_status make_named(const struct nuce_plot *plot, struct nuce_store *store,
                              struct nuce_error *error)
{
    const char *papers = plot->paper, *words = plot->words, *tables = plot->table;
    char name[128];

    while (nuce_text_word(&papers, name, sizeof name)) {
        char *file = nuce_text_format("plots/paper/%s.tsv", name);
        char *path = nuce_data_path(file, error);
        nuce_status status = path == NULL ? error->status : nuce_paper_load(store, path, error);

        free(path);
        free(file);
        if (status != NUCE_OK)
            return status;
    }
    if (nuce_store_execute(store, "CREATE TEMP TABLE word (word TEXT)", error) != NUCE_OK)
        return error->status;
    while (nuce_text_word(&words, name, sizeof name)) {
        if (nuce_store_run(store, error, "INSERT INTO word VALUES (%Q)", name) != NUCE_OK)
            return error->status;
    }
    while (nuce_text_word(&tables, name, sizeof name)) {
        char *file = nuce_text_format("plots/tables/%s.sql", name);
        char *query = nuce_store_shipped(file, error);
        nuce_status status =
            query == NULL
                ? error->status
                : nuce_store_run(store, error, "CREATE TEMP TABLE \"%w\" AS %s", name, query);

        if (query != NULL && status != NUCE_OK)
            blame(file, error);
        free(query);
        free(file);
        if (status != NUCE_OK)
            return status;
    }
    return nuce_store_execute(store,
                              "CREATE TEMP TABLE IF NOT EXISTS panel_rows (point, is_empty);"
                              "CREATE TEMP TABLE IF NOT EXISTS panels (point)",
                              error);
}

/* The text about the origin of the rows, remark by remark, with semicolons between. The remarks go
 * through all rows, so they are computed once for the four lines. */
static nuce_status read_origin(struct nuce_store *store, struct nuce_plot_data *data,
                               struct nuce_error *error)
{
    const struct {
        const char *line;
        char **text;
    } lines[] = {{"where", &data->where},
                 {"what", &data->what},
                 {"doubts", &data->doubts},
                 {"left_out", &data->left_out}};
    int64_t busy = 0;

    if (nuce_store_run_shipped(store, "plots/origin/lines.sql", error) != NUCE_OK ||
        nuce_store_count(store, &busy, error, "SELECT count(*) FROM behind WHERE busy") != NUCE_OK)
        return error->status;
    for (size_t i = 0; i < sizeof lines / sizeof *lines && error->status == NUCE_OK; i++)
        *lines[i].text = nuce_store_text(store, error,
                                         "SELECT group_concat(said, '; ') FROM (SELECT said FROM"
                                         " origin WHERE line = %Q AND said <> '' ORDER BY place)",
                                         lines[i].line);
    data->is_busy = busy > 0;
    return error->status;
}

/* Makes all tables that the plot's queries read, except `chosen`, and the text about the origin.
 * Also makes the view `plotted` of the plot's own rows, if sentences are made of them. CREATE is no
 * SELECT, so it comes before the store is restricted. */
static nuce_status make_beside(const struct nuce_plot *plot, struct nuce_store *store,
                               struct nuce_plot_data *out, struct nuce_error *error)
{
    if (nuce_store_run_shipped(store, "plots/origin/behind.sql", error) != NUCE_OK ||
        list_families(store, error) != NUCE_OK || make_named(plot, store, error) != NUCE_OK ||
        read_origin(store, out, error) != NUCE_OK)
        return error->status;
    if (plot->sentences != NULL &&
        nuce_store_run(store, error, "CREATE TEMP VIEW plotted AS %s", plot->sql) != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    return NUCE_OK;
}

/* Runs the plot's query and takes all its rows. Takes also the sentences on them, made
 * from the plot's tables and from `plotted`. *out is freed with
 * nuce_plot_data_fini. All rows are in memory: a figure has hundreds, not millions. out NULL:
 * compiles the queries without running them, which shows the columns that they read. */
static nuce_status read_rows(const struct nuce_plot *plot, struct nuce_store *store,
                             struct nuce_plot_data *out, struct nuce_error *error)
{
    struct nuce_grid *const grids[] = {out == NULL ? NULL : &out->grid,
                                       out == NULL ? NULL : &out->says};
    const char *const queries[] = {plot->sql, plot->sentences};
    nuce_status status = NUCE_OK;

    for (int i = 0; i < 2 && queries[i] != NULL && status == NUCE_OK; i++) {
        sqlite3_stmt *statement = NULL;

        status = nuce_store_prepare(store, queries[i], &statement, error);
        if (status == NUCE_OK && out != NULL && (i == 0 || out->grid.rows > 0))
            status = nuce_grid_read(store, statement, grids[i], error);
        sqlite3_finalize(statement);
        if (status == NUCE_OK && grids[i] != NULL && i == 1 && out->grid.rows > 0 &&
            nuce_grid_column(grids[i], "sentence") < 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT, "no column 'sentence'");
        if (status != NUCE_OK)
            nuce_error_prefix(error, i == 0 ? "%s" : "%s: sentences", plot->path);
    }
    return status;
}

/* Notes a column of `chosen` that a statement reads, as a key of context, a JSON object. It is an
 * authorizer of SQLite, called while a statement is compiled; it permits everything. */
static int note_column(void *context, int action, const char *table, const char *column,
                       const char *database, const char *within)
{
    (void)database;
    (void)within;
    if (action == SQLITE_READ && table != NULL && strcmp(table, "chosen") == 0 && *column != '\0' &&
        strcmp(column, "ROWID") != 0)
        json_object_set_new(context, column, json_true());
    return SQLITE_OK;
}

/* The columns of `chosen` that the plot reads, with commas between, and those needed to choose the
 * newest. The view `result` has a hundred, most of them computed from JSON: restricting it to the
 * ten that a plot reads halves the time. Freed by the caller. All steps of the plot are rehearsed
 * without a row, in a savepoint, which undoes the tables that they make. After a failure the
 * savepoint stays open, and the store must not be used further. */
static char *find_columns(const struct nuce_plot *plot, struct nuce_store *store,
                          const struct nuce_plot_choice *choice, struct nuce_error *error)
{
    json_t *columns = json_pack("{s:b, s:b, s:b, s:b, s:b}", "kind", 1, "environment", 1, "point",
                                1, "wait", 1, "started", 1);
    struct nuce_plot_data none = {0};
    const char *rest = plot->apart, *key;
    char word[128], *text = NULL;
    int ignored = 0;
    json_t *value;
    nuce_status status = nuce_store_execute(store, "SAVEPOINT rehearsal", error);

    sqlite3_set_authorizer(store->handle, note_column, columns);
    if (status == NUCE_OK &&
        (nuce_plot_choose(plot, store, choice, NULL, &ignored, error) != NUCE_OK ||
         make_beside(plot, store, &none, error) != NUCE_OK ||
         read_rows(plot, store, NULL, error) != NUCE_OK))
        status = error->status;
    nuce_plot_data_fini(&none);
    sqlite3_set_authorizer(store->handle, NULL, NULL);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, "ROLLBACK TO rehearsal; RELEASE rehearsal", error);
    while (nuce_text_word(&rest, word, sizeof word))
        json_object_set_new(columns, word, json_true());
    json_object_foreach(columns, key, value)
    {
        nuce_text_append(&text, "%s%s", text == NULL ? "" : ", ", key);
    }
    json_decref(columns);
    if (status == NUCE_OK)
        return text;
    free(text);
    return NULL;
}

/* Makes `chosen`. If it has requested rows, reads the plot's rows; after that the store can only
 * select. */
static nuce_status read_plot(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             struct nuce_plot_data *out, struct nuce_error *error)
{
    int64_t count = 0;
    int is_answered = 1;

    if (nuce_plot_choose(plot, store, choice, columns, &is_answered, error) != NUCE_OK ||
        nuce_store_count(store, &count, error, "SELECT count(*) FROM chosen") != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (count == 0 || !is_answered)
        return NUCE_OK;
    if (make_beside(plot, store, out, error) != NUCE_OK)
        return error->status;
    nuce_store_restrict(store);
    return read_rows(plot, store, out, error);
}

/* Usually no row of the database meets the plot's condition: a database serves a few of the plots,
 * and a report tries all of them. So that is checked first. */
nuce_status nuce_plot_find(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                           struct nuce_error *error)
{
    static const struct nuce_plot_choice newest = {0};
    struct nuce_plot_data data = {0};
    char *columns = NULL;
    int64_t count = 0;
    nuce_status status = NUCE_OK;

    if (choice == NULL)
        choice = &newest;
    if (nuce_store_narrow(store, choice->campaign, error) != NUCE_OK ||
        nuce_store_check_environment(store, choice->environment, error) != NUCE_OK)
        return error->status;
    if (nuce_store_count(store, &count, error,
                         "SELECT count(*) FROM (SELECT 1 FROM result WHERE %s LIMIT %d)",
                         plot->rows, FEW_ROWS) != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (count > 0) {
        columns =
            count < FEW_ROWS ? nuce_text_duplicate("*") : find_columns(plot, store, choice, error);
        status =
            columns == NULL ? error->status : read_plot(plot, store, choice, columns, &data, error);
    }
    free(columns);
    data.is_wide = choice->is_wide;
    if (status == NUCE_OK)
        *out = data;
    else
        nuce_plot_data_fini(&data);
    return status;
}

nuce_status nuce_plot_query(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                            struct nuce_error *error)
{
    struct nuce_plot_data data;
    nuce_status status = nuce_plot_find(plot, store, choice, &data, error);

    if (status == NUCE_OK && data.grid.rows == 0) {
        nuce_plot_data_fini(&data);
        return no_rows(plot, store, choice, error);
    }
    if (status == NUCE_OK)
        *out = data;
    return status;
}

void nuce_plot_data_fini(struct nuce_plot_data *data)
{
    nuce_grid_fini(&data->grid);
    nuce_grid_fini(&data->says);
    free(data->where);
    free(data->what);
    free(data->doubts);
    free(data->left_out);
    *data = (struct nuce_plot_data){0};
}
