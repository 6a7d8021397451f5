/* How compared instances are told apart: by the parameters in which they differ and by no others.
 * Of twenty parameters of a point two or three usually do, and a table with the rest could not be
 * read. */
#include "results/instances.h"

#include <stdlib.h>

/* What there is several of where all else that a row shows is the same becomes a parameter of the
 * problem. The arguments are its column, how that is written, and its column again. A reader sees
 * then why two rows that look alike differ. */
static const char beside_sql[] =
    "UPDATE compared SET problem = json_set(problem, '$.%s', %s) WHERE (SELECT max(several)"
    " FROM (SELECT count(DISTINCT coalesce(%s, '')) AS several FROM compared"
    "  GROUP BY workload, ranks, problem, contender)) > 1;";

/* The parameters of the problems, with the places of their values among all of that key: numbers
 * are ordered as numbers; of the SHA-256 of a file behind its name eight digits are text. */
static const char sort_sql[] =
    "CREATE TEMP TABLE compared_problem AS SELECT DISTINCT workload, problem FROM compared;"
    "CREATE TEMP TABLE parameter AS SELECT p.workload, p.problem, e.key,"
    " CASE WHEN e.type IN ('true', 'false') THEN e.type"
    "  WHEN substr(e.value, -65, 1) = '@' THEN substr(e.value, 1, length(e.value) - 56)"
    "  ELSE CAST(e.value AS TEXT) END AS text,"
    " dense_rank() OVER (PARTITION BY e.key ORDER BY e.value) AS place"
    " FROM compared_problem AS p, json_each(p.problem) AS e;"
    "CREATE INDEX temp.parameter_by_problem ON parameter (problem, workload);";

/* The keys in which problems of a workload differ, and of those the ones that are shown: without
 * those that have one value wherever they are, if the others tell the problems apart. */
static const char telling_sql[] =
    "CREATE TEMP TABLE telling AS SELECT key, max(varied) AS varied FROM"
    " (SELECT key, count(DISTINCT place) > 1 AS varied FROM parameter AS p GROUP BY workload, key"
    "  HAVING varied OR count(*) < (SELECT count(*) FROM compared_problem AS c"
    "   WHERE c.workload = p.workload))"
    " GROUP BY key;"
    "CREATE TEMP TABLE shown AS SELECT key FROM telling WHERE varied OR"
    " (SELECT count(*) FROM compared_problem) >"
    " (SELECT count(*) FROM (SELECT DISTINCT workload, (SELECT group_concat(key || ' ' || place)"
    "  FROM (SELECT p.key, p.place FROM parameter AS p JOIN telling AS t ON t.key = p.key"
    "   WHERE p.problem = c.problem AND p.workload = c.workload AND t.varied ORDER BY p.key))"
    "  FROM compared_problem AS c))"
    " ORDER BY key;";

/* How an instance is called by programs and by people, its cells, and what it is sorted by. */
static const char instance_sql[] =
    "CREATE TEMP TABLE instance AS SELECT c.workload, c.problem,"
    " coalesce((SELECT group_concat(key || '=' || value, ' ') FROM json_each(c.problem)"
    "  WHERE key IN (SELECT key FROM telling)), '') AS instance,"
    " coalesce((SELECT group_concat(s.key || ' ' || p.text, ', ') FROM shown AS s"
    "  JOIN parameter AS p ON p.problem = c.problem AND p.workload = c.workload AND p.key = s.key),"
    "  '') AS described,"
    " (SELECT json_group_array(p.text) FROM shown AS s LEFT JOIN parameter AS p"
    "  ON p.problem = c.problem AND p.workload = c.workload AND p.key = s.key) AS cells,"
    " coalesce((SELECT group_concat(printf('%08d', coalesce(p.place, 0))) FROM shown AS s"
    "  LEFT JOIN parameter AS p ON p.problem = c.problem AND p.workload = c.workload"
    "   AND p.key = s.key), '') AS place"
    " FROM compared_problem AS c;";

static const char keys_sql[] = "SELECT json_group_array(key) FROM shown";

/* Before anything else looks at the problems: what is added here is a parameter like the others. */
static nuce_status add_besides(struct nuce_store *store, struct nuce_error *error)
{
    static const char *const besides[][2] = {{"environment", "substr(environment, 1, 8)"},
                                             {"wait", "coalesce(wait, 'unknown')"}};
    nuce_status status = NUCE_OK;

    for (size_t i = 0; i < sizeof besides / sizeof *besides && status == NUCE_OK; i++) {
        status = nuce_store_execute_freed(
            store, sqlite3_mprintf(beside_sql, besides[i][0], besides[i][1], besides[i][0]), error);
    }
    return status;
}

nuce_status nuce_instances_array(sqlite3_stmt *row, int column, json_t **out,
                                 struct nuce_error *error)
{
    json_error_t where;

    *out = json_loads((const char *)sqlite3_column_text(row, column), 0, &where);
    if (*out == NULL)
        return nuce_error_set(error, NUCE_FAILED, "cannot read parameters: %s", where.text);
    return NUCE_OK;
}

/* The heads of the columns that tell instances apart. The caller releases *out. */
static nuce_status read_keys(struct nuce_store *store, json_t **out, struct nuce_error *error)
{
    sqlite3_stmt *row = NULL;
    nuce_status status = nuce_store_prepare(store, keys_sql, &row, error);

    if (status == NUCE_OK)
        status = sqlite3_step(row) == SQLITE_ROW ? nuce_instances_array(row, 0, out, error)
                                                 : nuce_store_fail(store, error);
    sqlite3_finalize(row);
    return status;
}

nuce_status nuce_instances_make(struct nuce_store *store, json_t **keys, struct nuce_error *error)
{
    static const char *const steps[] = {sort_sql, telling_sql, instance_sql};
    nuce_status status = add_besides(store, error);

    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == NUCE_OK; i++)
        status = nuce_store_execute(store, steps[i], error);
    return status == NUCE_OK ? read_keys(store, keys, error) : status;
}
