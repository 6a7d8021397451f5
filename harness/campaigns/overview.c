/* All that is known of a campaign: its records, its submissions and the queue, joined.
 *
 * A Slurm that does not answer is no failure here: what the records say stands, and the rest is
 * said to be unknown.
 *
 * Order: the records, the submissions, the queue. In this order a job may end in between, and its
 * last points look missing; where a job was ending, and only there, all records are read a second
 * time (look_again). Who acts on an overview, and does not only show it, opens the campaign
 * again. */
#include "campaigns/overview.h"

#include <string.h>

#include "base/text.h"

void nuce_overview_fini(struct nuce_overview *overview)
{
    nuce_standing_fini(&overview->standing);
    nuce_queue_fini(&overview->queue);
    nuce_submissions_fini(&overview->submissions);
    nuce_profile_fini(&overview->profile);
    nuce_campaign_fini(&overview->campaign);
}

/* One question, without patience: `nuce status` must answer at once. NUCE_OK also if Slurm did not
 * answer; why stands in trouble then. */
static nuce_status overview_ask(struct nuce_overview *overview, struct nuce_error *error)
{
    nuce_status status = nuce_queue_read(overview->profile.via, &overview->queue, error);

    if (status == NUCE_OK)
        overview->queue_known = 1;
    if (status == NUCE_OK || status == NUCE_INTERRUPTED)
        return status;
    nuce_text_copy(overview->trouble, sizeof overview->trouble, nuce_error_flatten(error));
    return NUCE_OK;
}

/* Whether any job was on its way out when Slurm was asked. */
static int has_ending(const struct nuce_overview *overview)
{
    for (int64_t i = 0; i < overview->submissions.count; i++) {
        for (int64_t k = 0; k < overview->submissions.list[i].count; k++) {
            if (overview->standing.parts[i][k].fate == NUCE_FATE_ENDING)
                return 1;
        }
    }
    return 0;
}

/* A job that was ending when Slurm was asked has written its last records: they may be newer than
 * those that were read before. */
static nuce_status look_again(struct nuce_overview *overview, struct nuce_error *error)
{
    nuce_standing_fini(&overview->standing);
    if (nuce_campaign_refresh(&overview->campaign, error) != NUCE_OK)
        return error->status;
    return nuce_standing_make(&overview->campaign, &overview->submissions, &overview->queue,
                              &overview->standing, error);
}

/* All behind the opened campaign. On failure the members that were filled stay, for
 * nuce_overview_fini. */
static nuce_status overview_fill(struct nuce_overview *overview, struct nuce_error *error)
{
    struct nuce_campaign *campaign = &overview->campaign;

    if (nuce_campaign_is_slurm(campaign)) {
        if (nuce_submissions_read(campaign, &overview->submissions, error) != NUCE_OK ||
            nuce_submissions_profile(campaign, &overview->submissions, &overview->profile, error) !=
                NUCE_OK ||
            overview_ask(overview, error) != NUCE_OK)
            return error->status;
    }
    error->status = nuce_standing_make(campaign, &overview->submissions,
                                       overview->queue_known ? &overview->queue : NULL,
                                       &overview->standing, error);
    if (error->status == NUCE_OK && has_ending(overview))
        error->status = look_again(overview, error);
    return error->status;
}

nuce_status nuce_overview_make(const char *folder, const char *name, struct nuce_overview *out,
                               struct nuce_error *error)
{
    struct nuce_overview overview = {.campaign.lock = -1};

    if (nuce_campaign_open(folder, name, NUCE_CAMPAIGN_READ, &overview.campaign, error) != NUCE_OK)
        return error->status;
    if (overview_fill(&overview, error) != NUCE_OK) {
        nuce_overview_fini(&overview);
        return error->status;
    }
    *out = overview;
    return NUCE_OK;
}
