/* Which rows of `result` a plot gets, and which it does not: all kinds go through one temporary
 * table, `chosen`, in one pass.
 *
 * Environments and wait policies are never pooled, so of each kind one pair of them is shown, the
 * newest that has anything; what that leaves out is kept in `left_out`, since the reader must be
 * told of it (plots/origin). Reading `result` is what takes the time of a plot, so it is read
 * once, and only the columns that the plot's queries name (plot_query.c). */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "results/plot.h"

/* Moves what is not of the newest environment and wait policy of its kind to `left_out`, so
 * that no plot compares two: of the environments whose id begins with prefix, where a kind has any,
 * and apart in each group of rows that the plot keeps apart. Of what is modelled the newest of each
 * point stays, since a model gives the same wherever it runs. Points that set how their processes
 * are started, as a variable or the MPI library, are of other environments by that: each way has
 * its newest. A plot of all environments mixes none
 * by itself: unless one is asked for, it gets all of one wait policy. */
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

/* An environment of one kind leaves the others' rows as they would be. Who asked for one
 * environment knows that there are others: `left_out` is emptied. Mostly rows of one kind do not
 * differ in environment or wait policy, and then none is left out: that is seen in one pass, where
 * finding the newest sorts all rows. */
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

/* The table `shown`: the run whose hash begins with run, or the newest traced one of those that
 * were measured, else of those that were simulated. */
static nuce_status show_run(struct nuce_store *store, const char *run, struct nuce_error *error)
{
    static const char newest[] =
        "CREATE TEMP TABLE shown AS SELECT r.id AS run, r.point, r.planned_network, "
        "r.clock_error_s,"
        " r.events_lost FROM run AS r JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
        " JOIN chosen AS c"
        "  ON c.point = r.point AND c.environment = j.environment AND c.kind = r.kind"
        " WHERE r.status = 'ok' AND r.events_lost IS NOT NULL AND c.kind <> 'modelled'"
        " ORDER BY r.kind = 'simulated', r.started DESC, r.id LIMIT 1";
    static const char named[] =
        "CREATE TEMP TABLE shown AS SELECT r.id AS run, r.point, r.planned_network, "
        "r.clock_error_s,"
        " r.events_lost FROM run AS r WHERE substr(r.hash, 1, length(%Q)) = %Q;"
        "DELETE FROM chosen"
        " WHERE kind <> 'modelled' AND point NOT IN (SELECT point FROM shown)";
    int64_t count = 0;

    if (run == NULL)
        return nuce_store_execute(store, newest, error);
    if (strspn(run, "0123456789abcdef") != strlen(run) || *run == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--run: '%s': expected the beginning of a run's hash: see 'nuce show "
                              "runs'",
                              run);
    if (nuce_store_run(store, error, named, run, run) != NUCE_OK ||
        nuce_store_count(store, &count, error, "SELECT count(*) FROM shown") != NUCE_OK)
        return error->status;
    if (count != 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--run: '%s': %lld runs in %s begin so: see "
                              "'nuce show runs'",
                              run, (long long)count, store->path);
    return NUCE_OK;
}

/* First come all rows that meet the plot's condition, which is SQL of a file that nuce ships: their
 * columns that something reads; without columns all of them, but no row. time_s is what a plot of
 * "time" draws, whatever kind it is. */
nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             int *is_answered, struct nuce_error *error)
{
    *is_answered = 1;
    if (nuce_store_run(
            store, error,
            "CREATE TEMP TABLE chosen AS SELECT %s FROM"
            " (SELECT *, iif(kind = 'modelled', predicted_s, communication_s) AS time_s FROM"
            " result) WHERE %s%s;"
            "CREATE TEMP TABLE left_out (kind TEXT, environment TEXT, id INTEGER);",
            columns == NULL ? "*" : columns, plot->rows,
            columns == NULL ? " LIMIT 0" : "") != NUCE_OK ||
        choose_environment(plot, store, choice->environment, is_answered, error) != NUCE_OK)
        return error->status;
    return show_run(store, choice->run, error);
}
