/* Grids of the database's answers. */
#ifndef NUCE_GRID_READ_H
#define NUCE_GRID_READ_H

#include <stdint.h>

#include "base/error.h"
#include "base/grid.h"
#include "db/store.h"

/* Steps the statement, which the caller finalises, to its end. Its rows become *out, with the
 * query's column names; released with nuce_grid_fini. Integers and reals are printed in full, so
 * that the same number is read back. */
nuce_status nuce_grid_read(struct nuce_store *store, sqlite3_stmt *statement, struct nuce_grid *out,
                           struct nuce_error *error);

/* The same for a query whose text is formatted as by sqlite3_mprintf. */
nuce_status nuce_grid_query(struct nuce_store *store, struct nuce_grid *out,
                            struct nuce_error *error, const char *format, ...);

/* The same for at most that many rows; *ended: there are no more. */
nuce_status nuce_grid_read_some(struct nuce_store *store, sqlite3_stmt *statement, int64_t most,
                                struct nuce_grid *out, int *ended, struct nuce_error *error);

#endif
