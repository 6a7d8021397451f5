/* Opening, checking and closing the database file.
 *
 * In this order: recognising the content of a path by its first bytes (check_header); opening
 * for collect (nuce_store_open_writing); opening for reading; committing; closing. Opening for
 * collect takes the lock, lets SQLite undo an interrupted collect, checks all of the file, and
 * begins the transaction.
 *
 * Three things must never happen. A foreign file must not be changed. A database must not mix
 * two schemas. A run must not be lost if its record file is gone. So a database of another
 * schema is not changed but replaced by a new one (the draft). If it held more than the new one,
 * it is moved aside instead of being deleted. Sources: SQLite's "Database File Format", section
 * 1.3 (the header), "PRAGMA Statements", and "Atomic Commit In SQLite" (the journal). */
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

/* SQLite's file format, section 1.3: the text at the beginning of every database, and the places
 * of user_version and application_id (big-endian). */
static const char magic[16] = "SQLite format 3";
enum {
    /* All of the header; every database is at least as long, except an empty file. */
    HEADER_BYTES = 100,
    VERSION_OFFSET = 60,
    APPLICATION_OFFSET = 68,
    /* The time that SQLite waits for another connection's lock. A commit of 100 000 runs takes
     * seconds. */
    BUSY_MS = 60000,
    POLL_MS = 20,
};

/* The content of a path. */
enum store_content {
    CONTENT_NONE,    /* no file, or one without bytes */
    CONTENT_CURRENT, /* a database of this nuce's schema */
    CONTENT_OTHER,   /* one of another schema */
};

/* Checks the bytes before SQLite does, so that no foreign file is touched. A file that is
 * missing or has no bytes is CONTENT_NONE and no error: SQLite makes a database of it. If there
 * is a journal, the header may be that of an unfinished transaction: call has_journal first. A
 * foreign file is refused: other programs' databases have another application_id, mostly 0. */
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

/* True if a collect was interrupted: the bytes then have no meaning until SQLite has rolled it
 * back. */
static int has_journal(const char *path)
{
    char *journal = nuce_text_format("%s-journal", path);
    struct stat facts;
    int there = stat(journal, &facts) == 0 && facts.st_size > 0;

    free(journal);
    return there;
}

/* Opens the draft, if there is one, else the database. Both kinds of opening get nuce's own SQL
 * functions, which the views need. On failure store->handle may be set; nuce_store_close
 * releases it. */
static nuce_status open_handle(struct nuce_store *store, int flags, struct nuce_error *error)
{
    const char *path = store->draft != NULL ? store->draft : store->path;
    int code;

    /* A handle belongs to one thread, and SQLite's memory statistics are not needed: without
     * their locks and counts a collect takes an eighth less. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    code = sqlite3_open_v2(path, &store->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);

    if (code == SQLITE_OK)
        code = nuce_sql_functions_add(store->handle);
    if (code != SQLITE_OK)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", store->path, sqlite3_errstr(code));
    sqlite3_busy_timeout(store->handle, BUSY_MS);
    /* cache_size below 0 is in KiB: 512 MiB. Runs do not come in the order of their ids, so a
     * collect of 100 000, a file of 300 MB, would read pages again that it has just written.
     * SQLite allocates only as much as it needs. Sorting is in memory, because /tmp on nodes is
     * often small. Foreign keys are off in SQLite by default. Pages of a new file are of 16 KiB:
     * of those of 4 KiB, a row of samples fills a third. A collect of 100 000 runs takes a tenth
     * less, a table of them a sixth. */
    return nuce_store_execute(store,
                              "PRAGMA cache_size = -524288; PRAGMA temp_store = MEMORY;"
                              "PRAGMA foreign_keys = ON; PRAGMA page_size = 16384",
                              error);
}

/* One writer at a time, on file systems with locks. The lock is released when the descriptor
 * closes, even if the process dies. It is on a separate file: SQLite locks bytes of the database
 * itself, and closing any descriptor of that file would drop them (POSIX). The lock file is
 * never removed: a waiting process holds the old one, and a new one would let a third process
 * in. */
static nuce_status store_take_lock(struct nuce_store *store, struct nuce_error *error)
{
    char *path = nuce_text_format("%s.lock", store->path);
    nuce_status status = NUCE_OK;

    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (store->lock < 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    free(path);
    /* If the file system has no flock, only BEGIN IMMEDIATE keeps writers apart. */
    while (status == NUCE_OK && flock(store->lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return status;
}

/* Called with the lock held: checks, opens, begins, and makes the tables of a new file. Order
 * matters: bytes are checked only when no journal can undo them. The draft gets its name before
 * the handle is opened, because open_handle opens the draft if there is one. An earlier
 * collect's draft is useless. */
static nuce_status open_locked(struct nuce_store *store, struct nuce_error *error)
{
    enum store_content content;
    int64_t version = 0;

    /* Any read lets SQLite undo an interrupted collect: it finds the hot journal and rolls it
     * back before it answers. */
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
    /* One pass over the file, to find damage before anything is added to it. It uses quick_check,
     * because integrity_check would also compare every index with its table, in time that grows
     * faster than the file ("PRAGMA Statements"). */
    if (!store->created) {
        char *said = nuce_store_text(store, error, "PRAGMA quick_check(1)");

        if (said != NULL && strcmp(said, "ok") != 0)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: the database is damaged (%s); move it away and run 'nuce collect', "
                           "which makes it again from the records",
                           store->path, said);
        free(said);
        if (error->status != NUCE_OK)
            return error->status;
    }
    /* IMMEDIATE: a writer that uses sqlite3, without our lock, is kept out from here on, not
     * only from the first change. */
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

    /* Refuse a foreign file before a lock file appears next to it. */
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

nuce_status nuce_store_open_memory(struct nuce_store *out, struct nuce_error *error)
{
    struct nuce_store store = {.path = nuce_text_duplicate(":memory:"), .lock = -1};

    if (open_handle(&store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error) != NUCE_OK ||
        nuce_store_create_schema(&store, error) != NUCE_OK) {
        nuce_store_close(&store);
        return error->status;
    }
    *out = store;
    return NUCE_OK;
}

/* A report of 100 000 runs takes seconds. A foreign view may run forever. */
#define READING_LIMIT_S 900

/* Views and queries have one schema: that of this nuce. */
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
                       "'nuce collect', which makes it again from the records",
                       store.path, (long long)version, (long long)current);
    if (error->status == NUCE_OK)
        *out = store;
    else
        nuce_store_close(&store);
    return error->status;
}

/* Waits while a collect has the lock, as long as SQLite waits for one. Returns 0 if the lock is
 * free now. */
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

/* During the first collect, or the first of this version, no database can be read. It is then
 * neither absent nor of another version, as it seems until the commit. */
nuce_status nuce_store_open_reading(const char *path, struct nuce_store *out,
                                    struct nuce_error *error)
{
    nuce_status status = open_current(path, out, error);

    if (status == NUCE_BAD_INPUT) {
        if (wait_for_collect(path))
            return nuce_error_set(
                error, NUCE_FAILED,
                "%s: another nuce is making it from the record files: try again when that is done",
                path);
        status = open_current(path, out, error);
    }
    if (status == NUCE_OK)
        nuce_store_limit(out, READING_LIMIT_S);
    return status;
}

/* Replaces the database with the draft, which is complete. It is renamed, so a reader finds
 * either the old file or the whole new one. The connection is closed first: SQLite warns of
 * renaming an open file. If the old database held more, it is moved aside, to the first of
 * FILE.old, FILE.old2, ... that is free. An earlier one is never overwritten, because it may
 * have the only copy of its runs. A crash between the two renames leaves no file at the path:
 * the next collect makes the database from the record files, and the moved one is still there. */
static nuce_status store_replace(struct nuce_store *store, struct nuce_error *error)
{
    struct nuce_error ignored;
    int64_t missing = -1;

    /* Nothing is lost with the old database if the new one has at least as many runs of every
     * record file. The old one may have held anything if it cannot be attached or read, or lacks
     * the table record_file (a much older schema). It stays attached until the handle is closed. */
    if (nuce_store_run(store, &ignored, "ATTACH %Q AS old", store->path) == NUCE_OK)
        nuce_store_count(store, &missing, &ignored,
                         "SELECT count(*) FROM old.record_file AS o"
                         " LEFT JOIN main.record_file AS n ON n.name = o.name"
                         " WHERE n.runs IS NULL OR n.runs < o.runs");
    sqlite3_close(store->handle);
    store->handle = NULL;
    if (missing != 0) {
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

/* Until the last line nuce_store_close would remove the file of this open. */
nuce_status nuce_store_commit(struct nuce_store *store, struct nuce_error *error)
{
    if (nuce_store_execute(store, "COMMIT", error) != NUCE_OK)
        return error->status;
    if (store->draft != NULL && store_replace(store, error) != NUCE_OK)
        return error->status;
    store->created = 0;
    return NUCE_OK;
}

/* Described in store.h. A file that this open made and did not commit is removed: an empty
 * database would look like one without runs. This happens under the lock, which is released
 * last. */
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
