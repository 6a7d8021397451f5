/* The rows of `nuce status`: one for the campaign, one for each of its jobs. */
#ifndef NUCE_STATUS_ROWS_H
#define NUCE_STATUS_ROWS_H

#include "base/grid.h"
#include "campaigns/forecast.h"
#include "campaigns/overview.h"

/* What became of the points of one part. */
struct nuce_part_counts {
    int64_t points;
    int64_t stands[NUCE_STANDS];
    int64_t runs, wanted; /* good ones that these points have, of as many as they are to have */
};

/* submission and part are indices of overview's submissions. */
struct nuce_part_counts nuce_status_count(const struct nuce_overview *overview, int64_t submission,
                                          int64_t part);

/* The job of that part as Slurm's commands take it, "100" or "100_3"; "" while it has none that is
 * known. */
void nuce_status_job(const struct nuce_overview *overview, int64_t submission, int64_t part,
                     char text[64]);

/* All of it for programs, numbers as numbers. Freed with nuce_grid_fini. */
nuce_status nuce_status_grid(const struct nuce_overview *overview,
                             const struct nuce_forecast *forecast, struct nuce_grid *out,
                             struct nuce_error *error);

/* The jobs that are of interest for people: those that live and those that ended with points
 * missing. */
nuce_status nuce_status_table(const struct nuce_overview *overview, struct nuce_grid *out,
                              struct nuce_error *error);

#endif
