/* How long a launch is waited for that records nothing. */
#ifndef NUCE_PATIENCE_H
#define NUCE_PATIENCE_H

#include "campaigns/lost.h"
#include "campaigns/start.h"

/* Seconds that may pass without a new record, by `timeout` and `start` of the points of the start:
 * until a rank has recorded anything, and behind that while a point runs. The programs' own
 * watchdog is always earlier, so this is for launchers that start none and for ranks that have
 * gone. */
double nuce_patience_s(const struct nuce_campaign *campaign, const struct nuce_start *start,
                       const struct nuce_follow *follow);

/* What may be done about a launcher that starts no rank; in_step: nuce runs in a step of Slurm. ""
 * where nothing is known. */
const char *nuce_patience_advice(int in_step);

#endif
