/* Commands that nuce suggests. */
#ifndef NUCE_ADVICE_H
#define NUCE_ADVICE_H

#include "campaigns/campaign.h"

/* "nuce resume campaigns/quick.1", for subcommand "resume": fit for a shell, and right for any
 * --campaigns, since the path of the campaign is in it. A relative path is relative to the current
 * folder, so the command is right only there. A new string. */
char *nuce_advice(const struct nuce_campaign *campaign, const char *subcommand);

#endif
