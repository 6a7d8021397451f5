/* Recording what died with its job. */
#ifndef NUCE_SETTLE_H
#define NUCE_SETTLE_H

#include "campaigns/campaign.h"

/* For each record file PREFIX-... that ends with a run begun and not ended, and that nobody writes
 * any more: records that run as interrupted with message, once, in a file of its own
 * (nuce_lost_record). Adds their number to *settled, also before a failure. */
nuce_status nuce_settle(struct nuce_campaign *campaign, const char *prefix, const char *message,
                        int64_t *settled, struct nuce_error *error);

/* Whether a record file of the campaign at path may end with a run begun and not ended that was not
 * recorded as lost: looks at the ends of the files only. */
int nuce_settle_is_pending(const char *path);

#endif
