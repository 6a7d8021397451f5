/* Opening, checking and closing the database file.
 *
 * In this order: what stands at a path, by its first bytes (check_header); opening for collect
 * (nuce_store_open_writing), which takes the lock, lets SQLite undo what a collect that was cut off
 * had begun, checks all of the file, and begins the transaction; opening for reading; committing;
 * closing.
 *
 * What must never happen: that a file of somebody else is changed, that a database is half of one
 * schema and half of another, that a run goes whose record file is gone. So a database of another
 * schema is not changed but replaced by a new one (the draft), and moved aside instead of being
 * deleted where it held more. Sources: SQLite's "Database File Format", section 1.3 (the header),
 * "PRAGMA Statements", and "Atomic Commit In SQLite" (the journal). */
#include "db/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

/* SQLite's file format, section 1.3: the text that begins every database, and where user_version
 * and application_id stand (big-endian). */
static const char magic[16] = "SQLite format 3";
enum {
    /* All of the header; no database is shorter, an empty file excepted. */
    HEADER_BYTES = 100,
    VERSION_OFFSET = 60,
    APPLICATION_OFFSET = 68,
    /* How long SQLite waits for another connection's lock before it gives up. A commit of 100 000
     * runs takes seconds. */
    BUSY_MS = 60000,
    POLL_MS = 20,
};

/* SQLite's header has its numbers so, whatever the machine. */
static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* What stands at a path. */
enum store_content {
    CONTENT_NONE,    /* no file, or one without bytes */
    CONTENT_CURRENT, /* a database of this nuce's schema */
    CONTENT_OTHER,   /* one of another schema */
};

/* Tells a database of this schema from one of another; one that is not nuce's at all is refused.
 * Other programs' databases have another application_id, mostly 0. */
static nuce_status check_identity(const char *path, const unsigned char header[HEADER_BYTES],
                                  enum store_content *content, struct nuce_error *error)
{
    uint32_t application = big_endian(header + APPLICATION_OFFSET);
    int64_t current = 0;

    if (application != NUCE_STORE_APPLICATION_ID)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: an SQLite database, but not one of nuce's (application_id %lld, "
                              "expected %d)",
                              path, (long long)application, NUCE_STORE_APPLICATION_ID);
    if (nuce_store_schema_version(&current, error) != NUCE_OK)
        return error->status;
    *content = big_endian(header + VERSION_OFFSET) == current ? CONTENT_CURRENT : CONTENT_OTHER;
    return NUCE_OK;
}

/* Looks at the bytes before SQLite does, so that nothing foreign is touched. A file that is not
 * there or has no bytes is CONTENT_NONE and no error: SQLite makes a database of it. Where there is
 * a journal the header may be that of a transaction that did not end: has_journal first. */
static nuce_status check_header(const char *path, enum store_content *content,
                                struct nuce_error *error)
{
    unsigned char header[HEADER_BYTES];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts;
    ssize_t length;

    *content = CONTENT_NONE;
    if (descriptor < 0 && errno == ENOENT)
        return NUCE_OK;
    if (descriptor < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        close(descriptor);
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a regular file", path);
    }
    length = read(descriptor, header, sizeof header);
    close(descriptor);
    if (length == 0)
        return NUCE_OK;
    if (length < HEADER_BYTES || memcmp(header, magic, sizeof magic) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a database", path);
    return check_identity(path, header, content, error);
}

/* Whether a collect was cut off: then the bytes say nothing until SQLite has rolled it back. */
static int has_journal(const char *path)
{
    char *journal = nuce_text_format("%s-journal", path);
    struct stat facts;
    int there = stat(journal, &facts) == 0 && facts.st_size > 0;

    free(journal);
    return there;
}

/* One pass over the file: a damaged one is found before anything is added to it. quick_check, not
 * integrity_check: that would compare every index with its table as well, in time that grows faster
 * than the file ("PRAGMA Statements"). */
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
    sqlite3_finalize(statement);
    return status;
}

/* Opens the draft, if there is one, else the database. Both kinds of opening get nuce's own SQL
 * functions, without which the views cannot be read. On failure store->handle may be set;
 * nuce_store_close releases it. */
static nuce_status open_handle(struct nuce_store *store, int flags, struct nuce_error *error)
{
    const char *path = store->draft != NULL ? store->draft : store->path;
    int code;

    /* A handle is one thread's, and nobody asks how much memory SQLite has: without the locks and
     * counts for that a collect takes an eighth less. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    code = sqlite3_open_v2(path, &store->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);

    if (code == SQLITE_OK)
        code = nuce_sql_functions_add(store->handle);
    if (code != SQLITE_OK)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", store->path, sqlite3_errstr(code));
    sqlite3_busy_timeout(store->handle, BUSY_MS);
    /* cache_size below 0 is in KiB: 512 MiB. Runs come in no order of their ids, so a collect of
     * 100 000, a file of 300 MB, would read pages again that it has just written; SQLite takes only
     * what it needs. Sorting in memory, since /tmp on nodes is often small. Foreign keys
     * are off in SQLite unless asked for. */
    return nuce_store_execute(store,
                              "PRAGMA cache_size = -524288; PRAGMA temp_store = MEMORY;"
                              "PRAGMA foreign_keys = ON",
                              error);
}

/* One writer at a time, on file systems that know locks; it is let go when the descriptor closes,
 * also when the process dies. The lock is on a file of its own: SQLite locks bytes of the database
 * itself, and closing any descriptor of that file would drop them (POSIX). The lock file is never
 * removed: who waits for it holds the old one, and a new one would let a third in. */
static nuce_status store_take_lock(struct nuce_store *store, struct nuce_error *error)
{
    char *path = nuce_text_format("%s.lock", store->path);
    nuce_status status = NUCE_OK;

    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (store->lock < 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    free(path);
    /* Where the file system has no flock, BEGIN IMMEDIATE alone keeps writers apart. */
    while (status == NUCE_OK && flock(store->lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return status;
}

/* Lets SQLite undo what a collect that was cut off had begun; the bytes are to be trusted then. Any
 * read does it: SQLite finds the hot journal and rolls it back before it answers. */
static nuce_status store_recover(struct nuce_store *store, struct nuce_error *error)
{
    int64_t version = 0;
    nuce_status status;

    status = open_handle(store, SQLITE_OPEN_READWRITE, error);
    if (status == NUCE_OK)
        status = nuce_store_count(store, &version, error, "PRAGMA user_version");
    sqlite3_close(store->handle);
    store->handle = NULL;
    return status;
}

/* Takes a name for the draft; what an earlier one left there is of no use. */
static nuce_status begin_draft(struct nuce_store *store, struct nuce_error *error)
{
    char *journal = nuce_text_format("%s.new-journal", store->path);
    nuce_status status = NUCE_OK;

    store->draft = nuce_text_format("%s.new", store->path);
    if ((unlink(store->draft) != 0 && errno != ENOENT) || (unlink(journal) != 0 && errno != ENOENT))
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", store->draft, strerror(errno));
    free(journal);
    return status;
}

/* After the lock is held: checks, opens, begins, and makes the tables of a new file. */
static nuce_status open_locked(struct nuce_store *store, struct nuce_error *error)
{
    enum store_content content;

    /* Order matters: bytes are looked at only when no journal can undo them, and the draft gets its
     * name before the handle is opened, since open_handle opens the draft where there is one. */
    if (has_journal(store->path) && store_recover(store, error) != NUCE_OK)
        return error->status;
    if (check_header(store->path, &content, error) != NUCE_OK)
        return error->status;
    if (content == CONTENT_OTHER && begin_draft(store, error) != NUCE_OK)
        return error->status;
    store->created = content != CONTENT_CURRENT;
    if (open_handle(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error) != NUCE_OK)
        return error->status;
    if (!store->created && check_content(store, error) != NUCE_OK)
        return error->status;
    /* IMMEDIATE: whoever writes by sqlite3, without our lock, is kept out from here on, not only
     * from the first change. */
    if (nuce_store_execute(store, "PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE", error) !=
        NUCE_OK)
        return error->status;
    return store->created ? nuce_store_create_schema(store, error) : NUCE_OK;
}

nuce_status nuce_store_open_writing(const char *path, struct nuce_store *out,
                                    struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    enum store_content content;

    /* Refuse what is plainly not ours before a lock file appears beside it. */
    if (!has_journal(path) && check_header(path, &content, error) != NUCE_OK)
        return error->status;
    store.path = nuce_text_duplicate(path);
    if (store_take_lock(&store, error) != NUCE_OK || open_locked(&store, error) != NUCE_OK) {
        nuce_store_close(&store);
        return error->status;
    }
    *out = store;
    return NUCE_OK;
}

nuce_status nuce_store_check_writing(const char *path, struct nuce_error *error)
{
    enum store_content content;
    const char *slash = strrchr(path, '/');
    char *folder;

    if (!has_journal(path) && check_header(path, &content, error) != NUCE_OK)
        return error->status;
    folder = nuce_text_format("%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
                              slash == NULL ? "." : path);
    error->status = NUCE_OK;
    if (access(folder, W_OK | X_OK) != 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s: %s", path, folder, strerror(errno));
    else if (access(path, W_OK) != 0 && errno != ENOENT)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    free(folder);
    return error->status;
}

/* Views and queries are of one schema: that of this nuce. */
static nuce_status check_current(struct nuce_store *store, struct nuce_error *error)
{
    int64_t version = 0, current = 0;

    if (nuce_store_count(store, &version, error, "PRAGMA user_version") != NUCE_OK ||
        nuce_store_schema_version(&current, error) != NUCE_OK)
        return error->status;
    if (version != current)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%s: made by another version of nuce (schema %lld, this one's is "
            "%lld): run 'nuce collect', which makes it anew from the record files",
            store->path, (long long)version, (long long)current);
    return NUCE_OK;
}

/* A report of 100 000 runs takes seconds. A view of another's database may have no end. */
#define READING_LIMIT_S 900

static nuce_status open_current(const char *path, struct nuce_store *out, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    enum store_content content = CONTENT_CURRENT;
    nuce_status status;

    if (!has_journal(path) && check_header(path, &content, error) != NUCE_OK)
        return error->status;
    if (content == CONTENT_NONE)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no database yet: 'nuce collect' makes it from the records of "
                              "campaigns",
                              path);
    store.path = nuce_text_duplicate(path);
    status = open_handle(&store, SQLITE_OPEN_READONLY, error);
    if (status == NUCE_OK)
        status = check_current(&store, error);
    if (status != NUCE_OK) {
        nuce_store_close(&store);
        return status;
    }
    *out = store;
    return NUCE_OK;
}

/* Waits while a collect has the lock, for as long as SQLite waits for one: 0: none has it now. */
static int wait_for_collect(const char *path)
{
    const struct timespec turn = {.tv_nsec = POLL_MS * 1000000L};
    char *name = nuce_text_format("%s.lock", path);
    int lock = open(name, O_RDONLY | O_CLOEXEC);
    int is_held = 0;

    free(name);
    if (lock < 0)
        return 0;
    for (int waited_ms = 0; waited_ms < BUSY_MS; waited_ms += POLL_MS) {
        is_held = flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!is_held)
            break;
        nanosleep(&turn, NULL);
    }
    close(lock);
    return is_held;
}

/* While the first collect is at it, or the first of this version, there is no database that can be
 * read: not "none yet", and not one of another version, which it looks like until the commit. */
nuce_status nuce_store_open_reading(const char *path, struct nuce_store *out,
                                    struct nuce_error *error)
{
    nuce_status status = open_current(path, out, error);

    if (status == NUCE_BAD_INPUT) {
        if (wait_for_collect(path))
            return nuce_error_set(error, NUCE_FAILED,
                                  "%s: collecting: a nuce is making it from the record files; ask "
                                  "again when it is done",
                                  path);
        status = open_current(path, out, error);
    }
    if (status == NUCE_OK)
        nuce_store_limit(out, READING_LIMIT_S);
    return status;
}

/* Whether the new database, which is open, has at least as many runs of every record file as the
 * one at store->path: then nothing is lost with the old one. One that cannot be attached or read,
 * or has no table record_file (of a much older schema), may have held anything: 0. It stays
 * attached, as the connection is closed next. */
static int has_all(struct nuce_store *store)
{
    static const char sql[] = "SELECT count(*) FROM old.record_file AS o"
                              " LEFT JOIN main.record_file AS n ON n.name = o.name"
                              " WHERE n.runs IS NULL OR n.runs < o.runs";
    struct nuce_error error;
    sqlite3_stmt *attach = NULL;
    int64_t missing = -1;

    if (nuce_store_prepare(store, "ATTACH ?1 AS old", &attach, &error) != NUCE_OK)
        return 0;
    sqlite3_bind_text(attach, 1, store->path, -1, SQLITE_STATIC);
    if (sqlite3_step(attach) == SQLITE_DONE)
        nuce_store_count(store, &missing, &error, sql);
    sqlite3_finalize(attach);
    return missing == 0;
}

/* Moves the old database aside, to the first of FILE.old, FILE.old2, ... that is free. Never over
 * an earlier one, which may be the only place where its runs still are. On success store->kept is
 * the path. */
static nuce_status move_aside(struct nuce_store *store, struct nuce_error *error)
{
    char *path = nuce_text_format("%s.old", store->path);

    for (int i = 2; access(path, F_OK) == 0; i++) {
        free(path);
        path = nuce_text_format("%s.old%d", store->path, i);
    }
    if (rename(store->path, path) != 0) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
        free(path);
        return error->status;
    }
    store->kept = path;
    return NUCE_OK;
}

/* The draft, which is complete, takes the place of the database. By rename, so that a reader finds
 * either the old file or the whole new one. The connection is closed first: SQLite warns of
 * renaming a file that is open. A crash between the two renames leaves no file at the path: the
 * next collect makes the database anew from the record files, and what was moved aside is still
 * there. */
static nuce_status store_replace(struct nuce_store *store, struct nuce_error *error)
{
    int all = has_all(store);

    sqlite3_close(store->handle);
    store->handle = NULL;
    if (!all && move_aside(store, error) != NUCE_OK)
        return error->status;
    if (rename(store->draft, store->path) != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", store->draft, strerror(errno));
    return NUCE_OK;
}

/* Until the last line nuce_store_close would remove what this open has made. */
nuce_status nuce_store_commit(struct nuce_store *store, struct nuce_error *error)
{
    if (nuce_store_execute(store, "COMMIT", error) != NUCE_OK)
        return error->status;
    if (store->draft != NULL && store_replace(store, error) != NUCE_OK)
        return error->status;
    store->created = 0;
    return NUCE_OK;
}

/* store.h says what it does. A file that this open made and did not commit is removed: an empty
 * database would look like one without runs. That happens under the lock, which goes last. */
void nuce_store_close(struct nuce_store *store)
{
    if (store->handle != NULL && store->lock >= 0 && !sqlite3_get_autocommit(store->handle))
        sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(store->handle);
    if (store->created && store->lock >= 0)
        unlink(store->draft != NULL ? store->draft : store->path);
    if (store->lock >= 0)
        close(store->lock);
    free(store->kept);
    free(store->draft);
    free(store->path);
    *store = (struct nuce_store){.lock = -1};
}
