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

/* Whether the part was taken back before its job began: its points may be in another job by now. */
static int is_void(const struct nuce_campaign *campaign)
{
    char *path = nuce_campaign_file(campaign, "jobs", campaign->part, ".void");
    int there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* Points of which a run went wrong in an earlier attempt of this part get no other; interrupted
 * ones do, but not for ever. */
static void skip_measured(struct nuce_campaign *campaign)
{
    for (int64_t i = 0; i < campaign->count; i++) {
        struct nuce_campaign_point *point = &campaign->points[i];

        int64_t bad = point->runs - nuce_campaign_good(point);

        point->attempted = nuce_campaign_is_missing(point) && point->status != NULL &&
                           (strcmp(point->status, "interrupted") != 0 || bad >= MOST_RUNS);
    }
}

/* For `nuce status`: Slurm only knows that the job ended with an error. What cannot be noted is not
 * known there; nothing else depends on it. */
static void note_stop(const struct nuce_campaign *campaign)
{
    char name[NUCE_PART_BYTES + sizeof ".stopped"];
    struct nuce_error ignored;
    char *folder = nuce_text_format("%s/jobs", campaign->path);

    snprintf(name, sizeof name, "%s.stopped", campaign->part);
    nuce_safe_write(folder, name, "", 0, &ignored);
    free(folder);
}

/* A new start of the part: what was noted of the last one is over. */
static void forget_stop(const struct nuce_campaign *campaign)
{
    char *path = nuce_campaign_file(campaign, "jobs", campaign->part, ".stopped");

    unlink(path);
    free(path);
}

/* The label says of each record file which job and which attempt wrote it. Returns as
 * nuce_launcher_run does. */
static nuce_status run_part(const struct nuce_intent *intent, struct nuce_campaign *campaign,
                            struct nuce_error *error)
{
    char *label = nuce_text_format("%s-slurm-%s-%s", intent->part, intent->job, intent->restart);
    char *again = nuce_advice(campaign, "resume", error), *facts = NULL;
    int stopped = 0;
    nuce_status status = NUCE_FAILED;
    struct nuce_launcher launcher;

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
            note_stop(campaign);
    }
    free(facts);
    free(again);
    free(label);
    return status;
}

/* NUCE_FAILED if a point of the part has no good run in the end. */
static nuce_status job_judge(const struct nuce_campaign *campaign, struct nuce_error *error)
{
    int64_t bad = 0;

    for (int64_t i = 0; i < campaign->count; i++)
        bad += nuce_campaign_is_missing(&campaign->points[i]);
    printf("%s: %lld point%s, %lld without a good run\n", campaign->part,
           (long long)campaign->count, nuce_text_plural(campaign->count), (long long)bad);
    if (bad > 0)
        return nuce_error_set(error, NUCE_FAILED, "%lld of %lld point%s without a good run",
                              (long long)bad, (long long)campaign->count,
                              nuce_text_plural(campaign->count));
    return NUCE_OK;
}

/* NUCE_OK also where the part was taken back. */
static nuce_status job_serve(struct nuce_intent *intent, struct nuce_campaign *campaign,
                             struct nuce_error *error)
{
    int64_t settled = 0;

    if (is_void(campaign)) {
        printf("%s: its points were given to another job: nothing to do\n", campaign->part);
        return NUCE_OK;
    }
    if (nuce_intent_apply(intent, error) != NUCE_OK ||
        nuce_settle(campaign, campaign->part, "its job ended before it did", &settled, error) !=
            NUCE_OK)
        return error->status;
    forget_stop(campaign);
    skip_measured(campaign);
    if (run_part(intent, campaign, error) != NUCE_OK)
        return error->status;
    return job_judge(campaign, error);
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
