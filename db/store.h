/* The database file: opened for writing by collect alone, read-only by everything else.
 *
 * Writing holds FILE.lock (flock) and one transaction from open to commit, so that any number of
 * processes can collect at once. The rollback journal is used, not WAL, which network file systems
 * do not carry. A file that is not a database, not ours or damaged is refused (NUCE_BAD_INPUT) and
 * left as it is. The user_version is a hash of the schema; a database of another one is not changed
 * either: a new one is made beside it, and takes its place when it is committed. */
#ifndef NUCE_STORE_H
#define NUCE_STORE_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/error.h"

#define NUCE_STORE_APPLICATION_ID 0x6e756365 /* "nuce" */

/* A database that is open, and its lock. What is pointed to is owned; nuce_store_close releases
 * it. */
struct nuce_store {
    /* The connection. Statements that are prepared on it have to be finalised before
     * nuce_store_close, or the file stays open. */
    sqlite3 *handle;
    /* Of nuce_store_limit: how many seconds it has given (0: no limit), and when they are over, by
     * nuce_clock. */
    double limit_s, deadline_s;
    char *path; /* the database */
    /* Path of the file that is written to take the place of path, which has another schema; NULL:
     * path itself is written. */
    char *draft;
    char *kept;  /* after commit: where the old path went as it held more than the new; else NULL */
    int lock;    /* descriptor of the lock file; -1: read-only */
    int created; /* this open made the file: it goes again unless committed */
};

/* Waits for the lock, then opens path, or creates it with the schema that nuce ships. If path has
 * another schema, the store is an empty one with draft set: the caller fills it from all record
 * files. A transaction is open afterwards. Released with nuce_store_close. */
nuce_status nuce_store_open_writing(const char *path, struct nuce_store *out,
                                    struct nuce_error *error);

/* For whoever opens path for writing hours later: NUCE_BAD_INPUT where that cannot go well, as path
 * is no database of nuce or its folder is not there or cannot be written to. Nothing is made or
 * opened; what is damaged further in is found when it is opened. */
nuce_status nuce_store_check_writing(const char *path, struct nuce_error *error);

/* Opens path, which must exist and have the schema of this nuce (NUCE_BAD_INPUT). Temporary tables
 * can be made, nothing else can be written, and no lock is taken: while somebody collects, what was
 * committed last is read. What is run has 15 minutes in all, unless nuce_store_limit says
 * otherwise. SQLite keeps a pointer to *out for that, so it must not be moved or copied before it
 * is closed. Released with nuce_store_close. */
nuce_status nuce_store_open_reading(const char *path, struct nuce_store *out,
                                    struct nuce_error *error);

/* Ends the transaction of a store open for writing; close follows. A draft becomes the database:
 * the old file is gone if the new one has all runs of all its record files, and moved aside if not.
 */
nuce_status nuce_store_commit(struct nuce_store *store, struct nuce_error *error);

/* Closes; what is not committed is undone. Accepts one that is all zero. */
void nuce_store_close(struct nuce_store *store);

/* From now on only SELECT passes: not ATTACH, PRAGMA, VACUUM INTO or any change. */
void nuce_store_restrict(struct nuce_store *store);

/* What is run from now on ends after limit_s seconds in all; it is then NUCE_FAILED. *store must
 * stay where it is, as SQLite keeps a pointer to it. */
void nuce_store_limit(struct nuce_store *store, double limit_s);

/* Turns SQLite's error into *error and returns its status: damage and bad SQL are NUCE_BAD_INPUT,
 * a full disk and the rest NUCE_FAILED. */
nuce_status nuce_store_fail(struct nuce_store *store, struct nuce_error *error);

/* Prepares one statement; finalised by the caller with sqlite3_finalize. */
nuce_status nuce_store_prepare(struct nuce_store *store, const char *sql, sqlite3_stmt **out,
                               struct nuce_error *error);

/* Runs a script of several statements, and throws rows away that they give. The first that fails
 * ends it; what ran before it stays done, as far as the transaction goes. */
nuce_status nuce_store_execute(struct nuce_store *store, const char *sql, struct nuce_error *error);

/* The same of a text that is formatted as by sqlite3_mprintf: what a user wrote is a %Q. */
nuce_status nuce_store_run(struct nuce_store *store, struct nuce_error *error, const char *format,
                           ...);

/* The first column of the first row of such a query: a number, 0 if there is no row; or a new
 * string, "" where there is none or NULL. Without a string *error stands. */
nuce_status nuce_store_count(struct nuce_store *store, int64_t *out, struct nuce_error *error,
                             const char *format, ...);
char *nuce_store_text(struct nuce_store *store, struct nuce_error *error, const char *format, ...);

/* The text of a file that nuce ships, such as "db/views.sql", or NULL with *error; a new string. */
char *nuce_store_shipped(const char *name, struct nuce_error *error);

/* Runs the script in such a file, whose name begins the message of an error. */
nuce_status nuce_store_run_shipped(struct nuce_store *store, const char *name,
                                   struct nuce_error *error);

/* One campaign alone, as if the database held no other: hides the other campaigns' rows from all
 * that is read from the store (open for reading) from now on. run, job, campaign and record_file
 * have only those of campaign, or of the newest of the sweep of that name, and outcome and the
 * views that stand on it pool only its runs. NULL: hides nothing. What belongs to no campaign
 * (point, environment) or hangs on a run (sample, event, ...) is left whole: it is found by joining
 * it. NUCE_BAD_INPUT: there is no such campaign; an empty answer would look like no runs. */
nuce_status nuce_store_narrow(struct nuce_store *store, const char *campaign,
                              struct nuce_error *error);

/* NUCE_BAD_INPUT: environment is not the beginning of the id of one in the store, nor NULL, for
 * all. One that was misspelt must not look like one without results. */
nuce_status nuce_store_check_environment(struct nuce_store *store, const char *environment,
                                         struct nuce_error *error);

/* For store.c alone: makes all tables and views in a new file, and writes application_id and
 * user_version, by which it is known as ours. Needs an open transaction. */
nuce_status nuce_store_create_schema(struct nuce_store *store, struct nuce_error *error);

/* For store.c alone: adds to the connection what views and queries can call beside SQLite's own
 * functions (sql_functions.c lists them), for as long as it is open. Returns SQLite's code. */
int nuce_sql_functions_add(sqlite3 *handle);

/* The user_version of a database made by this nuce. */
nuce_status nuce_store_schema_version(int64_t *out, struct nuce_error *error);

#endif
