/* What 'nuce status' shows, as grids: for programs a row for the campaign and each job, every
 * column there; for people the jobs of interest, with Slurm's words in plain English.
 *
 * Order: what both count and call a job; the grid for programs; the table for people. Columns for
 * programs are a promise: new ones go to the end, since scripts find them by number in CSV. Words
 * for people may change. Parts whose points were taken back are in neither. */
#include "commands/status_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/cli.h"

/* Points are counted by where they stand in all, runs by what the campaign has of the part's
 * points: a point that another part did counts here as well. */
struct nuce_part_counts nuce_status_count(const struct nuce_overview *overview, int64_t submission,
                                          int64_t part)
{
    const struct nuce_submission_part *points = &overview->submissions.list[submission].parts[part];
    struct nuce_part_counts counts = {.points = points->count};

    for (int64_t i = 0; i < points->count; i++) {
        const struct nuce_campaign_point *point = &overview->campaign.points[points->points[i]];

        counts.stands[overview->standing.points[points->points[i]]]++;
        counts.wanted += point->wanted;
        counts.runs += point->wanted - nuce_campaign_lacks(point);
    }
    return counts;
}

/* The number as squeue has it: ID, or ID_TASK for a task of an array. A job that was submitted by
 * hand goes by its own number; "" where none is known. */
void nuce_status_job(const struct nuce_overview *overview, int64_t submission, int64_t part,
                     char text[64])
{
    const struct nuce_submission *of = &overview->submissions.list[submission];
    const struct nuce_queue_job *job = overview->standing.parts[submission][part].job;
    int by_hand = overview->standing.parts[submission][part].by_hand;
    int64_t id = of->job != 0 && !by_hand ? of->job : job != NULL ? job->array : 0;

    if (id == 0)
        text[0] = '\0';
    else if (of->count > 1)
        snprintf(text, 64, "%lld_%lld", (long long)id, (long long)part);
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
    if (text == NULL || *text == '\0')
        return;
    nuce_cell_copy(&row[column], NUCE_CELL_TEXT, text);
}

/* Sets the columns of points and runs. */
static void set_counts(struct nuce_cell *row, const struct nuce_part_counts *counts)
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

/* The row of the campaign itself; left_s is empty where no job is under way. reason is why Slurm
 * could not be asked. left_s is rounded to 0.1 s: it is an estimate. */
static void add_campaign(const struct nuce_overview *overview, const struct nuce_forecast *forecast,
                         struct nuce_grid *grid)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    int slurm = nuce_campaign_is_slurm(campaign);
    struct nuce_part_counts counts = {.points = campaign->count,
                                      .runs = nuce_campaign_had_runs(campaign),
                                      .wanted = nuce_campaign_wanted_runs(campaign)};
    char left[32];
    struct nuce_cell *row;

    memcpy(counts.stands, overview->standing.counts, sizeof counts.stands);
    snprintf(left, sizeof left, "%.1f", forecast->left_s);
    nuce_grid_add_row(grid, &row);
    status_set_text(row, KIND, "campaign");
    status_set_text(row, NAME, campaign->name);
    status_set_text(row, STATE, slurm ? "slurm" : "local");
    status_set_text(row, REASON, overview->trouble);
    set_counts(row, &counts);
    if (forecast->busy_s > 0)
        nuce_cell_copy(&row[LEFT_S], NUCE_CELL_REAL, left);
}

/* The part's state as Slurm writes it; else what is known of it. "RUNNING" of a part that is
 * locked, without a job: somebody runs nuce-job. GONE and UNKNOWN are no words of Slurm's. */
static const char *state_of(const struct nuce_overview *overview, int64_t submission, int64_t part)
{
    const struct nuce_standing_part *standing = &overview->standing.parts[submission][part];

    if (standing->job != NULL)
        return standing->job->state;
    if (overview->submissions.list[submission].parts[part].is_locked)
        return "RUNNING";
    return standing->fate == NUCE_FATE_UNKNOWN ? "UNKNOWN" : "GONE";
}

/* A row for every part that has not been taken back, dead ones too: programs choose themselves.
 * start is local time, as squeue writes it. */
static nuce_status status_add_job(const struct nuce_overview *overview, int64_t submission,
                                  int64_t part, struct nuce_grid *grid, struct nuce_error *error)
{
    struct nuce_part_counts counts = nuce_status_count(overview, submission, part);
    const struct nuce_queue_job *job = overview->standing.parts[submission][part].job;
    struct nuce_cell *row;
    char text[64];

    (void)error;
    nuce_grid_add_row(grid, &row);
    nuce_status_job(overview, submission, part, text);
    status_set_text(row, KIND, "job");
    status_set_text(row, NAME, text);
    snprintf(text, sizeof text, "%04d-%lld", overview->submissions.list[submission].number,
             (long long)part);
    status_set_text(row, PART, text);
    status_set_text(row, STATE, state_of(overview, submission, part));
    set_counts(row, &counts);
    if (job != NULL) {
        status_set_text(row, REASON, job->reason);
        status_set_text(row, NODES, job->nodes);
        status_set_text(row, START, job->start);
    }
    return NUCE_OK;
}

/* Calls add for every part whose points are its own still. */
static nuce_status for_each(const struct nuce_overview *overview, struct nuce_grid *grid,
                            nuce_status (*add)(const struct nuce_overview *, int64_t submission,
                                               int64_t part, struct nuce_grid *,
                                               struct nuce_error *),
                            struct nuce_error *error)
{
    for (int64_t i = 0; i < overview->submissions.count; i++) {
        for (int64_t k = 0; k < overview->submissions.list[i].count; k++) {
            if (!overview->submissions.list[i].parts[k].is_void &&
                add(overview, i, k, grid, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

nuce_status nuce_status_grid(const struct nuce_overview *overview,
                             const struct nuce_forecast *forecast, struct nuce_grid *out,
                             struct nuce_error *error)
{
    static const char *const names[COLUMNS] = {
        "kind",   "name",   "part",    "state", "reason", "points", "done", "running",
        "queued", "failed", "missing", "nodes", "start",  "left_s", "runs", "runs_wanted"};

    nuce_grid_init(COLUMNS, names, out);
    add_campaign(overview, forecast, out);
    if (for_each(overview, out, status_add_job, error) == NUCE_OK)
        return NUCE_OK;
    nuce_grid_fini(out);
    return error->status;
}

/* For people. */

/* What a job does, in plain English: "waits: jobs with a higher priority come first", "a node
 * failed", ... A new string; NULL with *error. The order matters: why a job waits says more than
 * that it waits, and that points will be missing more than how it ended. */
static char *describe_job(const struct nuce_overview *overview, int64_t submission, int64_t part)
{
    const struct nuce_standing_part *standing = &overview->standing.parts[submission][part];
    const struct nuce_queue_job *job = standing->job;
    int64_t left = nuce_submission_part_left(&overview->campaign,
                                             &overview->submissions.list[submission].parts[part]);

    if (job != NULL && strcmp(job->state, "PENDING") == 0 && *job->reason != '\0')
        return nuce_text_format("waits: %s", nuce_queue_words(job->reason));
    if (standing->fate == NUCE_FATE_ENDING && left > 0)
        return nuce_text_format("is ending: %lld point%s will be missing", (long long)left,
                                left == 1 ? "" : "s");
    if (standing->fate == NUCE_FATE_ENDED && left > 0 &&
        overview->submissions.list[submission].parts[part].is_stopped &&
        (job == NULL || strcmp(job->state, "FAILED") == 0))
        return nuce_text_format("ran out of time: %lld point%s missing", (long long)left,
                                left == 1 ? "" : "s");
    if (job != NULL && nuce_queue_is_rejected(job))
        return nuce_text_format("%s", nuce_queue_words(job->reason));
    if (job != NULL)
        return nuce_text_format("%s", nuce_queue_words(job->state));
    if (overview->submissions.list[submission].parts[part].is_locked)
        return nuce_text_format("runs in a job submitted by hand");
    if (standing->fate == NUCE_FATE_UNKNOWN)
        return nuce_text_format("not known");
    return nuce_text_format("ended: Slurm no longer knows it");
}

/* With a word more where the user called sbatch for the script. A new string; NULL with *error. */
static char *status_describe_job(const struct nuce_overview *overview, int64_t submission,
                                 int64_t part)
{
    char *text = describe_job(overview, submission, part), *longer;

    if (!overview->standing.parts[submission][part].by_hand)
        return text;
    longer = nuce_text_format("%s (submitted by hand)", text);
    free(text);
    return longer;
}

/* A job that is over and has left nothing is of no interest any more. A time of start is told as
 * expected as long as the job waits. */
static nuce_status status_add_line(const struct nuce_overview *overview, int64_t submission,
                                   int64_t part, struct nuce_grid *grid, struct nuce_error *error)
{
    const struct nuce_standing_part *standing = &overview->standing.parts[submission][part];
    struct nuce_part_counts counts = nuce_status_count(overview, submission, part);
    const struct nuce_queue_job *job = standing->job;
    int64_t done = counts.stands[NUCE_STAND_DONE];
    char id[64], points[64], runs[64], start[64] = "", *state;

    if (standing->fate != NUCE_FATE_LIVE && done == counts.points)
        return NUCE_OK;
    state = status_describe_job(overview, submission, part);
    nuce_status_job(overview, submission, part, id);
    if (job != NULL && *job->start != '\0')
        snprintf(start, sizeof start, "%s%s", strcmp(job->state, "PENDING") == 0 ? "expected " : "",
                 job->start);
    snprintf(points, sizeof points, "%lld of %lld", (long long)done, (long long)counts.points);
    snprintf(runs, sizeof runs, "%lld of %lld", (long long)counts.runs, (long long)counts.wanted);
    nuce_cli_add(grid, (const char *const[]){id, state, points, runs,
                                             job != NULL && *job->nodes != '\0' ? job->nodes : NULL,
                                             *start != '\0' ? start : NULL});
    error->status = NUCE_OK;
    free(state);
    return NUCE_OK;
}

nuce_status nuce_status_table(const struct nuce_overview *overview, struct nuce_grid *out,
                              struct nuce_error *error)
{
    static const char *const names[] = {"job",       "state", "points done",
                                        "runs done", "nodes", "start"};

    nuce_grid_init(6, names, out);
    if (for_each(overview, out, status_add_line, error) == NUCE_OK)
        return NUCE_OK;
    nuce_grid_fini(out);
    return error->status;
}
