/* Where each point of a campaign stands: plan and records, submissions, and what Slurm says. */
#ifndef NUCE_POINT_STATES_H
#define NUCE_POINT_STATES_H

#include "campaigns/campaign.h"
#include "campaigns/queue.h"
#include "campaigns/submission.h"

enum nuce_stand {
    NUCE_STAND_DONE,    /* has a run with status ok of each launch */
    NUCE_STAND_RUNNING, /* in flight in a live job */
    NUCE_STAND_QUEUED,  /* its job is pending, or runs and has not come to it */
    NUCE_STAND_FAILED,  /* has runs that went wrong, too few that are ok, and no live job that
                           will run it again */
    NUCE_STAND_MISSING, /* has none that went wrong (some may have been stopped), too few that are
                           ok, and no live job */
    NUCE_STANDS,
};

/* What became of a job or task. */
enum nuce_fate {
    NUCE_FATE_LIVE,    /* Slurm has it pending or running, or its part is locked */
    NUCE_FATE_ENDING,  /* Slurm is ending it: what it has not measured will be missing, but is not
                          given to another job before it is over */
    NUCE_FATE_ENDED,   /* Slurm says how it ended, or no longer knows it */
    NUCE_FATE_UNKNOWN, /* Slurm could not be asked */
};

/* What is known of one job, or of one task of an array. */
struct nuce_standing_part {
    enum nuce_fate fate;
    const struct nuce_queue_job *job; /* borrowed from the queue; NULL: not there */
    int by_hand;                      /* job is one that the user made of the script with sbatch */
};

/* The picture of one moment. It borrows the queue that it was made with: that is freed behind
 * it. */
struct nuce_standing {
    unsigned char *points;             /* campaign->count: enum nuce_stand */
    struct nuce_standing_part **parts; /* per submission, per part */
    int64_t counts[NUCE_STANDS];       /* points of each enum nuce_stand */
    int64_t submissions;               /* length of parts */
};

/* Joins them. queue NULL: Slurm could not be asked; parts that are not void are then unknown, and
 * their points that have no run are queued. A job belongs to a submission when its name matches,
 * and id (or the array's id and the task) where the id is known; or, while it lives, when its name
 * matches and it is our user's: its script was submitted by hand. Points of parts that are void
 * count by their records alone. A point that ended after campaign was opened and whose job left the
 * queue before that was read looks missing: who acts on it opens the campaign again. Freed with
 * nuce_standing_fini. */
nuce_status nuce_standing_make(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions,
                               const struct nuce_queue *queue, struct nuce_standing *out,
                               struct nuce_error *error);
/* Frees what nuce_standing_make made; all zeros may be freed, too. */
void nuce_standing_fini(struct nuce_standing *standing);

/* "done", "running", "queued", "failed", "missing". */
const char *nuce_stand_name(enum nuce_stand stand);

#endif
