/* The keys of a sweep file, and the metrics of its runs, from the tables of options and metrics
 * alone: nuce-sweep(5), the list in docs/sweep.md and a page of the site are made from these. */
#ifndef NUCE_LIST_KEYS_H
#define NUCE_LIST_KEYS_H

#include "base/error.h"
#include "base/grid.h"

/* A row for each key: its place (the sweep file itself, `measure`, launch factors, or the workloads
 * whose products have it), its name, its values, its default (NULL: none), its meaning. Sets the
 * columns of grid, which is all zero and freed by the caller, also on failure. */
nuce_status nuce_list_keys(struct nuce_grid *grid, struct nuce_error *error);

/* A row for each quantity of a record's `metrics` that is not derived from others: name, unit
 * (NULL: a mere number or text), workloads, meaning. grid as above. */
nuce_status nuce_list_metrics(struct nuce_grid *grid, struct nuce_error *error);

/* A row for each name that is a valid value of a workload's option: workload, option, value, the
 * program (and its subcommand) that takes it, and that of nuce-model. grid as above. */
nuce_status nuce_list_values(struct nuce_grid *grid, struct nuce_error *error);

/* A row for each table, CSV or view and each of its columns: the table, the column (several with
 * commas between them), its unit (NULL: none), its meaning; the metrics last. grid as above. */
nuce_status nuce_list_columns(struct nuce_grid *grid, struct nuce_error *error);

#endif
