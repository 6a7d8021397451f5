/* How long it will still take.
 *
 * Points of one kind differ only in what is compared, in instance and seed, and a launch of each
 * takes about as long: those that are left count as the mean of those that were measured. Where
 * none was, the estimate counts that the job was packed by, which is an upper bound.
 *
 * Order: the mean of each kind over all points of the campaign; then part by part of the
 * submissions that live, the points that lack launches times their mean; then the sum is divided by
 * the jobs that run now. Waiting in Slurm's queue is not forecast: that depends on others. Cost:
 * once through points and parts, and a hash a point. */
#include "campaigns/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "campaigns/point_states_read.h"

/* What good points of one kind took. sum_s adds up the mean wall_s of each point that has a good
 * run (seconds of one launch, set-up and verification included), points counts these; sum_s /
 * points is what another one will take. */
struct pace {
    int64_t points;
    double sum_s;
};

/* Points of one kind differ in what is compared, instance and seed alone: large ones say nothing of
 * small ones. The list has a member for each kind, in the order in which kinds first come in the
 * plan. */
struct paces {
    struct pace *list;
    int64_t *kinds; /* of each point of the campaign: index of list */
    int64_t count;
};

/* All of a point that makes it as long as it is. A new string. It is the JSON of ranks,
 * workload, parameters, measure and launch factors with sorted keys, so that two points of one kind
 * have the same text. */
static char *kind_of(const struct nuce_campaign_point *point)
{
    static const char *const free_of[] = {"instance", "seed"};
    json_t *params = nuce_campaign_instance(point), *kind;
    char *text;

    for (size_t i = 0; i < sizeof free_of / sizeof *free_of; i++)
        json_object_del(params, free_of[i]);
    kind =
        json_pack("[i, s, o?, O?, O?]", point->ranks, point->workload->name, params,
                  json_object_get(point->line, "measure"), json_object_get(point->line, "launch"));
    text = json_dumps(kind, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(kind);
    return text;
}

/* Gives every point of the campaign the number of its kind, and every kind the sum over its points
 * with good runs (wall_s is 0 where a point has none). Freed by the caller. */
static void measure_paces(const struct nuce_campaign *campaign, struct paces *paces)
{
    json_t *known = json_object();

    paces->list = nuce_allocate(campaign->count, sizeof *paces->list);
    paces->kinds = nuce_allocate(campaign->count, sizeof *paces->kinds);
    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        char *kind = kind_of(point);

        if (json_object_get(known, kind) == NULL)
            json_object_set_new(known, kind, json_integer(paces->count++));
        paces->kinds[i] = json_integer_value(json_object_get(known, kind));
        free(kind);
        if (point->wall_s > 0) {
            paces->list[paces->kinds[i]].points++;
            paces->list[paces->kinds[i]].sum_s += point->wall_s;
        }
    }
    json_decref(known);
}

/* Whether a point of that standing will still take time. */
static int is_left(int stand)
{
    return stand == NUCE_STAND_RUNNING || stand == NUCE_STAND_QUEUED;
}

/* How long the points of part that are left take; counts them in *forecast. Seconds, for one job
 * after another. A point that Slurm's jobs will not come to any more (failed, or missing) is not
 * counted. */
static double seconds_left(const struct nuce_campaign *campaign,
                           const struct nuce_submission_part *part,
                           const struct nuce_standing *standing, const struct paces *paces,
                           struct nuce_forecast *forecast)
{
    int64_t runs = part->runs > 0 ? part->runs : part->count;
    double sum_s = 0;

    for (int64_t i = 0; i < part->count; i++) {
        const struct pace *pace = &paces->list[paces->kinds[part->points[i]]];
        int64_t lacks = nuce_submission_part_lacks(campaign, part, i);

        if (lacks == 0 || !is_left(standing->points[part->points[i]]))
            continue;
        forecast->measured += pace->points > 0;
        forecast->estimated += pace->points == 0;
        sum_s += (double)lacks * (pace->points > 0 ? pace->sum_s / (double)pace->points
                                                   : part->estimate_s / (double)runs);
    }
    return sum_s;
}

void nuce_forecast_make(const struct nuce_campaign *campaign,
                        const struct nuce_submissions *submissions,
                        const struct nuce_standing *standing, struct nuce_forecast *out)
{
    struct nuce_forecast forecast = {.running = 0};
    struct paces paces = {.count = 0};
    double longest_s = 0;

    measure_paces(campaign, &paces);
    for (int64_t i = 0; i < submissions->count; i++) {
        const struct nuce_submission *submission = &submissions->list[i];

        for (int64_t k = 0; k < submission->count; k++) {
            const struct nuce_submission_part *part = &submission->parts[k];
            int runs = nuce_standing_is_running(part, &standing->parts[i][k]);
            double part_s = part->is_void || standing->parts[i][k].fate != NUCE_FATE_LIVE
                                ? 0
                                : seconds_left(campaign, part, standing, &paces, &forecast);

            forecast.running += part_s > 0 && runs;
            forecast.waiting += part_s > 0 && !runs;
            forecast.busy_s += part_s;
            longest_s = fmax(longest_s, part_s);
        }
    }
    free(paces.list);
    free(paces.kinds);
    /* No less than the longest part: one job cannot be shared out among others. */
    forecast.left_s =
        fmax(longest_s, forecast.busy_s / (double)(forecast.running > 0 ? forecast.running : 1));
    *out = forecast;
}
