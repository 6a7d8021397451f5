/* The schema: created, migrated, and its views, from the SQL files that nuce ships. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data.h"
#include "store.h"
#include "text.h"
#include "text_file.h"

static char *migration_path(int64_t version, struct nuce_error *error)
{
    char name[64];

    (void)snprintf(name, sizeof name, "db/migrations/%04lld.sql", (long long)version);
    return nuce_data_path(name, error);
}

nuce_status nuce_store_current_version(int64_t *out, struct nuce_error *error)
{
    int64_t version = 1;

    for (;;) {
        char *path = migration_path(version + 1, error);
        int there;

        if (path == NULL)
            return error->status;
        there = access(path, F_OK) == 0;
        free(path);
        if (!there)
            break;
        version++;
    }
    *out = version;
    return NUCE_OK;
}

/* Runs the SQL file at path (freed here; NULL: *error stands). */
static nuce_status run_file(struct nuce_store *store, char *path, struct nuce_error *error)
{
    char *sql = NULL;
    nuce_status status;

    if (path == NULL)
        return error->status;
    status = nuce_text_read(path, &sql, NULL, error);
    if (status == NUCE_OK && nuce_store_execute(store, sql, error) != NUCE_OK)
        status = nuce_error_prefix(error, "%s", path);
    free(sql);
    free(path);
    return status;
}

/* Drops every view: names first, since a schema cannot change under a running query. */
static nuce_status drop_views(struct nuce_store *store, struct nuce_error *error)
{
    static const char list[] = "SELECT group_concat('DROP VIEW \"' || name || '\"', ';')"
                               " FROM sqlite_schema WHERE type = 'view'";
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, list, &statement, error);

    if (status == NUCE_OK && sqlite3_step(statement) == SQLITE_ROW &&
        sqlite3_column_text(statement, 0) != NULL) {
        char *sql = nuce_text_format(error, "%s", (const char *)sqlite3_column_text(statement, 0));

        (void)sqlite3_reset(statement);
        status = sql == NULL ? error->status : nuce_store_execute(store, sql, error);
        free(sql);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

static nuce_status set_version(struct nuce_store *store, int64_t version, struct nuce_error *error)
{
    char sql[128];

    (void)snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %lld",
                   NUCE_STORE_APPLICATION_ID, (long long)version);
    return nuce_store_execute(store, sql, error);
}

nuce_status nuce_store_migrate(struct nuce_store *store, int64_t version, struct nuce_error *error)
{
    int64_t current = 0;

    if (nuce_store_current_version(&current, error) != NUCE_OK)
        return error->status;
    if (version == current)
        return NUCE_OK;
    if (version == 0) {
        if (run_file(store, nuce_data_path("db/schema.sql", error), error) != NUCE_OK)
            return error->status;
        version = 1;
    }
    if (drop_views(store, error) != NUCE_OK)
        return error->status;
    for (; version < current; version++) {
        if (run_file(store, migration_path(version + 1, error), error) != NUCE_OK)
            return error->status;
    }
    if (run_file(store, nuce_data_path("db/views.sql", error), error) != NUCE_OK)
        return error->status;
    return set_version(store, current, error);
}
