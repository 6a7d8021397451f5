/* Submissions: what was given to Slurm, in the folder jobs/ of a campaign. NNNN is a number.
 *
 *   NNNN-K.jsonl   the plan lines of part K (task K of an array; 0 without an array), each with
 *                  "wanted", how many good runs the point is to have there
 *   NNNN.hosts     a host a rank, where ranks are placed by hand
 *   NNNN.json      the intent, written before sbatch is called: {"number","name","created",
 *                  "workload","ranks","nodes","time_s","programs","launcher":[...],"set":{...},
 *                  "describe":[...],"via","argv":[...],"profile":{...},
 *                  "parts":[{"points","estimate_s"},...]}
 *   NNNN.sh        the job script; written last: without it sbatch was never called
 *   NNNN.id        the job id, once it is known
 *   NNNN-K.lock    held (flock) by the nuce-job that runs the part
 *   NNNN-K.stopped nuce-job was told to stop before all points of the part had had their run
 *   NNNN-K.void    the part's points were given to somebody else: nuce-job does nothing
 *   programs       the folder of nuce-job, for the scripts
 *
 * A job's name is nuce-CAMPAIGN-NNNN-TOKEN, TOKEN random and frozen in the intent: no other job
 * ever has it, so a job that was accepted although sbatch failed is found by its name. */
#ifndef NUCE_SUBMISSION_H
#define NUCE_SUBMISSION_H

#include <jansson.h>
#include <stdint.h>

#include "campaigns/campaign.h"
#include "campaigns/packing.h"
#include "campaigns/profile.h"
#include "campaigns/queue.h"

/* A job's name: that of the campaign, "nuce-", number and token. */
#define NUCE_JOB_NAME_BYTES (NUCE_NAME_BYTES + 32)

/* Numbers are 1 to this. */
#define NUCE_SUBMISSIONS_MOST 999999

/* What became of a job or task. */
enum nuce_fate {
    NUCE_FATE_LIVE,    /* Slurm has it pending or running, or its part is locked */
    NUCE_FATE_ENDING,  /* Slurm is ending it: what it has not measured will be missing, but is not
                          given to another job before it is over */
    NUCE_FATE_ENDED,   /* Slurm says how it ended, or no longer knows it */
    NUCE_FATE_UNKNOWN, /* Slurm could not be asked */
};

/* One job, or one task of an array, as jobs/ has it; fate, job and by_hand are set by
 * nuce_overview_join. */
struct nuce_submission_part {
    char name[NUCE_PART_BYTES]; /* NNNN-K */
    int64_t *points;            /* indices of the campaign's points; owned */
    int64_t *wanted;            /* good runs of each here; owned */
    int64_t count;              /* of points, and of wanted */
    int64_t runs;               /* wanted of all of them in this part */
    double estimate_s;          /* seconds, as it was packed with */
    int is_void;                /* its points were given to somebody else */
    int is_locked;              /* a nuce-job runs it now */
    int is_stopped;             /* the last nuce-job that ran it was told to stop, and did */
    enum nuce_fate fate;
    const struct nuce_queue_job *job; /* borrowed from the queue; NULL: not there */
    int by_hand;                      /* job is one that the user made of the script with sbatch */
};

/* One call of sbatch: a job or an array. name is that of its jobs; parts, as many as count says,
 * are owned. */
struct nuce_submission {
    int number;
    char name[NUCE_JOB_NAME_BYTES];
    int ranks, nodes; /* of each job; nodes 0: left to Slurm */
    int64_t job;      /* id; 0: not known (yet) */
    json_t *profile;  /* that it was submitted with, as nuce_profile_to_json makes it; NULL: that of
                         the campaign; owned */
    struct nuce_submission_part *parts;
    int64_t count;
};

/* All submissions of a campaign, also those whose jobs ended long ago: jobs/ only grows. */
struct nuce_submissions {
    struct nuce_submission *list; /* by number, ascending */
    int64_t count, capacity;
    /* the number of the next one: above all that files in jobs/ have, also those of attempts that
     * were broken off */
    int next;
};

/* Reads jobs/ of campaign, which is opened as a whole. A file that is damaged is NUCE_BAD_INPUT
 * naming it. Freed with nuce_submissions_fini. */
nuce_status nuce_submissions_read(const struct nuce_campaign *campaign,
                                  struct nuce_submissions *out, struct nuce_error *error);
/* Frees all of them; *submissions is all zeros then. */
void nuce_submissions_fini(struct nuce_submissions *submissions);

/* What jobs of campaign are submitted with and asked about, unless the user says otherwise: the
 * profile of the newest submission, or that of `nuce submit`. Freed with nuce_profile_fini. */
nuce_status nuce_submissions_profile(const struct nuce_campaign *campaign,
                                     const struct nuce_submissions *submissions,
                                     struct nuce_profile *out, struct nuce_error *error);

/* Makes jobs/ and writes all of one submission but its id; it becomes the last of *submissions.
 * argv of sbatch is the new reference *argv. NUCE_BAD_INPUT if the profile's hostfile has fewer
 * hosts than there are ranks. Everything is on the disk before this returns; after a failure there
 * may be files of a submission without a script, which nobody counts as one, and whose number is
 * not used again. */
nuce_status nuce_submission_write(const struct nuce_campaign *campaign,
                                  const struct nuce_pack *pack, const struct nuce_profile *profile,
                                  struct nuce_submissions *submissions, json_t **argv,
                                  struct nuce_error *error);

/* How many good runs its i-th point lacks of those that it was to have in part. Never more than the
 * point lacks in all, since other parts may have given it its runs meanwhile; 0: none. */
int64_t nuce_submission_part_lacks(const struct nuce_campaign *campaign,
                                   const struct nuce_submission_part *part, int64_t i);

/* How many points of part lack any: they will have to be submitted again if it has ended. */
int64_t nuce_submission_part_left(const struct nuce_campaign *campaign,
                                  const struct nuce_submission_part *part);

/* A name for the job of submission number of campaign. NUCE_FAILED if the system gives no random
 * number. */
nuce_status nuce_submission_name(const struct nuce_campaign *campaign, int number,
                                 char name[NUCE_JOB_NAME_BYTES], struct nuce_error *error);

/* Writes jobs/NNNN.id. If that fails the job is there all the same, and is found by its name the
 * next time. */
nuce_status nuce_submission_note_job(const struct nuce_campaign *campaign,
                                     struct nuce_submission *submission, int64_t job,
                                     struct nuce_error *error);

/* Takes part's points back: writes jobs/NNNN-K.void, unless a nuce-job holds its lock; then
 * is_locked is set instead. A void is final: nothing takes it away, and a nuce-job that starts
 * later sees it and ends. */
nuce_status nuce_submission_void(const struct nuce_campaign *campaign,
                                 struct nuce_submission *submission, int64_t part,
                                 struct nuce_error *error);

#endif
