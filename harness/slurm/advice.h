/* Commands that nuce suggests. */
#ifndef NUCE_ADVICE_H
#define NUCE_ADVICE_H

#include "launch/campaign.h"

/* "nuce resume campaigns/quick.1": fit for a shell, and right for any --campaigns, since the path
 * of the campaign is in it. A new string; NULL with *error. */
char *nuce_advice(const struct nuce_campaign *campaign, const char *subcommand,
                  struct nuce_error *error);

#endif
