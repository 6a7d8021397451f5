/* Where each point stands.
 *
 * Three know a part of it: the records what was measured, the folder jobs/ what was given to Slurm,
 * and the queue what Slurm still has. That a job is not in the queue means that it has ended only
 * if the queue was read; where Slurm does not answer nothing follows from its silence.
 *
 * Order: rows of the queue are joined to parts by the name of their job; each part gets a fate; the
 * records of live parts say what is being measured (standing_records.c); each point gets the best
 * of what its parts let it hope for, and with its records its standing. Cost: n log n for n rows of
 * the queue, beside the records. Nothing is written here: who submits acts on it (submit.c). */
#include "campaigns/point_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "campaigns/point_states_read.h"

const char *nuce_stand_name(enum nuce_stand stand)
{
    static const char *const names[] = {"done", "running", "queued", "failed", "missing"};

    return names[stand];
}

void nuce_standing_fini(struct nuce_standing *standing)
{
    for (int64_t i = 0; i < standing->submissions; i++)
        free(standing->parts[i]);
    free(standing->parts);
    free(standing->points);
    *standing = (struct nuce_standing){.points = NULL};
}

/* The queue and the submissions. */

/* Rows are found by name: a queue of 10 000 jobs is gone through once, not once a submission. */
static int standing_by_name(const void *a, const void *b, void *context)
{
    const struct nuce_queue_job *jobs = context;

    return strcmp(jobs[*(const int64_t *)a].name, jobs[*(const int64_t *)b].name);
}

/* The first of the rows, by name, that has that name or one behind it. */
static int64_t first_of(const struct nuce_queue *queue, const int64_t *rows, const char *name)
{
    int64_t low = 0, high = queue->count;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (strcmp(queue->jobs[rows[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of several rows that fit, as when an id is not known, the live one tells where the part is, and
 * of live ones that which nuce submitted. 0 where there is no row; 1 and 2 ended, by hand before
 * ours; 3 and 4 living ones likewise. */
static int rank_of(const struct nuce_queue_job *job, int by_hand)
{
    return job == NULL ? 0 : 1 + 2 * nuce_queue_is_live(job->state) - by_hand;
}

/* The better row is kept; of equals that with the higher number, which is the younger job. */
static void standing_offer(struct nuce_standing_part *part, const struct nuce_queue_job *job,
                           int by_hand)
{
    int have = rank_of(part->job, part->by_hand), offered = rank_of(job, by_hand);

    if (have > offered || (have == offered && part->job->id >= job->id))
        return;
    part->job = job;
    part->by_hand = by_hand;
}

/* by_hand: a job of the submission's name that is not the one that was noted: somebody called
 * sbatch for its script again. Another user's, or one that has ended, says nothing of the part. A
 * task with a number that the submission does not have belongs to an array that was submitted by
 * hand with another --array, and is left out. */
static void match_row(const struct nuce_submission *submission, const struct nuce_queue_job *job,
                      const char *user, struct nuce_standing_part *parts)
{
    int by_hand =
        submission->job != 0 && submission->job != job->array && submission->job != job->id;

    if (by_hand && (!nuce_queue_is_live(job->state) || strcmp(job->user, user) != 0))
        return;
    /* Tasks that were cancelled before they started have one row together, without a number. */
    if (job->task == NUCE_QUEUE_TASKS || (job->task < 0 && submission->count > 1)) {
        for (int64_t k = 0; k < submission->count; k++)
            standing_offer(&parts[k], job, by_hand);
    } else if (job->task < submission->count) {
        standing_offer(&parts[job->task < 0 ? 0 : job->task], job, by_hand);
    }
}

/* Both sides by name, sorted once: a campaign of thousands of jobs in a queue of ten thousand takes
 * no time to speak of. */
static void match_queue(const struct nuce_submissions *submissions, const struct nuce_queue *queue,
                        struct nuce_standing *standing)
{
    int64_t *rows = nuce_allocate(queue->count, sizeof *rows);
    char *user = nuce_queue_own_user();

    for (int64_t i = 0; i < queue->count; i++)
        rows[i] = i;
    if (queue->count > 0)
        qsort_r(rows, (size_t)queue->count, sizeof *rows, standing_by_name, queue->jobs);
    for (int64_t i = 0; i < submissions->count; i++) {
        const struct nuce_submission *submission = &submissions->list[i];

        for (int64_t k = first_of(queue, rows, submission->name);
             k < queue->count && strcmp(queue->jobs[rows[k]].name, submission->name) == 0; k++)
            match_row(submission, &queue->jobs[rows[k]], user, standing->parts[i]);
    }
    free(user);
    free(rows);
}

/* What the lock of a part and its row in the queue say together. A part without a row has ended
 * only if the queue was read. A lock outweighs a queue that does not know the job: somebody is
 * measuring. */
static enum nuce_fate fate_of(const struct nuce_submission_part *part,
                              const struct nuce_queue_job *job, int queue_known)
{
    if (job != NULL && nuce_queue_is_ending(job->state))
        return NUCE_FATE_ENDING;
    /* The batch step outlives its job by some seconds: it waits for the sample under way. */
    if (part->is_locked && job != NULL && !nuce_queue_is_live(job->state))
        return NUCE_FATE_ENDING;
    if (part->is_locked || (job != NULL && nuce_queue_is_live(job->state)))
        return NUCE_FATE_LIVE;
    return queue_known || part->is_void ? NUCE_FATE_ENDED : NUCE_FATE_UNKNOWN;
}

/* Room for the parts of every submission, what the queue has for each, and its fate. queue NULL:
 * not read. On failure standing->submissions says how many rooms there are, for
 * nuce_standing_fini. */
static void make_parts(const struct nuce_submissions *submissions, const struct nuce_queue *queue,
                       struct nuce_standing *standing)
{
    standing->parts = nuce_allocate(submissions->count, sizeof *standing->parts);
    for (; standing->submissions < submissions->count; standing->submissions++) {
        int64_t i = standing->submissions;

        standing->parts[i] = nuce_allocate(submissions->list[i].count, sizeof *standing->parts[i]);
    }
    if (queue != NULL)
        match_queue(submissions, queue, standing);
    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++)
            standing->parts[i][k].fate =
                fate_of(&submissions->list[i].parts[k], standing->parts[i][k].job, queue != NULL);
    }
}

/* The points. */

/* What may still become of a point by itself. The greater the better, since the best counts.
 * UNKNOWN: Slurm could not be asked. */
enum hope { HOPE_NONE, HOPE_UNKNOWN, HOPE_LIVE };

/* Live jobs come to their points one after another: of those one runs, and what has not been tried
 * yet is queued. What a live job has tried and not got is failed, though the job goes on. The order
 * of the questions matters: a point with a good run of each launch is done whatever its jobs do;
 * one that hopes for nothing is failed if anything was tried, and missing if it was only
 * stopped. */
static enum nuce_stand stand_of(const struct nuce_campaign_point *point, enum hope hope, int marks)
{
    if (!nuce_campaign_is_missing(point))
        return NUCE_STAND_DONE;
    if (hope == HOPE_LIVE && (marks & NUCE_MARK_BEGUN))
        return NUCE_STAND_RUNNING;
    if (hope == HOPE_LIVE && !(marks & NUCE_MARK_TRIED))
        return NUCE_STAND_QUEUED;
    if (hope == HOPE_UNKNOWN && point->status == NULL)
        return NUCE_STAND_QUEUED;
    if (nuce_campaign_is_stopped(point))
        return NUCE_STAND_MISSING;
    return point->status != NULL || (marks & NUCE_MARK_TRIED) ? NUCE_STAND_FAILED
                                                              : NUCE_STAND_MISSING;
}

/* What each point can hope for: of several parts that hold it the best counts. */
static void collect_hopes(const struct nuce_submissions *submissions,
                          const struct nuce_standing *standing, unsigned char *hopes)
{
    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            const struct nuce_submission_part *part = &submissions->list[i].parts[k];
            enum nuce_fate fate = standing->parts[i][k].fate;
            unsigned char hope = fate == NUCE_FATE_LIVE      ? HOPE_LIVE
                                 : fate == NUCE_FATE_UNKNOWN ? HOPE_UNKNOWN
                                                             : HOPE_NONE;

            for (int64_t j = 0; !part->is_void && j < part->count; j++) {
                unsigned char *best = &hopes[part->points[j]];

                *best = hope > *best ? hope : *best;
            }
        }
    }
}

/* A nuce that runs the campaign on this machine comes to all points but those that went wrong. */
static void take_local(const struct nuce_campaign *campaign, unsigned char *hopes,
                       unsigned char *marks)
{
    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        hopes[i] = HOPE_LIVE;
        if (point->status != NULL && !nuce_campaign_is_stopped(point))
            marks[i] |= NUCE_MARK_TRIED;
    }
}

/* Standing of every point, and how many there are of each. A campaign that runs on this machine has
 * no submissions: whether somebody runs it says its lock. */
static nuce_status make_points(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions,
                               struct nuce_standing *standing, struct nuce_error *error)
{
    unsigned char *hopes = nuce_allocate(campaign->count, sizeof *hopes);
    unsigned char *marks = nuce_allocate(campaign->count, sizeof *marks);

    standing->points = nuce_allocate(campaign->count, sizeof *standing->points);
    error->status = nuce_standing_mark(campaign, submissions, standing, marks, error);
    if (error->status == NUCE_OK) {
        collect_hopes(submissions, standing, hopes);
        if (!nuce_campaign_is_slurm(campaign) && nuce_campaign_is_held(campaign))
            take_local(campaign, hopes, marks);
        for (int64_t i = 0; i < campaign->count; i++) {
            enum nuce_stand stand = stand_of(&campaign->points[i], hopes[i], marks[i]);

            standing->points[i] = (unsigned char)stand;
            standing->counts[stand]++;
        }
    }
    free(hopes);
    free(marks);
    return error->status;
}

nuce_status nuce_standing_make(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions,
                               const struct nuce_queue *queue, struct nuce_standing *out,
                               struct nuce_error *error)
{
    struct nuce_standing standing = {.points = NULL};

    make_parts(submissions, queue, &standing);
    if (make_points(campaign, submissions, &standing, error) != NUCE_OK) {
        nuce_standing_fini(&standing);
        return error->status;
    }
    *out = standing;
    return NUCE_OK;
}
