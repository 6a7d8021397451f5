/* The rows of a plot: what was chosen, set beside the paper's.
 *
 * Order of the steps, each making temporary tables that the next may read: `chosen`
 * (plot_choose.c), the jobs behind it, the families of names, the paper's numbers, words and shared
 * tables, what is said of the origin; then the plot's own query and its sentences, which can only
 * select. Where many rows are asked for the steps run twice: first with no row in `chosen`, to see
 * which of its hundred columns the queries read (find_columns), then for real. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/config.h"
#include "campaigns/keys.h"
#include "campaigns/sampling_time.h"
#include "db/narrow.h"
#include "instances/decomposition.h"
#include "mapping/placement.h"
#include "results/grid_read.h"
#include "results/known_environment.h"
#include "results/paper.h"
#include "results/plot_steps.h"
#include "schedules/schedule.h"

/* From so many rows on it pays to find first which of their columns a plot reads. */
enum { FEW_ROWS = 100 };

/* What the database has instead, as "measured exchange (90 points), ...". Freed by the caller. Of
 * what the store was narrowed to, so a campaign's if one was chosen. */
static char *what_there_is(struct nuce_store *store, struct nuce_error *error)
{
    static const char sql[] =
        "SELECT group_concat(printf('%s %s (%d point%s)', kind, workload, n, iif(n = 1, '', 's')),"
        " ', ') FROM (SELECT kind, workload, count(DISTINCT point) AS n FROM result"
        "  GROUP BY kind, workload ORDER BY kind, workload)";
    sqlite3_stmt *statement = NULL;
    const char *value;
    char *text = NULL;

    if (nuce_store_prepare(store, sql, &statement, error) != NUCE_OK)
        return NULL;
    if (sqlite3_step(statement) == SQLITE_ROW) {
        value = (const char *)sqlite3_column_text(statement, 0);
        text = nuce_text_format("%s", value == NULL ? "no run that ended well" : value);
    } else {
        nuce_store_fail(store, error);
    }
    sqlite3_finalize(statement);
    return text;
}

/* "; run 'nuce run NAME --modelled' (6000 points, by the model)": the command that gives rows and
 * what it costs, as the plan has it. A new string; NULL: *error stands. */
static char *plot_run_say(const struct nuce_plot *plot)
{
    char cost[NUCE_SAMPLING_BYTES], *command, *text;
    struct nuce_config config = {0};
    struct nuce_problems problems;
    struct nuce_error ignored;
    nuce_status status;

    if (plot->sweep == NULL)
        return nuce_text_format("%s", "");
    command = nuce_plot_command(plot, plot->sweep);
    status = nuce_config_load(plot->sweep, 0, &nuce_slurm_judge, &config, &problems, &ignored);
    if (status == NUCE_OK && plot->options != NULL && strcmp(plot->options, "--modelled") == 0)
        snprintf(cost, sizeof cost, "%lld points, by the model", (long long)config.plan.count);
    else if (status == NUCE_OK)
        nuce_sampling_time_estimate(&config, cost);
    text = status == NUCE_OK ? nuce_text_format("; run '%s' (%s)", command, cost)
                             : nuce_text_format("; run '%s'", command);
    nuce_problems_fini(&problems);
    nuce_config_fini(&config);
    free(command);
    return text;
}

/* Tells what to run to have rows, and what there is, should it be the wrong database. Always an
 * error. */
static nuce_status no_rows(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_error *error)
{
    char *there, *run;

    if (choice != NULL && choice->environment != NULL)
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: nothing of an environment that begins with '%s' is in it: see "
                              "'nuce show environments'",
                              plot->name, choice->environment);
    there = what_there_is(store, error);
    run = there == NULL ? NULL : plot_run_say(plot);
    if (run == NULL) {
        free(there);
        return error->status;
    }
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

/* The index-th name of a family, NULL past the end. */
static const char *schedule_name(int index)
{
    return nuce_schedules[index] == NULL ? NULL : nuce_schedules[index]->name;
}

/* Of those that are made of the whole pattern. */
static const char *whole_schedule_name(int index)
{
    for (int i = 0; nuce_schedules[i] != NULL; i++) {
        if (nuce_schedules[i]->concern != NUCE_CONCERN_OWN && index-- == 0)
            return nuce_schedules[i]->name;
    }
    return NULL;
}

/* The other families, in the order of their tables. */
static const char *query_decomposition_name(int index)
{
    return nuce_decompositions[index] == NULL ? NULL : nuce_decompositions[index]->name;
}

static const char *query_placement_name(int index)
{
    return nuce_placements[index] == NULL ? NULL : nuce_placements[index]->name;
}

/* Makes the table (name, place) of a family. *place goes on from family to family, so that no two
 * have one place, which is also what figures choose colours by. */
static nuce_status list_family(struct nuce_store *store, const char *table,
                               const char *(*name)(int index), int *place, struct nuce_error *error)
{
    char *create = nuce_text_format(
        "CREATE TEMP TABLE %s (name TEXT PRIMARY KEY, place INTEGER NOT NULL)", table);
    char *insert = nuce_text_format("INSERT INTO %s VALUES (?1, ?2)", table);
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_execute(store, create, error);

    if (status == NUCE_OK)
        status = nuce_store_prepare(store, insert, &statement, error);
    for (int i = 0; status == NUCE_OK && name(i) != NULL; i++) {
        sqlite3_bind_text(statement, 1, name(i), -1, SQLITE_STATIC);
        sqlite3_bind_int(statement, 2, ++*place);
        if (sqlite3_step(statement) != SQLITE_DONE)
            status = nuce_store_fail(store, error);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    free(create);
    free(insert);
    return status;
}

/* The tables `schedules`, `decompositions` and `placements`: where each stands among those that
 * nuce has; and `whole_schedules`: those for which all ranks have to know the whole pattern. */
static nuce_status list_families(struct nuce_store *store, struct nuce_error *error)
{
    int place = 0, place_of_whole = 0;

    if (list_family(store, "whole_schedules", whole_schedule_name, &place_of_whole, error) !=
            NUCE_OK ||
        list_family(store, "schedules", schedule_name, &place, error) != NUCE_OK ||
        list_family(store, "decompositions", query_decomposition_name, &place, error) != NUCE_OK)
        return error->status;
    if (list_family(store, "placements", query_placement_name, &place, error) != NUCE_OK)
        return error->status;
    return nuce_store_execute(store,
                              "CREATE TEMP VIEW contenders AS SELECT * FROM schedules"
                              " UNION ALL SELECT * FROM decompositions"
                              " UNION ALL SELECT * FROM placements",
                              error);
}

/* The path of plots/FOLDER/NAME+ENDING; a new string. */
static char *shipped_path(const char *folder, const char *name, const char *ending,
                          struct nuce_error *error)
{
    char *file = nuce_text_format("plots/%s/%s%s", folder, name, ending);
    char *path = nuce_data_path(file, error);

    free(file);
    return path;
}

/* The numbers of the papers that the head names, in one table. Their names have been checked to be
 * plain ones (plot.c). */
static nuce_status load_papers(const struct nuce_plot *plot, struct nuce_store *store,
                               struct nuce_error *error)
{
    const char *rest = plot->paper;
    char name[128];
    nuce_status status = NUCE_OK;

    while (status == NUCE_OK && nuce_text_word(&rest, name, sizeof name)) {
        char *path = shipped_path("paper", name, ".tsv", error);

        status = path == NULL ? error->status : nuce_paper_load(store, path, error);
        free(path);
    }
    return status;
}

/* Makes the table NAME of what the query in plots/tables/NAME.sql gives. NAME has been checked to
 * be a plain one (plot.c). */
static nuce_status make_table(struct nuce_store *store, const char *name, struct nuce_error *error)
{
    char *path = shipped_path("tables", name, ".sql", error);
    char *query = NULL, *sql = NULL;
    nuce_status status = path == NULL ? error->status : nuce_text_read(path, &query, NULL, error);

    if (status == NUCE_OK) {
        sql = nuce_text_format("CREATE TEMP TABLE \"%s\" AS %s", name, query);
        status = nuce_store_execute(store, sql, error);
        if (status != NUCE_OK)
            nuce_error_prefix(error, "%s", path);
    }
    free(sql);
    free(query);
    free(path);
    return status;
}

/* The table `word`: the words of the directive, for a query that several plots share and that
 * differ in them alone. */
static nuce_status list_words(const struct nuce_plot *plot, struct nuce_store *store,
                              struct nuce_error *error)
{
    const char *rest = plot->words;
    sqlite3_stmt *statement = NULL;
    char word[128];
    nuce_status status = nuce_store_execute(store, "CREATE TEMP TABLE word (word TEXT)", error);

    if (status == NUCE_OK)
        status = nuce_store_prepare(store, "INSERT INTO word VALUES (?1)", &statement, error);
    while (status == NUCE_OK && nuce_text_word(&rest, word, sizeof word)) {
        sqlite3_bind_text(statement, 1, word, -1, SQLITE_STATIC);
        if (sqlite3_step(statement) != SQLITE_DONE)
            status = nuce_store_fail(store, error);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return status;
}

/* In the order of the head: a table may read those before it. */
static nuce_status make_tables(const struct nuce_plot *plot, struct nuce_store *store,
                               struct nuce_error *error)
{
    const char *rest = plot->table;
    char name[128];
    nuce_status status = NUCE_OK;

    while (status == NUCE_OK && nuce_text_word(&rest, name, sizeof name))
        status = make_table(store, name, error);
    return status;
}

/* Runs the query and takes all its rows. The caller frees out with nuce_grid_fini. What it holds is
 * all in memory: a figure has hundreds of rows, not millions. */
static nuce_status read_query(struct nuce_store *store, const char *sql, struct nuce_grid *out,
                              struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, sql, &statement, error);

    if (status == NUCE_OK)
        status = nuce_grid_read(store, statement, out, error);
    sqlite3_finalize(statement);
    return status;
}

/* The sentences on the rows: the query plots/says/NAME.sql reads what the plot reads, and the
 * plot's own rows as `plotted`. */
static nuce_status read_sentences(const struct nuce_plot *plot, struct nuce_store *store,
                                  struct nuce_grid *out, struct nuce_error *error)
{
    char *path = shipped_path("says", plot->says, ".sql", error);
    char *query = NULL;
    nuce_status status = path == NULL ? error->status : nuce_text_read(path, &query, NULL, error);

    if (status == NUCE_OK && read_query(store, query, out, error) != NUCE_OK)
        status = nuce_error_prefix(error, "%s", path);
    if (status == NUCE_OK && nuce_grid_column(out, "sentence") < 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: no column 'sentence'", path);
    free(query);
    free(path);
    return status;
}

/* Makes the view `plotted` of the plot's own rows, where sentences are made of them. */
static nuce_status make_view(const struct nuce_plot *plot, struct nuce_store *store,
                             struct nuce_error *error)
{
    char *view;
    nuce_status status;

    if (plot->says == NULL)
        return NUCE_OK;
    view = nuce_text_format("CREATE TEMP VIEW plotted AS %s", plot->sql);
    status = nuce_store_execute(store, view, error);
    free(view);
    return status;
}

/* Compiles the queries that read_rows runs, and runs none: what they read is known then. An error
 * in the plot's files shows here first, with the file's name. */
static nuce_status see_rows(const struct nuce_plot *plot, struct nuce_store *store,
                            struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    char *path = NULL, *query = NULL;
    nuce_status status = make_view(plot, store, error);

    if (status == NUCE_OK)
        status = nuce_store_prepare(store, plot->sql, &statement, error);
    sqlite3_finalize(statement);
    if (status != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (plot->says == NULL)
        return NUCE_OK;
    path = shipped_path("says", plot->says, ".sql", error);
    status = path == NULL ? error->status : nuce_text_read(path, &query, NULL, error);
    statement = NULL;
    if (status == NUCE_OK && nuce_store_prepare(store, query, &statement, error) != NUCE_OK)
        status = nuce_error_prefix(error, "%s", path);
    sqlite3_finalize(statement);
    free(query);
    free(path);
    return status;
}

/* From here on nothing can be changed: the plot's query and its sentences only select. The view has
 * to be made before that: CREATE is no SELECT. */
static nuce_status read_rows(const struct nuce_plot *plot, struct nuce_store *store,
                             struct nuce_plot_data *out, struct nuce_error *error)
{
    nuce_status status = make_view(plot, store, error);

    nuce_store_restrict(store);
    if (status == NUCE_OK)
        status = read_query(store, plot->sql, &out->grid, error);
    if (status != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (plot->says == NULL || out->grid.rows == 0)
        return NUCE_OK;
    return read_sentences(plot, store, &out->says, error);
}

/* The tables that the plot's queries read, but for `chosen`, and what is said of where it is from.
 */
static nuce_status make_beside(const struct nuce_plot *plot, struct nuce_store *store,
                               struct nuce_plot_data *out, struct nuce_error *error)
{
    if (nuce_plot_find_jobs(store, error) != NUCE_OK || list_families(store, error) != NUCE_OK ||
        load_papers(plot, store, error) != NUCE_OK || list_words(plot, store, error) != NUCE_OK ||
        make_tables(plot, store, error) != NUCE_OK)
        return error->status;
    return nuce_plot_origin(store, out, error);
}

/* Notes a column of `chosen` that a statement reads, as a key of context, a JSON object. An
 * authorizer of SQLite: asked while a statement is compiled, it lets everything pass. */
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

/* All steps of a plot but for its rows, and a look at its query: none has a row to work on. */
static nuce_status rehearse(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, struct nuce_error *error)
{
    struct nuce_plot_data none = {0};
    int ignored = 0;
    nuce_status status = nuce_plot_choose(plot, store, choice, NULL, &ignored, error);

    if (status == NUCE_OK)
        status = make_beside(plot, store, &none, error);
    nuce_plot_data_fini(&none);
    if (status == NUCE_OK)
        status = see_rows(plot, store, error);
    return status;
}

/* The keys of an object as a list with commas. Freed by the caller. */
static char *join_keys(json_t *object)
{
    char *text = nuce_text_format("%s", "");
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        char *longer = nuce_text_format("%s%s%s", text, *text == '\0' ? "" : ", ", key);

        free(text);
        text = longer;
    }
    return text;
}

/* The columns of `chosen` that the plot reads, with commas between, and those that choosing the
 * newest takes. The view `result` has a hundred, most of them out of JSON: to compute and carry
 * along the ten that a plot reads takes half the time. Freed by the caller. The savepoint undoes
 * the tables that the rehearsal has made. After a failure the savepoint stays open, and the store
 * is of no further use. */
static char *find_columns(const struct nuce_plot *plot, struct nuce_store *store,
                          const struct nuce_plot_choice *choice, struct nuce_error *error)
{
    json_t *columns = json_pack("{s:b, s:b, s:b, s:b, s:b}", "kind", 1, "environment", 1, "point",
                                1, "wait", 1, "started", 1);
    const char *rest = plot->apart;
    char word[128], *text = NULL;
    nuce_status status = nuce_store_execute(store, "SAVEPOINT rehearsal", error);

    sqlite3_set_authorizer(store->handle, note_column, columns);
    if (status == NUCE_OK)
        status = rehearse(plot, store, choice, error);
    sqlite3_set_authorizer(store->handle, NULL, NULL);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, "ROLLBACK TO rehearsal; RELEASE rehearsal", error);
    while (nuce_text_word(&rest, word, sizeof word))
        json_object_set_new(columns, word, json_true());
    if (status == NUCE_OK)
        text = join_keys(columns);
    json_decref(columns);
    return text;
}

/* Makes `chosen`, and where it has rows of what is asked for, reads the plot's. */
static nuce_status read_plot(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             struct nuce_plot_data *out, struct nuce_error *error)
{
    int64_t count = 0;
    int is_answered = 1;

    if (nuce_plot_choose(plot, store, choice, columns, &is_answered, error) != NUCE_OK ||
        nuce_store_integer(store, "SELECT count(*) FROM chosen", &count, error) != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (count == 0 || !is_answered)
        return NUCE_OK;
    if (make_beside(plot, store, out, error) != NUCE_OK)
        return error->status;
    return read_rows(plot, store, out, error);
}

/* How many rows of the database meet the plot's condition, of at most FEW_ROWS. Mostly it has none,
 * as a database holds what a few of the plots show, and a report asks all of them. */
static nuce_status count_rows(const struct nuce_plot *plot, struct nuce_store *store,
                              int64_t *count, struct nuce_error *error)
{
    char *sql = nuce_text_format("SELECT count(*) FROM (SELECT 1 FROM result WHERE %s LIMIT %d)",
                                 plot->rows, FEW_ROWS);
    nuce_status status = nuce_store_integer(store, sql, count, error);

    free(sql);
    return status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", plot->path);
}

nuce_status nuce_plot_find(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                           struct nuce_error *error)
{
    static const struct nuce_plot_choice newest = {0};
    struct nuce_plot_data data = {0};
    char *columns = NULL;
    int64_t count = 0;
    nuce_status status;

    if (choice == NULL)
        choice = &newest;
    if (nuce_store_narrow(store, choice->campaign, error) != NUCE_OK ||
        nuce_known_environment(store, choice->environment, error) != NUCE_OK)
        return error->status;
    status = count_rows(plot, store, &count, error);
    if (status == NUCE_OK && count > 0) {
        columns =
            count < FEW_ROWS ? nuce_text_format("*") : find_columns(plot, store, choice, error);
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
