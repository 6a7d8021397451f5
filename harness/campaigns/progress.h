/* Shows the progress of a campaign: one rewritten line on a terminal, a line now and then
 * elsewhere. */
#ifndef NUCE_PROGRESS_H
#define NUCE_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include "campaigns/campaign.h"

/* The state of one session's progress; nothing is owned. */
struct nuce_progress {
    FILE *out;
    int terminal;            /* out is a terminal */
    double start_s, shown_s; /* monotonic clock */
    int64_t total;           /* runs wanted */
    int64_t done;            /* runs done or given up */
    int is_open; /* total is the most, as races end when they are known: no time is told */
};

/* Starts the clock; total: runs wanted. */
void nuce_progress_init(struct nuce_progress *progress, FILE *out, int64_t total);

/* The point that runs now. */
struct nuce_progress_now {
    const struct nuce_campaign_point *point; /* NULL: between points */
    int64_t contenders;       /* that meet in its race, including this one; 1: it runs alone */
    int64_t launch, launches; /* number of this launch, and of launches wanted; 1 of 1: not shown */
};

/* Shows the state if enough time has passed; may be called at any rate. */
void nuce_progress_show(struct nuce_progress *progress, const struct nuce_progress_now *now);

/* Prints a message on a line of its own, folded to the width of a terminal; the progress line stays
 * intact. */
void nuce_progress_say(struct nuce_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the rewritten line. */
void nuce_progress_end(struct nuce_progress *progress);

/* The parameters of a point in a few words: "8 ranks: ac, mesh wing-2800, item-bytes 1KiB". A new
 * string. */
char *nuce_progress_describe(const struct nuce_campaign_point *point);

#endif
