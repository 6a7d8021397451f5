/* The state of one campaign at one moment: its points, its jobs, and Slurm's answer. */
#ifndef NUCE_OVERVIEW_H
#define NUCE_OVERVIEW_H

#include "campaigns/campaign.h"
#include "campaigns/profile.h"
#include "campaigns/queue.h"
#include "campaigns/submission.h"

/* Finds the state of each point. Sets stand and unheld of all points, and their numbers,
 * campaign->stands; for each part fate, job and by_hand. job borrows from queue. queue is NULL if
 * Slurm could not be asked: parts that are not void are then unknown, and their points without a
 * run are queued.
 *
 * A job belongs to a submission if its name and its id match (or the array's id and the task). If
 * the id is not known, the name suffices. A live job of our user with that name also belongs to it:
 * its script was submitted by hand. Points of void parts count by their records alone.
 *
 * A point looks missing if it ended after campaign was opened, and its job left the queue before
 * the queue was read. A caller that acts on the result opens the campaign again. Fails only if the
 * folder of records cannot be read. */
nuce_status nuce_overview_join(struct nuce_campaign *campaign, struct nuce_submissions *submissions,
                               const struct nuce_queue *queue, struct nuce_error *error);

/* "done", "running", "queued", "failed", "missing". */
const char *nuce_stand_name(enum nuce_stand stand);

/* Its parts point at rows of the queue: move it as a whole, and never free one member alone. */
struct nuce_overview {
    struct nuce_campaign campaign;
    struct nuce_profile profile;         /* of its newest submission; all zero for a local
                                            campaign */
    struct nuce_submissions submissions; /* by number; none for a local campaign */
    /* all jobs in squeue's output, also of other users; empty if unknown */
    struct nuce_queue queue;
    int queue_known;                  /* 0: also if there is nothing to ask about */
    char trouble[NUCE_MESSAGE_BYTES]; /* why Slurm could not be asked, or "" */
};

/* Opens the campaign as nuce_campaign_open does, to read, and asks Slurm once unless the campaign
 * is local. No answer from Slurm is not a failure: queue_known is then 0 and trouble holds the
 * reason. Freed with nuce_overview_fini. */
nuce_status nuce_overview_make(const char *folder, const char *name, struct nuce_overview *out,
                               struct nuce_error *error);
/* The same, where name may be NULL: the newest campaign below folder, or, where that has no job in
 * the queue and one other has, that one. *others: those that have jobs beside it, with commas
 * between; a new string, NULL: none, not known, or there is a name. */
nuce_status nuce_overview_make_any(const char *folder, const char *name, struct nuce_overview *out,
                                   char **others, struct nuce_error *error);
void nuce_overview_fini(struct nuce_overview *overview);

/* Time that the jobs of a campaign will still measure: an estimate for people, not a promise. All
 * numbers are 0 if nothing is left to measure. */
struct nuce_forecast {
    int64_t running;             /* jobs and tasks that run and have points left */
    int64_t waiting;             /* jobs and tasks that do not run yet */
    int64_t measured, estimated; /* points left: with measured ones of their kind, or with estimates
                                    alone */
    double busy_s;               /* seconds of jobs for the points left, one job after another */
    double left_s; /* until the last point, if the number of running jobs stays (at least one),
                      without the wait in Slurm's queue */
};

/* Uses the times of this campaign's points that differ only in what is compared, in instance and
 * seed; else the estimates. Only live parts count; if Slurm did not answer, those whose lock is
 * held. */
void nuce_forecast_make(const struct nuce_campaign *campaign,
                        const struct nuce_submissions *submissions, struct nuce_forecast *out);

#endif
