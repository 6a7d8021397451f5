/* The output of 'nuce status', as grids. Programs get a row for the campaign and each job, with
 * every column. People get the jobs of interest, with Slurm's words in plain English.
 *
 * Order: common counts and job names; the grid for programs; the table for people. The columns for
 * programs are stable: new ones go to the end, because scripts find them by number in CSV. Texts
 * for people may change. Both omit parts whose points were taken back. */
#include "commands/status_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/cli.h"

/* Counts of points and runs, of one part or of the whole campaign. */
struct counts {
    int64_t points;
    int64_t stands[NUCE_STANDS];
    int64_t runs, wanted; /* good runs of these points, and those wanted, there */
};

/* Points are counted by their state in all, runs by those wanted of this part: with job-per-launch
 * the others of a point are other parts'. A run that another part did instead also counts here. */
static struct counts count_part(const struct nuce_campaign *campaign,
                                const struct nuce_submission_part *part)
{
    struct counts counts = {.points = part->count};

    for (int64_t i = 0; i < part->count; i++) {
        counts.stands[campaign->points[part->points[i]].stand]++;
        counts.wanted += part->wanted[i];
        counts.runs += part->wanted[i] - nuce_submission_part_lacks(campaign, part, i);
    }
    return counts;
}

/* The number in squeue's form: ID, or ID_TASK for a task of an array. A job submitted by hand has
 * its own number; "" if it is unknown. */
void nuce_status_job(const struct nuce_submission *of, const struct nuce_submission_part *part,
                     char text[64])
{
    int64_t id = of->job != 0 && !part->by_hand ? of->job
                 : part->job != NULL            ? part->job->array
                                                : 0;

    if (id == 0)
        text[0] = '\0';
    else if (of->count > 1)
        snprintf(text, 64, "%lld_%lld", (long long)id, (long long)(part - of->parts));
    else
        snprintf(text, 64, "%lld", (long long)id);
}

/* For programs. */

/* In the order of the names in nuce_status_grid, which scripts rely on. */
enum status_column {
    KIND,
    NAME,
    PART,
    STATE,
    REASON,
    POINTS,
    DONE,
    RUNNING,
    QUEUED,
    FAILED,
    MISSING,
    NODES,
    START,
    LEFT_S,
    RUNS,
    RUNS_WANTED,
    COLUMNS
};

/* NULL and "" leave the cell empty. */
static void status_set_text(struct nuce_cell *row, enum status_column column, const char *text)
{
    if (text != NULL && *text != '\0')
        nuce_cell_copy(&row[column], NUCE_CELL_TEXT, text);
}

/* Sets the columns of points and runs. */
static void set_counts(struct nuce_cell *row, const struct counts *counts)
{
    static const enum status_column columns[NUCE_STANDS] = {
        [NUCE_STAND_DONE] = DONE,     [NUCE_STAND_RUNNING] = RUNNING, [NUCE_STAND_QUEUED] = QUEUED,
        [NUCE_STAND_FAILED] = FAILED, [NUCE_STAND_MISSING] = MISSING,
    };

    nuce_cell_set_integer(&row[POINTS], counts->points);
    nuce_cell_set_integer(&row[RUNS], counts->runs);
    nuce_cell_set_integer(&row[RUNS_WANTED], counts->wanted);
    for (int i = 0; i < NUCE_STANDS; i++)
        nuce_cell_set_integer(&row[columns[i]], counts->stands[i]);
}

/* In the row of the campaign itself left_s is empty if no job is under way, and rounded to 0.1 s,
 * because it is an estimate. reason explains why Slurm could not be asked.
 *
 * Every part that has not been taken back gets a row, even dead ones: programs select themselves.
 * The state is Slurm's word, or, without one, derived: "RUNNING" for a locked part without a job,
 * where a user runs nuce-job by hand. GONE and UNKNOWN are no words of Slurm's. start is local
 * time, as squeue writes it. */
void nuce_status_grid(const struct nuce_overview *overview, const struct nuce_forecast *forecast,
                      struct nuce_grid *out)
{
    static const char *const names[COLUMNS] = {
        "kind",   "name",   "part",    "state", "reason", "points", "done", "running",
        "queued", "failed", "missing", "nodes", "start",  "left_s", "runs", "runs_wanted"};
    const struct nuce_campaign *campaign = &overview->campaign;
    struct nuce_campaign_runs runs = nuce_campaign_runs(campaign);
    struct counts counts = {.points = campaign->count, .runs = runs.had, .wanted = runs.wanted};
    struct nuce_cell *row;
    char left[32], id[64];

    nuce_grid_init(COLUMNS, names, out);
    memcpy(counts.stands, campaign->stands, sizeof counts.stands);
    nuce_grid_add_row(out, &row);
    status_set_text(row, KIND, "campaign");
    status_set_text(row, NAME, campaign->name);
    status_set_text(row, STATE, nuce_campaign_is_slurm(campaign) ? "slurm" : "local");
    status_set_text(row, REASON, overview->trouble);
    set_counts(row, &counts);
    snprintf(left, sizeof left, "%.1f", forecast->left_s);
    if (forecast->busy_s > 0)
        nuce_cell_copy(&row[LEFT_S], NUCE_CELL_REAL, left);
    for (int64_t i = 0; i < overview->submissions.count; i++) {
        const struct nuce_submission *of = &overview->submissions.list[i];

        for (int64_t k = 0; k < of->count; k++) {
            const struct nuce_submission_part *part = &of->parts[k];
            const struct nuce_queue_job *job = part->job;

            if (part->is_void)
                continue;
            counts = count_part(campaign, part);
            nuce_grid_add_row(out, &row);
            nuce_status_job(of, part, id);
            status_set_text(row, KIND, "job");
            status_set_text(row, NAME, id);
            status_set_text(row, PART, part->name);
            status_set_text(row, STATE,
                            job != NULL                       ? job->state
                            : part->is_locked                 ? "RUNNING"
                            : part->fate == NUCE_FATE_UNKNOWN ? "UNKNOWN"
                                                              : "GONE");
            set_counts(row, &counts);
            status_set_text(row, REASON, job != NULL ? job->reason : NULL);
            status_set_text(row, NODES, job != NULL ? job->nodes : NULL);
            status_set_text(row, START, job != NULL ? job->start : NULL);
        }
    }
}

/* For people. */

/* The activity of a job in plain English: "waits: jobs with a higher priority come first", "a node
 * failed", ... A new string. The order matters: the reason for waiting is more informative than the
 * state, and missing points are more important than how the job ended. */
static char *describe_job(const struct nuce_overview *overview, const struct nuce_submission *of,
                          const struct nuce_submission_part *part)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    const struct nuce_queue_job *job = part->job;
    int64_t left = nuce_submission_part_left(campaign, part);

    if (job != NULL && strcmp(job->state, "PENDING") == 0 && *job->reason != '\0')
        return nuce_text_format("waits: %s", nuce_queue_words(job->reason));
    if (part->fate == NUCE_FATE_ENDING && left > 0)
        return nuce_text_format(
            "is ending: %lld point%s will be missing%s", (long long)left, left == 1 ? "" : "s",
            nuce_submission_is_requeued(campaign, of) ? ", unless Slurm starts it again (requeue)"
                                                      : "");
    if (part->fate == NUCE_FATE_ENDED && left > 0 && part->is_stopped &&
        (job == NULL || strcmp(job->state, "FAILED") == 0))
        return nuce_text_format("ran out of time: %lld point%s missing", (long long)left,
                                left == 1 ? "" : "s");
    if (job != NULL)
        return nuce_text_duplicate(
            nuce_queue_words(nuce_queue_is_rejected(job) ? job->reason : job->state));
    if (part->is_locked)
        return nuce_text_duplicate(overview->queue_known ? "runs in a job submitted by hand"
                                                         : "runs (Slurm not asked)");
    return nuce_text_duplicate(part->fate == NUCE_FATE_UNKNOWN ? "not known"
                                                               : "ended: Slurm no longer knows it");
}

/* A job that has ended without leaving runs is of no interest. A start time is shown as expected
 * as long as the job waits. */
void nuce_status_table(const struct nuce_overview *overview, struct nuce_grid *out)
{
    static const char *const names[] = {"job",       "state", "points done",
                                        "runs done", "nodes", "start"};
    char id[64], points[64], runs[64], start[64], *does, *state;

    nuce_grid_init(6, names, out);
    for (int64_t i = 0; i < overview->submissions.count; i++) {
        const struct nuce_submission *of = &overview->submissions.list[i];

        for (int64_t k = 0; k < of->count; k++) {
            const struct nuce_submission_part *part = &of->parts[k];
            const struct nuce_queue_job *job = part->job;
            struct counts counts = {0};

            if (!part->is_void)
                counts = count_part(&overview->campaign, part);
            if (part->is_void || (part->fate != NUCE_FATE_LIVE && counts.runs == counts.wanted))
                continue;
            does = describe_job(overview, of, part);
            state = nuce_text_format("%s%s", does, part->by_hand ? " (submitted by hand)" : "");
            nuce_status_job(of, part, id);
            snprintf(start, sizeof start, "%s%s",
                     job != NULL && strcmp(job->state, "PENDING") == 0 ? "expected " : "",
                     job != NULL ? job->start : "");
            snprintf(points, sizeof points, "%lld of %lld",
                     (long long)counts.stands[NUCE_STAND_DONE], (long long)counts.points);
            snprintf(runs, sizeof runs, "%lld of %lld", (long long)counts.runs,
                     (long long)counts.wanted);
            nuce_cli_add(
                out, (const char *const[]){id, state, points, runs,
                                           job != NULL && *job->nodes != '\0' ? job->nodes : NULL,
                                           job != NULL && *job->start != '\0' ? start : NULL});
            free(state);
            free(does);
        }
    }
}
