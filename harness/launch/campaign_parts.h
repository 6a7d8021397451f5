/* What opening and making a campaign share. */
#ifndef NUCE_CAMPAIGN_PARTS_H
#define NUCE_CAMPAIGN_PARTS_H

#include "launch/campaign.h"

/* Takes the lock of the folder at campaign->path. */
nuce_status nuce_campaign_lock(struct nuce_campaign *campaign, struct nuce_error *error);

/* Counts the runs that points want, and numbers their heats. */
void nuce_campaign_number(struct nuce_campaign *campaign);

/* Reads description, plan and records. */
nuce_status nuce_campaign_load(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                               struct nuce_error *error);

#endif
