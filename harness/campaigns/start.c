/* Which points a start is given: whole heats. Points of one heat are neighbours in the plan; a
 * start holds each point once, so that each of its runs is of another launch. */
#include "campaigns/start.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "points/launch_factors.h"
#include "points/point.h"

/* Whether it lacks a run and none of its runs went wrong in this session. */
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

/* Those that lack most runs first; of equals in the order of the plan. */
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

/* Writes what the start gets of the heat first .. end - 1 to points, with room for all of it, and
 * returns how many that are; 0: nothing of it is to be run. The reference comes first: it is the
 * first point of the heat that is not given up, and all others are compared with it. */
static int64_t choose_of_heat(const struct nuce_campaign *campaign, int64_t first, int64_t end,
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
    if (count >= NUCE_HEAT_CONTENDERS_MOST) {
        qsort_r(&points[1], (size_t)count, sizeof *points, by_lack, (void *)campaign);
        count = NUCE_HEAT_CONTENDERS_MOST - 1;
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

        for (end = i + 1; end < campaign->count && campaign->points[end].heat == point->heat;)
            end++;
        if (point->ranks != like->ranks || point->workload != like->workload ||
            !nuce_launch_is_same(json_object_get(point->line, "launch"),
                                 json_object_get(like->line, "launch")))
            continue;
        chosen = choose_of_heat(campaign, i, end, &start.points[start.count]);
        /* A heat that is larger than a start may be is one all the same: half a heat has no
         * ratios. */
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
