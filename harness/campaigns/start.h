/* Which points one start of the processes is given: whole heats, as far as they lack runs. */
#ifndef NUCE_START_H
#define NUCE_START_H

#include "campaigns/campaign.h"

/* What one start is given. */
struct nuce_start {
    int64_t *points; /* indices, in the order of the plan */
    int64_t count;
};

/* The point that the next start is to have: of those that lack runs and may have another the one
 * that lacks most, so that whatever ends a campaign early finds as many launches of all. -1: there
 * is none. */
int64_t nuce_start_first(const struct nuce_campaign *campaign);

/* All points of the workload and rank count of point `first` that lack runs and may have another,
 * at most `most` of them, or as many as the campaign has where that is 0. A heat that is missing
 * any is there with its reference, the first of its points that can run, whether that lacks runs or
 * not: a contender alone would have no ratio. Where it is the reference that lacks runs, the whole
 * heat is there, whose ratios lack them too. One of more than NUCE_HEAT_CONTENDERS_MOST contenders
 * has those that lack most, the rest are left to later starts. Freed with nuce_start_fini. */
void nuce_start_choose(const struct nuce_campaign *campaign, int64_t first, int64_t most,
                       struct nuce_start *out);
void nuce_start_fini(struct nuce_start *start);

#endif
