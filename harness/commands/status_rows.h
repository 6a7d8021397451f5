/* The rows of `nuce status`: one for the campaign, one for each of its jobs. */
#ifndef NUCE_STATUS_ROWS_H
#define NUCE_STATUS_ROWS_H

#include "base/grid.h"
#include "campaigns/overview.h"

/* The job of that part in the form for Slurm's commands, "100" or "100_3"; "" while it has no known
 * job. */
void nuce_status_job(const struct nuce_submission *of, const struct nuce_submission_part *part,
                     char text[64]);

/* All data for programs, numbers as numbers. Freed with nuce_grid_fini. */
void nuce_status_grid(const struct nuce_overview *overview, const struct nuce_forecast *forecast,
                      struct nuce_grid *out);

/* The jobs of interest for people: live ones, and ended ones with points missing. Freed
 * likewise. */
void nuce_status_table(const struct nuce_overview *overview, struct nuce_grid *out);

#endif
