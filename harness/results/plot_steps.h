/* Inside the module: the steps from a plot to its rows. Each makes temporary tables of the store
 * that the next ones read; what they hold is described in plots/README.md. */
#ifndef NUCE_PLOT_STEPS_H
#define NUCE_PLOT_STEPS_H

#include "results/plot.h"

/* The table `chosen`: what was measured, simulated and modelled (its column kind) that meets the
 * plot's condition, of the environments that are asked for, else the newest; and what of a row was
 * timed or, of a model's, predicted, as time_s. `left_out` has what was measured or simulated
 * elsewhere and is not shown for that. `shown` is the run of choice, or the newest traced one.
 * columns are those of it that something reads, with commas between; NULL: all, but no row.
 * *is_answered: 0 if an environment is asked for that none of the rows is of. NUCE_BAD_INPUT: no
 * such run, or no id. */
nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             int *is_answered, struct nuce_error *error);

/* Fills where, what, doubts and left_out of data, which nuce_plot_data_fini frees also on failure.
 * Needs `behind`. */
nuce_status nuce_plot_origin(struct nuce_store *store, struct nuce_plot_data *data,
                             struct nuce_error *error);

/* The table `behind`: the jobs of all runs that the measured rows of `chosen` pool, and whether
 * each began on a busy machine. */
nuce_status nuce_plot_find_jobs(struct nuce_store *store, struct nuce_error *error);

#endif
