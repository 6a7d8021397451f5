/* All about one campaign at one moment: its points, its jobs, and what Slurm says. */
#ifndef NUCE_OVERVIEW_H
#define NUCE_OVERVIEW_H

#include "campaigns/campaign.h"
#include "campaigns/profile.h"
#include "campaigns/queue.h"
#include "campaigns/submission.h"

/* Says where each point stands: sets stand of all points, and their numbers, campaign->stands; of
 * each part fate, job and by_hand, which borrows from queue. queue NULL: Slurm could not be asked;
 * parts that are not void are then unknown, and their points that have no run are queued. A job
 * belongs to a submission when its name matches, and id (or the array's id and the task) where the
 * id is known; or, while it lives, when its name matches and it is our user's: its script was
 * submitted by hand. Points of parts that are void count by their records alone. A point that ended
 * after campaign was opened and whose job left the queue before that was read looks missing: who
 * acts on it opens the campaign again. Fails only where the folder of records cannot be read. */
nuce_status nuce_overview_join(struct nuce_campaign *campaign, struct nuce_submissions *submissions,
                               const struct nuce_queue *queue, struct nuce_error *error);

/* "done", "running", "queued", "failed", "missing". */
const char *nuce_stand_name(enum nuce_stand stand);

/* Its parts point at rows of the queue: it may be moved as a whole, but no member of it freed
 * alone. */
struct nuce_overview {
    struct nuce_campaign campaign;
    struct nuce_profile profile;         /* of its newest submission; all zero if it runs locally */
    struct nuce_submissions submissions; /* by number; none if it runs locally */
    /* all jobs that squeue showed, of other users as well; empty if unknown */
    struct nuce_queue queue;
    int queue_known;                  /* 0: also where there is nothing to ask about */
    char trouble[NUCE_MESSAGE_BYTES]; /* why Slurm could not be asked, or "" */
};

/* Opens the campaign as nuce_campaign_open does, to read, and asks Slurm once unless it runs
 * locally. A Slurm that does not answer is no failure: then queue_known is 0 and trouble says why.
 * Freed with nuce_overview_fini. */
nuce_status nuce_overview_make(const char *folder, const char *name, struct nuce_overview *out,
                               struct nuce_error *error);
void nuce_overview_fini(struct nuce_overview *overview);

/* How long the jobs of a campaign will still measure: a guess for people, not a promise. All
 * numbers are 0 where nothing is left to measure. */
struct nuce_forecast {
    int64_t running;             /* jobs and tasks that run and have points left */
    int64_t waiting;             /* that do not run yet */
    int64_t measured, estimated; /* points left: like others that were measured, or known by their
                                    limits alone */
    double busy_s; /* seconds of jobs that the points left take, one job after another */
    double left_s; /* until the last point, if as many jobs side by side as run now (at least
                      one); what waits in Slurm's queue waits besides */
};

/* From what points that differ in what is compared, instance and seed alone took in this campaign,
 * else from the estimates. Only parts that live count: where Slurm did not answer those whose lock
 * is held. */
void nuce_forecast_make(const struct nuce_campaign *campaign,
                        const struct nuce_submissions *submissions, struct nuce_forecast *out);

#endif
