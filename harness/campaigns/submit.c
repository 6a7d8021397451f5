/* Submits: no point twice, none lost.
 *
 * * * Steps: ask the queue. Find jobs that were accepted without an answer from sbatch. Record runs
 * that died with ended jobs, and take their points back. Pack the points that are missing and in no
 * job. For each pack write the intent, call sbatch, note the id.
 *
 * * * No point twice: a job's name is drawn for its intent and no other job ever has it. So after a
 * timeout or a crash the queue shows if the job exists. No point lost: points belong to a part
 * until a file NNNN-K.void exists. It is written only while no nuce-job holds the part's lock. */
#include "campaigns/submit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/text.h"
#include "campaigns/lost.h"
#include "campaigns/overview.h"
#include "campaigns/packing.h"
#include "campaigns/process.h"
#include "campaigns/script.h"
#include "campaigns/submission.h"

/* sbatch retries by itself for two minutes when Slurm's queue is full. */
#define SBATCH_S 180

/* Maximum time without an answer from Slurm, and the pause between two attempts. */
#define PATIENCE_S 90
#define PAUSE_S 2

/* A job must be missing from the queue this many times in a row before it counts as missing: Slurm
 * may still process a request that sbatch gave up. */
#define ASKS 3

/* One call of nuce_submit_missing. submissions are those of the folder jobs/; each submitted pack
 * adds one. */
struct submission {
    struct nuce_submit *submit;
    struct nuce_campaign *campaign;
    struct nuce_submissions submissions;
    /* A flag for each point: in a job submitted now; in one for which there is no room. */
    unsigned char *seen, *left_out;
    int is_refused;  /* Slurm certainly refused the last pack */
    int is_numbered; /* and still counts it as a job, which it rejected */
};

/* A Slurm that does not answer may be restarting. So nuce asks every PAUSE_S for PATIENCE_S, and
 * prints the reason once. A missing Slurm (NUCE_BAD_INPUT), or an interrupt, ends that at once. */
static nuce_status read_queue(const struct nuce_submit *submit, struct nuce_queue *queue,
                              struct nuce_error *error)
{
    double end_s = nuce_clock() + PATIENCE_S;
    int said = 0;

    while (nuce_queue_read(submit->profile->via, queue, error) != NUCE_OK) {
        if (error->status != NUCE_FAILED || nuce_clock() >= end_s)
            return error->status;
        if (!said)
            nuce_text_report(submit->report, submit->context, "%s; asking again for up to %d s",
                             nuce_error_flatten(error), PATIENCE_S);
        said = 1;
        sleep(PAUSE_S);
    }
    return NUCE_OK;
}

nuce_status nuce_submit_ask(const struct nuce_submit *submit, struct nuce_limits *limits,
                            struct nuce_queue *queue, struct nuce_error *error)
{
    if (read_queue(submit, queue, error) != NUCE_OK)
        return error->status;
    error->status = nuce_limits_read(submit->profile->via, limits, error);
    if (error->status != NUCE_OK)
        nuce_queue_fini(queue);
    return error->status;
}

/* Slurm's answer for the name of a submission. */
struct named {
    int64_t job;      /* for an array the array's id; 0: no such job */
    int rejected;     /* it failed before it got nodes: it never ran, and never will */
    char reason[128]; /* the reason, in words */
};

/* Checks if Slurm accepted the job although sbatch reported no success: queries the name of the
 * job, and examines all rows that have it. An array has many rows, and counts as rejected only if
 * all of them are. out->job is 0 if the job certainly does not exist. NUCE_FAILED: Slurm does not
 * answer, and nothing is known. */
static nuce_status submission_find_job(const struct submission *s,
                                       const struct nuce_submission *submission, struct named *out,
                                       struct nuce_error *error)
{
    *out = (struct named){.job = 0};
    for (int ask = 0; ask < ASKS && out->job == 0; ask++) {
        struct nuce_queue queue;

        if (ask > 0)
            sleep(PAUSE_S);
        if (read_queue(s->submit, &queue, error) != NUCE_OK)
            return error->status;
        for (int64_t i = 0; i < queue.count; i++) {
            const struct nuce_queue_job *job = &queue.jobs[i];

            if (strcmp(job->name, submission->name) != 0)
                continue;
            out->rejected = (out->job == 0 || out->rejected) && nuce_queue_is_rejected(job);
            if (out->rejected)
                snprintf(out->reason, sizeof out->reason, "%s", nuce_queue_words(job->reason));
            out->job = job->array > 0 ? job->array : job->id;
        }
        nuce_queue_fini(&queue);
    }
    return NUCE_OK;
}

/* sbatch did refuse the job. Makes its parts void, so that the points are free for another attempt.
 * Always NUCE_FAILED. */
static nuce_status submission_refuse(struct submission *s, struct nuce_submission *submission,
                                     const char *complaint, const struct named *found,
                                     struct nuce_error *error)
{
    char what[256] = "Slurm has no such job", *again, *why;

    if (found->job != 0)
        snprintf(what, sizeof what, "Slurm rejected it as job %lld: %s", (long long)found->job,
                 found->reason);
    why = nuce_text_format("%s; %s", complaint, what);
    error->status = NUCE_OK;
    for (int64_t k = 0; k < submission->count && error->status == NUCE_OK; k++)
        error->status = nuce_submission_void(s->campaign, submission, k, why, error);
    free(why);
    if (error->status != NUCE_OK)
        return error->status;
    s->is_refused = 1;
    s->is_numbered = found->job != 0;
    again = nuce_script_advice(s->campaign, "resume");
    nuce_error_set(error, NUCE_FAILED,
                   "%s; %s. To submit the missing points, also with '--profile FILE' or '-- "
                   "SBATCH-OPTION...': %s",
                   complaint, what, again);
    free(again);
    return error->status;
}

/* Calls sbatch and notes the id of the job: `sbatch --parsable` prints one line, "ID" or
 * "ID;CLUSTER". If it failed, or printed something else, the job may exist nevertheless, and is
 * searched for. An interrupt leaves the submission without an id: the next nuce searches for it by
 * its name (nuce_submit_missing). */
static nuce_status call_sbatch(struct submission *s, struct nuce_submission *submission,
                               const json_t *argv, struct nuce_error *error)
{
    struct nuce_process_reply reply;
    struct named found;
    char *complaint, *end;
    long long job = 0;

    if (nuce_process_run(argv, SBATCH_S, &reply, error) != NUCE_OK)
        return error->status;
    if (nuce_process_succeeded(&reply) && isdigit((unsigned char)*reply.out)) {
        errno = 0;
        job = strtoll(reply.out, &end, 10);
        end += *end == ';' ? strcspn(end, "\n") : 0;
        if (errno != 0 || (*end != '\0' && strcmp(end, "\n") != 0))
            job = 0;
    }
    complaint = nuce_process_succeeded(&reply)
                    ? nuce_text_duplicate("sbatch did not print the id of a job")
                    : nuce_process_complaint("sbatch", &reply);
    nuce_process_reply_fini(&reply);
    error->status = NUCE_OK;
    if (job == 0) {
        nuce_text_report(s->submit->report, s->submit->context,
                         "%s; looking for the job by its name, %s", complaint, submission->name);
        if (submission_find_job(s, submission, &found, error) != NUCE_OK) {
            nuce_error_prefix(error,
                              "%s; it is not known if Slurm accepted job %s; 'nuce resume' asks "
                              "again before it submits anything",
                              complaint, submission->name);
        } else if (found.job == 0 || found.rejected) {
            submission_refuse(s, submission, complaint, &found, error);
        } else {
            job = found.job;
            nuce_text_report(s->submit->report, s->submit->context, "job %s was accepted as %lld",
                             submission->name, job);
        }
    }
    free(complaint);
    if (job == 0)
        return error->status;
    return nuce_submission_note_job(s->campaign, submission, job, error);
}

/* Writes a pack as a submission, submits it, and reports it. The intent is on the disk before the
 * call of sbatch. */
static nuce_status submit_pack(struct submission *s, const struct nuce_pack *pack,
                               struct nuce_error *error)
{
    char nodes[NUCE_PACKING_NODES_BYTES];
    struct nuce_submission *submission;
    json_t *argv = NULL;
    unsigned char *seen;
    int64_t points;

    if (nuce_submission_write(s->campaign, pack, s->submit->profile, &s->submissions, &argv,
                              error) != NUCE_OK)
        return error->status;
    seen = nuce_allocate(s->campaign->count, sizeof *seen);
    points = nuce_packing_count_points(pack, seen);
    free(seen);
    submission = &s->submissions.list[s->submissions.count - 1];
    error->status = call_sbatch(s, submission, argv, error);
    json_decref(argv);
    if (error->status != NUCE_OK)
        return nuce_error_prefix(error, "%lld point%s on %d rank%s", (long long)points,
                                 nuce_text_plural(points), pack->ranks,
                                 nuce_text_plural(pack->ranks));
    s->submit->points += nuce_packing_count_points(pack, s->seen);
    if (nuce_cost_add(&s->submit->cost, pack, pack->count, s->submit->profile, error) != NUCE_OK)
        return error->status;
    nuce_packing_say_nodes(pack, s->submit->profile, nodes);
    nuce_text_report(s->submit->report, s->submit->context,
                     "job %lld: %lld point%s on %d rank%s%s%s", (long long)submission->job,
                     (long long)points, nuce_text_plural(points), pack->ranks,
                     nuce_text_plural(pack->ranks), pack->count > 1 ? ", an array" : "", nodes);
    return NUCE_OK;
}

/* Records the unfinished runs of all parts that have certainly ended; the reason is how their job
 * ended. Skips parts whose job may be live: their runs may still end well. */
static nuce_status settle_all(struct nuce_campaign *campaign,
                              const struct nuce_submissions *submissions, int64_t *lost,
                              struct nuce_error *error)
{
    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            const struct nuce_submission_part *part = &submissions->list[i].parts[k];
            char message[256] = "its job ended before it did";

            if (part->fate != NUCE_FATE_ENDED)
                continue;
            if (part->job != NULL)
                snprintf(message, sizeof message, "its job %lld ended before it did: %s",
                         (long long)part->job->id, nuce_queue_words(part->job->state));
            if (nuce_lost_settle(campaign, part->name, message, lost, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

nuce_status nuce_submit_settle(struct nuce_campaign *campaign, const struct nuce_queue *queue,
                               int64_t *lost, struct nuce_error *error)
{
    struct nuce_submissions submissions;

    if (nuce_submissions_read(campaign, &submissions, error) != NUCE_OK)
        return error->status;
    error->status = nuce_overview_join(campaign, &submissions, queue, error);
    if (error->status == NUCE_OK)
        error->status = settle_all(campaign, &submissions, lost, error);
    nuce_submissions_fini(&submissions);
    return error->status;
}

/* Launches of a point that are not submitted now, because jobs will measure them, or because Slurm
 * is still ending a job that holds them. */
struct taken {
    int64_t launches;
    int is_ending;
};

/* Takes back the parts that ended with points missing, and counts in taken the launches that stay
 * in jobs. Reports a job that had to stop before its first point was done, because it will do so
 * again. A job that was ended from outside is an exception: it did not lack time. */
static nuce_status take_back(struct submission *s, struct taken *taken, struct nuce_error *error)
{
    for (int64_t i = 0; i < s->submissions.count; i++) {
        struct nuce_submission *submission = &s->submissions.list[i];

        for (int64_t k = 0; k < submission->count; k++) {
            struct nuce_submission_part *part = &submission->parts[k];
            int64_t left_all = part->is_void ? 0 : nuce_submission_part_left(s->campaign, part);
            int is_from_outside = part->job != NULL && nuce_queue_is_from_outside(part->job->state);
            char job[64] = "a job of another name";

            if (part->is_void)
                continue;
            /* A job that nuce did not submit but that holds points. */
            if (part->fate == NUCE_FATE_LIVE && left_all > 0 &&
                (part->job == NULL || part->by_hand)) {
                if (part->job != NULL)
                    snprintf(job, sizeof job, "job %lld", (long long)part->job->array);
                nuce_text_report(s->submit->report, s->submit->context,
                                 "%lld point%s of jobs/%04d.sh %s left to %s, submitted by hand",
                                 (long long)left_all, nuce_text_plural(left_all),
                                 submission->number, left_all == 1 ? "is" : "are", job);
            }
            if (part->fate == NUCE_FATE_ENDED && left_all > 0) {
                if (part->is_stopped && !is_from_outside && left_all == part->count)
                    nuce_text_report(
                        s->submit->report, s->submit->context,
                        "job %lld got the signal to stop before one of its %lld point%s was "
                        "done: more 'time' may be needed, in a file for --profile",
                        (long long)submission->job, (long long)part->count,
                        nuce_text_plural(part->count));
                if (nuce_submission_void(s->campaign, submission, k, "", error) != NUCE_OK)
                    return error->status;
            }
            /* A part made void just now no longer holds its points; one whose lock another process
             * holds keeps them. */
            for (int64_t p = 0; p < part->count && !part->is_void; p++) {
                int64_t left = nuce_submission_part_lacks(s->campaign, part, p);

                taken[part->points[p]].launches += left;
                taken[part->points[p]].is_ending |= left > 0 && part->fate == NUCE_FATE_ENDING;
            }
        }
    }
    return NUCE_OK;
}

/* Adds to a race with a missing point its reference, the first point of the race, because a
 * contender alone would have no ratio. A race whose reference is missing is added whole. points has
 * room for all of the campaign, and stays in order. The missing points move to the end of the array
 * first, and the result grows from its front. It never overtakes the input: after `next` there are
 * only points from `first` on, and the result so far has only points before `first`, each of them
 * once. */
static void add_references(const struct nuce_campaign *campaign, int64_t *points, int64_t *count)
{
    int64_t given = *count, all = 0, next = 0;

    memmove(&points[campaign->count - given], points, (size_t)given * sizeof *points);
    next = campaign->count - given;
    for (int64_t first = 0, end; first < campaign->count && next < campaign->count; first = end) {
        for (end = first + 1;
             end < campaign->count && campaign->points[end].race == campaign->points[first].race;)
            end++;
        if (points[next] >= end)
            continue;
        if (points[next] != first) {
            points[all++] = first;
            while (next < campaign->count && points[next] < end)
                points[all++] = points[next++];
            continue;
        }
        while (next < campaign->count && points[next] < end)
            next++;
        for (int64_t i = first; i < end; i++)
            points[all++] = i;
    }
    *count = all;
}

/* The points to submit: missing, and in no live job, each race with its reference. launches, by
 * index of a point: the number to submit. */
static nuce_status collect_missing(struct submission *s, const struct nuce_queue *queue,
                                   int64_t *points, int64_t *launches, int64_t *count,
                                   struct nuce_error *error)
{
    struct taken *taken = nuce_allocate(s->campaign->count, sizeof *taken);

    if (nuce_overview_join(s->campaign, &s->submissions, queue, error) == NUCE_OK &&
        settle_all(s->campaign, &s->submissions, &s->submit->lost, error) == NUCE_OK)
        error->status = take_back(s, taken, error);
    *count = 0;
    for (int64_t i = 0; error->status == NUCE_OK && i < s->campaign->count; i++) {
        int64_t lacks = nuce_campaign_lacks(&s->campaign->points[i]);

        launches[i] = lacks > taken[i].launches ? lacks - taken[i].launches : 0;
        if (launches[i] > 0)
            points[(*count)++] = i;
        else if (lacks > 0 && taken[i].is_ending)
            s->submit->ending++;
        else if (lacks > 0 && s->campaign->points[i].stand == NUCE_STAND_FAILED)
            s->submit->tried++;
        else if (lacks > 0)
            s->submit->live++;
    }
    add_references(s->campaign, points, count);
    free(taken);
    return error->status;
}

/* Packs the points of wish and submits them within Slurm's limits. MaxJobCount counts all jobs that
 * slurmctld still knows, of all users and including ended ones (slurm.conf(5)), as do the rows of
 * the queue. If Slurm cannot be asked for it, sbatch will report it. The points beyond the limits
 * are counted. A pack is cut to the remaining room, its longest parts first, as a copy whose parts
 * stay those of the packing.
 *
 * Slurm may refuse a pack and take the next one, which has another size: only the nodes of one may
 * exist. So a certain refusal is kept, and the loop continues; several are reported one by one. It
 * ends when the success of sbatch is unknown, and on an interrupt. */
static nuce_status submit_points(struct submission *s, const struct nuce_packing_wish *wish,
                                 const struct nuce_limits *limits, const struct nuce_queue *queue,
                                 struct nuce_error *error)
{
    int64_t room = limits->jobs > queue->count ? limits->jobs - queue->count : 0;
    struct nuce_error kept = {.status = NUCE_OK};
    struct nuce_packing packing;
    char *advice;

    if (wish->count == 0)
        return NUCE_OK;
    if (nuce_packing_make(s->campaign, wish, s->submit->profile,
                          limits->array_size > 1 ? limits->array_size : 1, &packing,
                          error) != NUCE_OK)
        return error->status;
    if (packing.too_long > 0)
        nuce_text_report(s->submit->report, s->submit->context,
                         "%lld group%s of points may take longer than a job's time limit: each has "
                         "a job of its own; 'nuce resume' continues one that is stopped",
                         (long long)packing.too_long, nuce_text_plural(packing.too_long));
    advice = nuce_packing_advice(&packing, s->submit->profile);
    if (advice != NULL)
        nuce_text_report(s->submit->report, s->submit->context, "%s", advice);
    free(advice);
    if (!limits->known)
        room = INT64_MAX;
    error->status = NUCE_OK;
    for (int64_t i = 0; i < packing.count && error->status == NUCE_OK; i++) {
        struct nuce_pack pack = packing.packs[i], rest = pack;

        pack.count = pack.count < room ? pack.count : room;
        room -= pack.count;
        rest.parts += pack.count;
        rest.count -= pack.count;
        s->submit->waiting += nuce_packing_count_points(&rest, s->left_out);
        if (pack.count > 0)
            error->status = submit_pack(s, &pack, error);
        if (error->status == NUCE_OK)
            continue;
        if (kept.status != NUCE_OK)
            nuce_text_report(s->submit->report, s->submit->context, "%s", kept.message);
        kept = *error;
        if (s->is_refused) {
            error->status = NUCE_OK;
            room += s->is_numbered ? 0 : pack.count;
        }
        s->is_refused = 0;
    }
    nuce_packing_fini(&packing);
    *error = kept;
    return error->status;
}

/* Handles first the submissions whose job id was never noted, because nuce was killed between
 * intent and id, or Slurm did not answer. The caller's queue may be older than a job found this
 * way. The records are read after the queue: those of a job that has left the queue are then
 * complete, and none of its points looks missing. */
nuce_status nuce_submit_missing(struct nuce_submit *submit, struct nuce_campaign *campaign,
                                const struct nuce_limits *limits, const struct nuce_queue *queue,
                                struct nuce_error *error)
{
    struct submission s = {.submit = submit,
                           .campaign = campaign,
                           .seen = nuce_allocate(campaign->count, sizeof *s.seen),
                           .left_out = nuce_allocate(campaign->count, sizeof *s.left_out)};
    struct nuce_queue newer = {.count = 0};
    int64_t *points = nuce_allocate(campaign->count, sizeof *points);
    int64_t *launches = nuce_allocate(campaign->count, sizeof *launches);
    struct nuce_packing_wish wish = {.points = points, .launches = launches};
    int is_found = 0;

    error->status = nuce_submissions_read(campaign, &s.submissions, error);
    for (int64_t i = 0; i < s.submissions.count && error->status == NUCE_OK; i++) {
        struct nuce_submission *submission = &s.submissions.list[i];
        struct named named;

        if (submission->job != 0 || submission->parts[0].is_void ||
            submission_find_job(&s, submission, &named, error) != NUCE_OK || named.job == 0 ||
            named.rejected)
            continue;
        nuce_text_report(submit->report, submit->context, "job %s had been accepted as %lld",
                         submission->name, (long long)named.job);
        error->status = nuce_submission_note_job(campaign, submission, named.job, error);
        is_found = 1;
    }
    if (error->status == NUCE_OK && is_found)
        error->status = read_queue(submit, &newer, error);
    if (is_found)
        queue = &newer;
    if (error->status == NUCE_OK && nuce_campaign_refresh(campaign, error) == NUCE_OK &&
        collect_missing(&s, queue, points, launches, &wish.count, error) == NUCE_OK)
        error->status = submit_points(&s, &wish, limits, queue, error);
    nuce_queue_fini(&newer);
    nuce_submissions_fini(&s.submissions);
    free(s.seen);
    free(s.left_out);
    free(launches);
    free(points);
    return error->status;
}
