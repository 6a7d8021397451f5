/* A database as if it held one campaign. SQLite looks for a name among the temporary tables and
 * views first ("CREATE TABLE", section on database names), so whoever asks for `run` or `outcome`
 * gets these without knowing of it. Views of the database itself go on reading its own tables; they
 * are therefore made once more, as temporary ones. What stands here goes with the connection, and
 * the file is not touched.
 *
 * The alternative, a WHERE in each query of plots/ and of the commands, would have to be remembered
 * by every new one. */
#include "db/narrow.h"

#include <stdlib.h>

#include "base/text.h"

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
    "INSERT INTO narrowed SELECT id FROM campaign WHERE id = ?1"
    " OR (id GLOB '*.[0-9]*' AND rtrim(id, '0123456789') = ?1 || '.')"
    " ORDER BY id = ?1 DESC, created DESC, length(id) DESC, id DESC LIMIT 1";

/* Takes campaign as the one of the temporary table `narrowed`, if the database has it. */
static nuce_status narrow_choose(struct nuce_store *store, const char *campaign,
                                 struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status =
        nuce_store_execute(store, "CREATE TEMP TABLE narrowed (id TEXT NOT NULL)", error);

    if (status == NUCE_OK)
        status = nuce_store_prepare(store, chosen_sql, &statement, error);
    if (status != NUCE_OK)
        return status;
    sqlite3_bind_text(statement, 1, campaign, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = nuce_store_fail(store, error);
    else if (sqlite3_changes(store->handle) != 1)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--campaign: '%s' is not in %s: see 'nuce show campaigns'",
                                campaign, store->path);
    sqlite3_finalize(statement);
    return status;
}

/* The database's views once more, as temporary ones: those read what is temporary. By the text that
 * the database keeps of each, which begins with CREATE VIEW as nuce wrote it. A new string; NULL:
 * *error stands. */
static char *views_sql(struct nuce_store *store, struct nuce_error *error)
{
    static const char sql[] =
        "SELECT group_concat(replace(sql, 'CREATE VIEW ', 'CREATE TEMP VIEW '), ';')"
        " FROM main.sqlite_schema WHERE type = 'view'";
    sqlite3_stmt *statement = NULL;
    char *views = NULL;

    if (nuce_store_prepare(store, sql, &statement, error) != NUCE_OK)
        return NULL;
    if (sqlite3_step(statement) == SQLITE_ROW)
        views = nuce_text_format("%s", (const char *)sqlite3_column_text(statement, 0));
    else
        nuce_store_fail(store, error);
    sqlite3_finalize(statement);
    return views;
}

nuce_status nuce_store_narrow(struct nuce_store *store, const char *campaign,
                              struct nuce_error *error)
{
    char *views = NULL;
    nuce_status status;

    if (campaign == NULL)
        return NUCE_OK;
    status = narrow_choose(store, campaign, error);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, tables_sql, error);
    if (status == NUCE_OK)
        status = nuce_store_derive_outcome(store, error);
    if (status == NUCE_OK) {
        views = views_sql(store, error);
        status = views == NULL ? error->status : nuce_store_execute(store, views, error);
    }
    free(views);
    return status;
}
