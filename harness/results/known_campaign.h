/* Whether a campaign that --campaign names is in the database. */
#ifndef NUCE_KNOWN_CAMPAIGN_H
#define NUCE_KNOWN_CAMPAIGN_H

#include "error.h"
#include "store.h"

/* NUCE_OK if campaign (borrowed) is NULL, for all, or the id of one in the store. Else
 * NUCE_BAD_INPUT: an empty answer would look like no runs. NUCE_FAILED if the database cannot be
 * read. */
nuce_status nuce_known_campaign(struct nuce_store *store, const char *campaign,
                                struct nuce_error *error);

#endif
