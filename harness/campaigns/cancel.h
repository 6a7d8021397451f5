/* Cancelling the jobs of a campaign, and no others: what another user, or the user by hand, gave
 * the name of one of our jobs is left alone and said. */
#ifndef NUCE_CANCEL_H
#define NUCE_CANCEL_H

#include "campaigns/overview.h"

/* A call of nuce_cancel_jobs: how it tells, and what came of it. All numbers begin at 0. */
struct nuce_cancel {
    void (*report)(void *context, const char *message); /* one line each */
    void *context;
    /* Results */
    int64_t cancelled; /* jobs; an array counts as one */
    int64_t left;      /* jobs, or parts that run in a job that is not known, that were not */
};

/* Cancels the living jobs of overview, whose queue is known, that have id, name and user of ours;
 * says what it did and what it left, and why. A job that is ending is over. Where an id was never
 * noted the name, which no other job ever had, is enough. NUCE_FAILED when scancel cannot be
 * called. */
nuce_status nuce_cancel_jobs(struct nuce_cancel *cancel, const struct nuce_overview *overview,
                             struct nuce_error *error);

#endif
