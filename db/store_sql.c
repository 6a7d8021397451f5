/* Statements and SQLite's errors: what all that talks to the database goes through, so that every
 * failure of SQLite becomes one of our statuses in one place. Then the two guards of what users may
 * run (nuce query, figures of others): only SELECT, and no longer than a limit. */
#include <string.h>

#include "base/clock.h"
#include "db/store.h"

nuce_status nuce_store_fail(struct nuce_store *store, struct nuce_error *error)
{
    /* The lower byte of an extended code is the plain one ("Result Codes" of SQLite's
     * documentation). */
    int code = sqlite3_extended_errcode(store->handle);

    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: the database is damaged (%s); move it away and run 'nuce "
                              "collect', which makes it anew from the record files",
                              store->path, sqlite3_errmsg(store->handle));
    /* Bad SQL, and what the authorizer below denies: the user's text is wrong. */
    case SQLITE_ERROR:
    case SQLITE_AUTH:
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", store->path,
                              sqlite3_errmsg(store->handle));
    /* A reader that finds a hot journal must roll it back, and cannot. */
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: %s; if a collect was cut off, run 'nuce collect' again",
                              store->path, sqlite3_errmsg(store->handle));
    /* is_too_late stopped it; without a limit nobody of ours interrupts. */
    case SQLITE_INTERRUPT:
        if (store->limit_s > 0)
            return nuce_error_set(
                error, NUCE_FAILED,
                "%s: not done after %g s: ask for less; 'nuce query --limit' allows more",
                store->path, store->limit_s);
        /* fall through */
    default:
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", store->path,
                              sqlite3_errmsg(store->handle));
    }
}

nuce_status nuce_store_prepare(struct nuce_store *store, const char *sql, sqlite3_stmt **out,
                               struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(store->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        return nuce_store_fail(store, error);
    *out = statement;
    return NUCE_OK;
}

nuce_status nuce_store_execute(struct nuce_store *store, const char *sql, struct nuce_error *error)
{
    if (sqlite3_exec(store->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return nuce_store_fail(store, error);
    return NUCE_OK;
}

nuce_status nuce_store_execute_freed(struct nuce_store *store, char *sql, struct nuce_error *error)
{
    nuce_status status = sql == NULL ? nuce_error_set(error, NUCE_FAILED, "out of memory")
                                     : nuce_store_execute(store, sql, error);

    sqlite3_free(sql);
    return status;
}

nuce_status nuce_store_integer(struct nuce_store *store, const char *sql, int64_t *out,
                               struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    int64_t value = 0;
    int code;

    if (nuce_store_prepare(store, sql, &statement, error) != NUCE_OK)
        return error->status;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    else if (code != SQLITE_DONE)
        nuce_store_fail(store, error);
    sqlite3_finalize(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return error->status;
    *out = value;
    return NUCE_OK;
}

/* The authorizer of nuce_store_restrict; SQLite asks it while it compiles a statement, once for
 * each thing that the statement would do ("Compile-Time Authorization Callbacks"). b is the
 * function's name where action is SQLITE_FUNCTION; the other texts do not matter here. What is not
 * listed is denied, so that what later versions of SQLite add is, too. */
static int only_select(void *context, int action, const char *a, const char *b, const char *c,
                       const char *d)
{
    (void)context;
    (void)a;
    (void)c;
    (void)d;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return b != NULL && strcmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

void nuce_store_restrict(struct nuce_store *store)
{
    /* SQLite makes these tables on their first use, by what the authorizer takes for CREATE TABLE.
     */
    sqlite3_exec(store->handle, "SELECT 1 FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
    sqlite3_set_authorizer(store->handle, only_select, NULL);
}

/* A step of SQLite's machine takes some tens of nanoseconds: looked at about a hundred times a
 * second. */
#define STEPS_A_LOOK 100000

/* The progress handler of nuce_store_limit: SQLite gives up with SQLITE_INTERRUPT unless it returns
 * 0. */
static int is_too_late(void *context)
{
    const struct nuce_store *store = context;

    return nuce_clock() > store->deadline_s;
}

void nuce_store_limit(struct nuce_store *store, double limit_s)
{
    store->limit_s = limit_s;
    store->deadline_s = nuce_clock() + limit_s;
    sqlite3_progress_handler(store->handle, STEPS_A_LOOK, is_too_late, store);
}
