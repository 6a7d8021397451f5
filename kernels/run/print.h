/* Rows of results as people and programs read them. */
#ifndef NUCE_PRINT_H
#define NUCE_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"
#include "points/workload.h"

/* Prints rows (an array of what nuce_run_row makes) to file: as text what all share in a line, then
 * what varies between the rows and the results, and last the controls; as JSON and CSV everything.
 * The rows are of workload, whose tables say which parameters may vary and which results may be
 * there. NUCE_FAILED: it cannot be written. Local. */
nuce_status nuce_print_rows(const json_t *rows, const struct nuce_workload_ops *workload,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error);

#endif
