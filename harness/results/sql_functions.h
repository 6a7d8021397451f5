/* What the queries of plots can call beside SQLite's own functions. */
#ifndef NUCE_SQL_FUNCTIONS_H
#define NUCE_SQL_FUNCTIONS_H

#include "db/store.h"
#include "support/error.h"

/* Adds to the connection the aggregate function
 *
 *   rank_correlation(x, y)   Spearman's, of the pairs without a NULL, as JSON [rho, low, high] with
 *                            its 95 % interval; null: there is none (rank_correlation.h)
 *
 * which goes when the store is closed. */
nuce_status nuce_sql_functions_add(struct nuce_store *store, struct nuce_error *error);

#endif
