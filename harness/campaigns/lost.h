/* Writes the record of a run that died with its job, in place of the kernel. */
#ifndef NUCE_LOST_H
#define NUCE_LOST_H

#include <jansson.h>
#include <stdint.h>

#include "base/record.h"
#include "campaigns/campaign.h"

/* Follows the record file of a launch while a kernel writes it. */

/* The state of a launch, by the records that it has written so far. */
struct nuce_follow {
    char *path;
    int64_t offset;                /* bytes read as complete lines */
    char *job;                     /* the line of the job record, NULL until it is there */
    int64_t in_flight;             /* index of the point that has begun and not ended, -1: none; a
                                      race has several: the last that began */
    char started[NUCE_TIME_BYTES]; /* when that point began */
    int64_t runs;                  /* ended so far */
    json_t *ended;                 /* ids of their points: true */
    int skips_good;                /* set by a caller that knows the good runs: these then only end
                                      the point in flight, and are not counted */
};

/* Copies path; the file may not exist yet. Freed with nuce_follow_fini. */
void nuce_follow_init(struct nuce_follow *follow, const char *path);
void nuce_follow_fini(struct nuce_follow *follow);

/* Reads the new lines. Calls each (may be NULL) for each run of a point of campaign. */
void nuce_follow_poll(struct nuce_follow *follow, const struct nuce_campaign *campaign,
                      void (*each)(void *context, int64_t point, const json_t *record),
                      void *context);

/* Call this after the launch has ended. Sets in_flight to the point whose turn it was, if the
 * kernel wrote that to RECORDS.turn; removes that file. */
void nuce_follow_end(struct nuce_follow *follow, const struct nuce_campaign *campaign);

/* Records the point in flight of a launch that ended by itself, with that status of a run (failed,
 * interrupted, timeout). The record file is LABEL-lost and repeats the kernel's job record. Adds
 * the run to the campaign. message says what is known. */
nuce_status nuce_lost_record(struct nuce_campaign *campaign, const char *label,
                             const struct nuce_follow *follow, const char *status,
                             const char *message, struct nuce_error *error);

/* The last words of a log: the last line of a nuce program if there is one, else the last line with
 * words (no backtrace); printable ASCII. A new string, "" for an empty or missing log. */
char *nuce_lost_last_words(const char *path);

/* A rank's message about its timeout that rank 0 could not record, because rank 0 itself hung or
 * was stopped. A new string; NULL: there is none. */
char *nuce_lost_timeout(const char *path);

/* Prints the last lines of the log at path, at most `most`, with a margin and without control
 * characters: they come from programs, and from bundles of strangers. Skips an incomplete last
 * line, which is still being written. Prints nothing if the log cannot be read. */
void nuce_lost_print_tail(const char *path, int most);

/* Records runs that died with their job. */

/* Searches each record file PREFIX-... that ends with an unfinished run and that no process writes
 * any more. Records that run as interrupted with message, once, in a file of its own
 * (nuce_lost_record). Adds their number to *settled, also before a failure. */
nuce_status nuce_lost_settle(struct nuce_campaign *campaign, const char *prefix,
                             const char *message, int64_t *settled, struct nuce_error *error);

/* True if a record file of the campaign at path may end with an unfinished run that was not
 * recorded as lost. Reads only the ends of the files. */
int nuce_lost_is_pending(const char *path);

#endif
