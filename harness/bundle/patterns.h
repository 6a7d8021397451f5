/* The patterns of a campaign's runs, kept with it: who reads the records without nuce has them too.
 *
 *   PATH/patterns.com.gz   for each: a line "pattern SHA-256", its COM file, an empty line
 *
 * The SHA-256 is that of the COM file, which runs record as pattern_sha256: a pattern that is there
 * is the one that was run. */
#ifndef NUCE_PATTERNS_H
#define NUCE_PATTERNS_H

#include "launch/campaign.h"
#include "support/error.h"

#define NUCE_PATTERNS_FILE "patterns.com.gz"

/* Writes the file, unless it has all already: the patterns of the good runs of campaign (open for
 * reading), made anew from its plan, those of more than NUCE_PATTERNS_MOST messages and those whose
 * files are not in the campaign's folder left out. None, or a folder that cannot be written to: no
 * file. */
#define NUCE_PATTERNS_MOST (1 << 22)
nuce_status nuce_patterns_keep(const struct nuce_campaign *campaign, struct nuce_error *error);

/* Checks the file of the campaign's folder at path, if there is one. NUCE_BAD_INPUT: what is wrong
 * with it, the file named by its path. */
nuce_status nuce_patterns_check(const char *path, struct nuce_error *error);

#endif
