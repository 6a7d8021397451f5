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

#include <endian.h>
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

/* What stands at a path. */
enum store_content {
    CONTENT_NONE,    /* no file, or one without bytes */
    CONTENT_CURRENT, /* a database of this nuce's schema */
    CONTENT_OTHER,   /* one of another schema */
};

/* Looks at the bytes before SQLite does, so that nothing foreign is touched. A file that is not
 * there or has no bytes is CONTENT_NONE and no error: SQLite makes a database of it. Where there is
 * a journal the header may be that of a transaction that did not end: has_journal first. One that
 * is not nuce's at all is refused: other programs' databases have another application_id, mostly 0.
 */
static nuce_status check_header(const char *path, enum store_content *content,
                                struct nuce_error *error)
{
    unsigned char header[HEADER_BYTES];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    uint32_t numbers[HEADER_BYTES / 4];
    int64_t current = 0;
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
    memcpy(numbers, header, sizeof numbers);
    if (be32toh(numbers[APPLICATION_OFFSET / 4]) != NUCE_STORE_APPLICATION_ID)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: an SQLite database, but not one of nuce's (application_id %lld, "
                              "expected %d)",
                              path, (long long)be32toh(numbers[APPLICATION_OFFSET / 4]),
                              NUCE_STORE_APPLICATION_ID);
    if (nuce_store_schema_version(&current, error) != NUCE_OK)
        return error->status;
    *content = be32toh(numbers[VERSION_OFFSET / 4]) == current ? CONTENT_CURRENT : CONTENT_OTHER;
    return NUCE_OK;
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
    char *said = nuce_store_text(store, error, "PRAGMA quick_check(1)");

    if (said != NULL && strcmp(said, "ok") != 0)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: the database is damaged (%s); move it away and run 'nuce collect', "
                       "which makes it anew from the record files",
                       store->path, said);
    free(said);
    return error->status;
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

/* After the lock is held: checks, opens, begins, and makes the tables of a new file. Order matters:
 * bytes are looked at only when no journal can undo them, and the draft gets its name before the
 * handle is opened, since open_handle opens the draft where there is one. What an earlier collect
 * left in the draft is of no use. */
static nuce_status open_locked(struct nuce_store *store, struct nuce_error *error)
{
    enum store_content content;
    int64_t version = 0;

    /* Any read lets SQLite undo what a collect that was cut off had begun: it finds the hot journal
     * and rolls it back before it answers. */
    if (has_journal(store->path) &&
        (open_handle(store, SQLITE_OPEN_READWRITE, error) != NUCE_OK ||
         nuce_store_count(store, &version, error, "PRAGMA user_version") != NUCE_OK))
        return error->status;
    sqlite3_close(store->handle);
    store->handle = NULL;
    if (check_header(store->path, &content, error) != NUCE_OK)
        return error->status;
    if (content == CONTENT_OTHER) {
        char *journal = nuce_text_format("%s.new-journal", store->path);
        int is_gone;

        store->draft = nuce_text_format("%s.new", store->path);
        is_gone = (unlink(store->draft) == 0 || errno == ENOENT) &&
                  (unlink(journal) == 0 || errno == ENOENT);
        free(journal);
        if (!is_gone)
            return nuce_error_set(error, NUCE_FAILED, "%s: %s", store->draft, strerror(errno));
    }
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

/* A report of 100 000 runs takes seconds. A view of another's database may have no end. */
#define READING_LIMIT_S 900

/* Views and queries are of one schema: that of this nuce. */
static nuce_status open_current(const char *path, struct nuce_store *out, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    enum store_content content = CONTENT_CURRENT;
    int64_t version = 0, current = 0;

    if (!has_journal(path) && check_header(path, &content, error) != NUCE_OK)
        return error->status;
    if (content == CONTENT_NONE)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no database yet: 'nuce collect' makes it from the records of "
                              "campaigns",
                              path);
    store.path = nuce_text_duplicate(path);
    error->status = open_handle(&store, SQLITE_OPEN_READONLY, error);
    if (error->status == NUCE_OK &&
        nuce_store_count(&store, &version, error, "PRAGMA user_version") == NUCE_OK &&
        nuce_store_schema_version(&current, error) == NUCE_OK && version != current)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: made by another version of nuce (schema %lld, this one's is %lld): run "
                       "'nuce collect', which makes it anew from the record files",
                       store.path, (long long)version, (long long)current);
    if (error->status == NUCE_OK)
        *out = store;
    else
        nuce_store_close(&store);
    return error->status;
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
    struct nuce_error error;
    int64_t missing = -1;

    if (nuce_store_run(store, &error, "ATTACH %Q AS old", store->path) == NUCE_OK)
        nuce_store_count(store, &missing, &error,
                         "SELECT count(*) FROM old.record_file AS o"
                         " LEFT JOIN main.record_file AS n ON n.name = o.name"
                         " WHERE n.runs IS NULL OR n.runs < o.runs");
    return missing == 0;
}

/* The draft, which is complete, takes the place of the database. By rename, so that a reader finds
 * either the old file or the whole new one. The connection is closed first: SQLite warns of
 * renaming a file that is open. Where the old database held more it is moved aside, to the first of
 * FILE.old, FILE.old2, ... that is free: never over an earlier one, which may be the only place
 * where its runs still are. A crash between the two renames leaves no file at the path: the next
 * collect makes the database anew from the record files, and what was moved aside is still there.
 */
static nuce_status store_replace(struct nuce_store *store, struct nuce_error *error)
{
    int all = has_all(store);

    sqlite3_close(store->handle);
    store->handle = NULL;
    if (!all) {
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
    }
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
