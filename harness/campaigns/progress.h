/* Says how far a campaign is: one rewritten line on a terminal, a line now and then elsewhere. */
#ifndef NUCE_PROGRESS_H
#define NUCE_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include "campaigns/campaign.h"

/* The state of one session's progress; nothing is owned. */
struct nuce_progress {
    FILE *out;
    int terminal;            /* whether out is one */
    double start_s, shown_s; /* monotonic clock */
    int64_t total;           /* runs that are wanted */
    int64_t done;            /* and had, or given up */
};

/* Begins now; total: runs that are wanted. */
void nuce_progress_init(struct nuce_progress *progress, FILE *out, int64_t total);

/* What runs now. */
struct nuce_progress_now {
    const struct nuce_campaign_point *point; /* NULL: between points */
    int64_t contenders;       /* that race in its heat, this one among them; 1: it runs alone */
    int64_t launch, launches; /* the how many-th of how many wanted; 1 of 1: no word of it */
};

/* Shows the state if it is time to: may be called as often as one likes. */
void nuce_progress_show(struct nuce_progress *progress, const struct nuce_progress_now *now);

/* A message of its own line, whatever is being shown; folded to the width of a terminal. */
void nuce_progress_say(struct nuce_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the rewritten line. */
void nuce_progress_end(struct nuce_progress *progress);

/* The parameters of a point in a few words: "8 ranks: ac, mesh wing-2800, unit 1KiB". A new
 * string. */
char *nuce_progress_describe(const struct nuce_campaign_point *point);

#endif
