/* What went wrong, for `nuce status`.
 *
 * A point that failed has a record that says why. A job or launch that died before its first point
 * has none, only a log: a library that is not there, a launcher that does not know an option. That
 * a job wrote no "begin" to its record files tells such an end from others. Whether the same start
 * can go well is known where Slurm says that the job was stopped from outside; all else dies again
 * in the same way. */
#include "campaigns/failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "campaigns/status_rows.h"
#include "db/collect.h"
#include "launch/log_tail.h"
#include "launch/progress.h"
#include "support/folder.h"
#include "support/printable.h"
#include "support/text.h"

/* Of each list, so that it can be taken in. */
#define POINTS_SHOWN 20
#define JOBS_SHOWN 3
#define LOG_LINES 6
#define LOST_NODE_LINES 12 /* what srun says of a step that it ends */

/* Digits of an id that tell points of one campaign apart; `nuce explain` takes them. */
#define ID_DIGITS 12

/* Points. */

/* Makes the point's message printable in place: it quotes programs, and may come from a bundle. */
static void print_point(const struct nuce_campaign_point *point)
{
    char *what = nuce_progress_describe(point);

    if (point->message != NULL)
        nuce_printable_make(point->message);
    (void)printf("             %.*s %s: %s%s%s\n", ID_DIGITS, point->id,
                 point->is_refused       ? "refused"
                 : point->status != NULL ? point->status
                                         : "failed",
                 what != NULL ? what : "", point->message != NULL ? ": " : "",
                 point->message != NULL ? point->message : "");
    free(what);
}

void nuce_failures_print_points(const struct nuce_overview *overview)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    int64_t count = overview->standing.counts[NUCE_STAND_FAILED], shown = 0;

    for (int64_t i = 0; i < campaign->count && shown < POINTS_SHOWN; i++) {
        if (overview->standing.points[i] != NUCE_STAND_FAILED)
            continue;
        if (shown++ == 0)
            (void)printf(
                "failed       %lld point%s that went wrong, and too few good ones; more of "
                "each: nuce explain %.*s\n",
                (long long)count, count == 1 ? " has had runs" : "s have had runs", ID_DIGITS,
                campaign->points[i].id);
        print_point(&campaign->points[i]);
    }
    if (count > shown)
        (void)printf("             and %lld more\n", (long long)(count - shown));
}

/* Jobs and launches. */

/* Whether a point has begun according to the record file. A whole file is read until the first such
 * line, which is its second as a rule; begin lines are not parsed. */
static int has_begin(const char *path)
{
    FILE *file = fopen(path, "re");
    size_t capacity = 0;
    char *line = NULL;
    int found = 0;

    while (file != NULL && !found && getline(&line, &capacity, file) > 0)
        found = strstr(line, "\"record\":\"begin\"") != NULL;
    free(line);
    if (file != NULL)
        (void)fclose(file);
    return found;
}

/* The newest file with something in it below FOLDER of the campaign whose name begins with prefix
 * and ends with ending: a new path, or NULL. */
static char *newest_file(const struct nuce_campaign *campaign, const char *folder,
                         const char *prefix, const char *ending)
{
    struct nuce_error ignored;
    struct timespec newest = {0, 0};
    struct nuce_folder files;
    char *best = NULL, *path;

    (void)nuce_folder_read(&files, &ignored, "%s/%s", campaign->path, folder);
    for (int i = 0; i < files.count; i++) {
        const char *name = files.entries[i]->d_name;
        struct stat file;

        if (strncmp(name, prefix, strlen(prefix)) != 0 || !nuce_text_ends(name, ending))
            continue;
        path = nuce_text_format(&ignored, "%s/%s", files.path, name);
        if (path != NULL && lstat(path, &file) == 0 && file.st_size > 0 &&
            (file.st_mtim.tv_sec > newest.tv_sec ||
             (file.st_mtim.tv_sec == newest.tv_sec && file.st_mtim.tv_nsec >= newest.tv_nsec))) {
            newest = file.st_mtim;
            free(best);
            best = path;
        } else {
            free(path);
        }
    }
    nuce_folder_fini(&files);
    return best;
}

/* Whether a launch whose name begins with prefix came to a point. */
static int has_begun(const struct nuce_campaign *campaign, const char *prefix)
{
    struct nuce_error ignored;
    struct nuce_folder records;
    int begun = 0;

    (void)nuce_folder_read(&records, &ignored, "%s/records", campaign->path);
    for (int i = 0; i < records.count && !begun; i++) {
        if (strncmp(records.entries[i]->d_name, prefix, strlen(prefix)) == 0) {
            char *path =
                nuce_text_format(&ignored, "%s/%s", records.path, records.entries[i]->d_name);

            begun = path != NULL && has_begin(path);
            free(path);
        }
    }
    nuce_folder_fini(&records);
    return begun;
}

/* Whether the job was ended from outside: the same start may go well another time. Slurm's job
 * states by the beginning of their names ("CANCELLED by 1000"); from squeue(1). */
static int ended_from_outside(const struct nuce_queue_job *job)
{
    static const char *const states[] = {"CANCELLED", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL",
                                         "TIMEOUT",   "DEADLINE",  "REVOKED"};

    for (size_t i = 0; job != NULL && i < sizeof states / sizeof *states; i++) {
        if (strncmp(job->state, states[i], strlen(states[i])) == 0)
            return 1;
    }
    return 0;
}

/* Says that `what`, a job or launch, ended too early, with the end of what it wrote. note: what the
 * job itself wrote down of its end, a file, or NULL. log: a file, or NULL. folder: of the campaign,
 * where nodes have to see it; NULL: it ran here. may_help: whether the same start can go well. */
static void print_start(const char *what, const char *note, const char *log, const char *folder,
                        int may_help)
{
    (void)printf("%-12s ended before a point had begun%s%s\n", what,
                 note != NULL  ? ": the profile's prologue failed, "
                 : log != NULL ? "; the end of its log, "
                               : "; it has no log",
                 note != NULL  ? note
                 : log != NULL ? log
                               : "");
    if (note != NULL || log != NULL)
        nuce_log_tail_print(note != NULL ? note : log, LOG_LINES);
    else if (folder != NULL) {
        (void)printf("             do its nodes see %s? Look: srun ls %s\n", folder, folder);
        (void)printf("             if not, submit again into a folder that all nodes share: nuce "
                     "submit --campaigns DIR\n");
        return;
    }
    (void)printf("             %s\n",
                 may_help ? "it was stopped from outside: a resume can help"
                          : "a resume starts the same again: mend first what the log says");
}

/* The log of the ranks, else that of the batch step, which is called by the job alone. A new path,
 * or NULL: there is none that has anything in it. A Slurm that no longer knows the job leaves its
 * number to the submission, which has that of the array as a whole. */
static char *log_of_part(const struct nuce_overview *overview, int64_t submission, int64_t part)
{
    const struct nuce_submission *of = &overview->submissions.list[submission];
    const struct nuce_queue_job *job = overview->standing.parts[submission][part].job;
    int64_t id = job != NULL ? job->id : of->count == 1 ? of->job : 0;
    char prefix[64], *path;

    (void)snprintf(prefix, sizeof prefix, "%04d-%lld-", of->number, (long long)part);
    path = newest_file(&overview->campaign, "logs", prefix, ".err");
    if (path != NULL || id == 0)
        return path;
    (void)snprintf(prefix, sizeof prefix, "%04d-%lld.", of->number, (long long)id);
    return newest_file(&overview->campaign, "logs", prefix, "out");
}

/* A job that lost a node after its points had begun: which one, only srun says, at the end of the
 * log. */
static void print_lost_node(const struct nuce_overview *overview, int64_t submission, int64_t part)
{
    char id[64], what[80], *log = log_of_part(overview, submission, part);

    nuce_status_job(overview, submission, part, id);
    (void)snprintf(what, sizeof what, "job %s", id);
    if (log != NULL) {
        (void)printf("%-12s lost a node; the end of its log, %s\n", what, log);
        nuce_log_tail_print(log, LOST_NODE_LINES);
    }
    free(log);
}

/* Whether Slurm ended the job because a node of it failed. */
static int has_lost_node(const struct nuce_queue_job *job)
{
    return job != NULL && strncmp(job->state, "NODE_FAIL", strlen("NODE_FAIL")) == 0;
}

/* Prints what became of one part of a submission that was no start, or lost a node; returns whether
 * it did. Parts without points left, and those that never became a job, are not told. */
static int print_part(const struct nuce_overview *overview, int64_t submission, int64_t part)
{
    const struct nuce_submission *of = &overview->submissions.list[submission];
    const struct nuce_standing_part *standing = &overview->standing.parts[submission][part];
    char prefix[64], id[64], what[80], *log, *note, *folder;

    if (of->parts[part].is_void || standing->fate != NUCE_FATE_ENDED ||
        nuce_submission_part_left(&overview->campaign, &of->parts[part]) == 0 ||
        (standing->job != NULL && nuce_queue_is_rejected(standing->job)))
        return 0;
    (void)snprintf(prefix, sizeof prefix, "%04d-%lld-", of->number, (long long)part);
    if (has_begun(&overview->campaign, prefix)) {
        if (!has_lost_node(standing->job))
            return 0;
        print_lost_node(overview, submission, part);
        return 1;
    }
    nuce_status_job(overview, submission, part, id);
    (void)snprintf(what, sizeof what, "job %s", id);
    log = log_of_part(overview, submission, part);
    note = newest_file(&overview->campaign, "jobs", prefix, NUCE_NOTE_ENDING);
    folder = realpath(overview->campaign.path, NULL);
    print_start(what, note, log, folder != NULL ? folder : overview->campaign.path,
                ended_from_outside(standing->job));
    free(folder);
    free(note);
    free(log);
    return 1;
}

/* The first few: jobs of one campaign mostly die of one thing. */
static void print_jobs_that_died(const struct nuce_overview *overview)
{
    int shown = 0;

    for (int64_t i = 0; i < overview->submissions.count; i++) {
        for (int64_t k = 0; k < overview->submissions.list[i].count && shown < JOBS_SHOWN; k++)
            shown += print_part(overview, i, k);
    }
}

/* The name of the newest launch here, "0003"; "" if there was none. */
static void last_launch(const struct nuce_campaign *campaign, char label[16])
{
    struct nuce_error ignored;
    int next = 1;

    label[0] = '\0';
    if (nuce_campaign_next_launch(campaign, &next, &ignored) == NUCE_OK && next > 1)
        (void)snprintf(label, 16, "%04d", next - 1);
}

/* Of a campaign that runs here: only its newest launch says what is wrong now. */
static void print_last_launch(const struct nuce_overview *overview)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    const int64_t *counts = overview->standing.counts;
    char label[16], what[32], *log;

    last_launch(campaign, label);
    if (*label == '\0' || counts[NUCE_STAND_DONE] == campaign->count ||
        nuce_campaign_is_held(campaign) || has_begun(campaign, label))
        return;
    log = newest_file(campaign, "logs", label, ".err");
    (void)snprintf(what, sizeof what, "launch %s", label);
    if (log != NULL)
        print_start(what, NULL, log, NULL, 0);
    free(log);
}

void nuce_failures_print_starts(const struct nuce_overview *overview)
{
    if (overview->campaign.imported)
        return;
    if (nuce_campaign_is_slurm(&overview->campaign))
        print_jobs_that_died(overview);
    else
        print_last_launch(overview);
}
