/* What opening and making a campaign share. */
#ifndef NUCE_CAMPAIGN_PARTS_H
#define NUCE_CAMPAIGN_PARTS_H

#include "campaigns/campaign.h"

/* Takes the lock of the folder at campaign->path, or that of the campaign's part; it goes with
 * nuce_campaign_fini. NUCE_FAILED where another process has it. */
nuce_status nuce_campaign_lock(struct nuce_campaign *campaign, struct nuce_error *error);

/* Fills in wanted and heat of all points, from their lines and from the launcher: how many runs
 * each is to have, and which of them, all neighbours, race. */
void nuce_campaign_number(struct nuce_campaign *campaign);

/* Reads description, plan and records into *campaign, whose path, part and imported are set. On
 * failure it holds what was read so far, for nuce_campaign_fini. */
nuce_status nuce_campaign_load(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                               struct nuce_error *error);

#endif
