/* What bundle, verify and import say. */
#ifndef NUCE_BUNDLE_PRINT_H
#define NUCE_BUNDLE_PRINT_H

#include <stdio.h>

#include "results/bundle.h"

/* Prints a line to the FILE that context is: for struct nuce_bundle_report. */
void nuce_bundle_print_problem(void *context, const char *kind, const char *problem);

/* Without a newline: "1 campaign, 12 points, 12 runs in 2 record files" */
void nuce_bundle_print_counts(const struct nuce_bundle *bundle, FILE *file);

#endif
