/* The rows of a plot: chosen from `result`, set beside the paper's, and where they come from. */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "decomposition.h"
#include "known_campaign.h"
#include "paper.h"
#include "placement.h"
#include "plot.h"
#include "schedule.h"
#include "sql_functions.h"
#include "text.h"
#include "text_file.h"

/* Runs one statement, with text as its parameter where it has one. */
static nuce_status run_statement(struct nuce_store *store, const char *sql, const char *text,
                                 struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, sql, &statement, error);

    if (status != NUCE_OK)
        return status;
    if (sqlite3_bind_parameter_count(statement) > 0)
        (void)sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = nuce_store_fail(store, error);
    (void)sqlite3_finalize(statement);
    return status;
}

/* The table `asked`: the rows of `result` that have a run of the campaign. */
static nuce_status ask_campaign(struct nuce_store *store, const char *campaign,
                                struct nuce_error *error)
{
    if (nuce_known_campaign(store, campaign, error) != NUCE_OK)
        return error->status;
    return run_statement(store,
                         "CREATE TEMP TABLE asked AS"
                         " SELECT DISTINCT p.point, p.environment, p.kind, p.wait, p.sync"
                         " FROM run AS r JOIN pooled_run AS p ON p.run = r.id"
                         " WHERE r.campaign = ?1",
                         campaign, error);
}

/* The tables `chosen`, `simulated` and `modelled`: what was measured, simulated and modelled that
 * meets the plot's condition, of the campaign if one is named; of what was modelled more than once,
 * as with two networks, the newest. */
static nuce_status choose_rows(const struct nuce_plot *plot, struct nuce_store *store,
                               const char *campaign, struct nuce_error *error)
{
    const char *asked = campaign == NULL ? ""
                                         : " AND (point, environment, kind, wait, sync) IN"
                                           " (SELECT * FROM asked)";
    char *sql;
    nuce_status status = campaign == NULL ? NUCE_OK : ask_campaign(store, campaign, error);

    if (status != NUCE_OK)
        return status;
    sql = nuce_text_format(
        error,
        "CREATE TEMP TABLE chosen AS SELECT * FROM result WHERE kind = 'measured' AND (%s)%s;"
        "CREATE TEMP TABLE simulated AS SELECT * FROM result WHERE kind = 'simulated' AND (%s)%s;"
        "CREATE TEMP TABLE modelled AS SELECT * FROM (SELECT *,"
        " row_number() OVER (PARTITION BY point ORDER BY started DESC, environment) AS newest"
        " FROM result WHERE kind = 'modelled' AND (%s)%s) WHERE newest = 1;",
        plot->rows, asked, plot->rows, asked, plot->rows, asked);
    status = sql == NULL ? error->status : nuce_store_execute(store, sql, error);
    free(sql);
    return status;
}

static nuce_status no_rows(const struct nuce_plot *plot, const struct nuce_store *store,
                           const char *environment, struct nuce_error *error)
{
    char sweep[256] = "";

    if (environment != NULL)
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: no measurements in %s of an environment that begins with '%s': "
                              "see 'nuce show environments'",
                              plot->name, store->path, environment);
    if (plot->sweep != NULL)
        (void)snprintf(sweep, sizeof sweep, ": run 'nuce run %s'", plot->sweep);
    return nuce_error_set(error, NUCE_FAILED, "%s: no measurements for it in %s%s (it shows: %s)",
                          plot->name, store->path, sweep, plot->rows);
}

/* What leaves one environment, wait policy and sync in a table, so that no plot mixes two: the
 * newest, of the environments whose id begins with ?1. */
#define ONE_OF(table)                                                                              \
    "DELETE FROM " table " WHERE (environment, wait, sync) IS NOT"                                 \
    " (SELECT environment, wait, sync FROM " table                                                 \
    " WHERE substr(environment, 1, length(?1)) = ?1"                                               \
    " ORDER BY started DESC, environment, wait, sync LIMIT 1)"

/* Leaves in a table the environments that were measured as the newest was. */
#define ALL_OF(table)                                                                              \
    "DELETE FROM " table " WHERE (wait, sync) IS NOT"                                              \
    " (SELECT wait, sync FROM " table " ORDER BY started DESC, wait, sync LIMIT 1)"

/* Chooses what stands in `chosen` and `simulated`, of the environments whose id begins with
 * environment (NULL: any, and for a plot of all environments all). An environment that was measured
 * leaves what was simulated as it would be, and the other way round. *others: how many that were
 * measured are left out. */
static nuce_status choose_environment(const struct nuce_plot *plot, struct nuce_store *store,
                                      const char *environment, int64_t *others,
                                      struct nuce_error *error)
{
    static const char count[] =
        "SELECT count(*) FROM (SELECT DISTINCT environment, wait, sync FROM chosen)";
    static const char is_simulated[] = "SELECT count(*) FROM simulated"
                                       " WHERE substr(environment, 1, length('%s')) = '%s'";
    int keeps_all = plot->environments != NULL && environment == NULL;
    const char *prefix = environment == NULL ? "" : environment;
    int64_t before = 0, after = 0, simulated = 0;
    char *sql;
    nuce_status status;

    if (strspn(prefix, "0123456789abcdef") != strlen(prefix))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--environment: '%s': expected the beginning of an environment's id: "
                              "see 'nuce show environments'",
                              environment);
    sql = nuce_text_format(error, is_simulated, prefix, prefix);
    status = sql == NULL ? error->status : nuce_store_integer(store, sql, &simulated, error);
    free(sql);
    if (status == NUCE_OK)
        status = nuce_store_integer(store, count, &before, error);
    if (status == NUCE_OK)
        status = run_statement(store, keeps_all ? ALL_OF("chosen") : ONE_OF("chosen"),
                               simulated > 0 ? "" : prefix, error);
    if (status == NUCE_OK)
        status = run_statement(store, keeps_all ? ALL_OF("simulated") : ONE_OF("simulated"),
                               simulated > 0 ? prefix : "", error);
    if (status == NUCE_OK)
        status = nuce_store_integer(store, count, &after, error);
    *others = before - after;
    if (status == NUCE_OK && environment != NULL && after + simulated == 0)
        status = no_rows(plot, store, environment, error);
    return status;
}

static nuce_status insert_algorithm(struct nuce_store *store, sqlite3_stmt *statement,
                                    const char *name, int place, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    (void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int(statement, 2, place);
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = nuce_store_fail(store, error);
    (void)sqlite3_reset(statement);
    return status;
}

/* The table `algorithm`: where each stands among those that nuce has, schedules, then
 * decompositions, then placements. */
static nuce_status list_algorithms(struct nuce_store *store, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    int place = 0;
    nuce_status status = nuce_store_execute(
        store, "CREATE TEMP TABLE algorithm (name TEXT PRIMARY KEY, place INTEGER NOT NULL)",
        error);

    if (status == NUCE_OK)
        status =
            nuce_store_prepare(store, "INSERT INTO algorithm VALUES (?1, ?2)", &statement, error);
    for (int i = 0; status == NUCE_OK && nuce_schedules[i] != NULL; i++)
        status = insert_algorithm(store, statement, nuce_schedules[i]->name, ++place, error);
    for (int i = 0; status == NUCE_OK && nuce_decompositions[i] != NULL; i++)
        status = insert_algorithm(store, statement, nuce_decompositions[i]->name, ++place, error);
    for (int i = 0; status == NUCE_OK && nuce_placements[i] != NULL; i++)
        status = insert_algorithm(store, statement, nuce_placements[i]->name, ++place, error);
    (void)sqlite3_finalize(statement);
    return status;
}

/* The table `behind`: the jobs of all runs that the rows of `chosen` pool. It goes through jobs,
 * which are few, and stops at the first such run of each. */
static nuce_status find_jobs(struct nuce_store *store, struct nuce_error *error)
{
    static const char sql[] =
        "CREATE TEMP TABLE behind AS"
        " WITH one AS (SELECT DISTINCT environment, kind, wait, sync FROM chosen)"
        " SELECT j.campaign, j.id, j.facts, j.environment FROM one"
        " JOIN job AS j ON j.environment = one.environment"
        " WHERE EXISTS (SELECT 1 FROM run AS r WHERE r.campaign = j.campaign AND r.job = j.id"
        "  AND r.status = 'ok' AND r.kind = one.kind AND coalesce(r.wait, '') = one.wait"
        "  AND coalesce(r.sync, '') = one.sync AND r.point IN (SELECT point FROM chosen))";

    return nuce_store_execute(store, sql, error);
}

/* The table `shown`: the run whose hash begins with run, or the newest traced one of the rows in
 * `chosen`, else of those in `simulated`. */
static nuce_status show_run(struct nuce_store *store, const char *run, struct nuce_error *error)
{
    static const char newest[] =
        "CREATE TEMP TABLE shown AS SELECT r.id AS run, r.point, r.planned_network, "
        "r.clock_error_s,"
        " r.events_lost FROM run AS r JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
        " JOIN (SELECT point, environment, kind FROM chosen"
        "  UNION ALL SELECT point, environment, kind FROM simulated) AS c"
        "  ON c.point = r.point AND c.environment = j.environment AND c.kind = r.kind"
        " WHERE r.status = 'ok' AND r.events_lost IS NOT NULL"
        " ORDER BY r.kind = 'simulated', r.started DESC, r.id LIMIT 1";
    static const char named[] =
        "CREATE TEMP TABLE shown AS SELECT r.id AS run, r.point, r.planned_network, "
        "r.clock_error_s,"
        " r.events_lost FROM run AS r WHERE substr(r.hash, 1, length('%s')) = '%s';"
        "DELETE FROM chosen WHERE point NOT IN (SELECT point FROM shown);"
        "DELETE FROM simulated WHERE point NOT IN (SELECT point FROM shown)";
    char *sql = NULL;
    int64_t count = 0;
    nuce_status status;

    if (run == NULL)
        return nuce_store_execute(store, newest, error);
    if (strspn(run, "0123456789abcdef") != strlen(run) || *run == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--run: '%s': expected the beginning of a run's hash: see 'nuce show "
                              "runs'",
                              run);
    sql = nuce_text_format(error, named, run, run);
    status = sql == NULL ? error->status : nuce_store_execute(store, sql, error);
    free(sql);
    if (status == NUCE_OK)
        status = nuce_store_integer(store, "SELECT count(*) FROM shown", &count, error);
    if (status == NUCE_OK && count != 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--run: '%s': %lld runs in %s begin so: see "
                              "'nuce show runs'",
                              run, (long long)count, store->path);
    return status;
}

/* The path of plots/FOLDER/NAME+ENDING. */
static char *shipped_path(const char *folder, const char *name, const char *ending,
                          struct nuce_error *error)
{
    char *file = nuce_text_format(error, "plots/%s/%s%s", folder, name, ending);
    char *path = file == NULL ? NULL : nuce_data_path(file, error);

    free(file);
    return path;
}

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

/* Makes the table NAME of what the query in plots/tables/NAME.sql gives. */
static nuce_status make_table(struct nuce_store *store, const char *name, struct nuce_error *error)
{
    char *path = shipped_path("tables", name, ".sql", error);
    char *query = NULL, *sql = NULL;
    nuce_status status = path == NULL ? error->status : nuce_text_read(path, &query, NULL, error);

    if (status == NUCE_OK) {
        sql = nuce_text_format(error, "CREATE TEMP TABLE \"%s\" AS %s", name, query);
        status = sql == NULL ? error->status : nuce_store_execute(store, sql, error);
        if (status != NUCE_OK)
            (void)nuce_error_prefix(error, "%s", path);
    }
    free(sql);
    free(query);
    free(path);
    return status;
}

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

/* One text from a query; NULL gives "". Freed by the caller. */
static char *query_text(struct nuce_store *store, const char *sql, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    const char *value = NULL;
    char *copy = NULL;
    int code;

    if (nuce_store_prepare(store, sql, &statement, error) != NUCE_OK)
        return NULL;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        value = (const char *)sqlite3_column_text(statement, 0);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        copy = nuce_text_format(error, "%s", value == NULL ? "" : value);
    else
        (void)nuce_store_fail(store, error);
    (void)sqlite3_finalize(statement);
    return copy;
}

/* Machine and software, from what kernels/run writes into environments and jobs; what is not there
 * is left out. hosts has an entry a rank. */
static const char where_sql[] =
    "WITH hosts AS (SELECT DISTINCT value FROM behind, json_each(behind.facts, '$.hosts')),"
    " facts AS (SELECT (SELECT min(value) FROM hosts) AS host,"
    "  (SELECT count(*) FROM hosts) AS hosts,"
    "  json_extract(described, '$.processor') AS processor,"
    "  json_extract(described, '$.mpi.library') AS library,"
    "  id FROM environment WHERE id = (SELECT environment FROM chosen LIMIT 1))"
    " SELECT coalesce(host, 'unknown host')"
    "  || CASE WHEN hosts > 1 THEN printf(' and %d more', hosts - 1) ELSE '' END"
    "  || coalesce(', ' || processor, '')"
    "  || coalesce(', ' || replace(library, ' Version:', ''), '')"
    "  || ', environment ' || substr(id, 1, 8)"
    "  || (SELECT CASE WHEN count(DISTINCT environment) > 1 THEN printf(' and %d more',"
    "   count(DISTINCT environment) - 1) ELSE '' END FROM chosen)"
    " FROM facts";

/* As the programs say it when they begin: a load of more than half the processors is others'. */
static const char what_sql[] =
    "WITH loads AS (SELECT json_extract(b.facts, '$.load') AS load,"
    "  json_extract(e.described, '$.processors') AS processors"
    "  FROM behind AS b JOIN environment AS e ON e.id = b.environment),"
    " busy AS (SELECT count(*) AS jobs, max(load) AS most"
    "  FROM loads WHERE load > 0.5 * processors)"
    " SELECT 'measured, ranks ' || (SELECT group_concat(ranks || mark, ', ')"
    "  FROM (SELECT ranks, CASE WHEN max(oversubscribed) = 1 THEN ' OVERSUBSCRIBED' ELSE '' END"
    "        AS mark FROM chosen GROUP BY ranks ORDER BY ranks))"
    " || (SELECT CASE WHEN jobs = 0 THEN '' ELSE printf(', BUSY (load up to %.1f"
    " before %d of %d jobs)', most, jobs, (SELECT count(*) FROM behind)) END FROM busy)"
    " || CASE WHEN max(wait) <> '' THEN ', wait ' || max(wait) ELSE '' END"
    " || CASE WHEN max(sync) <> '' THEN ', sync ' || max(sync) ELSE '' END"
    " || CASE WHEN min(n) = max(n) THEN printf(', n = %d', min(n))"
    "    ELSE printf(', n = %d to %d', min(n), max(n)) END"
    " || ' samples' || CASE WHEN max(runs) > 1 THEN printf(' of up to %d runs pooled', max(runs))"
    "    ELSE '' END"
    " || ', medians with 95 % intervals, campaign '"
    " || (SELECT min(campaign) || CASE WHEN count(DISTINCT campaign) > 1"
    "     THEN printf(' and %d more', count(DISTINCT campaign) - 1) ELSE '' END FROM behind)"
    " FROM chosen";

static const char doubts_sql[] =
    "WITH counts AS (SELECT total(disagree) AS disagree,"
    "  total(stopped = 'limit' AND n < min_samples) AS few FROM chosen)"
    " SELECT CASE WHEN disagree > 0 THEN printf('runs of %d point%s disagree: their 95 %% intervals"
    " do not overlap', disagree, iif(disagree = 1, '', 's')) ELSE '' END"
    " || CASE WHEN disagree > 0 AND few > 0 THEN '; ' ELSE '' END"
    " || CASE WHEN few > 0 THEN printf('%d point%s fewer samples than were asked for: the limit"
    " ended %s', few, iif(few = 1, ' has', 's have'), iif(few = 1, 'it', 'them')) ELSE '' END"
    " FROM counts";

/* What stands beside the measured, or alone. */
static const char simulated_sql[] =
    "SELECT 'simulated: ' || substr(library, 1, instr(library || '. ', '. ') - 1) || ' on '"
    "  || group_concat(DISTINCT coalesce(platform, 'an unnamed platform')"
    "   || ', environment ' || substr(s.environment, 1, 8))"
    "  || printf(', %d point%s', count(*), iif(count(*) = 1, '', 's'))"
    " FROM simulated AS s"
    " JOIN (SELECT id, json_extract(described, '$.cluster.platform') AS platform,"
    "   coalesce(json_extract(described, '$.mpi.library'), 'unknown') AS library FROM environment)"
    "  AS e ON e.id = s.environment HAVING count(*) > 0";

/* Means of decompositions are of no network. */
static const char modelled_sql[] =
    "SELECT 'modelled: the papers'' cost model'"
    " || coalesce(', network ' || group_concat(DISTINCT CASE WHEN network_taken IS NOT NULL THEN"
    "  coalesce(network, (SELECT json_extract(described, '$.model.network')"
    "   FROM environment AS e WHERE e.id = m.environment)) END), '')"
    " || printf(', %d point%s', count(*), iif(count(*) = 1, '', 's'))"
    " FROM modelled AS m HAVING count(*) > 0";

/* Appends what the query says to *text, which is freed. */
static nuce_status append_text(struct nuce_store *store, const char *sql, char **text,
                               struct nuce_error *error)
{
    char *more = query_text(store, sql, error);
    char *whole = more == NULL
                      ? NULL
                      : nuce_text_format(error, "%s%s%s", *text,
                                         **text == '\0' || *more == '\0' ? "" : "; ", more);

    free(more);
    if (whole == NULL)
        return error->status;
    free(*text);
    *text = whole;
    return NUCE_OK;
}

static nuce_status read_origin(struct nuce_store *store, int64_t others,
                               struct nuce_plot_data *data, struct nuce_error *error)
{
    data->where = query_text(store, where_sql, error);
    if (data->where != NULL && others > 0) {
        char *longer =
            nuce_text_format(error, "%s (%lld more not shown)", data->where, (long long)others);

        free(data->where);
        data->where = longer;
    }
    data->what = query_text(store, what_sql, error);
    data->doubts = query_text(store, doubts_sql, error);
    if (data->where != NULL && (append_text(store, simulated_sql, &data->where, error) != NUCE_OK ||
                                append_text(store, modelled_sql, &data->where, error) != NUCE_OK))
        return error->status;
    return data->where == NULL || data->what == NULL || data->doubts == NULL ? error->status
                                                                             : NUCE_OK;
}

static nuce_status read_query(struct nuce_store *store, const char *sql, struct nuce_grid *out,
                              struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, sql, &statement, error);

    if (status == NUCE_OK)
        status = nuce_grid_read(store, statement, out, error);
    (void)sqlite3_finalize(statement);
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

static nuce_status read_rows(const struct nuce_plot *plot, struct nuce_store *store,
                             struct nuce_plot_data *out, struct nuce_error *error)
{
    char *view = plot->says == NULL
                     ? NULL
                     : nuce_text_format(error, "CREATE TEMP VIEW plotted AS %s", plot->sql);
    nuce_status status = NUCE_OK;

    if (plot->says != NULL)
        status = view == NULL ? error->status : run_statement(store, view, NULL, error);
    free(view);
    nuce_store_restrict(store);
    if (status == NUCE_OK)
        status = read_query(store, plot->sql, &out->grid, error);
    if (status != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (plot->says == NULL || out->grid.rows == 0)
        return NUCE_OK;
    return read_sentences(plot, store, &out->says, error);
}

nuce_status nuce_plot_find(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                           struct nuce_error *error)
{
    static const struct nuce_plot_choice newest = {0};
    struct nuce_plot_data data = {0};
    int64_t count = 0, others = 0;

    if (choice == NULL)
        choice = &newest;
    if (nuce_sql_functions_add(store, error) != NUCE_OK ||
        choose_rows(plot, store, choice->campaign, error) != NUCE_OK ||
        choose_environment(plot, store, choice->environment, &others, error) != NUCE_OK ||
        show_run(store, choice->run, error) != NUCE_OK ||
        nuce_store_integer(store,
                           "SELECT (SELECT count(*) FROM chosen) + (SELECT count(*) FROM simulated)"
                           " + (SELECT count(*) FROM modelled)",
                           &count, error) != NUCE_OK)
        return nuce_error_prefix(error, "%s", plot->path);
    if (count > 0 &&
        (find_jobs(store, error) != NUCE_OK || list_algorithms(store, error) != NUCE_OK ||
         load_papers(plot, store, error) != NUCE_OK || make_tables(plot, store, error) != NUCE_OK ||
         read_origin(store, others, &data, error) != NUCE_OK ||
         read_rows(plot, store, &data, error) != NUCE_OK)) {
        nuce_plot_data_fini(&data);
        return error->status;
    }
    *out = data;
    return NUCE_OK;
}

nuce_status nuce_plot_query(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                            struct nuce_error *error)
{
    struct nuce_plot_data data;
    nuce_status status = nuce_plot_find(plot, store, choice, &data, error);

    if (status == NUCE_OK && data.grid.rows == 0) {
        nuce_plot_data_fini(&data);
        return no_rows(plot, store, choice == NULL ? NULL : choice->environment, error);
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
    *data = (struct nuce_plot_data){0};
}
