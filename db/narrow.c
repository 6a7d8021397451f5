/* A database as if it held one campaign. SQLite looks for a name among the temporary tables and
 * views first ("CREATE TABLE", section on database names), so whoever asks for `run` or `outcome`
 * gets these without knowing of it. Views of the database itself go on reading its own tables; they
 * are therefore made once more, as temporary ones. What stands here goes with the connection, and
 * the file is not touched.
 *
 * The alternative, a WHERE in each query of plots/ and of the commands, would have to be remembered
 * by every new one. */
#include "db/store.h"

#include <stdlib.h>

/* A temporary table or view hides what has its name in the database. Rows of outcome that pool runs
 * of this campaign alone are taken as they are, the others' points are summed up again. A point
 * that ran in other campaigns too is in `touched`, and outcome.sql adds the rows of its
 * runs here to the temporary outcome. */
static const char tables_sql[] =
    "CREATE TEMP VIEW run AS SELECT * FROM main.run"
    " WHERE campaign = (SELECT id FROM narrowed);"
    "CREATE TEMP VIEW job AS SELECT * FROM main.job"
    " WHERE campaign = (SELECT id FROM narrowed);"
    "CREATE TEMP VIEW campaign AS SELECT * FROM main.campaign"
    " WHERE id = (SELECT id FROM narrowed);"
    "CREATE TEMP VIEW record_file AS SELECT r.* FROM main.record_file AS r, narrowed AS n"
    " WHERE substr(r.name, 1, length(n.id) + 1) = n.id || '/';"
    "CREATE TEMP TABLE touched (point TEXT PRIMARY KEY) WITHOUT ROWID;"
    "INSERT INTO touched SELECT DISTINCT point FROM run WHERE point IN"
    " (SELECT point FROM main.run WHERE campaign <> (SELECT id FROM narrowed));"
    "CREATE TEMP TABLE outcome AS SELECT * FROM main.outcome"
    " WHERE point IN (SELECT point FROM run) AND point NOT IN (SELECT point FROM touched);"
    "CREATE INDEX temp.outcome_by_point ON outcome (point);";

/* A campaign by its name, NAME.K, or the newest of a sweep's by NAME: an exact name wins, then the
 * time of creation; where that is unknown (records without campaign.json) the greater number, which
 * is the longer name or, of two that are as long, the later one. */
static const char chosen_sql[] =
    "INSERT INTO narrowed SELECT id FROM campaign WHERE id = %Q"
    " OR (id GLOB '*.[0-9]*' AND rtrim(id, '0123456789') = %Q || '.')"
    " ORDER BY id = %Q DESC, created DESC, length(id) DESC, id DESC LIMIT 1";

/* The database's views once more, as temporary ones: those read what is temporary. By the text that
 * the database keeps of each, which begins with CREATE VIEW as nuce wrote it. */
static const char views_sql[] =
    "SELECT group_concat(replace(sql, 'CREATE VIEW ', 'CREATE TEMP VIEW '), ';')"
    " FROM main.sqlite_schema WHERE type = 'view'";

nuce_status nuce_store_narrow(struct nuce_store *store, const char *campaign,
                              struct nuce_error *error)
{
    char *views;

    if (campaign == NULL)
        return NUCE_OK;
    if (nuce_store_execute(store, "CREATE TEMP TABLE narrowed (id TEXT NOT NULL)", error) !=
            NUCE_OK ||
        nuce_store_run(store, error, chosen_sql, campaign, campaign, campaign) != NUCE_OK)
        return error->status;
    if (sqlite3_changes(store->handle) != 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--campaign: '%s' is not in %s: see 'nuce show campaigns'", campaign,
                              store->path);
    if (nuce_store_execute(store, tables_sql, error) != NUCE_OK ||
        nuce_store_run_shipped(store, "db/outcome.sql", error) != NUCE_OK)
        return error->status;
    views = nuce_store_text(store, error, views_sql);
    if (views != NULL)
        nuce_store_execute(store, views, error);
    free(views);
    return error->status;
}

/* The id is compared by its beginning, as it was typed: no character of it is a pattern. */
nuce_status nuce_store_check_environment(struct nuce_store *store, const char *environment,
                                         struct nuce_error *error)
{
    int64_t count = 1;

    if (environment != NULL &&
        nuce_store_count(store, &count, error,
                         "SELECT count(*) FROM environment WHERE substr(id, 1, length(%Q)) = %Q",
                         environment, environment) != NUCE_OK)
        return error->status;
    if (count == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--environment: '%s': expected the beginning of the id of one in "
                              "%s: see 'nuce show environments'",
                              environment, store->path);
    return NUCE_OK;
}
