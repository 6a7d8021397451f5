/* Submissions to Slurm, in the folder jobs/ of a campaign. NNNN is a number.
 *
 *   NNNN-K.jsonl   the plan lines of part K (task K of an array; 0 without an array), each with
 *                  "wanted", the number of good runs of the point wanted there
 *   NNNN.hosts     one host per rank, if the user places the ranks
 *   NNNN.json      the intent, written before sbatch is called: {"number","name","created",
 *                  "workload","ranks","nodes","time_s","programs","launcher":[...],"set":{...},
 *                  "describe":[...],"via","argv":[...],"profile":{...},
 *                  "parts":[{"points","estimate_s"},...]}
 *   NNNN.sh        the job script; written last: without it sbatch was never called
 *   NNNN.id        the job id, once it is known
 *   NNNN-K.lock    held (flock) by the nuce-job that runs the part
 *   NNNN-K.stopped nuce-job had to stop before all points of the part had had their run
 *   NNNN-K.void    the part's points were taken back: nuce-job does nothing
 *   programs       the folder of nuce-job, for the scripts
 *
 * A job's name is nuce-CAMPAIGN-NNNN-TOKEN. TOKEN is random and frozen in the intent, so that no
 * other job ever has the name. nuce can therefore find a job by its name even if sbatch failed
 * after Slurm had accepted the job. */
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

/* Numbers are 1 to this limit. */
#define NUCE_SUBMISSIONS_MOST 999999

/* The fate of a job or task. */
enum nuce_fate {
    NUCE_FATE_LIVE,    /* pending or running in Slurm, or its part is locked */
    NUCE_FATE_ENDING,  /* Slurm is ending it: unmeasured points count as missing only when it is
                          over */
    NUCE_FATE_ENDED,   /* Slurm reports its end, or no longer knows it */
    NUCE_FATE_UNKNOWN, /* Slurm could not be asked */
};

/* One job, or one task of an array, by its files in jobs/; nuce_overview_join sets fate, job and
 * by_hand. */
struct nuce_submission_part {
    char name[NUCE_PART_BYTES]; /* NNNN-K */
    int64_t *points;            /* indices of the campaign's points; owned */
    int64_t *wanted;            /* good runs wanted of each here; owned */
    int64_t count;              /* number of points, and of wanted */
    int64_t runs;               /* sum of wanted */
    double estimate_s;          /* seconds, from the packing */
    int is_void;                /* its points were taken back */
    int is_locked;              /* a nuce-job runs it now */
    int is_stopped;             /* the last nuce-job for it stopped on request */
    enum nuce_fate fate;
    const struct nuce_queue_job *job; /* borrowed from the queue; NULL: not in it */
    int by_hand;                      /* the user submitted the job's script with sbatch */
};

/* One call of sbatch: a job or an array. name is that of its jobs; the array parts, of length
 * count, is owned. */
struct nuce_submission {
    int number;
    char name[NUCE_JOB_NAME_BYTES];
    int ranks, nodes; /* of each job; nodes 0: left to Slurm */
    int64_t job;      /* id; 0: not known (yet) */
    json_t *profile;  /* used for it, as nuce_profile_to_json makes it; NULL: that of the campaign;
                         owned */
    struct nuce_submission_part *parts;
    int64_t count;
};

/* All submissions of a campaign, including those whose jobs ended long ago: jobs/ only grows. */
struct nuce_submissions {
    struct nuce_submission *list; /* by number, ascending */
    int64_t count, capacity;
    /* the number of the next one: above those of all files in jobs/, including aborted attempts */
    int next;
};

/* Reads jobs/ of campaign, which is opened as a whole. A damaged file is NUCE_BAD_INPUT naming it.
 * Freed with nuce_submissions_fini. */
nuce_status nuce_submissions_read(const struct nuce_campaign *campaign,
                                  struct nuce_submissions *out, struct nuce_error *error);
/* True if Slurm may start its jobs again, as after a lost node: `requeue` of its profile. */
int nuce_submission_is_requeued(const struct nuce_campaign *campaign,
                                const struct nuce_submission *submission);
/* Frees all of them; *submissions is all zeros then. */
void nuce_submissions_fini(struct nuce_submissions *submissions);

/* The profile for submitting and querying jobs of campaign, unless the user gives another: that of
 * the newest submission, or that of `nuce submit`. Freed with nuce_profile_fini. */
nuce_status nuce_submissions_profile(const struct nuce_campaign *campaign,
                                     const struct nuce_submissions *submissions,
                                     struct nuce_profile *out, struct nuce_error *error);

/* Makes jobs/ and writes one submission except its id; it becomes the last of *submissions. *argv
 * is a new reference to the arguments of sbatch. NUCE_BAD_INPUT if the profile's hostfile has fewer
 * hosts than ranks. All files are on the disk before this returns. After a failure there may be
 * files of a submission without a script: it does not count as a submission, but its number is used
 * up. */
nuce_status nuce_submission_write(const struct nuce_campaign *campaign,
                                  const struct nuce_pack *pack, const struct nuce_profile *profile,
                                  struct nuce_submissions *submissions, json_t **argv,
                                  struct nuce_error *error);

/* The number of good runs that its i-th point still lacks in part. Never more than the point lacks
 * in all, because other parts may have run it meanwhile; 0: none. */
int64_t nuce_submission_part_lacks(const struct nuce_campaign *campaign,
                                   const struct nuce_submission_part *part, int64_t i);

/* The number of points of part that lack any: they must be submitted again if it has ended. */
int64_t nuce_submission_part_left(const struct nuce_campaign *campaign,
                                  const struct nuce_submission_part *part);

/* A name for the job of submission `number` of campaign. NUCE_FAILED if the system gives no random
 * number. */
nuce_status nuce_submission_name(const struct nuce_campaign *campaign, int number,
                                 char name[NUCE_JOB_NAME_BYTES], struct nuce_error *error);

/* Writes jobs/NNNN.id. If that fails, the job still exists, and is found by its name the next
 * time. */
nuce_status nuce_submission_note_job(const struct nuce_campaign *campaign,
                                     struct nuce_submission *submission, int64_t job,
                                     struct nuce_error *error);

/* Takes back part's points: writes jobs/NNNN-K.void, unless a nuce-job holds its lock; then
 * is_locked is set instead. A void is final: no nuce removes it, and a nuce-job that starts later
 * sees it and ends. */
nuce_status nuce_submission_void(const struct nuce_campaign *campaign,
                                 struct nuce_submission *submission, int64_t part, const char *why,
                                 struct nuce_error *error);

#endif
