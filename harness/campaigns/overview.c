/* Joins all information about a campaign: its records, its submissions and the queue.
 *
 * * Three sources know about a point: the records hold its results, the folder jobs/ its
 * submissions, and the queue Slurm's live jobs. A job that is not in the queue has ended, but only
 * if the queue was read. If Slurm does not answer, its silence means nothing, and the records
 * decide.
 *
 * * Order: join rows of the queue to parts by the name of their job. Give each part a fate. Read
 * the points under way from the records of live parts. Give each point the best prospect among its
 * parts, and with its records its state. Cost: a look-up for each row of the queue, plus the
 * records. Nothing is written here: submit.c acts on the overview. */
#include "campaigns/overview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/text.h"
#include "campaigns/lost.h"

const char *nuce_stand_name(enum nuce_stand stand)
{
    static const char *const names[] = {"done", "running", "queued", "failed", "missing"};

    return names[stand];
}

/* The queue and the submissions. */

/* Several rows may fit a part, as when an id is not known. A live row shows where the part is;
 * among live rows, the one that nuce submitted. 0: no row; 1 and 2: ended, by hand before ours; 3
 * and 4: live, likewise. */
static int rank_of(const struct nuce_queue_job *job, int by_hand)
{
    return job == NULL ? 0 : 1 + 2 * nuce_queue_is_live(job->state) - by_hand;
}

/* Matches a row to a part. by_hand: the job has the submission's name, but not the noted id: a user
 * ran sbatch on its script again. Ignores such a row if another user owns it or it has ended.
 * Ignores a task whose number the submission lacks: it belongs to an array submitted by hand with
 * another --array. Keeps the better row; of equal ones the higher job number, which is the younger
 * job. */
static void match_row(struct nuce_submission *submission, const struct nuce_queue_job *job,
                      const char *user)
{
    int by_hand =
        submission->job != 0 && submission->job != job->array && submission->job != job->id;
    /* Tasks cancelled before they started share one row without a number. */
    int is_of_all = job->task == NUCE_QUEUE_TASKS || (job->task < 0 && submission->count > 1);
    int64_t first = is_of_all || job->task < 0 ? 0 : job->task;
    int64_t end = is_of_all || first >= submission->count ? submission->count : first + 1;

    if (by_hand && (!nuce_queue_is_live(job->state) || strcmp(job->user, user) != 0))
        return;
    for (int64_t k = first; k < end; k++) {
        struct nuce_submission_part *part = &submission->parts[k];
        int have = rank_of(part->job, part->by_hand), offered = rank_of(job, by_hand);

        if (have > offered || (have == offered && part->job->id >= job->id))
            continue;
        part->job = job;
        part->by_hand = by_hand;
    }
}

/* No two submissions share a name (nuce_submission_name). Each row is looked up once: thousands of
 * jobs in a queue of ten thousand take negligible time. */
static void match_queue(struct nuce_submissions *submissions, const struct nuce_queue *queue)
{
    json_t *by_name = json_object();
    char *user = nuce_queue_own_user();

    for (int64_t i = 0; i < submissions->count; i++)
        json_object_set_new(by_name, submissions->list[i].name, json_integer((json_int_t)i));
    for (int64_t i = 0; i < queue->count; i++) {
        const json_t *number = json_object_get(by_name, queue->jobs[i].name);

        if (number != NULL)
            match_row(&submissions->list[json_integer_value(number)], &queue->jobs[i], user);
    }
    json_decref(by_name);
    free(user);
}

/* The fate of a part, by its lock and its row in the queue. A part without a row has ended only if
 * the queue was read. A held lock outweighs a queue without the job, because it proves that a
 * process is measuring. */
static enum nuce_fate fate_of(const struct nuce_submission_part *part, int queue_known)
{
    const char *state = part->job != NULL ? part->job->state : NULL;

    if (state != NULL && nuce_queue_is_ending(state))
        return NUCE_FATE_ENDING;
    /* The batch step outlives its job by some seconds, because it waits for the sample under
     * way. */
    if (part->is_locked && state != NULL && !nuce_queue_is_live(state))
        return NUCE_FATE_ENDING;
    if (part->is_locked || (state != NULL && nuce_queue_is_live(state)))
        return NUCE_FATE_LIVE;
    return queue_known || part->is_void ? NUCE_FATE_ENDED : NUCE_FATE_UNKNOWN;
}

/* True if a live part is running and not just waiting. */
static int is_running(const struct nuce_submission_part *part)
{
    static const char *const running[] = {"RUNNING", "SUSPENDED", "STOPPED", "SIGNALING",
                                          "RESIZING"};

    for (size_t i = 0; part->job != NULL && i < sizeof running / sizeof *running; i++) {
        if (strcmp(part->job->state, running[i]) == 0)
            return 1;
    }
    return part->is_locked;
}

/* Finds the points under way, by the records of live jobs.
 *
 * A kernel writes one line when it begins a point and one when it has ended it. So the last line of
 * a job's newest file names the point in flight, or shows that there is none. Files of parts that
 * have ended are not opened: the campaign has read them already. Only an unreadable folder is an
 * error: a file that vanishes was packed or cleaned up. */

enum {
    TRIED = 1, /* has had its run in its live part: no second one there */
    BEGUN = 2, /* runs now, by the last line of the newest file */
};

/* A record file of a live part: records/NNNN-K-slurm-JOB-RESTART-LAUNCH.jsonl. */
struct record_file {
    const struct nuce_submission_part *part;
    char *path;
};

/* For bsearch: the submissions are sorted by number, ascending. */
static int by_number(const void *key, const void *entry)
{
    int number = *(const int *)key;
    const struct nuce_submission *submission = entry;

    return (number > submission->number) - (number < submission->number);
}

/* The live part of the record file name; NULL: none. Files of a local run, or of another program,
 * have other names. At most nine digits, so that no number overflows: nuce makes no longer ones. */
static const struct nuce_submission_part *part_of(const char *name,
                                                  const struct nuce_submissions *submissions)
{
    const struct nuce_submission *submission;
    long long part;
    int number;

    if (sscanf(name, "%9d-%9lld-slurm-", &number, &part) != 2 || submissions->count == 0 ||
        !nuce_campaign_is_record_file(name))
        return NULL;
    submission = bsearch(&number, submissions->list, (size_t)submissions->count,
                         sizeof *submissions->list, by_number);
    if (submission == NULL || part < 0 || part >= submission->count ||
        submission->parts[part].is_void || submission->parts[part].fate != NUCE_FATE_LIVE)
        return NULL;
    return &submission->parts[part];
}

/* By part, then in the order of jobs, restarts and launches. strverscmp puts job 10 after job 9,
 * unlike a comparison by characters. */
static int by_part(const void *left, const void *right)
{
    const struct record_file *a = left, *b = right;
    int order = strcmp(a->part->name, b->part->name);

    return order != 0 ? order : strverscmp(a->path, b->path);
}

/* Marks a point of the plan whose run went wrong. A restarted job repeats interrupted runs, so
 * these do not count. */
static void mark_tried(void *context, int64_t point, const json_t *record)
{
    unsigned char *marks = context;

    if (strcmp(json_string_value(json_object_get(record, "status")), "interrupted") != 0)
        marks[point] |= TRIED;
}

/* Sets marks (campaign->count) of points in live parts, whose fates are known. Only the newest
 * launch of a part can have a point in flight, and only while its job runs. The record of a run
 * that died with its launch is in a file of its own, which is not a launch. Opens only these files;
 * of the others in records/, possibly thousands, it reads the names. */
static nuce_status mark_points(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions, unsigned char *marks,
                               struct nuce_error *error)
{
    struct record_file *files;
    struct nuce_folder records;
    int64_t count = 0, newest = -1;
    nuce_status status = nuce_folder_read(&records, error, "%s/records", campaign->path);

    files = nuce_allocate(records.count, sizeof *files);
    for (int i = 0; i < records.count && status == NUCE_OK; i++) {
        files[count].part = part_of(records.entries[i]->d_name, submissions);
        if (files[count].part != NULL)
            files[count++].path =
                nuce_text_format("%s/%s", records.path, records.entries[i]->d_name);
    }
    nuce_folder_fini(&records);
    if (count > 0)
        qsort(files, (size_t)count, sizeof *files, by_part);
    for (int64_t i = 0; i < count; i++) {
        struct nuce_follow follow;

        nuce_follow_init(&follow, files[i].path);
        follow.skips_good = 1;
        nuce_follow_poll(&follow, campaign, mark_tried, marks);
        if (i > 0 && files[i - 1].part != files[i].part)
            newest = -1;
        newest = nuce_text_ends(files[i].path, "-lost.jsonl") ? newest : follow.in_flight;
        nuce_follow_fini(&follow);
        if ((i + 1 == count || files[i + 1].part != files[i].part) && newest >= 0 &&
            !(marks[newest] & TRIED) && is_running(files[i].part))
            marks[newest] |= BEGUN;
    }
    for (int64_t i = 0; i < count; i++)
        free(files[i].path);
    free(files);
    return status;
}

/* The points. */

/* The prospects of a point without further action. The greater the better, because the best counts.
 * UNKNOWN: Slurm did not answer. */
enum hope { HOPE_NONE, HOPE_UNKNOWN, HOPE_LIVE };

/* Live jobs measure their points one after another: one point runs, and those not tried yet are
 * queued. A point that a live job has tried without success is failed, even while the job
 * continues. The order of the tests matters. A point with a good run of each launch is done
 * whatever its jobs do. Without prospects it is failed if a run went wrong, and missing if its runs
 * were only stopped. */
static enum nuce_stand stand_of(const struct nuce_campaign_point *point, enum hope hope, int marks)
{
    if (!nuce_campaign_is_missing(point))
        return NUCE_STAND_DONE;
    if (hope == HOPE_LIVE && (marks & BEGUN))
        return NUCE_STAND_RUNNING;
    if (hope == HOPE_LIVE && !(marks & TRIED))
        return NUCE_STAND_QUEUED;
    if (hope == HOPE_UNKNOWN && point->status == NULL)
        return NUCE_STAND_QUEUED;
    if (nuce_campaign_is_stopped(point))
        return NUCE_STAND_MISSING;
    return point->status != NULL || (marks & TRIED) ? NUCE_STAND_FAILED : NUCE_STAND_MISSING;
}

/* Sets unheld of all points: what a resume submits. With job-per-launch the launches of a point are
 * in several parts, so it may be queued although most of its jobs are lost. A part holds its points
 * until its job has certainly ended. A campaign on this machine has no parts, and a resume gets all
 * that is missing. */
static void count_unheld(struct nuce_campaign *campaign, const struct nuce_submissions *submissions)
{
    for (int64_t i = 0; i < campaign->count; i++)
        campaign->points[i].unheld = nuce_campaign_lacks(&campaign->points[i]);
    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            const struct nuce_submission_part *part = &submissions->list[i].parts[k];

            for (int64_t p = 0; !part->is_void && part->fate != NUCE_FATE_ENDED && p < part->count;
                 p++) {
                int64_t *unheld = &campaign->points[part->points[p]].unheld;

                *unheld -= nuce_submission_part_lacks(campaign, part, p);
                *unheld = *unheld > 0 ? *unheld : 0;
            }
        }
    }
}

nuce_status nuce_overview_join(struct nuce_campaign *campaign, struct nuce_submissions *submissions,
                               const struct nuce_queue *queue, struct nuce_error *error)
{
    static const unsigned char hope_of[] = {[NUCE_FATE_LIVE] = HOPE_LIVE,
                                            [NUCE_FATE_ENDING] = HOPE_NONE,
                                            [NUCE_FATE_ENDED] = HOPE_NONE,
                                            [NUCE_FATE_UNKNOWN] = HOPE_UNKNOWN};
    unsigned char *hopes = nuce_allocate(campaign->count, sizeof *hopes);
    unsigned char *marks = nuce_allocate(campaign->count, sizeof *marks);
    int runs_here = !nuce_campaign_is_slurm(campaign) && nuce_campaign_is_held(campaign);

    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            submissions->list[i].parts[k].job = NULL;
            submissions->list[i].parts[k].by_hand = 0;
        }
    }
    if (queue != NULL)
        match_queue(submissions, queue);
    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            struct nuce_submission_part *part = &submissions->list[i].parts[k];

            part->fate = fate_of(part, queue != NULL);
            for (int64_t j = 0; !part->is_void && j < part->count; j++) {
                unsigned char *best = &hopes[part->points[j]];

                *best = hope_of[part->fate] > *best ? hope_of[part->fate] : *best;
            }
        }
    }
    count_unheld(campaign, submissions);
    error->status = mark_points(campaign, submissions, marks, error);
    memset(campaign->stands, 0, sizeof campaign->stands);
    for (int64_t i = 0; error->status == NUCE_OK && i < campaign->count; i++) {
        struct nuce_campaign_point *point = &campaign->points[i];

        /* A nuce that runs the campaign on this machine reaches all points except those that went
         * wrong. */
        if (runs_here && point->status != NULL && !nuce_campaign_is_stopped(point))
            marks[i] |= TRIED;
        point->stand = stand_of(point, runs_here ? HOPE_LIVE : hopes[i], marks[i]);
        campaign->stands[point->stand]++;
    }
    free(hopes);
    free(marks);
    return error->status;
}

/* The overview as a whole. */

void nuce_overview_fini(struct nuce_overview *overview)
{
    nuce_queue_fini(&overview->queue);
    nuce_submissions_fini(&overview->submissions);
    nuce_profile_fini(&overview->profile);
    nuce_campaign_fini(&overview->campaign);
}

/* Reads the records, the submissions and the queue. Asks Slurm once and without retries, because
 * `nuce status` must answer at once. If Slurm does not answer, trouble holds the reason. In this
 * order a job may end in between, and its last points look missing. A job that was ending when
 * Slurm answered has written its last records, perhaps after the first read. Only in that case all
 * records are read a second time. A caller that acts on an overview, instead of only showing it,
 * opens the campaign again. */
nuce_status nuce_overview_make(const char *folder, const char *name, struct nuce_overview *out,
                               struct nuce_error *error)
{
    struct nuce_overview overview = {.campaign.lock = -1};
    struct nuce_submissions *submissions = &overview.submissions;
    int is_ending = 0;

    if (nuce_campaign_open(folder, name, NUCE_CAMPAIGN_READ, &overview.campaign, error) != NUCE_OK)
        return error->status;
    error->status = NUCE_OK;
    if (nuce_campaign_is_slurm(&overview.campaign) &&
        nuce_submissions_read(&overview.campaign, submissions, error) == NUCE_OK &&
        nuce_submissions_profile(&overview.campaign, submissions, &overview.profile, error) ==
            NUCE_OK) {
        error->status = nuce_queue_read(overview.profile.via, &overview.queue, error);
        overview.queue_known = error->status == NUCE_OK;
        if (!overview.queue_known && error->status != NUCE_INTERRUPTED) {
            nuce_text_copy(overview.trouble, sizeof overview.trouble, nuce_error_flatten(error));
            error->status = NUCE_OK;
        }
    }
    for (int look = 0; error->status == NUCE_OK && (look == 0 || (look == 1 && is_ending));
         look++) {
        if (look == 0 || nuce_campaign_refresh(&overview.campaign, error) == NUCE_OK)
            error->status =
                nuce_overview_join(&overview.campaign, submissions,
                                   overview.queue_known ? &overview.queue : NULL, error);
        for (int64_t i = 0; i < submissions->count; i++) {
            for (int64_t k = 0; k < submissions->list[i].count; k++)
                is_ending |= submissions->list[i].parts[k].fate == NUCE_FATE_ENDING;
        }
    }
    if (error->status != NUCE_OK) {
        nuce_overview_fini(&overview);
        return error->status;
    }
    *out = overview;
    return NUCE_OK;
}

/* The campaigns below folder that have live jobs of ours in the queue, in its order: a new object
 * whose keys are their names. Jobs are called nuce-CAMPAIGN-NNNN-TOKEN. */
static json_t *find_busy(const struct nuce_queue *queue, const char *folder)
{
    char *user = nuce_queue_own_user();
    json_t *busy = json_object();

    for (int64_t i = 0; i < queue->count; i++) {
        const struct nuce_queue_job *job = &queue->jobs[i];
        int length = (int)strlen(job->name);
        char *name, *jobs;

        if (!nuce_queue_is_live(job->state) || strcmp(job->user, user) != 0 ||
            strncmp(job->name, "nuce-", strlen("nuce-")) != 0)
            continue;
        for (int dashes = 0; dashes < 2 && length > 0; length--)
            dashes += job->name[length - 1] == '-';
        if (length <= (int)strlen("nuce-"))
            continue;
        name = nuce_text_format("%.*s", length - (int)strlen("nuce-"), job->name + strlen("nuce-"));
        jobs = nuce_text_format("%s/%s/jobs", folder, name);
        if (nuce_text_is_name(name) && access(jobs, F_OK) == 0)
            json_object_set_new(busy, name, json_true());
        free(jobs);
        free(name);
    }
    free(user);
    return busy;
}

nuce_status nuce_overview_make_any(const char *folder, const char *name, struct nuce_overview *out,
                                   char **others, struct nuce_error *error)
{
    const char *other;
    json_t *busy, *ignored;

    *others = NULL;
    if (nuce_overview_make(folder, name, out, error) != NUCE_OK || name != NULL)
        return error->status;
    busy = find_busy(&out->queue, folder);
    if (json_object_get(busy, out->campaign.name) == NULL && json_object_size(busy) == 1) {
        nuce_overview_fini(out);
        nuce_overview_make(folder, json_object_iter_key(json_object_iter(busy)), out, error);
    } else {
        json_object_del(busy, out->campaign.name);
        json_object_foreach(busy, other, ignored)
        {
            nuce_text_append(others, "%s%s", *others != NULL ? ", " : "", other);
        }
    }
    json_decref(busy);
    return error->status;
}

/* The forecast.
 *
 * Points of one kind differ only in what is compared, in instance and seed, and their launches take
 * about the same time. A missing launch of a point counts as the mean of the measured ones of its
 * kind, with its share of the start of the ranks, or as the estimate of the packing, which is an
 * upper bound. The wait in Slurm's queue is not forecast, because it depends on others. Cost: one
 * pass over points and parts, and a hash for each point. */

/* The time of another launch of each point: the mean over points of its kind with a good run, 0
 * without any. Seconds, including set-up, verification and the campaign's mean start. A kind is the
 * JSON, with sorted keys, of all that determines a point's time: ranks, workload, parameters,
 * measure and launch factors. Freed by the caller. */
static double *measure_paces(const struct nuce_campaign *campaign)
{
    json_t *known = json_object();
    double *paces = nuce_allocate(campaign->count, sizeof *paces);
    double *sums_s = nuce_allocate(campaign->count, sizeof *sums_s);
    int64_t *points = nuce_allocate(campaign->count, sizeof *points);
    int64_t *kinds = nuce_allocate(campaign->count, sizeof *kinds);
    double start_s =
        campaign->started_runs > 0 ? campaign->starts_s / (double)campaign->started_runs : 0;

    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        json_t *params = nuce_campaign_instance(point), *kind;
        char *text;

        json_object_del(params, "instance");
        json_object_del(params, "seed");
        kind = json_pack("[i, s, o?, O?, O?]", point->ranks, point->workload->name, params,
                         json_object_get(point->line, "measure"),
                         json_object_get(point->line, "launch"));
        text = json_dumps(kind, JSON_COMPACT | JSON_SORT_KEYS);
        json_decref(kind);
        if (json_object_get(known, text) == NULL)
            json_object_set_new(known, text, json_integer((json_int_t)json_object_size(known)));
        kinds[i] = json_integer_value(json_object_get(known, text));
        free(text);
        points[kinds[i]] += point->wall_s > 0;
        sums_s[kinds[i]] += fmax(point->wall_s, 0);
    }
    for (int64_t i = 0; i < campaign->count; i++)
        paces[i] = points[kinds[i]] > 0 ? start_s + sums_s[kinds[i]] / (double)points[kinds[i]] : 0;
    json_decref(known);
    free(sums_s);
    free(points);
    free(kinds);
    return paces;
}

/* The time of the remaining points of part, in seconds, one after another; counts them in
 * *forecast. Skips points that Slurm's jobs will not reach any more (failed, or missing). */
static double seconds_left(const struct nuce_campaign *campaign,
                           const struct nuce_submission_part *part, const double *paces,
                           struct nuce_forecast *forecast)
{
    double estimate_s = part->estimate_s / (double)(part->runs > 0 ? part->runs : part->count);
    double sum_s = 0;

    for (int64_t i = 0; i < part->count; i++) {
        double pace_s = paces[part->points[i]];
        int64_t lacks = nuce_submission_part_lacks(campaign, part, i);
        enum nuce_stand stand = campaign->points[part->points[i]].stand;

        if (lacks == 0 || (stand != NUCE_STAND_RUNNING && stand != NUCE_STAND_QUEUED))
            continue;
        forecast->measured += pace_s > 0;
        forecast->estimated += pace_s <= 0;
        sum_s += (double)lacks * (pace_s > 0 ? pace_s : estimate_s);
    }
    return sum_s;
}

void nuce_forecast_make(const struct nuce_campaign *campaign,
                        const struct nuce_submissions *submissions, struct nuce_forecast *out)
{
    double *paces = measure_paces(campaign), longest_s = 0;

    *out = (struct nuce_forecast){.running = 0};
    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            const struct nuce_submission_part *part = &submissions->list[i].parts[k];
            double part_s;

            if (part->is_void || part->fate != NUCE_FATE_LIVE)
                continue;
            part_s = seconds_left(campaign, part, paces, out);
            out->running += part_s > 0 && is_running(part);
            out->waiting += part_s > 0 && !is_running(part);
            out->busy_s += part_s;
            longest_s = fmax(longest_s, part_s);
        }
    }
    free(paces);
    /* At least the longest part: several jobs cannot share one. */
    out->left_s = fmax(longest_s, out->busy_s / (double)(out->running > 0 ? out->running : 1));
}
