/* What views and queries can call beside SQLite's own functions. */
#ifndef NUCE_SQL_FUNCTIONS_H
#define NUCE_SQL_FUNCTIONS_H

#include <sqlite3.h>

/* Adds to the connection, for as long as it is open,
 *
 *   student(df)              half the width of the 95 % interval of a mean, in standard errors, by
 *                            its degrees of freedom; NULL without any
 *   rank_correlation(x, y)   aggregate: Spearman's, of the pairs without a NULL, as JSON
 *                            [rho, low, high] with its 95 % interval; null: there is none
 *                            (rank_correlation.h)
 *
 * Returns SQLite's code. */
int nuce_sql_functions_add(sqlite3 *handle);

#endif
