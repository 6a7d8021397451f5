/* A start: its points, the file of them, and the patience for it. Its points are whole races, which
 * are neighbours in the plan. A start holds each point once, so that each run of a point is of
 * another launch. */
#include "campaigns/start.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/jsonl.h"
#include "base/safe_file.h"
#include "base/text_file.h"
#include "campaigns/inputs.h"
#include "points/launch_factors.h"
#include "points/point.h"

/* True if it lacks a run and none of its runs went wrong in this session. */
static int may_run(const struct nuce_campaign_point *point)
{
    return !point->attempted && nuce_campaign_is_missing(point);
}

int64_t nuce_start_first(const struct nuce_campaign *campaign)
{
    int64_t best = -1;

    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        if (may_run(point) &&
            (best < 0 || nuce_campaign_lacks(point) > nuce_campaign_lacks(&campaign->points[best])))
            best = i;
    }
    return best;
}

/* The points that lack most runs first; equal ones in the order of the plan. */
static int by_lack(const void *left, const void *right, void *context)
{
    const struct nuce_campaign *campaign = context;
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    int64_t lacks_a = nuce_campaign_lacks(&campaign->points[a]);
    int64_t lacks_b = nuce_campaign_lacks(&campaign->points[b]);

    return lacks_a != lacks_b ? (lacks_a < lacks_b) - (lacks_a > lacks_b) : (a > b) - (a < b);
}

static int start_by_number(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* Writes the start's points of the race first .. end - 1 to points, with room for all of it, and
 * returns their number; 0: none is to run. The reference comes first: it is the first point of the
 * race that is not given up, and all others are compared with it. */
static int64_t choose_of_race(const struct nuce_campaign *campaign, int64_t first, int64_t end,
                              int64_t *points)
{
    int64_t count = 0, reference = -1;

    for (int64_t i = first; i < end; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        if (reference < 0 && !point->attempted)
            reference = i;
        else if (may_run(point) ||
                 (!point->attempted && reference >= 0 && may_run(&campaign->points[reference])))
            points[1 + count++] = i;
    }
    if (reference < 0 || (count == 0 && !may_run(&campaign->points[reference])))
        return 0;
    points[0] = reference;
    if (count >= NUCE_RACE_CONTENDERS_MOST) {
        qsort_r(&points[1], (size_t)count, sizeof *points, by_lack, (void *)campaign);
        count = NUCE_RACE_CONTENDERS_MOST - 1;
        qsort(&points[1], (size_t)count, sizeof *points, start_by_number);
    }
    return 1 + count;
}

void nuce_start_choose(const struct nuce_campaign *campaign, int64_t first, int64_t most,
                       struct nuce_start *out)
{
    const struct nuce_campaign_point *like = &campaign->points[first];
    struct nuce_start start = {.points = nuce_allocate(campaign->count + 1, sizeof *start.points)};

    for (int64_t i = 0, end; i < campaign->count; i = end) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        int64_t chosen;

        for (end = i + 1; end < campaign->count && campaign->points[end].race == point->race;)
            end++;
        if (point->ranks != like->ranks || point->workload != like->workload ||
            !nuce_launch_is_same(json_object_get(point->line, "launch"),
                                 json_object_get(like->line, "launch")))
            continue;
        chosen = choose_of_race(campaign, i, end, &start.points[start.count]);
        /* A race that exceeds the maximum still goes into one start: half a race has no ratios. */
        if (most > 0 && start.count > 0 && start.count + chosen > most)
            break;
        start.count += chosen;
    }
    *out = start;
}

void nuce_start_fini(struct nuce_start *start)
{
    free(start->points);
    *start = (struct nuce_start){NULL, 0};
}

/* The file that a program is started with: lines of the plan, with absolute paths of copies. It
 * stays in the campaign's launches/, as a record of the start's points. */

nuce_status nuce_start_write_points(const struct nuce_campaign *campaign, const int64_t *points,
                                    int64_t count, const char *path, struct nuce_error *error)
{
    struct nuce_text_print lines;
    nuce_status status = NUCE_OK;

    nuce_text_print_begin(&lines);
    for (int64_t i = 0; status == NUCE_OK && i < count; i++) {
        json_t *planned = campaign->points[points[i]].line;
        json_t *line = nuce_inputs_resolve(campaign->path, planned);

        if (line == NULL || !nuce_jsonl_print(line, lines.file))
            status = nuce_error_set(error, NUCE_FAILED, "%s: a path that is not valid UTF-8",
                                    campaign->path);
        json_decref(line);
    }
    nuce_text_print_end(&lines);
    if (status == NUCE_OK)
        status = nuce_safe_write_path(path, lines.text, lines.length, error);
    free(lines.text);
    return status;
}

/* A launcher that starts no rank is silent for ever. For example srun, and mpiexec that calls it,
 * waits for processors that the surrounding step holds.
 *
 * A race may take the sum of its contenders' timeouts (kernels/run/race.c). Between two races or
 * before the first the program's own limits apply, which are at most one timeout. */

/* For plans older than `start`, and for points without `timeout`. */
#define START_S 20
#define TIMEOUT_S 300

static double patience_of(const struct nuce_campaign_point *point, const char *key,
                          double otherwise)
{
    const json_t *value = json_object_get(json_object_get(point->line, "measure"), key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

double nuce_start_patience_s(const struct nuce_campaign *campaign, const struct nuce_start *start,
                             const struct nuce_follow *follow)
{
    double start_s = 0, longest_s = 0, race_s = 0;

    for (int64_t i = 0; i < start->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[start->points[i]];
        double timeout_s = patience_of(point, "timeout", TIMEOUT_S);

        start_s = fmax(start_s, patience_of(point, "start", START_S));
        longest_s = fmax(longest_s, timeout_s);
        if (follow->in_flight >= 0 && point->race == campaign->points[follow->in_flight].race)
            race_s += timeout_s;
    }
    return start_s + fmax(longest_s, race_s);
}

const char *nuce_start_advice(int in_step)
{
    return in_step
               ? "this shell is in a step of Slurm, which keeps its processors from the steps that "
                 "launchers start: start nuce in the batch script or by 'srun --overlap', or, "
                 "for MPICH on one node, set HYDRA_LAUNCHER=fork"
               : "";
}
