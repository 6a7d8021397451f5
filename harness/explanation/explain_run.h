/* The part of `explain` that reads records. */
#ifndef NUCE_EXPLAIN_RUN_H
#define NUCE_EXPLAIN_RUN_H

#include "launch/campaign.h"

/* Prints each run of point (an id) in the record file called entry: its outcome, where it ran, and
 * of one that did not end well the end of the log. A run that has begun and not ended, and damaged
 * lines, are told too. NUCE_BAD_INPUT: the file is no record file. */
nuce_status nuce_explain_file(const struct nuce_campaign *campaign, const char *entry,
                              const char *point, struct nuce_error *error);

#endif
