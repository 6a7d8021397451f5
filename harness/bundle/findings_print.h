/* How bundle, verify and import say what is wrong, and what there is. */
#ifndef NUCE_FINDINGS_PRINT_H
#define NUCE_FINDINGS_PRINT_H

#include <argp.h>
#include <stdio.h>

#include "bundle/bundle.h"

/* A line each: "altered: FILE: PROBLEM". */
void nuce_findings_print(const struct nuce_findings *findings, FILE *file);

/* "1 campaign, 12 points, 12 runs (12 ok) in 1 record file, 1 job, 1 environment", without an end
 * of line. */
void nuce_bundle_counts_print(const struct nuce_bundle_counts *counts, FILE *file);

/* The value of --limit, for *limits; a usage error ends the program (argp_error). */
void nuce_bundle_limit(const char *text, struct argp_state *state,
                       struct nuce_bundle_limits *limits);

#endif
