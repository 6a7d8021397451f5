/* The database file: opened for writing by collect alone, read-only by everything else.
 *
 * Writing holds FILE.lock (flock) and one transaction from open to commit, so that any number of
 * processes can collect at once. The rollback journal is used, not WAL, which network file systems
 * do not carry. A file that is not a database, not ours, made by a newer nuce or damaged is
 * refused (NUCE_BAD_INPUT) and left as it is. */
#ifndef NUCE_STORE_H
#define NUCE_STORE_H

#include <sqlite3.h>
#include <stdint.h>

#include "error.h"

#define NUCE_STORE_APPLICATION_ID 0x6e756365 /* "nuce" */

struct nuce_store {
    sqlite3 *handle;
    char *path;
    int lock;    /* descriptor of the lock file; -1: read-only */
    int created; /* this open made the file: it goes again unless committed */
    int checks;  /* an older schema was migrated, without foreign keys: commit checks them */
};

/* Waits for the lock, then opens path, or creates it with the schema that nuce ships; migrates an
 * older one. A transaction is open afterwards. Released with nuce_store_close. */
nuce_status nuce_store_open_writing(const char *path, struct nuce_store *out,
                                    struct nuce_error *error);

/* Opens path, which must exist and have the schema of this nuce. Temporary tables can be made,
 * nothing else can be written. */
nuce_status nuce_store_open_reading(const char *path, struct nuce_store *out,
                                    struct nuce_error *error);

/* Ends the transaction of a store open for writing; close follows. */
nuce_status nuce_store_commit(struct nuce_store *store, struct nuce_error *error);

/* Closes; what is not committed is undone. Accepts one that is all zero. */
void nuce_store_close(struct nuce_store *store);

/* From now on only SELECT passes: not ATTACH, PRAGMA, VACUUM INTO or any change. */
void nuce_store_restrict(struct nuce_store *store);

/* Turns SQLite's error into *error and returns its status: damage and bad SQL are NUCE_BAD_INPUT,
 * a full disk and the rest NUCE_FAILED. */
nuce_status nuce_store_fail(struct nuce_store *store, struct nuce_error *error);

/* Prepares one statement; finalised by the caller with sqlite3_finalize. */
nuce_status nuce_store_prepare(struct nuce_store *store, const char *sql, sqlite3_stmt **out,
                               struct nuce_error *error);

/* Runs a whole script. */
nuce_status nuce_store_execute(struct nuce_store *store, const char *sql, struct nuce_error *error);

/* The first column of the first row of a query without parameters; 0 if there is no row. */
nuce_status nuce_store_integer(struct nuce_store *store, const char *sql, int64_t *out,
                               struct nuce_error *error);

/* Inside a module: the schema. Creates all tables (version 0) or applies the migrations that are
 * missing, then makes the views anew. */
nuce_status nuce_store_migrate(struct nuce_store *store, int64_t version, struct nuce_error *error);

/* The schema version of this nuce: the highest migration it ships, at least 1. */
nuce_status nuce_store_current_version(int64_t *out, struct nuce_error *error);

#endif
