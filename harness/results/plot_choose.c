/* Which rows of `result` a plot gets, and which it does not. */
#include <stdlib.h>
#include <string.h>

#include "results/plot_steps.h"
#include "support/text.h"

/* A kind of rows: the table that it goes to. */
struct kind {
    const char *table, *name;
    int is_exact; /* the newest of each point: a model gives the same wherever it runs */
};

static const struct kind kinds[NUCE_PLOT_KINDS] = {
    [NUCE_PLOT_MEASURED] = {"chosen",    "measured",  0},
    [NUCE_PLOT_SIMULATED] = {"simulated", "simulated", 0},
    [NUCE_PLOT_MODELLED] = {"modelled",  "modelled",  1},
};

static nuce_status choose_rows(const struct nuce_plot *plot, struct nuce_store *store,
                               const struct kind *kind, struct nuce_error *error)
{
    char *sql = nuce_text_format(
        error, "CREATE TEMP TABLE %s AS SELECT * FROM result WHERE kind = '%s' AND (%s)",
        kind->table, kind->name, plot->rows);
    nuce_status status = sql == NULL ? error->status : nuce_store_execute(store, sql, error);

    free(sql);
    return status;
}

/* The words of list with commas between them; NULL: the one group that SQL's NULL is. Freed by the
 * caller. */
static char *partition(const char *list, struct nuce_error *error)
{
    char *text = nuce_text_format(error, "%s", list == NULL ? "NULL" : list);

    for (char *at = text; at != NULL && *at != '\0'; at++) {
        if (*at == ' ')
            *at = ',';
    }
    return text;
}

/* Moves what is not of the newest environment, wait policy and sync from the kind's table to
 * `left_out`, so that no plot compares two: of the environments whose id begins with prefix, and
 * apart in each group of rows that the plot keeps apart. A plot of all environments, where none is
 * asked for, mixes none by itself: it gets all of one wait policy and sync. */
static nuce_status keep_newest(const struct nuce_plot *plot, struct nuce_store *store,
                               const struct kind *kind, const char *prefix,
                               struct nuce_error *error)
{
    static const char sort_sql[] =
        "INSERT INTO left_out SELECT kind, environment, id FROM (SELECT kind, environment,"
        " rowid AS id, substr(environment, 1, length('%s')) = '%s'%s"
        " AND wait = first_value(wait) OVER newest AND sync = first_value(sync) OVER newest AS kept"
        " FROM %s WINDOW newest AS (PARTITION BY %s"
        "  ORDER BY substr(environment, 1, length('%s')) = '%s' DESC, started DESC, environment,"
        "  wait, sync)) WHERE NOT kept;"
        "DELETE FROM %s WHERE rowid IN (SELECT id FROM left_out WHERE kind = '%s');";
    int keeps_all = plot->environments != NULL && *prefix == '\0' && !kind->is_exact;
    char *groups =
        kind->is_exact ? nuce_text_format(error, "point") : partition(plot->apart, error);
    char *sql =
        groups == NULL
            ? NULL
            : nuce_text_format(
                  error, sort_sql, prefix, prefix,
                  keeps_all ? "" : " AND environment = first_value(environment) OVER newest",
                  kind->table, groups, prefix, prefix, kind->table, kind->name);
    nuce_status status = sql == NULL ? error->status : nuce_store_execute(store, sql, error);

    free(sql);
    free(groups);
    return status;
}

/* Which kinds have rows of the environments that begin with prefix, which is that of one. */
static nuce_status find_asked(struct nuce_store *store, const char *prefix,
                              struct nuce_plot_kinds *asked, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < NUCE_PLOT_KINDS; i++) {
        char *sql = nuce_text_format(error,
                                     "SELECT count(*) FROM %s"
                                     " WHERE substr(environment, 1, length('%s')) = '%s'",
                                     kinds[i].table, prefix, prefix);
        int64_t count = 0;

        status = sql == NULL ? error->status : nuce_store_integer(store, sql, &count, error);
        free(sql);
        asked->has[i] = count > 0;
    }
    return status;
}

/* An environment of one kind leaves the others' rows as they would be. */
static nuce_status choose_environment(const struct nuce_plot *plot, struct nuce_store *store,
                                      const char *environment, struct nuce_plot_kinds *asked,
                                      struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    if (environment != NULL)
        status = find_asked(store, environment, asked, error);
    for (int i = 0; status == NUCE_OK && i < NUCE_PLOT_KINDS; i++)
        status = keep_newest(plot, store, &kinds[i], asked->has[i] ? environment : "", error);
    if (status == NUCE_OK && environment != NULL)
        status = nuce_store_execute(store, "DELETE FROM left_out", error);
    return status;
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

nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, struct nuce_plot_kinds *asked,
                             struct nuce_error *error)
{
    nuce_status status = nuce_store_execute(
        store, "CREATE TEMP TABLE left_out (kind TEXT, environment TEXT, id INTEGER)", error);

    *asked = (struct nuce_plot_kinds){{0}};
    for (int i = 0; status == NUCE_OK && i < NUCE_PLOT_KINDS; i++)
        status = choose_rows(plot, store, &kinds[i], error);
    if (status == NUCE_OK)
        status = choose_environment(plot, store, choice->environment, asked, error);
    if (status == NUCE_OK)
        status = show_run(store, choice->run, error);
    return status;
}
