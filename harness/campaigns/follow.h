/* Follows the record file of a launch while a kernel writes it. */
#ifndef NUCE_FOLLOW_H
#define NUCE_FOLLOW_H

#include <jansson.h>
#include <stdint.h>

#include "base/record.h"
#include "campaigns/campaign.h"

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

#endif
