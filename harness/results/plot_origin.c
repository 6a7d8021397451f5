/* Where a plot's rows come from, and what a reader must know of them: the lines below every table
 * and figure. Each is a query that gives one text, or nothing where it has nothing to say, so what
 * is said is found anew from the very rows that are shown, and cannot be out of date. There are
 * four: where (machine and software), what (how much and how sure), doubts (what speaks against
 * believing it) and what was left out. */
#include <stdlib.h>

#include "base/text.h"
#include "results/plot_steps.h"

/* Makes `behind`. It goes through jobs, which are few, and stops at the first such run of each:
 * through runs it would take as long as the plot itself. */
nuce_status nuce_plot_find_jobs(struct nuce_store *store, struct nuce_error *error)
{
    static const char sql[] =
        "CREATE TEMP TABLE behind AS"
        " WITH one AS (SELECT DISTINCT environment, kind, wait FROM chosen WHERE kind = 'measured')"
        " SELECT d.* FROM one JOIN disturbed AS d ON d.environment = one.environment"
        " WHERE EXISTS (SELECT 1 FROM run AS r WHERE r.campaign = d.campaign AND r.job = d.id"
        "  AND r.status = 'ok' AND r.kind = one.kind AND coalesce(r.wait, '') = one.wait"
        "  AND r.point IN (SELECT point FROM chosen WHERE kind = 'measured'))";

    return nuce_store_execute(store, sql, error);
}

/* One text from a query; NULL gives "". Freed by the caller. NULL: *error stands. */
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
        copy = nuce_text_format("%s", value == NULL ? "" : value);
    else
        nuce_store_fail(store, error);
    sqlite3_finalize(statement);
    return copy;
}

/* Machine and software, from what kernels/run writes into environments and jobs; what is not
 * there is left out. hosts has an entry a rank. Host and processor are those of the newest
 * environment; MPI libraries, by which environments that are set side by side differ, of all. */
static const char where_sql[] =
    "WITH measured AS (SELECT environment, max(started) AS started FROM chosen"
    "  WHERE kind = 'measured' GROUP BY environment),"
    " ranked AS (SELECT environment, row_number() OVER (ORDER BY started DESC, environment) AS nth,"
    "  told_library(json_extract(described, '$.mpi.library')) AS library"
    "  FROM measured JOIN environment ON id = environment),"
    " libraries AS (SELECT library FROM ranked WHERE library IS NOT NULL"
    "  GROUP BY library ORDER BY min(nth)),"
    " newest AS (SELECT environment FROM ranked WHERE nth = 1),"
    " hosts AS (SELECT DISTINCT value FROM behind, json_each(behind.facts, '$.hosts')"
    "  WHERE environment IN newest),"
    " facts AS (SELECT (SELECT min(value) FROM hosts) AS host,"
    "  (SELECT count(*) FROM hosts) AS hosts,"
    "  json_extract(described, '$.processor') AS processor"
    "  FROM environment WHERE id IN newest)"
    " SELECT coalesce(host, 'unknown host')"
    "  || CASE WHEN hosts > 1 THEN printf(' and %d more', hosts - 1) ELSE '' END"
    "  || coalesce(', ' || processor, '')"
    "  || coalesce(', ' || (SELECT group_concat(library, ' and ') FROM libraries), '')"
    "  || (SELECT iif(count(*) = 1, ', environment ', ', environments ')"
    "   || group_concat(substr(environment, 1, 8), ', ') FILTER (WHERE nth <= 3)"
    "   || iif(count(*) > 3, printf(' and %d more', count(*) - 3), '')"
    "   FROM (SELECT environment, nth FROM ranked ORDER BY nth))"
    " FROM facts";

/* How many ranks, samples and launches; whether the machine was busy or had more ranks than
 * processors; how sampling ended; which campaigns are pooled. OVERSUBSCRIBED and BUSY are written
 * large, as they decide what the times are worth. */
static const char what_sql[] =
    "WITH measured AS (SELECT ranks, oversubscribed, n, runs, wait, stopped FROM chosen"
    "  WHERE kind = 'measured'),"
    " busy AS (SELECT count(*) AS jobs, max(others) AS others, max(processors) AS processors"
    "  FROM behind WHERE busy)"
    " SELECT 'measured, ranks ' || (SELECT group_concat(ranks || mark, ', ')"
    "  FROM (SELECT ranks, CASE WHEN max(oversubscribed) = 1 THEN ' OVERSUBSCRIBED' ELSE '' END"
    "        AS mark FROM measured GROUP BY ranks ORDER BY ranks))"
    " || (SELECT iif(jobs = 0, '', printf(', BUSY (others took up to %.1f of %d processors in %d"
    " of %d launches)', others, processors, jobs, (SELECT count(*) FROM behind))) FROM busy)"
    " || coalesce(', wait ' || group_concat(DISTINCT nullif(wait, '')), '')"
    " || CASE WHEN min(n) = max(n) THEN printf(', n = %d', min(n))"
    "    ELSE printf(', n = %d to %d', min(n), max(n)) END"
    " || ' samples in ' || iif(max(runs) = 1, 'one launch', iif(min(runs) = max(runs),"
    "   max(runs), min(runs) || ' to ' || max(runs)) || ' launches')"
    " || coalesce(' (ended by ' || (SELECT group_concat(printf('%s at %d', stopped, points), ', ')"
    "   || iif(sum(points) = 1, ' point', ' points')"
    "  FROM (SELECT stopped, count(*) AS points FROM measured WHERE stopped IS NOT NULL"
    "   GROUP BY stopped ORDER BY stopped)) || ')', '')"
    " || ', medians with 95 % intervals'"
    " || iif(max(runs) = 1, ' of that launch alone', ' over launches') || ', '"
    " || (SELECT iif(count(*) = 1, 'campaign ' || min(campaign), count(*) || ' campaigns pooled: '"
    "      || group_concat(campaign, ', ') FILTER (WHERE nth <= 8)"
    "      || iif(count(*) > 8, printf(' and %d more', count(*) - 8), ''))"
    "     FROM (SELECT campaign, row_number() OVER (ORDER BY campaign) AS nth"
    "      FROM (SELECT DISTINCT campaign FROM behind)))"
    " FROM measured";

/* Points whose time was up before they had as many samples as were wanted. */
static const char few_sql[] =
    "SELECT printf('%d point%s fewer samples than were asked for: the limit ended %s', n,"
    " iif(n = 1, ' has', 's have'), iif(n = 1, 'it', 'them'))"
    " FROM (SELECT sum(stopped = 'limit' AND n < min_samples) AS n FROM chosen"
    "  WHERE kind = 'measured') WHERE n > 0";

/* Points of which a run was to count events; a NULL is an event that could not be. */
static const char counted_sql[] =
    "WITH counted AS (SELECT r.point, c.event, max(c.value IS NOT NULL) AS is_known"
    "  FROM counter AS c JOIN run AS r ON r.id = c.run WHERE r.status = 'ok'"
    "  AND r.point IN (SELECT point FROM chosen WHERE kind = 'measured') GROUP BY 1, 2)"
    " SELECT printf('%d point%s counted with PAPI and did not race', points,"
    "  iif(points = 1, ' was', 's were')) || coalesce('; PAPI could not count ' || unknown, '')"
    " FROM (SELECT count(DISTINCT point) AS points,"
    "   (SELECT group_concat(event, ', ') FROM (SELECT event FROM counted GROUP BY event"
    "     HAVING max(is_known) = 0 ORDER BY event)) AS unknown FROM counted) WHERE points > 0";

/* A time below the bound of the true network cannot be, counted from when all had begun, as the
 * bound is: a rank that comes late finds its messages there. The network that was taken is not the
 * machine's. What was measured between these hosts can be measured again. */
static const char below_bound_sql[] =
    "SELECT printf('%d of %d points %s below bound_s, under which nothing can be: the machine is "
    "faster"
    " than the network that was taken for it (%s), and predictions by that, and schedules made for"
    " it, are of another machine%s', below, points, iif(below = 1, 'is', 'are'),"
    " substr(taken, 1, instr(taken || '@', '@') - 1),"
    " iif(measured, '; nuce-calibrate links measures it again', ''))"
    " FROM (SELECT sum(is_below) AS below, count(*) AS points,"
    "   min(iif(is_below, coalesce(network, network_taken), NULL)) AS taken,"
    "   max(is_below AND network = 'measured') AS measured"
    "  FROM (SELECT network, network_taken,"
    "     time_s < bound_s AND coalesce(from_start_s, time_s) < bound_s AS is_below"
    "    FROM chosen WHERE kind = 'measured' AND bound_s > 0 AND time_s IS NOT NULL))"
    " WHERE below > 0";

/* Of the campaign that the newest row is of: the table may want what has yet to come. */
#define UNFINISHED(kind)                                                                           \
    "SELECT printf('campaign %s has %d of its %d points', id, have, points) FROM"                  \
    " (SELECT id, points, (SELECT count(DISTINCT point) FROM run WHERE campaign = c.id"            \
    "   AND status = 'ok') AS have FROM campaign AS c"                                             \
    "  WHERE id = (SELECT campaign FROM chosen WHERE kind = '" kind "'"                            \
    "   ORDER BY started DESC, campaign LIMIT 1))"                                                 \
    " WHERE have < points"

/* How much of the kind is in other environments. */
#define LEFT_OUT(kind)                                                                             \
    "SELECT printf('not shown: %d point%s " kind " in environment %s%s', count(*),"                \
    " iif(count(*) = 1, '', 's'), substr(min(environment), 1, 8),"                                 \
    " CASE WHEN count(DISTINCT environment) > 1 THEN printf(' and %d more',"                       \
    "  count(DISTINCT environment) - 1) ELSE '' END)"                                              \
    " FROM left_out WHERE kind = '" kind "' GROUP BY NULL HAVING count(*) > 0"

/* What stands beside the measured, or alone. */
static const char simulated_sql[] =
    "SELECT 'simulated: ' || library || ' on ' || group_concat(platform || ' (environment '"
    "  || substr(environment, 1, 8) || ')', ', ')"
    "  || printf(', %d point%s', sum(points), iif(sum(points) = 1, '', 's'))"
    "  || ', of networks that lose nothing'"
    " FROM (SELECT s.environment, coalesce(platform, 'an unnamed platform') AS platform,"
    "  told_library(library) AS library, count(*) AS points"
    " FROM (SELECT environment FROM chosen WHERE kind = 'simulated') AS s"
    " JOIN (SELECT id, json_extract(described, '$.cluster.platform') AS platform,"
    "   coalesce(json_extract(described, '$.mpi.library'), 'unknown') AS library FROM environment)"
    "  AS e ON e.id = s.environment GROUP BY s.environment) GROUP BY NULL HAVING count(*) > 0";

/* Means of decompositions are of no network. */
static const char modelled_sql[] =
    "SELECT 'modelled: the papers'' cost model'"
    " || coalesce(', network ' || group_concat(DISTINCT CASE WHEN network_taken IS NOT NULL THEN"
    "  coalesce(network, (SELECT json_extract(described, '$.model.network')"
    "   FROM environment AS e WHERE e.id = m.environment)) END), '')"
    " || printf(', %d point%s', count(*), iif(count(*) = 1, '', 's'))"
    " FROM chosen AS m WHERE kind = 'modelled' GROUP BY NULL HAVING count(*) > 0";

/* Contenders that raced by the model with those that are shown, and of which it tells nothing: what
 * is ordered while it runs, say. Without this the fastest of the others would pass for that of all.
 */
static const char unmodelled_sql[] =
    "SELECT 'the model has no time of '"
    " || group_concat(printf('%s (%d point%s)', contender, points, iif(points = 1, '', 's')), ', ')"
    " FROM (SELECT contender, count(*) AS points FROM result"
    "  WHERE kind = 'modelled' AND predicted_s IS NULL AND contender IS NOT NULL"
    "  AND campaign IN (SELECT campaign FROM chosen"
    "   WHERE kind = 'modelled' AND predicted_s IS NOT NULL)"
    "  GROUP BY contender ORDER BY contender)"
    " GROUP BY NULL HAVING count(*) > 0";

/* Appends what the query says to *text, which is freed. After a failure *text is as it was. */
static nuce_status append_text(struct nuce_store *store, const char *sql, char **text,
                               struct nuce_error *error)
{
    char *more = query_text(store, sql, error);
    char *whole =
        more == NULL
            ? NULL
            : nuce_text_format("%s%s%s", *text, **text == '\0' || *more == '\0' ? "" : "; ", more);

    free(more);
    if (whole == NULL)
        return error->status;
    free(*text);
    *text = whole;
    return NUCE_OK;
}

/* What the queries say, with semicolons between; one says nothing where there are no rows of its
 * kind. Freed by the caller. queries ends with NULL. NULL: *error stands. */
static char *plot_origin_say(struct nuce_store *store, const char *const *queries,
                             struct nuce_error *error)
{
    char *text = nuce_text_format("%s", "");

    for (; text != NULL && *queries != NULL; queries++) {
        if (append_text(store, *queries, &text, error) != NUCE_OK) {
            free(text);
            return NULL;
        }
    }
    return text;
}

nuce_status nuce_plot_origin(struct nuce_store *store, struct nuce_plot_data *data,
                             struct nuce_error *error)
{
    static const char *const where[] = {where_sql, simulated_sql, modelled_sql, NULL};
    static const char *const what[] = {what_sql, NULL};
    static const char *const doubts[] = {few_sql,
                                         counted_sql,
                                         below_bound_sql,
                                         unmodelled_sql,
                                         UNFINISHED("measured"),
                                         UNFINISHED("simulated"),
                                         UNFINISHED("modelled"),
                                         NULL};
    static const char *const left_out[] = {LEFT_OUT("measured"), LEFT_OUT("simulated"), NULL};
    int64_t busy = 0;

    if (nuce_store_integer(store, "SELECT count(*) FROM behind WHERE busy", &busy, error) !=
        NUCE_OK)
        return error->status;
    data->is_busy = busy > 0;
    data->where = plot_origin_say(store, where, error);
    data->what = plot_origin_say(store, what, error);
    data->doubts = plot_origin_say(store, doubts, error);
    data->left_out = plot_origin_say(store, left_out, error);
    return data->where == NULL || data->what == NULL || data->doubts == NULL ||
                   data->left_out == NULL
               ? error->status
               : NUCE_OK;
}
