/* Inside the module: the steps from a plot to its rows. Each makes temporary tables of the store
 * that the next ones read; what they hold is described in plots/README.md. */
#ifndef NUCE_PLOT_STEPS_H
#define NUCE_PLOT_STEPS_H

#include "results/plot.h"

/* The views of `picked` are `chosen` for what was measured, for the others those of their names. */
enum nuce_plot_kind {
    NUCE_PLOT_MEASURED,
    NUCE_PLOT_SIMULATED,
    NUCE_PLOT_MODELLED,
    NUCE_PLOT_KINDS,
};

/* Some of the kinds. */
struct nuce_plot_kinds {
    int has[NUCE_PLOT_KINDS];
};

/* The table `picked` and its views `chosen`, `simulated` and `modelled`: what was measured,
 * simulated and modelled that meets the plot's condition, of the environments that are asked for,
 * else the newest. `left_out` has what was measured or simulated elsewhere and is not shown for
 * that. `shown` is the run of choice, or the newest traced one. *asked: the kinds that have rows of
 * the environments that were asked for. NUCE_BAD_INPUT: no such run, or no id. */
nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, struct nuce_plot_kinds *asked,
                             struct nuce_error *error);

/* Fills where, what, doubts and left_out of data, which nuce_plot_data_fini frees also on failure:
 * of the kinds that the plot reads. Needs `behind`. */
nuce_status nuce_plot_origin(struct nuce_store *store, const struct nuce_plot_kinds *read,
                             struct nuce_plot_data *data, struct nuce_error *error);

/* The table `behind`: the jobs of all runs that the rows of `chosen` pool, and whether each began
 * on a busy machine. */
nuce_status nuce_plot_find_jobs(struct nuce_store *store, struct nuce_error *error);

#endif
