/* The database file: only collect opens it for writing; everything else reads only.
 *
 * Writing holds FILE.lock (flock) and one transaction from open to commit, so any number of
 * processes can collect at once. It uses the rollback journal, because WAL does not work on
 * network file systems. A file that is not a database, foreign or damaged is refused
 * (NUCE_BAD_INPUT) and unchanged. The user_version is a hash of the schema. A database of
 * another schema is not changed either: a new one is made next to it, and replaces it at the
 * commit. */
#ifndef NUCE_STORE_H
#define NUCE_STORE_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/error.h"

#define NUCE_STORE_APPLICATION_ID 0x6e756365 /* "nuce" */

/* An open database, and its lock. All pointers are owned; nuce_store_close releases them. */
struct nuce_store {
    /* The connection. Statements prepared on it must be finalised before nuce_store_close, or
     * the file stays open. */
    sqlite3 *handle;
    /* From nuce_store_limit: the granted seconds (0: no limit), and their end, by nuce_clock. */
    double limit_s, deadline_s;
    char *path; /* the database */
    /* Path of the file that will replace path, which has another schema; NULL: path itself is
     * written. */
    char *draft;
    char *kept;  /* after commit: new place of an old file that held more; else NULL */
    int lock;    /* descriptor of the lock file; -1: read-only */
    int created; /* this open made the file: it is removed unless committed */
};

/* Waits for the lock, then opens path, or creates it with nuce's schema. If path has another
 * schema, the store is an empty one with draft set: the caller fills it from all record files. A
 * transaction is open afterwards. Released with nuce_store_close. */
nuce_status nuce_store_open_writing(const char *path, struct nuce_store *out,
                                    struct nuce_error *error);

/* Checks for a caller that opens path for writing hours later. NUCE_BAD_INPUT if that cannot
 * succeed: path is not a database of nuce, or its folder is missing or not writable. Nothing is
 * made or opened; damage further inside is found at the opening. */
nuce_status nuce_store_check_writing(const char *path, struct nuce_error *error);

/* Opens path, which must exist and have the schema of this nuce (NUCE_BAD_INPUT). Temporary
 * tables can be made; nothing else can be written. No lock is taken: during a collect, the last
 * committed content is read. All queries together have 15 minutes, unless nuce_store_limit sets
 * another limit. SQLite keeps a pointer to *out for that, so it must not be moved or copied
 * before it is closed. Released with nuce_store_close. */
nuce_status nuce_store_open_reading(const char *path, struct nuce_store *out,
                                    struct nuce_error *error);

/* Makes an empty database in memory, with nuce's schema and without a transaction: for runs that
 * are read once and not kept. Released with nuce_store_close. */
nuce_status nuce_store_open_memory(struct nuce_store *out, struct nuce_error *error);

/* Ends the transaction of a store open for writing; close follows. A draft becomes the database.
 * The old file is removed if the new one has all runs of all its record files, else moved aside. */
nuce_status nuce_store_commit(struct nuce_store *store, struct nuce_error *error);

/* Closes; uncommitted changes are undone. Accepts an all-zero one. */
void nuce_store_close(struct nuce_store *store);

/* From now on only SELECT is allowed: not ATTACH, PRAGMA, VACUUM INTO or any change. */
void nuce_store_restrict(struct nuce_store *store);

/* Queries from now on end after limit_s seconds in all, with NUCE_FAILED. *store must not move,
 * because SQLite keeps a pointer to it. */
void nuce_store_limit(struct nuce_store *store, double limit_s);

/* Turns SQLite's error into *error and returns its status: damage and bad SQL are
 * NUCE_BAD_INPUT, a full disk and other errors NUCE_FAILED. */
nuce_status nuce_store_fail(struct nuce_store *store, struct nuce_error *error);

/* Prepares one statement; finalised by the caller with sqlite3_finalize. */
nuce_status nuce_store_prepare(struct nuce_store *store, const char *sql, sqlite3_stmt **out,
                               struct nuce_error *error);

/* Runs a script of several statements, and drops their rows. The first failure ends it; the
 * effects of earlier statements stay, within the transaction. */
nuce_status nuce_store_execute(struct nuce_store *store, const char *sql, struct nuce_error *error);

/* The same for a text formatted as by sqlite3_mprintf: use %Q for user input. */
nuce_status nuce_store_run(struct nuce_store *store, struct nuce_error *error, const char *format,
                           ...);

/* The first column of the first row of such a query: a number, 0 if there is no row; or a new
 * string, "" for no row or NULL. If there is no string, *error is set. */
nuce_status nuce_store_count(struct nuce_store *store, int64_t *out, struct nuce_error *error,
                             const char *format, ...);
char *nuce_store_text(struct nuce_store *store, struct nuce_error *error, const char *format, ...);

/* The text of a file shipped with nuce, such as "db/views.sql", or NULL with *error; a new
 * string. */
char *nuce_store_shipped(const char *name, struct nuce_error *error);

/* Runs the script in such a file; its name begins an error's message. */
nuce_status nuce_store_run_shipped(struct nuce_store *store, const char *name,
                                   struct nuce_error *error);

/* The id of the campaign that the user calls name: NAME.K, or the newest of the sweep of that name.
 * A new string; NULL with NUCE_BAD_INPUT: there is none. */
char *nuce_store_campaign(struct nuce_store *store, const char *name, struct nuce_error *error);

/* NUCE_BAD_INPUT if the store has another campaign of that id, made at another time than created
 * (NULL: not known). Unknown times in the store, of records without campaign.json, are no other. */
nuce_status nuce_store_check_campaign(struct nuce_store *store, const char *id, const char *created,
                                      struct nuce_error *error);

/* The largest K of up to six digits of the campaigns NAME.K in the database at path; 0: it has
 * none, or cannot be read. A new campaign takes a greater one. */
int64_t nuce_store_last_number(const char *path, const char *name);

/* A few campaigns alone, as if the database held no other: hides the other campaigns' rows from all
 * that is read from the store (open for reading) from now on. campaigns are their names, with
 * commas between; that of a sweep is its newest. run, job, campaign and record_file have only those
 * of them, and outcome and the views that stand on it pool only their runs. NULL: hides nothing.
 * What belongs to no campaign (point, environment) or hangs on a run (sample, event, ...) is left
 * whole: it is found by joining it. NUCE_BAD_INPUT: there is no such campaign; an empty answer
 * would look like no runs. */
nuce_status nuce_store_narrow(struct nuce_store *store, const char *campaigns,
                              struct nuce_error *error);

/* NUCE_BAD_INPUT unless environment is the beginning of an id in the store, or NULL, for all. A
 * misspelt one must not look like one without results. */
nuce_status nuce_store_check_environment(struct nuce_store *store, const char *environment,
                                         struct nuce_error *error);

/* For store.c alone: makes all tables and views in a new file, and writes application_id and
 * user_version, by which nuce recognises it. Needs an open transaction. */
nuce_status nuce_store_create_schema(struct nuce_store *store, struct nuce_error *error);

/* For store.c alone: adds to the connection the functions that views and queries use in addition
 * to SQLite's own (sql_functions.c lists them), for as long as it is open. Returns SQLite's
 * code. */
int nuce_sql_functions_add(sqlite3 *handle);

/* The user_version of a database made by this nuce. */
nuce_status nuce_store_schema_version(int64_t *out, struct nuce_error *error);

#endif
