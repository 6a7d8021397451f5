/* What bundle, verify and import say. */
#ifndef NUCE_BUNDLE_PRINT_H
#define NUCE_BUNDLE_PRINT_H

#include <argp.h>
#include <stdio.h>

#include "bundle/bundle.h"

/* Prints a line to the FILE that context is: for struct nuce_bundle_report. */
void nuce_bundle_print_problem(void *context, const char *kind, const char *problem);

/* "1 campaign, 12 points, 12 runs in 2 record files" */
void nuce_bundle_print_counts(const struct nuce_bundle *bundle, FILE *file);

/* The value of --limit; ends the program with a usage error if it is none. */
void nuce_bundle_limit(const char *text, struct argp_state *state,
                       struct nuce_bundle_limits *limits);

#endif
