/* nuce-job: the batch step of a Slurm job. Starts the ranks, tells them in time to stop, and
 * records what dies with them. The job script runs it in the campaign's folder.
 *
 * Order: what the job is to do (job_intent.c), the part's lock, runs that an earlier attempt of
 * this job left without an end (nuce_settle), then the launcher's loop over the points that still
 * lack runs. It may be started any number of times for the same part, by Slurm's requeue or by
 * hand: what is measured is never measured again. Slurm's warning before the time limit comes as
 * SIGUSR1 (the script asks for it), on which the sample under way is finished. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/command_line.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "campaigns/advice.h"
#include "campaigns/job_intent.h"
#include "campaigns/launcher.h"
#include "campaigns/settle.h"

/* A point that was interrupted so often in one job (which is started again after each loss of a
 * node) may be what breaks it: the others are measured, this one is left. */
#define MOST_RUNS 3

/* Ranks of a job's earlier attempt may take this long to end. */
#define PATIENCE_S 30

/* Slurm may start a job again before the ranks of its first attempt have ended: these still hold
 * the part's lock. Tried once a second, PATIENCE_S times. */
static nuce_status open_part(const struct nuce_intent *intent, struct nuce_campaign *out,
                             struct nuce_error *error)
{
    struct timespec pause = {1, 0};

    for (int tries = 0;; tries++) {
        nuce_status status = nuce_campaign_open_part(intent->campaign, intent->part, out, error);

        if (status != NUCE_FAILED || tries == PATIENCE_S)
            return status;
        nanosleep(&pause, NULL);
    }
}

/* The label says of each record file which job and which attempt wrote it. Of a job that was told
 * to stop Slurm only knows that it ended with an error, so that is noted for `nuce status`; what
 * cannot be noted is not known there, and nothing else depends on it. Returns as nuce_launcher_run
 * does. */
static nuce_status run_part(const struct nuce_intent *intent, struct nuce_campaign *campaign,
                            struct nuce_error *error)
{
    char *label = nuce_text_format("%s-slurm-%s-%s", intent->part, intent->job, intent->restart);
    char *again = nuce_advice(campaign, "resume", error), *facts = NULL;
    char *jobs = nuce_text_format("%s/jobs", campaign->path);
    char stopped_name[NUCE_PART_BYTES + sizeof ".stopped"];
    int stopped = 0;
    nuce_status status = NUCE_FAILED;
    struct nuce_launcher launcher;
    struct nuce_error ignored;

    snprintf(stopped_name, sizeof stopped_name, "%s.stopped", campaign->part);
    if (again != NULL)
        status = nuce_intent_write_facts(intent, label, &facts, error);
    if (status == NUCE_OK)
        status =
            nuce_launcher_init(&launcher, &nuce_launcher_slurm, campaign, intent->launcher, error);
    if (status == NUCE_OK) {
        launcher.programs = json_string_value(json_object_get(intent->description, "programs"));
        launcher.facts = facts;
        launcher.hosts = intent->hosts;
        launcher.label = label;
        launcher.again = again;
        launcher.stopped = &stopped;
        launcher.in_step = intent->in_step;
        status = nuce_launcher_run(&launcher, campaign, error);
        nuce_launcher_fini(&launcher);
        if (stopped)
            nuce_safe_write(jobs, stopped_name, "", 0, &ignored);
    }
    free(jobs);
    free(facts);
    free(again);
    free(label);
    return status;
}

/* NUCE_OK also where the part was taken back before its job began: its points may be in another job
 * by now. Points of which a run went wrong in an earlier attempt of this part get no other;
 * interrupted ones do, but not for ever. NUCE_FAILED if a point of the part has no good run in the
 * end. */
static nuce_status job_serve(struct nuce_intent *intent, struct nuce_campaign *campaign,
                             struct nuce_error *error)
{
    char *is_void = nuce_campaign_file(campaign, "jobs", campaign->part, ".void");
    char *stopped = nuce_campaign_file(campaign, "jobs", campaign->part, ".stopped");
    int64_t settled = 0, bad = 0;

    error->status = NUCE_OK;
    if (access(is_void, F_OK) == 0) {
        printf("%s: its points were given to another job: nothing to do\n", campaign->part);
        goto done;
    }
    if (nuce_intent_apply(intent, error) != NUCE_OK ||
        nuce_settle(campaign, campaign->part, "its job ended before it did", &settled, error) !=
            NUCE_OK)
        goto done;
    unlink(stopped); /* of the last start of the part */
    for (int64_t i = 0; i < campaign->count; i++) {
        struct nuce_campaign_point *point = &campaign->points[i];

        point->attempted = nuce_campaign_is_missing(point) && point->status != NULL &&
                           (strcmp(point->status, "interrupted") != 0 ||
                            point->runs - nuce_campaign_good(point) >= MOST_RUNS);
    }
    error->status = run_part(intent, campaign, error);
    if (error->status != NUCE_OK)
        goto done;
    for (int64_t i = 0; i < campaign->count; i++)
        bad += nuce_campaign_is_missing(&campaign->points[i]);
    printf("%s: %lld point%s, %lld without a good run\n", campaign->part,
           (long long)campaign->count, nuce_text_plural(campaign->count), (long long)bad);
    if (bad > 0)
        nuce_error_set(error, NUCE_FAILED, "%lld of %lld point%s without a good run",
                       (long long)bad, (long long)campaign->count,
                       nuce_text_plural(campaign->count));
done:
    free(stopped);
    free(is_void);
    return error->status;
}

int main(int argc, char **argv)
{
    const char *number = NULL;
    struct nuce_command_line line = {
        .about = "Runs the points of submission NUMBER of the campaign in the current folder, in a "
                 "Slurm job. The job script jobs/NUMBER.sh calls it; it can be called by hand in "
                 "an allocation.",
        .operands = {.usage = "NUMBER",
                     .least = 1,
                     .most = 1,
                     .expected = "the NUMBER of a submission, as in jobs/NUMBER.sh",
                     .into = &number}};
    struct nuce_intent intent;
    struct nuce_campaign campaign;
    struct nuce_error error;
    nuce_status status;

    argp_program_version = "nuce-job " NUCE_VERSION;
    nuce_command_line_parse(&line, argc, argv);
    status = nuce_intent_read(number, &intent, &error);
    if (status == NUCE_OK) {
        status = open_part(&intent, &campaign, &error);
        if (status == NUCE_OK) {
            status = job_serve(&intent, &campaign, &error);
            nuce_campaign_fini(&campaign);
        }
        nuce_intent_fini(&intent);
    }
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-job");
    return nuce_error_exit_status(status);
}
