/* The part of `list` that says what can stand behind the options of the kernels. */
#ifndef NUCE_LIST_VALUES_H
#define NUCE_LIST_VALUES_H

#include "base/grid.h"

/* Makes grid a row for each name that an option of a workload may have: workload, option, value,
 * the program (and its subcommand) that takes it, and that of nuce-model. Freed with
 * nuce_grid_fini, also on failure. */
nuce_status nuce_list_values(struct nuce_grid *grid, struct nuce_error *error);

#endif
