/* Inside results: what contrast.c reads its points from. */
#ifndef NUCE_CONTRAST_GATHER_H
#define NUCE_CONTRAST_GATHER_H

#include "results/contrast.h"

/* Makes of the sides and the design of *out the temporary tables
 *
 *   compared   match, workload, contender, ranks, problem, point, environment, ...: a row a run
 *   matched    match, part: a row for each point that both sides have
 *   launched   match, side, launch, logarithm (of seconds), effect: a row for each launch of each
 *              side; effect, with B: the logarithm of the ratio where contenders raced, or NULL
 *   instance   of results/instances.h
 *
 * and fills its keys, what is left out, jobs, campaigns, drifting and control. NUCE_BAD_INPUT: no
 * such campaign. */
nuce_status nuce_contrast_gather(struct nuce_store *store,
                                 const struct nuce_contrast_choice *choice,
                                 struct nuce_contrast *out, struct nuce_error *error);

/* A column of the row as a new string that the caller frees, NULL for NULL. */
char *nuce_contrast_copy(sqlite3_stmt *row, int column);

#endif
