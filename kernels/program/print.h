/* Rows of results as people and programs read them. */
#ifndef NUCE_PRINT_H
#define NUCE_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "support/error.h"
#include "support/option.h"

/* Prints rows (an array of what nuce_run_row makes) to file as format: "text" (a table: what varies
 * between the rows, then the results), "json" (an object a line) or "csv". options is the table of
 * the parameters, which may vary. */
nuce_status nuce_print_rows(const json_t *rows, const struct nuce_option *options,
                            const char *format, FILE *file, struct nuce_error *error);

#endif
