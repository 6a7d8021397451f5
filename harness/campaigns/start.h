/* Which points one start of the processes is given: whole heats, as far as they lack runs. */
#ifndef NUCE_START_H
#define NUCE_START_H

#include "campaigns/campaign.h"
#include "campaigns/lost.h"

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

/* How long a launch is waited for that records nothing. */

/* Seconds that may pass without a new record, by `timeout` and `start` of the points of the start:
 * until a rank has recorded anything, and behind that while a point runs. The programs' own
 * watchdog is always earlier, so this is for launchers that start none and for ranks that have
 * gone. */
double nuce_start_patience_s(const struct nuce_campaign *campaign, const struct nuce_start *start,
                             const struct nuce_follow *follow);

/* What may be done about a launcher that starts no rank; in_step: nuce runs in a step of Slurm. ""
 * where nothing is known. */
const char *nuce_start_advice(int in_step);

/* The file of points that a program is started with. */

/* Writes count lines of the campaign's plan (points: their indices) to the
 * file name in folder, as they were read but for the paths of files (campaigns/inputs.h): the
 * program reads a point from the same text as the harness. Whole or not at all. */
nuce_status nuce_start_write_points(const struct nuce_campaign *campaign, const int64_t *points,
                                    int64_t count, const char *folder, const char *name,
                                    struct nuce_error *error);

#endif
