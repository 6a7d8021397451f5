/* Cancels jobs.
 *
 * * Order: judge all rows of the queue with the name of a submission (ours, another user's,
 * submitted by hand, ending already). Call scancel once for ours. Report the parts that run
 * although they have no row. squeue's information about a job decides; all other jobs are left
 * alone and reported. scancel gets the id together with name and user. Slurm may reuse job numbers,
 * and all three must match (scancel(1): with several filters a job must pass all).
 *
 * * The campaign is not changed: records stay, and parts are not made void. The next `nuce resume`
 * finds that the jobs have ended and takes their points back. */
#include "campaigns/cancel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/process.h"

/* Seconds. scancel waits for the controller as squeue does (queue.c). One call covers all jobs of a
 * submission, so that an array of a thousand tasks waits once. */
#define LIMIT_S 60

/* Variables that narrow which jobs scancel ends, or change its action (scancel(1)). With one of
 * them it may succeed although it left the job alone. */
#define UNSET                                                                                      \
    "SCANCEL_ACCOUNT SCANCEL_BATCH SCANCEL_CRON SCANCEL_CTLD SCANCEL_FULL SCANCEL_HURRY "          \
    "SCANCEL_INTERACTIVE SCANCEL_NAME SCANCEL_PARTITION SCANCEL_QOS SCANCEL_STATE SCANCEL_USER "   \
    "SCANCEL_WCKEY"

/* Calls scancel once for ids, an array of strings, and reports each as cancelled; adds to cancelled
 * or left. An error message of scancel is reported, but is not a failure: the other submissions
 * follow. The status is bad only if scancel cannot run, or on an interrupt. */
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
    argv = nuce_process_without(UNSET, argv);
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
    } else if (strstr(reply.err, "Invalid job id") != NULL ||
               strstr(reply.err, "already completing or completed") != NULL) {
        /* It ended after the call of squeue, or ends without a restart. */
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

/* Judges and cancels the jobs of one submission. Skips silently a row whose state shows that the
 * job has ended: Slurm lists jobs for some minutes after their end (MinJobAge in slurm.conf(5)). A
 * job that is ending is reported as such, unless Slurm may start it again (`requeue`): only scancel
 * prevents that.
 * Never cancels a job of another user, whatever its name: Slurm does not protect names. A job of
 * our user with another id than the noted one comes from a call of sbatch by hand. Its owner may
 * want it, so nuce prints how to end it. The tasks of an array share the id of the array and are
 * judged once. */
static nuce_status cancel_submission(struct nuce_cancel *cancel,
                                     const struct nuce_overview *overview,
                                     const struct nuce_submission *submission, const char *user,
                                     struct nuce_error *error)
{
    json_t *ours = json_array(), *seen = json_object(); /* ids to cancel; ids judged so far */
    int is_requeued = nuce_submission_is_requeued(&overview->campaign, submission);
    const struct nuce_queue_job *ending = NULL;

    for (int64_t i = 0; i < overview->queue.count; i++) {
        const struct nuce_queue_job *job = &overview->queue.jobs[i];
        char id[32];

        if (!nuce_queue_is_live(job->state) || strcmp(job->name, submission->name) != 0)
            continue;
        if (nuce_queue_is_ending(job->state) && !is_requeued) {
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
    if (json_array_size(ours) > 0 &&
        nuce_slurm_find(overview->profile.via, "scancel", error) == NUCE_OK)
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
        /* Parts that are running although Slurm shows no job of ours for them: a nuce-job started
         * without Slurm, or in a job with another name. The lock of the part is held, and only its
         * owner can end it. */
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
