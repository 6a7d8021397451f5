/* Failures, for `nuce status`.
 *
 * A point that failed has a record with the reason. A job or launch that died before its first
 * point has only a log, for example because a library is missing, or the launcher does not know an
 * option. It is recognised by record files without a "begin". If Slurm reports that the job was
 * stopped from outside, the same start may succeed later; all others would fail in the same way. */
#include "commands/failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/lost.h"
#include "campaigns/progress.h"
#include "campaigns/script.h"
#include "commands/status_rows.h"
#include "db/collect.h"

/* Maximum length of each list, so that users can grasp it. */
#define POINTS_SHOWN 20
#define JOBS_SHOWN 3
#define LOG_LINES 6
#define LOST_NODE_LINES 12 /* length of srun's message about a step that it ends */

/* Digits of an id that distinguish points of one campaign; `nuce explain` accepts them. */
#define ID_DIGITS 12

/* Points. */

/* Makes messages of points printable in place: they quote programs, and may come from a bundle. */
void nuce_failures_print_points(const struct nuce_overview *overview)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    int64_t count = campaign->stands[NUCE_STAND_FAILED], shown = 0;

    for (int64_t i = 0; i < campaign->count && shown < POINTS_SHOWN; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        char *what;

        if (point->stand != NUCE_STAND_FAILED)
            continue;
        if (shown++ == 0)
            printf("failed       %lld point%s that went wrong, and too few good ones; more of "
                   "each: nuce explain %.*s\n",
                   (long long)count, count == 1 ? " has had runs" : "s have had runs", ID_DIGITS,
                   point->id);
        what = nuce_progress_describe(point);
        if (point->message != NULL)
            nuce_printable_make(point->message);
        printf("             %.*s %s: %s%s%s\n", ID_DIGITS, point->id,
               point->is_refused       ? "refused"
               : point->status != NULL ? point->status
                                       : "failed",
               what, point->message != NULL ? ": " : "",
               point->message != NULL ? point->message : "");
        free(what);
    }
    if (count > shown)
        printf("             and %lld more\n", (long long)(count - shown));
}

/* Jobs and launches. */

/* The newest file with at least that many bytes below FOLDER of the campaign whose name begins with
 * prefix and ends with ending: a new path, or NULL. */
static char *newest_file(const struct nuce_campaign *campaign, const char *folder,
                         const char *prefix, const char *ending, off_t least)
{
    struct nuce_error ignored;
    struct timespec newest = {0, 0};
    struct nuce_folder files;
    char *best = NULL, *path;

    nuce_folder_read(&files, &ignored, "%s/%s", campaign->path, folder);
    for (int i = 0; i < files.count; i++) {
        const char *name = files.entries[i]->d_name;
        struct stat file;

        if (strncmp(name, prefix, strlen(prefix)) != 0 || !nuce_text_ends(name, ending))
            continue;
        path = nuce_text_format("%s/%s", files.path, name);
        if (lstat(path, &file) == 0 && file.st_size >= least &&
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

/* True if a launch whose name begins with prefix began a point. A record file is read up to its
 * first begin line, usually the second line; begin lines are not parsed. */
static int has_begun(const struct nuce_campaign *campaign, const char *prefix)
{
    struct nuce_error ignored;
    struct nuce_folder records;
    size_t capacity = 0;
    char *line = NULL;
    int begun = 0;

    nuce_folder_read(&records, &ignored, "%s/records", campaign->path);
    for (int i = 0; i < records.count && !begun; i++) {
        const char *name = records.entries[i]->d_name;
        char *path = nuce_text_format("%s/%s", records.path, name);
        FILE *file = strncmp(name, prefix, strlen(prefix)) == 0 ? fopen(path, "re") : NULL;

        free(path);
        while (file != NULL && !begun && getline(&line, &capacity, file) > 0)
            begun = strstr(line, "\"record\":\"begin\"") != NULL;
        if (file != NULL)
            fclose(file);
    }
    free(line);
    nuce_folder_fini(&records);
    return begun;
}

/* True if Slurm reports that state for the job; NULL: Slurm no longer knows it. */
static int has_state(const struct nuce_queue_job *job, const char *state)
{
    return job != NULL && strncmp(job->state, state, strlen(state)) == 0;
}

static int ended_from_outside(const struct nuce_queue_job *job)
{
    return job != NULL && nuce_queue_is_from_outside(job->state);
}

/* The effect of a resume, by Slurm's final state of the job. */
static const char *advise_resume(const struct nuce_queue_job *job)
{
    if (ended_from_outside(job))
        return "it was stopped from outside: a resume can help";
    if (has_state(job, "TIMEOUT") || has_state(job, "DEADLINE"))
        return "it ran out of time: a resume helps if it gets more (nuce resume --profile FILE, "
               "'time')";
    return "a resume fails in the same way: first correct the error in the log";
}

/* Prints that `what`, a job or launch, ended too early, with the last lines of note, the job's own
 * note about its end, or NULL; else of log. */
static void print_start(const char *what, const char *note, const char *log, const char *advice)
{
    printf("%-12s ended before a point had begun%s%s\n", what,
           note != NULL ? ": the profile's prologue failed, " : "; the end of its log, ",
           note != NULL ? note : log);
    nuce_lost_print_tail(note != NULL ? note : log, LOG_LINES);
    printf("             %s\n", advice);
}

/* Prints how to look at the campaign's folder as the job's nodes see it, and a remedy if they do
 * not see it. */
static void print_look(const struct nuce_queue_job *job, const char *folder)
{
    char *logs = nuce_text_format("%s/logs", folder);
    char *quoted = nuce_script_quote(logs);
    int has_nodes = job != NULL && *job->nodes != '\0';

    printf("             do its nodes see %s, and can they write there? Look: srun %s%s%sls "
           "-ld %s\n",
           logs, has_nodes ? "-w '" : "", has_nodes ? job->nodes : "", has_nodes ? "' " : "",
           quoted);
    printf("             if not, submit again into a folder that all nodes share: nuce submit "
           "--campaigns DIR\n");
    free(quoted);
    free(logs);
}

/* The same for a job without any output. The explanation depends on Slurm's information: a job
 * without nodes never started; one whose log Slurm could not open ended by its signal 53. is_empty:
 * there is a log, so its nodes see the folder. */
static void print_silent_job(const char *what, const struct nuce_queue_job *job, int is_empty,
                             const char *folder)
{
    if (job != NULL && *job->nodes == '\0') {
        printf("%-12s %s while it waited: nothing of it was started, and a resume submits it "
               "again\n",
               what, nuce_queue_words(job->state));
    } else if (is_empty) {
        printf("%-12s ended before a point had begun; its log is empty\n", what);
        printf("             %s\n",
               ended_from_outside(job) || has_state(job, "TIMEOUT")
                   ? advise_resume(job)
                   : "a resume fails in the same way if the campaign's folder has no room");
    } else if (ended_from_outside(job)) {
        printf("%-12s ended before a point had begun, and before it had a log\n", what);
        printf("             %s\n", advise_resume(job));
    } else if (job != NULL) {
        printf("%-12s ended before a point had begun; it has no log%s%s\n", what,
               strncmp(job->reason, "RaisedSignal:53", 15) == 0 ? ": Slurm " : "",
               strncmp(job->reason, "RaisedSignal:53", 15) == 0 ? nuce_queue_words(job->reason)
                                                                : "");
        print_look(job, folder);
    } else {
        printf("%-12s ended before a point had begun; it has no log, and Slurm no longer knows "
               "it\n",
               what);
        printf("             if it was cancelled while it waited, a resume submits it "
               "again\n");
        print_look(job, folder);
    }
}

/* Why Slurm refused the newest submission, which the mark of its first part tells. */
static void print_refusal(const struct nuce_overview *overview)
{
    const struct nuce_submissions *submissions = &overview->submissions;
    const struct nuce_submission *last;
    struct nuce_error ignored;
    char *path, *why = NULL;

    if (submissions->count == 0 || overview->campaign.stands[NUCE_STAND_MISSING] == 0)
        return;
    last = &submissions->list[submissions->count - 1];
    path = nuce_text_format("%s/jobs/%04d-0.void", overview->campaign.path, last->number);
    if (last->job == 0 && last->parts[0].is_void &&
        nuce_text_read(path, &why, NULL, &ignored) == NUCE_OK && *why != '\0') {
        nuce_printable_make_line(why);
        printf("refused      by Slurm, the last time: %s\n", why);
    }
    free(why);
    free(path);
}

/* The log of the ranks, else that of the batch step, which is called by the job alone, of so many
 * bytes at least. A new path, or NULL: there is none. A Slurm that no longer knows the job leaves
 * its number to the submission, which has that of the array as a whole. */
static char *log_of_part(const struct nuce_overview *overview, const struct nuce_submission *of,
                         const struct nuce_submission_part *part, off_t least)
{
    int64_t id = part->job != NULL ? part->job->id : of->count == 1 ? of->job : 0;
    char prefix[64], *path;

    snprintf(prefix, sizeof prefix, "%s-", part->name);
    path = newest_file(&overview->campaign, "logs", prefix, ".err", least);
    if (path != NULL || id == 0)
        return path;
    snprintf(prefix, sizeof prefix, "%04d-%lld.", of->number, (long long)id);
    path = newest_file(&overview->campaign, "logs", prefix, "out", least);
    snprintf(prefix, sizeof prefix, "%04d.", of->number); /* as in campaigns/script.c */
    return path != NULL ? path : newest_file(&overview->campaign, "logs", prefix, "out", least);
}

/* For a campaign that runs here, only its newest launch shows the current problem. For jobs, the
 * first few that never began a point, or lost a node, are printed: those of one campaign usually
 * fail for the same reason. Parts without points left, and those that never became a job, are
 * skipped. If a job lost a node after its points had begun, only srun names the node, at the end of
 * the log. */
void nuce_failures_print_starts(const struct nuce_overview *overview)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    struct nuce_error ignored;
    char label[64], id[64], what[80], *log, *note, *folder;
    int shown = 0, next = 1;

    if (campaign->imported)
        return;
    print_refusal(overview);
    for (int64_t i = 0; i < overview->submissions.count; i++) {
        const struct nuce_submission *of = &overview->submissions.list[i];

        for (int64_t k = 0; k < of->count && shown < JOBS_SHOWN; k++) {
            const struct nuce_submission_part *part = &of->parts[k];

            if (part->is_void || part->fate != NUCE_FATE_ENDED ||
                nuce_submission_part_left(campaign, part) == 0 ||
                (part->job != NULL && nuce_queue_is_rejected(part->job)))
                continue;
            snprintf(label, sizeof label, "%s-", part->name);
            nuce_status_job(of, part, id);
            snprintf(what, sizeof what, "job %s", id);
            log = log_of_part(overview, of, part, 1);
            if (has_begun(campaign, label)) {
                int has_lost_node = has_state(part->job, "NODE_FAIL");

                if (has_lost_node && log != NULL) {
                    printf("%-12s lost a node; the end of its log, %s\n", what, log);
                    nuce_lost_print_tail(log, LOST_NODE_LINES);
                }
                free(log);
                shown += has_lost_node;
                continue;
            }
            note = newest_file(campaign, "jobs", label, NUCE_NOTE_ENDING, 1);
            folder = realpath(campaign->path, NULL);
            if (note != NULL || log != NULL) {
                print_start(what, note, log, advise_resume(part->job));
            } else {
                log = log_of_part(overview, of, part, 0);
                print_silent_job(what, part->job, log != NULL,
                                 folder != NULL ? folder : campaign->path);
            }
            free(folder);
            free(note);
            free(log);
            shown++;
        }
    }
    if (nuce_campaign_is_slurm(campaign) ||
        nuce_campaign_next_launch(campaign, &next, &ignored) != NUCE_OK || next <= 1 ||
        campaign->stands[NUCE_STAND_DONE] == campaign->count || nuce_campaign_is_held(campaign))
        return;
    snprintf(label, sizeof label, "%04d", next - 1);
    if (has_begun(campaign, label))
        return;
    log = newest_file(campaign, "logs", label, ".err", 1);
    snprintf(what, sizeof what, "launch %s", label);
    if (log != NULL)
        print_start(what, NULL, log, advise_resume(NULL));
    free(log);
}
