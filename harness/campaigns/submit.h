/* Submits a campaign's missing points to Slurm: none twice, none lost. */
#ifndef NUCE_SUBMIT_H
#define NUCE_SUBMIT_H

#include "campaigns/campaign.h"
#include "campaigns/cost.h"
#include "campaigns/profile.h"
#include "campaigns/queue.h"

/* A call of nuce_submit_missing: its output and its results. All numbers begin at 0; after a
 * failure they hold for the jobs submitted before. */
struct nuce_submit {
    const struct nuce_profile *profile;
    void (*report)(void *context, const char *message); /* one line each */
    void *context;
    /* Results */
    struct nuce_cost cost; /* of the submitted jobs */
    int64_t points;        /* in the submitted jobs */
    int64_t waiting;       /* points beyond Slurm's current limits */
    int64_t live;          /* points in jobs that existed before */
    int64_t ending;        /* points in jobs that will not measure them, but have not ended yet */
    int64_t tried;         /* points that failed in jobs that run: these do not try them again */
    int64_t lost;          /* runs that died with their job, recorded now */
};

/* Asks Slurm for its limits and jobs, repeatedly for a minute and a half if it does not answer.
 * NUCE_FAILED with its message if it never does. *queue is freed with nuce_queue_fini. */
nuce_status nuce_submit_ask(const struct nuce_submit *submit, struct nuce_limits *limits,
                            struct nuce_queue *queue, struct nuce_error *error);

/* Submits, longest first, every point of campaign (opened with NUCE_CAMPAIGN_RUN) that lacks ok
 * runs and is in no live job, with the references of their races. Before, it finds the jobs of
 * submissions with an unknown end, records runs that died with ended jobs, and takes the points of
 * those back. limits and queue are those of nuce_submit_ask. NUCE_FAILED when sbatch refuses
 * jobs, after it was called for all others, or at once when its success is unknown; submitted jobs
 * stay submitted and noted. */
nuce_status nuce_submit_missing(struct nuce_submit *submit, struct nuce_campaign *campaign,
                                const struct nuce_limits *limits, const struct nuce_queue *queue,
                                struct nuce_error *error);

/* Checks all that can be known before anything is written. NUCE_BAD_INPUT unless sbatch or via can
 * be called, the programs for the nodes are in the profile's folder, and its hostfile has enough
 * hosts. Paths must also be fit for a job script, and no variable may change the action of
 * sbatch. */
nuce_status nuce_submit_check(const struct nuce_profile *profile,
                              const struct nuce_campaign *campaign, struct nuce_error *error);

/* Removes from this process's environment the variables that describe this shell's place, because
 * Slurm forwards them to jobs. Variables that the profile's `environment` names in full stay.
 * Reports removed variables that a user may have set on purpose, unless this shell is in a job,
 * where Slurm set them. */
void nuce_submit_leave_shell(const struct nuce_profile *profile,
                             void (*report)(void *context, const char *message), void *context);

/* Records the runs that died with ended jobs (nuce_lost_settle); adds their number to *lost. */
nuce_status nuce_submit_settle(struct nuce_campaign *campaign, const struct nuce_queue *queue,
                               int64_t *lost, struct nuce_error *error);

#endif
