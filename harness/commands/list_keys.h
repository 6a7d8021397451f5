/* What a sweep file may say, and what its runs may find, from the tables of options and results
 * alone: docs/sweep.md, docs/results.md and nuce-sweep(5) are made from these. */
#ifndef NUCE_LIST_KEYS_H
#define NUCE_LIST_KEYS_H

#include "base/error.h"
#include "base/grid.h"

/* A row for each key: where it stands (the sweep file itself, `measure`, how processes are started,
 * or the workloads whose products have it), its name, its values, what it is where left out (NULL:
 * nothing), what it means. Sets the columns of grid, which is all zero and freed by the caller,
 * also on failure. */
nuce_status nuce_list_keys(struct nuce_grid *grid, struct nuce_error *error);

/* A row for each quantity of a record's `found` that is not derived from others: name, unit (NULL:
 * a mere number or text), workloads, meaning. grid as above. */
nuce_status nuce_list_results(struct nuce_grid *grid, struct nuce_error *error);

/* A row for each name that an option of a workload may have: workload, option, value, the program
 * (and its subcommand) that takes it, and that of nuce-model. grid as above. */
nuce_status nuce_list_values(struct nuce_grid *grid, struct nuce_error *error);

#endif
