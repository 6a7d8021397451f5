/* Opening, checking and closing the database file. */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/* SQLite's file format, section 1.3: the text that begins every database, and where user_version
 * and application_id stand (big-endian). */
static const char magic[16] = "SQLite format 3";
enum {
    HEADER_BYTES = 100,
    VERSION_OFFSET = 60,
    APPLICATION_OFFSET = 68,
    BUSY_MS = 60000,
};

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static nuce_status check_identity(const char *path, int64_t application, int64_t version,
                                  struct nuce_error *error)
{
    int64_t current = 0;

    if (application != NUCE_STORE_APPLICATION_ID)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: an SQLite database, but not one of nuce's (application_id %lld, "
                              "expected %d)",
                              path, (long long)application, NUCE_STORE_APPLICATION_ID);
    if (nuce_store_current_version(&current, error) != NUCE_OK)
        return error->status;
    if (version > current)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: made by a newer nuce: schema version %lld, this one knows up to "
                              "%lld",
                              path, (long long)version, (long long)current);
    if (version < 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: damaged: schema version %lld, expected 1 to %lld", path,
                              (long long)version, (long long)current);
    return NUCE_OK;
}

/* Looks at the bytes before SQLite does, so that nothing foreign is touched. *empty: the file is
 * missing or has no bytes. */
static nuce_status check_header(const char *path, int *empty, struct nuce_error *error)
{
    unsigned char header[HEADER_BYTES];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts;
    ssize_t length;

    *empty = 0;
    if (descriptor < 0 && errno == ENOENT) {
        *empty = 1;
        return NUCE_OK;
    }
    if (descriptor < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        (void)close(descriptor);
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a regular file", path);
    }
    length = read(descriptor, header, sizeof header);
    (void)close(descriptor);
    if (length == 0) {
        *empty = 1;
        return NUCE_OK;
    }
    if (length < HEADER_BYTES || memcmp(header, magic, sizeof magic) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a database", path);
    return check_identity(path, big_endian(header + APPLICATION_OFFSET),
                          big_endian(header + VERSION_OFFSET), error);
}

/* Whether a collect was cut off: then the bytes say nothing until SQLite has rolled it back. */
static int has_journal(const char *path, struct nuce_error *error)
{
    char *journal = nuce_text_format(error, "%s-journal", path);
    struct stat facts;
    int there = journal != NULL && stat(journal, &facts) == 0 && facts.st_size > 0;

    free(journal);
    return there;
}

static nuce_status check_content(struct nuce_store *store, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, "PRAGMA quick_check(1)", &statement, error);

    if (status != NUCE_OK)
        return status;
    if (sqlite3_step(statement) != SQLITE_ROW) {
        status = nuce_store_fail(store, error);
    } else if (strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0) {
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: the database is damaged (%s); move it away and run 'nuce "
                                "collect', which makes it anew from the record files",
                                store->path, (const char *)sqlite3_column_text(statement, 0));
    }
    (void)sqlite3_finalize(statement);
    return status;
}

static nuce_status open_handle(struct nuce_store *store, int flags, struct nuce_error *error)
{
    int code = sqlite3_open_v2(store->path, &store->handle, flags, NULL);

    if (code != SQLITE_OK)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", store->path, sqlite3_errstr(code));
    (void)sqlite3_busy_timeout(store->handle, BUSY_MS);
    /* Big enough that a large collect rarely spills; SQLite takes what it needs. */
    return nuce_store_execute(store,
                              "PRAGMA cache_size = -131072; PRAGMA temp_store = MEMORY;"
                              "PRAGMA foreign_keys = ON",
                              error);
}

static nuce_status take_lock(struct nuce_store *store, struct nuce_error *error)
{
    char *path = nuce_text_format(error, "%s.lock", store->path);
    nuce_status status = NUCE_OK;

    if (path == NULL)
        return error->status;
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (store->lock < 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    free(path);
    /* Where the file system has no flock, BEGIN IMMEDIATE alone keeps writers apart. */
    while (status == NUCE_OK && flock(store->lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return status;
}

/* Foreign keys can be switched between transactions only: off where a migration is to come. */
static nuce_status prepare_migration(struct nuce_store *store, struct nuce_error *error)
{
    int64_t version = 0, current = 0;

    if (nuce_store_integer(store, "PRAGMA user_version", &version, error) != NUCE_OK ||
        nuce_store_current_version(&current, error) != NUCE_OK)
        return error->status;
    store->checks = version > 0 && version < current;
    return store->checks ? nuce_store_execute(store, "PRAGMA foreign_keys = OFF", error) : NUCE_OK;
}

/* After the lock is held: checks, opens, begins, brings the schema up to date. */
static nuce_status open_locked(struct nuce_store *store, struct nuce_error *error)
{
    int recovering = has_journal(store->path, error);
    int empty = 0;
    int64_t application = 0, version = 0;

    if (!recovering && check_header(store->path, &empty, error) != NUCE_OK)
        return error->status;
    store->created = empty;
    if (open_handle(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error) != NUCE_OK)
        return error->status;
    if (!empty && check_content(store, error) != NUCE_OK)
        return error->status;
    if (prepare_migration(store, error) != NUCE_OK ||
        nuce_store_execute(store, "PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE", error) !=
            NUCE_OK ||
        nuce_store_integer(store, "PRAGMA application_id", &application, error) != NUCE_OK ||
        nuce_store_integer(store, "PRAGMA user_version", &version, error) != NUCE_OK)
        return error->status;
    /* Rolled back to nothing: the collect that was cut off had been creating the file. */
    if (recovering && application == 0 && version == 0)
        store->created = empty = 1;
    if (!empty && check_identity(store->path, application, version, error) != NUCE_OK)
        return error->status;
    return nuce_store_migrate(store, version, error);
}

nuce_status nuce_store_open_writing(const char *path, struct nuce_store *out,
                                    struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    int empty = 0;

    /* Refuse what is plainly not ours before a lock file appears beside it. */
    if (!has_journal(path, error) && check_header(path, &empty, error) != NUCE_OK)
        return error->status;
    store.path = strdup(path);
    if (store.path == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    if (take_lock(&store, error) != NUCE_OK || open_locked(&store, error) != NUCE_OK) {
        nuce_store_close(&store);
        return error->status;
    }
    *out = store;
    return NUCE_OK;
}

/* Views and queries are of one schema: that of this nuce. */
static nuce_status check_current(struct nuce_store *store, struct nuce_error *error)
{
    int64_t version = 0, current = 0;

    if (nuce_store_integer(store, "PRAGMA user_version", &version, error) != NUCE_OK ||
        nuce_store_current_version(&current, error) != NUCE_OK)
        return error->status;
    if (version < current)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%s: made by an older nuce (schema version %lld, this one's is %lld): "
            "'nuce collect' brings it up to date",
            store->path, (long long)version, (long long)current);
    return NUCE_OK;
}

nuce_status nuce_store_open_reading(const char *path, struct nuce_store *out,
                                    struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    nuce_status status;
    int empty = 0;

    if (!has_journal(path, error) && check_header(path, &empty, error) != NUCE_OK)
        return error->status;
    if (empty)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no database yet: 'nuce collect' makes it from the records of "
                              "campaigns",
                              path);
    store.path = strdup(path);
    if (store.path == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    status = open_handle(&store, SQLITE_OPEN_READONLY, error);
    if (status == NUCE_OK)
        status = check_current(&store, error);
    if (status == NUCE_OK)
        *out = store;
    else
        nuce_store_close(&store);
    return status;
}

/* That no row refers to one that is not there. */
static nuce_status check_references(struct nuce_store *store, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, "PRAGMA foreign_key_check", &statement, error);
    int code;

    if (status != NUCE_OK)
        return status;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        status = nuce_error_set(error, NUCE_FAILED,
                                "%s: not migrated: a row of '%s' refers to none of '%s'; move it "
                                "away and run 'nuce collect', which makes it anew from the record "
                                "files",
                                store->path, (const char *)sqlite3_column_text(statement, 0),
                                (const char *)sqlite3_column_text(statement, 2));
    else if (code != SQLITE_DONE)
        status = nuce_store_fail(store, error);
    (void)sqlite3_finalize(statement);
    return status;
}

nuce_status nuce_store_commit(struct nuce_store *store, struct nuce_error *error)
{
    if (store->checks && check_references(store, error) != NUCE_OK)
        return error->status;
    if (nuce_store_execute(store, "COMMIT", error) != NUCE_OK)
        return error->status;
    store->created = 0;
    return NUCE_OK;
}

void nuce_store_close(struct nuce_store *store)
{
    if (store->handle != NULL && store->lock >= 0 && !sqlite3_get_autocommit(store->handle))
        (void)sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
    (void)sqlite3_close(store->handle);
    if (store->created && store->lock >= 0)
        (void)unlink(store->path);
    if (store->lock >= 0)
        (void)close(store->lock);
    free(store->path);
    *store = (struct nuce_store){.lock = -1};
}
