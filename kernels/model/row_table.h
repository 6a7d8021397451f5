/* How nuce-model prints its results: an array of JSON objects as text, JSON or CSV. */
#ifndef NUCE_ROW_TABLE_H
#define NUCE_ROW_TABLE_H

#include <jansson.h>
#include <stdio.h>

#include "support/error.h"

/* A column of text and CSV; a list of them ends with a key that is NULL. */
struct nuce_row_column {
    const char *key; /* of the objects */
    int is_time;     /* seconds: as text with a unit */
};

/* Prints rows: "text" (a table), "csv", or "json" (one a line, all their keys). digits: significant
 * ones of reals in JSON and CSV; NUCE_ROW_TABLE_EXACT tells any two apart. */
#define NUCE_ROW_TABLE_EXACT 17
nuce_status nuce_row_table_print(const json_t *rows, const struct nuce_row_column *columns,
                                 const char *format, int digits, FILE *file,
                                 struct nuce_error *error);

#endif
