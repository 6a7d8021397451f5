/* Sweeps, their campaigns and the plots that show them. */
#ifndef NUCE_SWEEP_PLOTS_H
#define NUCE_SWEEP_PLOTS_H

#include "results/plot.h"

/* Room for a sweep's name. */
#define NUCE_SWEEP_BYTES 65

/* The most that nuce_plot_nearness gives: the plot has the sweep's name. */
#define NUCE_PLOT_NEAREST 4
/* How near the plot is to what a sweep measures, for choosing what to show of its campaigns.
 * NUCE_PLOT_NEAREST: it has its name; 3: its directive `sweep` names it; 2: its name is the
 * beginning of the sweep's, as exchange-table5 of exchange-table5-cm5; 1: quick, which shows most;
 * 0: not at all. */
int nuce_plot_nearness(const struct nuce_plot *plot, const char *sweep);

/* Writes the name of the sweep that campaign (NAME.K) is of; returns 0, having written all of
 * campaign, if it is no name of a campaign. */
int nuce_sweep_of_campaign(const char *campaign, char sweep[NUCE_SWEEP_BYTES]);

/* Whether name, which is none of a plot, is one of a campaign or of a sweep that nuce ships or that
 * has a campaign below the folder campaigns: then *error says so and which table to ask for, with
 * NUCE_BAD_INPUT. */
int nuce_sweep_taken_for_plot(const char *name, struct nuce_error *error);

/* Reads quick, which shows whatever raced, under the name of campaign: its title says so. */
nuce_status nuce_plot_read_for_campaign(const char *campaign, struct nuce_plot *out,
                                        struct nuce_error *error);

/* Reads the plot called name, as nuce_plot_read does. Where there is none, and the database at that
 * path has a campaign or a sweep of that name, nuce_plot_read_for_campaign, and choice->campaign
 * is it. */
nuce_status nuce_plot_read_or_campaign(const char *name, const char *database,
                                       struct nuce_plot_choice *choice, struct nuce_plot *out,
                                       struct nuce_error *error);

#endif
