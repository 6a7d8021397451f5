/* Cancels the jobs of a campaign, and no others. A job of another user, or one submitted by hand,
 * with the name of one of our jobs is left alone and reported. */
#ifndef NUCE_CANCEL_H
#define NUCE_CANCEL_H

#include "campaigns/overview.h"

/* A call of nuce_cancel_jobs: its output and its results. All numbers begin at 0. */
struct nuce_cancel {
    void (*report)(void *context, const char *message); /* one line each */
    void *context;
    /* Results */
    int64_t cancelled; /* jobs; an array counts as one */
    int64_t left;      /* jobs not cancelled, and parts that run in an unknown job */
};

/* Cancels the live jobs of overview with our id, name and user; the queue must be known. Reports
 * each cancelled job, and each other job with the reason. A job that is ending counts as ended,
 * unless its profile has `requeue`. If
 * no id was noted, the name suffices, because no other job ever had it. NUCE_BAD_INPUT when
 * scancel cannot be called. */
nuce_status nuce_cancel_jobs(struct nuce_cancel *cancel, const struct nuce_overview *overview,
                             struct nuce_error *error);

#endif
