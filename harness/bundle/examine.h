/* Whether a campaign is what nuce writes: beyond what opening it looks at, every line by itself and
 * all of them together. */
#ifndef NUCE_EXAMINE_H
#define NUCE_EXAMINE_H

#include "bundle/bundle.h"

/* Examines the campaign in folder/NAME. Findings name files as prefix/NAME/...; counts are added
 * to. NUCE_FAILED: memory, or a file that cannot be read. */
nuce_status nuce_examine(const char *folder, const char *name, const char *prefix,
                         struct nuce_bundle_counts *counts, struct nuce_findings *findings,
                         struct nuce_error *error);

#endif
