/* What went wrong in a campaign, point by point and job by job, and what helps. */
#ifndef NUCE_FAILURES_H
#define NUCE_FAILURES_H

#include "campaigns/overview.h"

/* Prints a line for each failed point, by the beginning of its id: how its run ended, of what, and
 * why. Of many the first few, and how many more there are. */
void nuce_failures_print_points(const struct nuce_overview *overview);

/* Prints for each job (of a campaign that runs here: for its last launch) that ended before one of
 * its points had begun the end of its log, and whether starting it again can help. */
void nuce_failures_print_starts(const struct nuce_overview *overview);

#endif
