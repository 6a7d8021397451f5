/* Cancelling.
 *
 * Order: for each submission all rows of the queue that have its name are judged (ours, somebody
 * else's, submitted by hand, ending already); one scancel for those that are ours; then the parts
 * that are being run although no row is there for them are said. Every job with the name of a
 * submission is judged by what squeue says of it, and the rest is left and said. scancel gets the
 * id together with name and user: Slurm numbers jobs anew some day, and all three must fit
 * (scancel(1): of several filters a job must pass all).
 *
 * Nothing of the campaign is written: records of what was measured stay, parts are not made void.
 * The next `nuce resume` finds the jobs ended and takes their points back. */
#include "campaigns/cancel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/process.h"

/* scancel waits for the controller as squeue does (queue.c). Seconds. It is one call for all jobs
 * of a submission, so that an array of a thousand tasks waits once. */
#define LIMIT_S 60

/* Calls scancel once for ids, texts, and says of each that it was cancelled; adds to cancelled or
 * left. That scancel complains is said and no failure: the other submissions are gone through all
 * the same. The status is bad only if it cannot be run, or on an interrupt. */
static nuce_status call_scancel(struct nuce_cancel *cancel, const struct nuce_overview *overview,
                                const char *name, const char *user, const json_t *ids,
                                struct nuce_error *error)
{
    char *of_user = nuce_text_format("--user=%s", user),
         *of_name = nuce_text_format("--name=%s", name);
    json_t *argv = nuce_process_argv(overview->profile.via, "scancel", of_user, of_name, NULL), *id;
    int64_t jobs = (int64_t)json_array_size(ids);
    struct nuce_process_reply reply;
    char *complaint;
    size_t i;

    json_array_extend(argv, (json_t *)ids);
    error->status = nuce_process_run(argv, LIMIT_S, &reply, error);
    json_decref(argv);
    free(of_user);
    free(of_name);
    if (error->status != NUCE_OK)
        return error->status;
    if (nuce_process_succeeded(&reply)) {
        cancel->cancelled += jobs;
        json_array_foreach(ids, i, id)
        {
            nuce_text_report(cancel->report, cancel->context, "cancelled job %s (%s)",
                             json_string_value(id), name);
        }
    } else if (strstr(reply.err, "Invalid job id") != NULL) {
        /* It ended after squeue was asked. */
        nuce_text_report(cancel->report, cancel->context, "%s: is over already", name);
    } else {
        complaint = nuce_process_complaint("scancel", &reply);
        cancel->left += jobs;
        nuce_text_report(cancel->report, cancel->context, "%s: %s", name, complaint);
        free(complaint);
    }
    nuce_process_reply_fini(&reply);
    return NUCE_OK;
}

/* Judges and cancels the jobs of one submission. A row whose state says that it has ended is passed
 * over without a word: Slurm still lists jobs for some minutes after their end (MinJobAge in
 * slurm.conf(5)). A job of another user is never touched, whatever its name: names are not
 * protected by Slurm. One of our user with another id than the noted one was made by calling sbatch
 * for the script by hand; its maker may want it, and is told how to end it. The tasks of an array
 * have the id of the array in common and are judged once. */
static nuce_status cancel_submission(struct nuce_cancel *cancel,
                                     const struct nuce_overview *overview,
                                     const struct nuce_submission *submission, const char *user,
                                     struct nuce_error *error)
{
    json_t *ours = json_array(), *seen = json_object(); /* ids to cancel; those that were judged */
    const struct nuce_queue_job *ending = NULL;

    for (int64_t i = 0; i < overview->queue.count; i++) {
        const struct nuce_queue_job *job = &overview->queue.jobs[i];
        char id[32];

        if (!nuce_queue_is_live(job->state) || strcmp(job->name, submission->name) != 0)
            continue;
        if (nuce_queue_is_ending(job->state)) {
            ending = job;
            continue;
        }
        snprintf(id, sizeof id, "%lld", (long long)job->array);
        if (json_object_get(seen, id) != NULL)
            continue;
        json_object_set_new(seen, id, json_true());
        if (strcmp(job->user, user) != 0) {
            cancel->left++;
            nuce_text_report(cancel->report, cancel->context,
                             "job %s has the name %s, but is %s's: left alone", id, job->name,
                             job->user);
        } else if (submission->job != 0 && submission->job != job->array &&
                   submission->job != job->id) {
            cancel->left++;
            nuce_text_report(
                cancel->report, cancel->context,
                "job %s has the name %s, but nuce submitted that as %lld: left alone; to cancel "
                "it: scancel %s",
                id, job->name, (long long)submission->job, id);
        } else {
            json_array_append_new(ours, json_string(id));
        }
    }
    if (ending != NULL && json_object_size(seen) == 0)
        nuce_text_report(cancel->report, cancel->context, "job %lld (%s) is ending already",
                         (long long)ending->array, submission->name);
    error->status = NUCE_OK;
    if (json_array_size(ours) > 0)
        call_scancel(cancel, overview, submission->name, user, ours, error);
    json_decref(ours);
    json_decref(seen);
    return error->status;
}

nuce_status nuce_cancel_jobs(struct nuce_cancel *cancel, const struct nuce_overview *overview,
                             struct nuce_error *error)
{
    char *user = nuce_queue_own_user();

    error->status = NUCE_OK;
    for (int64_t i = 0; i < overview->submissions.count && error->status == NUCE_OK; i++) {
        const struct nuce_submission *submission = &overview->submissions.list[i];

        error->status = cancel_submission(cancel, overview, submission, user, error);
        /* Parts that somebody runs although Slurm shows no job of ours for them: a nuce-job that
         * was started without Slurm, or in a job under another name. The lock of the part is held,
         * and only its owner can end it. */
        for (int64_t k = 0; k < submission->count; k++) {
            if (!submission->parts[k].is_locked || submission->parts[k].job != NULL)
                continue;
            cancel->left++;
            nuce_text_report(
                cancel->report, cancel->context,
                "part %04d-%lld is being run by a job that Slurm does not show as ours",
                submission->number, (long long)k);
        }
    }
    free(user);
    return error->status;
}
