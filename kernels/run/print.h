/* Prints rows of results for people and programs. */
#ifndef NUCE_PRINT_H
#define NUCE_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"
#include "points/workload.h"

/* Prints rows (an array of nuce_run_row objects) to file. Text has a line of shared parameters,
 * then the varying parameters and the results, and last the noise; JSON and CSV have
 * everything. The tables of workload, which made the rows, declare the possible parameters and
 * results. NUCE_FAILED: it cannot be written. Local. */
nuce_status nuce_print_rows(const json_t *rows, const struct nuce_workload_ops *workload,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error);

#endif
