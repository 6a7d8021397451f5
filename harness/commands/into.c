/* Further contenders for a finished campaign. Its plan is frozen, and ratios are within a launch,
 * so they race in a campaign of their own, against the reference that both have. The fastest ones
 * race again, because a contender is one of the fastest only if it met all that may be. The others
 * are compared by their ratios to the reference (plots/tables/races.sql). */
#include "commands/into.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "db/store.h"
#include "points/point.h"

/* The ids of the campaign's fastest points in one text, a new string; NULL with *error. Without
 * them the new contenders would race against the reference alone. */
static char *list_fastest(const char *database, const struct nuce_campaign *campaign,
                          struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    int64_t count = 0;
    char *ids = NULL;

    if (nuce_store_open_reading(database, &store, error) == NUCE_OK &&
        nuce_store_count(&store, &count, error, "SELECT count(*) FROM campaign WHERE id = %Q",
                         campaign->id) == NUCE_OK &&
        count == 0)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s': not in %s, which knows the fastest: run 'nuce collect %s'",
                       campaign->name, database, campaign->name);
    if (error->status == NUCE_OK)
        error->status =
            nuce_store_check_campaign(&store, campaign->id, nuce_campaign_created(campaign), error);
    if (error->status == NUCE_OK && nuce_store_narrow(&store, campaign->id, error) == NUCE_OK)
        ids = nuce_store_text(&store, error,
                              "SELECT coalesce(group_concat(point), '') FROM standing"
                              " WHERE is_best");
    nuce_store_close(&store);
    if (ids == NULL)
        nuce_error_prefix(error, "into");
    return ids;
}

/* True if the point is the first of a race in the campaign: its reference. */
static bool is_reference_in(const struct nuce_campaign *campaign, const char *id)
{
    int64_t at = nuce_campaign_find(campaign, id);

    return at == 0 || (at > 0 && campaign->points[at - 1].race != campaign->points[at].race);
}

/* Marks the points to keep, of points first .. end - 1, which are one race. */
static nuce_status mark_race(const struct nuce_campaign *campaign, const char *fastest,
                             const struct nuce_plan *plan, int64_t first, int64_t end,
                             bool *is_kept, struct nuce_error *error)
{
    int64_t added = 0;

    for (int64_t i = first; i < end; i++) {
        is_kept[i] = nuce_campaign_find(campaign, plan->points[i].id) < 0;
        added += is_kept[i];
    }
    if (added == 0 || added == end - first)
        return NUCE_OK;
    if (!is_reference_in(campaign, plan->points[first].id))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "reference: not that of %s: expected the same, which all ratios "
                              "refer to",
                              campaign->name);
    for (int64_t i = first; i < end; i++)
        is_kept[i] |= i == first || strstr(fastest, plan->points[i].id) != NULL;
    return NUCE_OK;
}

nuce_status nuce_into_keep(struct nuce_config *config, const char *campaigns, const char *name,
                           const char *database, int is_slurm, char **campaign,
                           struct nuce_error *error)
{
    struct nuce_plan *plan = &config->plan;
    struct nuce_campaign opened = {.lock = -1};
    bool *is_kept = nuce_allocate(plan->count, sizeof *is_kept);
    char *fastest = NULL;

    if (nuce_campaign_open(campaigns, name, NUCE_CAMPAIGN_READ, &opened, error) == NUCE_OK) {
        if (!nuce_campaign_is_measured(&opened) || opened.imported ||
            nuce_campaign_is_slurm(&opened) != is_slurm)
            nuce_error_refuse(error, "into", "'%.200s': expected a campaign of 'nuce %s'", name,
                              is_slurm ? "submit" : "run', measured here");
        else
            fastest = list_fastest(database, &opened, error);
    }
    for (int64_t first = 0, end; error->status == NUCE_OK && first < plan->count; first = end) {
        for (end = first + 1; end < plan->count && nuce_point_is_of_race(plan->points[first].line,
                                                                         plan->points[end].line);)
            end++;
        error->status = mark_race(&opened, fastest, plan, first, end, is_kept, error);
    }
    if (error->status == NUCE_OK) {
        nuce_plan_keep(plan, is_kept);
        if (plan->count == 0)
            nuce_error_refuse(error, "into",
                              "'%.200s': has all points of %s: expected another contender", name,
                              config->path);
    }
    if (error->status == NUCE_OK)
        *campaign = nuce_text_duplicate(opened.id);
    nuce_campaign_fini(&opened);
    free(fastest);
    free(is_kept);
    return error->status;
}
