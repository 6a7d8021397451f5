#include "forecast.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

/* What good points of one rank count took. */
struct pace {
    int ranks;
    int64_t points;
    double sum_s;
};

struct paces {
    struct pace *list;
    int64_t count, capacity;
};

static struct pace *find_pace(const struct paces *paces, int ranks)
{
    for (int64_t i = 0; i < paces->count; i++) {
        if (paces->list[i].ranks == ranks)
            return &paces->list[i];
    }
    return NULL;
}

static nuce_status measure_paces(const struct nuce_campaign *campaign, struct paces *paces,
                                 struct nuce_error *error)
{
    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        struct pace *pace = find_pace(paces, point->ranks);

        if (!(point->wall_s > 0))
            continue;
        if (pace == NULL) {
            if (nuce_grow((void **)&paces->list, &paces->capacity, paces->count + 1, sizeof *pace,
                          error) != NUCE_OK)
                return error->status;
            pace = &paces->list[paces->count++];
            *pace = (struct pace){.ranks = point->ranks};
        }
        pace->points++;
        pace->sum_s += point->wall_s;
    }
    return NUCE_OK;
}

static int64_t count_left(const struct nuce_submission_part *part,
                          const struct nuce_standing *standing)
{
    int64_t left = 0;

    for (int64_t i = 0; i < part->count; i++) {
        int stand = standing->points[part->points[i]];

        left += stand == NUCE_STAND_RUNNING || stand == NUCE_STAND_QUEUED;
    }
    return left;
}

static double seconds_left(const struct nuce_submission_part *part, int64_t left,
                           const struct pace *pace)
{
    double each_s =
        pace != NULL ? pace->sum_s / (double)pace->points : part->estimate_s / (double)part->count;

    return each_s * (double)left;
}

nuce_status nuce_forecast_make(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions,
                               const struct nuce_standing *standing, struct nuce_forecast *out,
                               struct nuce_error *error)
{
    struct nuce_forecast forecast = {.running = 0};
    struct paces paces = {.count = 0};
    double longest_s = 0;

    if (measure_paces(campaign, &paces, error) != NUCE_OK) {
        free(paces.list);
        return error->status;
    }
    for (int64_t i = 0; i < submissions->count; i++) {
        const struct nuce_submission *submission = &submissions->list[i];
        const struct pace *pace = find_pace(&paces, submission->ranks);

        for (int64_t k = 0; k < submission->count; k++) {
            const struct nuce_submission_part *part = &submission->parts[k];
            int64_t left = part->is_void || standing->parts[i][k].fate != NUCE_FATE_LIVE
                               ? 0
                               : count_left(part, standing);
            double part_s = left > 0 ? seconds_left(part, left, pace) : 0;
            int runs = nuce_standing_is_running(part, &standing->parts[i][k]);

            forecast.running += left > 0 && runs;
            forecast.waiting += left > 0 && !runs;
            forecast.measured |= left > 0 && pace != NULL;
            forecast.busy_s += part_s;
            longest_s = fmax(longest_s, part_s);
        }
    }
    free(paces.list);
    forecast.left_s =
        fmax(longest_s, forecast.busy_s / (double)(forecast.running > 0 ? forecast.running : 1));
    *out = forecast;
    return NUCE_OK;
}
