/* The record of a run that died with its job, written by the harness in the kernel's place. */
#ifndef NUCE_LOST_H
#define NUCE_LOST_H

#include <jansson.h>
#include <stdint.h>

#include "base/record.h"
#include "campaigns/campaign.h"

/* Follows the record file of a launch while a kernel writes it. */

/* What is known of a launch from the records that it has written so far. */
struct nuce_follow {
    char *path;
    int64_t offset;                /* bytes read as complete lines */
    char *job;                     /* the line of the job record, NULL until it is there */
    int64_t in_flight;             /* index of the point that has begun and not ended, -1: none; of
                                      several, which a heat has, the last that began */
    char started[NUCE_TIME_BYTES]; /* of that point */
    int64_t runs;                  /* ended so far */
    json_t *ended;                 /* ids of their points: true */
    int skips_good;                /* set by who knows good runs already: they only end what is in
                                      flight, and are not counted */
};

/* path is copied; the file may not be there yet. Freed with nuce_follow_fini. */
void nuce_follow_init(struct nuce_follow *follow, const char *path);
void nuce_follow_fini(struct nuce_follow *follow);

/* Reads the lines that are new. each (may be NULL) is called for each run of a point of campaign.
 */
void nuce_follow_poll(struct nuce_follow *follow, const struct nuce_campaign *campaign,
                      void (*each)(void *context, int64_t point, const json_t *record),
                      void *context);

/* The launch is over: in_flight is now the point whose turn it was, where the kernel has left word
 * of that (RECORDS.turn, which is removed). */
void nuce_follow_end(struct nuce_follow *follow, const struct nuce_campaign *campaign);

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

/* Recording what died with its job. */

/* For each record file PREFIX-... that ends with a run begun and not ended, and that nobody writes
 * any more: records that run as interrupted with message, once, in a file of its own
 * (nuce_lost_record). Adds their number to *settled, also before a failure. */
nuce_status nuce_lost_settle(struct nuce_campaign *campaign, const char *prefix,
                             const char *message, int64_t *settled, struct nuce_error *error);

/* Whether a record file of the campaign at path may end with a run begun and not ended that was not
 * recorded as lost: looks at the ends of the files only. */
int nuce_lost_is_pending(const char *path);

#endif
