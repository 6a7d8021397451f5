/* Submits and resumes through Slurm, and settles runs that died there, with messages for the user.
 * harness/campaigns makes all decisions; this code prints them and sets the exit status.
 *
 * Order: profile and sweep; submitting; resuming, with the last profile or a new one; settling
 * before a collect. */
#include "commands/slurm_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/message.h"
#include "base/text.h"
#include "campaigns/lost.h"
#include "campaigns/profile_keys.h"
#include "campaigns/script.h"
#include "campaigns/submission.h"

nuce_status nuce_slurm_profile(const char *name, const json_t *slurm, const char *const *words,
                               struct nuce_profile *out, struct nuce_error *error)
{
    struct nuce_problems problems;
    nuce_status status = nuce_profile_load(name, out, &problems, error);

    nuce_problems_print(&problems, stderr);
    nuce_problems_fini(&problems);
    if (status != NUCE_OK)
        return status;
    if (nuce_profile_merge(out, slurm, error) != NUCE_OK || words == NULL)
        return error->status;
    return nuce_profile_set_words(out, words, error);
}

/* The profile is read only for the folder of its programs: the builds there are the available MPI
 * libraries. */
nuce_status nuce_slurm_config(const char *config, const char *name, struct nuce_config *out,
                              struct nuce_error *error)
{
    struct nuce_sweep_judge judge = nuce_slurm_judge;
    struct nuce_profile profile = {.path = NULL};
    struct nuce_problems problems;

    *out = (struct nuce_config){0};
    if (nuce_slurm_profile(name, NULL, NULL, &profile, error) == NUCE_OK) {
        judge.programs = profile.programs;
        error->status = nuce_config_load(config, 0, &judge, out, &problems, error);
        nuce_problems_print(&problems, stderr);
        nuce_problems_fini(&problems);
    }
    nuce_profile_fini(&profile);
    return error->status;
}

void nuce_slurm_leave_shell(const struct nuce_profile *profile)
{
    nuce_submit_leave_shell(profile, nuce_message_report, NULL);
}

nuce_status nuce_slurm_answers(const struct nuce_profile *profile, struct nuce_error *error)
{
    struct nuce_submit submit = {.profile = profile, .report = nuce_message_report};
    struct nuce_limits limits;
    struct nuce_queue queue;

    if (nuce_submit_ask(&submit, &limits, &queue, error) == NUCE_OK)
        nuce_queue_fini(&queue);
    return error->status;
}

/* The summary is also printed after a failure, because some jobs may have been submitted before it:
 * jobs, remaining work with its command, and maximum cost. */
int nuce_slurm_submit(struct nuce_campaign *campaign, const struct nuce_profile *profile)
{
    struct nuce_submit submit = {.profile = profile, .report = nuce_message_report};
    struct nuce_limits limits;
    struct nuce_queue queue;
    struct nuce_error error;
    char cost[NUCE_COST_BYTES];

    if (nuce_submit_ask(&submit, &limits, &queue, &error) == NUCE_OK) {
        char *again = nuce_script_advice(campaign, "resume");

        error.status = nuce_submit_missing(&submit, campaign, &limits, &queue, &error);
        nuce_queue_fini(&queue);
        printf("%s: %lld point%s in %lld job%s submitted", campaign->path, (long long)submit.points,
               nuce_text_plural(submit.points), (long long)submit.cost.jobs,
               nuce_text_plural(submit.cost.jobs));
        if (submit.live > 0)
            printf(", %lld in jobs that were there", (long long)submit.live);
        if (submit.tried > 0)
            printf(", %lld failed in jobs that still run: when they have ended (nuce status), "
                   "again: %s",
                   (long long)submit.tried, again);
        if (submit.ending > 0)
            printf(", %lld in jobs that are ending: when they have ended (nuce status), again: %s",
                   (long long)submit.ending, again);
        if (submit.waiting > 0)
            printf(", %lld wait for room in Slurm's limits: %s", (long long)submit.waiting, again);
        free(again);
        putchar('\n');
        if (submit.cost.jobs > 0) {
            nuce_cost_say(&submit.cost, cost);
            printf("in all: %s\n", cost);
        }
        if (submit.lost > 0)
            fprintf(stderr, "nuce: %lld run%s: recorded\n", (long long)submit.lost,
                    submit.lost == 1 ? " had died with its job" : "s had died with their jobs");
    }
    if (error.status != NUCE_OK)
        return nuce_message_error(&error);
    return nuce_error_exit_status(
        submit.waiting > 0 || submit.ending > 0 || submit.tried > 0 ? NUCE_INTERRUPTED : NUCE_OK);
}

/* The profile of the last submission, as recorded then: the file of that name may have changed. */
static nuce_status last_profile(const struct nuce_campaign *campaign, struct nuce_profile *out,
                                struct nuce_error *error)
{
    struct nuce_submissions submissions;

    if (nuce_submissions_read(campaign, &submissions, error) != NUCE_OK)
        return error->status;
    error->status = nuce_submissions_profile(campaign, &submissions, out, error);
    nuce_submissions_fini(&submissions);
    return error->status;
}

/* Reads a profile of that name under the sweep's own requests to Slurm, as when the campaign was
 * made. */
int nuce_slurm_resume(struct nuce_campaign *campaign, const struct nuce_slurm_wish *wish)
{
    const json_t *slurm = json_object_get(campaign->description, "slurm");
    struct nuce_profile profile = {.path = NULL};
    struct nuce_problems problems;
    struct nuce_error error;
    int status;

    if (wish->profile != NULL) {
        error.status = nuce_profile_load_over(wish->profile, slurm, &profile, &problems, &error);
        nuce_problems_print(&problems, stderr);
        nuce_problems_fini(&problems);
    } else {
        error.status = last_profile(campaign, &profile, &error);
    }
    if (error.status == NUCE_OK &&
        (wish->words == NULL || nuce_profile_set_words(&profile, wish->words, &error) == NUCE_OK) &&
        nuce_submit_check(&profile, campaign, &error) == NUCE_OK) {
        nuce_slurm_leave_shell(&profile);
        status = nuce_slurm_submit(campaign, &profile);
    } else {
        status = nuce_message_error(&error);
    }
    nuce_profile_fini(&profile);
    return status;
}

/* Most campaigns have nothing in flight: the ends of their files show that, without asking Slurm.
 * Otherwise Slurm is asked, because a job that it still knows as running must be left alone. A
 * failure to settle, also because Slurm does not answer, is reported and does not prevent
 * collecting: those runs are just missing for now. */
static void settle_pending(const char *folder, const char *name)
{
    struct nuce_campaign campaign = {.lock = -1};
    char *path = nuce_text_format("%s/%s", folder, name);
    int is_pending = nuce_lost_is_pending(path);
    struct nuce_profile profile;
    struct nuce_queue queue;
    struct nuce_error error;
    int64_t lost = 0;

    free(path);
    if (!is_pending)
        return;
    error.status = nuce_campaign_open(folder, name, NUCE_CAMPAIGN_READ, &campaign, &error);
    if (error.status == NUCE_OK && nuce_campaign_is_slurm(&campaign) &&
        last_profile(&campaign, &profile, &error) == NUCE_OK) {
        if (nuce_queue_read(profile.via, &queue, &error) == NUCE_OK) {
            error.status = nuce_submit_settle(&campaign, &queue, &lost, &error);
            nuce_queue_fini(&queue);
        }
        nuce_profile_fini(&profile);
    }
    if (error.status != NUCE_OK) {
        nuce_error_prefix(&error, "%s: the state of its running jobs is not known", name);
        nuce_message_print(nuce_error_flatten(&error));
    }
    nuce_campaign_fini(&campaign);
}

void nuce_slurm_settle(const char *folder, const char *name)
{
    struct nuce_folder campaigns;
    struct nuce_error ignored;

    if (name != NULL) {
        settle_pending(folder, name);
        return;
    }
    nuce_folder_read(&campaigns, &ignored, "%s", folder);
    for (int i = 0; i < campaigns.count; i++) {
        if (nuce_text_is_name(campaigns.entries[i]->d_name))
            settle_pending(folder, campaigns.entries[i]->d_name);
    }
    nuce_folder_fini(&campaigns);
}
