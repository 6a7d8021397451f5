/* The record of a run that died with its job, written by the harness in the kernel's place. */
#ifndef NUCE_LOST_H
#define NUCE_LOST_H

#include "campaigns/follow.h"

/* Records the point in flight of a launch that ended by itself with that status of a run (failed,
 * interrupted, timeout), in the record file LABEL-lost, together with the job record that the
 * kernel wrote, and takes it into account. message says what is known. */
nuce_status nuce_lost_record(struct nuce_campaign *campaign, const char *label,
                             const struct nuce_follow *follow, const char *status,
                             const char *message, struct nuce_error *error);

/* What a log says last: the last line of a nuce program if there is one, else the last line of
 * words (no backtrace); printable ASCII. A new string, "" for an empty or missing log. */
char *nuce_lost_last_words(const char *path);

/* What a rank said of its time that was up, where rank 0 could not record it: because it was the
 * one that hung, or was stopped. A new string; NULL: no rank did. */
char *nuce_lost_timeout(const char *path);

/* Prints the last lines of the log at path, at most `most`, behind a margin and without control
 * characters: they come from programs, and from bundles of strangers. A line without its end is
 * left out: it is being written. Nothing where the log cannot be read. */
void nuce_lost_print_tail(const char *path, int most);

#endif
