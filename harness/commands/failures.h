/* The failures in a campaign, point by point and job by job, and remedies. */
#ifndef NUCE_FAILURES_H
#define NUCE_FAILURES_H

#include "campaigns/overview.h"

/* Prints a line for each failed point, by the beginning of its id: the status of its run, and the
 * reason. If there are many, prints the first few and the number of the others. */
void nuce_failures_print_points(const struct nuce_overview *overview);

/* Prints the end of the log of each job that ended before one of its points had begun, and whether
 * another start can help. For a campaign that runs here: of its last launch. */
void nuce_failures_print_starts(const struct nuce_overview *overview);

#endif
