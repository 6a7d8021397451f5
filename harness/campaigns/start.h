/* Chooses the points of one start of the processes: whole races that lack runs. */
#ifndef NUCE_START_H
#define NUCE_START_H

#include "campaigns/campaign.h"
#include "campaigns/lost.h"

/* The points of one start. */
struct nuce_start {
    int64_t *points; /* indices, in the order of the plan */
    int64_t count;
};

/* The point for the next start: of those that lack runs and may have another, the one that lacks
 * most. So a campaign that ends early has about equally many launches of all points. -1: there is
 * none. */
int64_t nuce_start_first(const struct nuce_campaign *campaign);

/* All points of the workload and rank count of point `first` that lack runs and may have another;
 * at most `most` of them, or without limit if it is 0. A race with a missing run always includes
 * its reference, the first of its points that can run. That holds even if the reference lacks no
 * run, because a contender alone would have no ratio. If the reference lacks runs, the whole race
 * is included, because its ratios lack them too. A race with more than NUCE_RACE_CONTENDERS_MOST
 * contenders has those that lack most; later starts run the rest. Freed with nuce_start_fini. */
void nuce_start_choose(const struct nuce_campaign *campaign, int64_t first, int64_t most,
                       struct nuce_start *out);
void nuce_start_fini(struct nuce_start *start);

/* How long nuce waits for a launch that records nothing. */

/* Seconds that may pass without a new record, by `timeout` and `start` of the start's points: until
 * a rank has recorded anything, and later while a point runs. The programs' own watchdog is always
 * earlier, so this is for launchers that start no rank and for ranks that have died. */
double nuce_start_patience_s(const struct nuce_campaign *campaign, const struct nuce_start *start,
                             const struct nuce_follow *follow);

/* Advice about a launcher that starts no rank; in_step: nuce runs in a step of Slurm. "" if there
 * is none. */
const char *nuce_start_advice(int in_step);

/* The file of points that a program is started with. */

/* Writes count lines of the campaign's plan (points: their indices) to the file at path. They are
 * unchanged except for the paths of files (campaigns/inputs.h), so that the program reads a point
 * from the same text as the harness. Whole or not at all. */
nuce_status nuce_start_write_points(const struct nuce_campaign *campaign, const int64_t *points,
                                    int64_t count, const char *path, struct nuce_error *error);

#endif
