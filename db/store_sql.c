/* Statements and SQLite's errors, which all users of the database share: every failure of SQLite
 * becomes one of our statuses in one place. Two guards of users' queries follow (nuce query,
 * foreign figures): only SELECT, and no longer than a limit. */
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "db/store.h"

nuce_status nuce_store_fail(struct nuce_store *store, struct nuce_error *error)
{
    /* The lower byte of an extended code is the plain one ("Result Codes" of SQLite's
     * documentation). */
    switch (sqlite3_extended_errcode(store->handle) & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: the database is damaged (%s); move it away and run 'nuce "
                              "collect', which makes it again from the records",
                              store->path, sqlite3_errmsg(store->handle));
    /* Bad SQL, and actions that the authorizer below denies: the user's text is wrong. */
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
    /* is_too_late stopped it; without a limit nothing of ours interrupts. */
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

/* A text formatted as by sqlite3_mprintf, freed with sqlite3_free. */
static char *format_sql(const char *format, va_list arguments)
{
    char *sql = sqlite3_vmprintf(format, arguments);

    NUCE_ASSERT(sql != NULL);
    return sql;
}

nuce_status nuce_store_run(struct nuce_store *store, struct nuce_error *error, const char *format,
                           ...)
{
    nuce_status status;
    va_list arguments;
    char *sql;

    va_start(arguments, format);
    sql = format_sql(format, arguments);
    va_end(arguments);
    status = nuce_store_execute(store, sql, error);
    sqlite3_free(sql);
    return status;
}

/* The query at its first row, to finalise; NULL: there is none, or it fails (*error). */
static sqlite3_stmt *first_row(struct nuce_store *store, char *sql, struct nuce_error *error)
{
    sqlite3_stmt *row = NULL;
    int code;

    error->status = nuce_store_prepare(store, sql, &row, error);
    sqlite3_free(sql);
    if (error->status != NUCE_OK)
        return NULL;
    code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        return row;
    if (code != SQLITE_DONE)
        nuce_store_fail(store, error);
    sqlite3_finalize(row);
    return NULL;
}

nuce_status nuce_store_count(struct nuce_store *store, int64_t *out, struct nuce_error *error,
                             const char *format, ...)
{
    sqlite3_stmt *row;
    va_list arguments;

    va_start(arguments, format);
    row = first_row(store, format_sql(format, arguments), error);
    va_end(arguments);
    if (error->status == NUCE_OK)
        *out = row == NULL ? 0 : sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return error->status;
}

char *nuce_store_text(struct nuce_store *store, struct nuce_error *error, const char *format, ...)
{
    const char *text = NULL;
    char *copy = NULL;
    sqlite3_stmt *row;
    va_list arguments;

    va_start(arguments, format);
    row = first_row(store, format_sql(format, arguments), error);
    va_end(arguments);
    if (row != NULL)
        text = (const char *)sqlite3_column_text(row, 0);
    if (error->status == NUCE_OK)
        copy = nuce_text_duplicate(text == NULL ? "" : text);
    sqlite3_finalize(row);
    return copy;
}

/* The authorizer of nuce_store_restrict. SQLite calls it while it compiles a statement, once for
 * each of the statement's actions ("Compile-Time Authorization Callbacks"). b is the function's
 * name if action is SQLITE_FUNCTION; the other texts do not matter here. Unlisted actions are
 * denied, including those of later versions of SQLite. */
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
    /* SQLite makes these tables on their first use, which the authorizer sees as CREATE TABLE. */
    sqlite3_exec(store->handle, "SELECT 1 FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
    sqlite3_set_authorizer(store->handle, only_select, NULL);
}

/* A step of SQLite's machine takes some tens of nanoseconds: the limit is checked about a
 * hundred times per second. */
#define STEPS_A_LOOK 100000

/* The progress handler of nuce_store_limit: SQLite gives up with SQLITE_INTERRUPT unless it
 * returns 0. */
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
