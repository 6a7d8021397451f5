/* Giving a campaign's missing points to Slurm: nothing twice, nothing lost. */
#ifndef NUCE_SUBMIT_H
#define NUCE_SUBMIT_H

#include "campaigns/campaign.h"
#include "campaigns/cost.h"
#include "campaigns/profile.h"
#include "campaigns/queue.h"

/* A call of nuce_submit_missing: how it tells, and what came of it. All numbers begin at 0 and are
 * right also after a failure, for what was submitted until then. */
struct nuce_submit {
    const struct nuce_profile *profile;
    void (*report)(void *context, const char *message); /* one line each */
    void *context;
    /* Results */
    struct nuce_cost cost; /* of the jobs that were submitted */
    int64_t points;        /* in them */
    int64_t waiting;       /* points that did not fit Slurm's limits now */
    int64_t live;          /* points in jobs that were there before */
    int64_t ending;        /* points in jobs that will not measure them, but have not ended yet */
    int64_t lost;          /* runs that died with their job, recorded now */
};

/* Asks Slurm for its limits and jobs, again and again for a minute and a half when it does not
 * answer.
 * NUCE_FAILED with what it says if it never does. *queue is freed with nuce_queue_fini. */
nuce_status nuce_submit_ask(const struct nuce_submit *submit, struct nuce_limits *limits,
                            struct nuce_queue *queue, struct nuce_error *error);

/* Submits every point of campaign (opened with NUCE_CAMPAIGN_RUN) that lacks runs with status ok
 * and is in no living job, with the references of their heats, longest first. Before that it finds
 * the jobs of submissions whose end was not seen, records what died with jobs that ended, and takes
 * the points of those back. limits and queue are as nuce_submit_ask gave them. NUCE_FAILED when
 * sbatch refuses, or when it is not known whether it accepted; what is submitted until then stays
 * submitted and noted. */
nuce_status nuce_submit_missing(struct nuce_submit *submit, struct nuce_campaign *campaign,
                                const struct nuce_limits *limits, const struct nuce_queue *queue,
                                struct nuce_error *error);

/* NUCE_BAD_INPUT unless sbatch or via can be called, the programs for the nodes are where profile
 * says, its hostfile has enough hosts, paths can stand in a job script, and no variable makes
 * sbatch do something else: what can be known before anything is written. */
nuce_status nuce_submit_check(const struct nuce_profile *profile,
                              const struct nuce_campaign *campaign, struct nuce_error *error);

/* Takes out of this process's environment what says where this shell is, as Slurm hands it on to
 * jobs; variables that the profile's `environment` names in full stay. What a user may have set on
 * purpose is reported, unless this shell is in a job, where Slurm set it. */
void nuce_submit_leave_shell(const struct nuce_profile *profile,
                             void (*report)(void *context, const char *message), void *context);

/* Records the runs that died with jobs that have ended (nuce_lost_settle); adds their number to
 * *lost.
 */
nuce_status nuce_submit_settle(struct nuce_campaign *campaign, const struct nuce_queue *queue,
                               int64_t *lost, struct nuce_error *error);

#endif
