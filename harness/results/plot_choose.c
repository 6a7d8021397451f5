/* Selects the rows of `result` for a plot: all kinds go through one temporary table, `chosen`, in
 * one pass.
 *
 * Environments and wait policies are never pooled, so each kind shows one pair of them, the newest
 * with data. `left_out` keeps the others, because the reader must know of them (plots/origin).
 * Reading `result` takes most of a plot's time, so it is read once, and only the columns that the
 * plot's queries name (plot_query.c). */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "results/plot.h"

/* Moves rows outside the newest environment and wait policy of their kind to `left_out`, so that no
 * plot compares two. The candidates are the environments whose id begins with prefix, if a kind has
 * any. Each group that the plot keeps apart has its own newest. Modelled rows keep the newest of
 * each point, because a model gives the same result everywhere. Points with their own launch
 * factors, such as a variable or the MPI library, have environments of their own: each such way has
 * its newest. A plot of all environments separates them itself: it gets all rows of one wait
 * policy, unless an environment is requested. */
static nuce_status keep_newest(const struct nuce_plot *plot, struct nuce_store *store,
                               const char *prefix, struct nuce_error *error)
{
    static const char sql[] =
        "INSERT INTO left_out SELECT kind, environment, id FROM (SELECT kind, environment, id,"
        "  (is_asked OR NOT has_asked) AND wait = first_value(wait) OVER newest"
        "  AND (environment = first_value(environment) OVER newest"
        "   OR (%d AND kind <> 'modelled' AND NOT has_asked)) AS kept"
        " FROM (SELECT kind, environment, point, wait, started, rowid AS id%s,"
        "   substr(environment, 1, length(%Q)) = %Q AS is_asked,"
        "   max(length(%Q) > 0 AND substr(environment, 1, length(%Q)) = %Q)"
        "    OVER (PARTITION BY kind) AS has_asked,"
        "   (SELECT group_concat(f.key || '=' || coalesce(f.value, ''), ' ')"
        "    FROM point AS p, json_each(p.params) AS f WHERE p.id = chosen.point"
        "    AND (f.key IN ('mpi', 'nodes', 'ntasks-per-node') OR f.key GLOB '[A-Z_]*')) AS way"
        "  FROM chosen)"
        " WINDOW newest AS (PARTITION BY kind, iif(kind = 'modelled', point, NULL), way%s"
        "  ORDER BY is_asked DESC, started DESC, environment, wait)) WHERE NOT kept;"
        "DELETE FROM chosen WHERE rowid IN (SELECT id FROM left_out);";
    char *apart = nuce_text_format(plot->apart == NULL ? "" : ",%s", plot->apart);
    nuce_status status;

    for (char *at = apart; *at != '\0'; at++)
        *at = *at == ' ' ? ',' : *at;
    status = nuce_store_run(store, error, sql, plot->environments != NULL, apart, prefix, prefix,
                            prefix, prefix, prefix, apart);
    free(apart);
    return status;
}

/* An environment of one kind does not affect the rows of others. A user who requests an environment
 * knows that there are others: `left_out` is emptied. Usually the rows of one kind agree in
 * environment and wait policy, and none is left out. One pass checks that, whereas finding the
 * newest sorts all rows. */
static nuce_status choose_environment(const struct nuce_plot *plot, struct nuce_store *store,
                                      const char *environment, int *is_answered,
                                      struct nuce_error *error)
{
    int64_t mixed = 0, answers = 1;

    if (nuce_store_count(
            store, &mixed, error,
            "SELECT count(*) FROM (SELECT kind FROM chosen GROUP BY kind"
            "  HAVING min(environment) < max(environment) OR min(wait) < max(wait))") != NUCE_OK ||
        (environment != NULL && nuce_store_count(store, &answers, error,
                                                 "SELECT EXISTS (SELECT 1 FROM chosen"
                                                 " WHERE substr(environment, 1, length(%Q)) = %Q)",
                                                 environment, environment) != NUCE_OK))
        return error->status;
    *is_answered = answers > 0;
    if (mixed > 0 &&
        keep_newest(plot, store, environment == NULL ? "" : environment, error) != NUCE_OK)
        return error->status;
    return environment == NULL ? NUCE_OK : nuce_store_execute(store, "DELETE FROM left_out", error);
}

/* Makes the table `shown` of the run whose hash begins with run. `chosen` keeps the modelled rows,
 * and those with the run's point, environment and wait policy, which need not be the newest. */
static nuce_status show_named(struct nuce_store *store, const char *run, struct nuce_error *error)
{
    static const char sql[] =
        "CREATE TEMP TABLE shown AS SELECT r.id AS run, r.point, r.planned_network, "
        "r.clock_error_s,"
        " r.events_lost FROM run AS r WHERE substr(r.hash, 1, length(%Q)) = %Q;"
        "DELETE FROM chosen WHERE kind <> 'modelled' AND (point, environment, wait) NOT IN"
        " (SELECT r.point, j.environment, coalesce(r.wait, '') FROM shown AS s"
        "  JOIN run AS r ON r.id = s.run"
        "  JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job)";
    int64_t count = 0;

    if (strspn(run, "0123456789abcdef") != strlen(run) || *run == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--run: '%s': expected the beginning of a run's hash: see 'nuce show "
                              "runs'",
                              run);
    if (nuce_store_run(store, error, sql, run, run) != NUCE_OK ||
        nuce_store_count(store, &count, error, "SELECT count(*) FROM shown") != NUCE_OK)
        return error->status;
    if (count != 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--run: '%s': %lld runs in %s begin with it: see "
                              "'nuce show runs'",
                              run, (long long)count, store->path);
    return NUCE_OK;
}

/* Makes the table `shown` of the newest traced run among the measured ones, else among the
 * simulated ones. */
static nuce_status show_newest(struct nuce_store *store, struct nuce_error *error)
{
    static const char sql[] =
        "CREATE TEMP TABLE shown AS SELECT r.id AS run, r.point, r.planned_network, "
        "r.clock_error_s,"
        " r.events_lost FROM run AS r JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
        " JOIN chosen AS c"
        "  ON c.point = r.point AND c.environment = j.environment AND c.kind = r.kind"
        " WHERE r.status = 'ok' AND r.events_lost IS NOT NULL AND c.kind <> 'modelled'"
        " ORDER BY r.kind = 'simulated', r.started DESC, r.id LIMIT 1";

    return nuce_store_execute(store, sql, error);
}

/* First selects all rows that meet the plot's condition, which is SQL of a shipped file: only their
 * used columns; without columns all of them, but no row. time_s is the value that a plot of "time"
 * draws, for every kind. */
nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             int *is_answered, struct nuce_error *error)
{
    *is_answered = 1;
    if (nuce_store_run(
            store, error,
            "CREATE TEMP TABLE chosen AS SELECT %s FROM"
            " (SELECT *, iif(kind = 'modelled', predicted_s, communication_s) AS time_s FROM"
            " result) WHERE (%s) AND (%Q IS NULL OR contender IS NULL"
            "  OR instr(',' || %Q || ',', ',' || contender || ',') > 0)%s;"
            "CREATE TEMP TABLE left_out (kind TEXT, environment TEXT, id INTEGER);",
            columns == NULL ? "*" : columns, plot->rows, choice->contenders, choice->contenders,
            columns == NULL ? " LIMIT 0" : "") != NUCE_OK ||
        (choice->run != NULL && show_named(store, choice->run, error) != NUCE_OK) ||
        choose_environment(plot, store, choice->environment, is_answered, error) != NUCE_OK)
        return error->status;
    return choice->run != NULL ? NUCE_OK : show_newest(store, error);
}
