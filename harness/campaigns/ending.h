/* The end of a race that ends when it is known (`until: known`). */
#ifndef NUCE_ENDING_H
#define NUCE_ENDING_H

#include <stdio.h>

#include "base/anytime.h"
#include "campaigns/campaign_point.h"

/* True if the race of the point ends when it is known. */
int nuce_ending_is_by_result(const struct nuce_campaign_point *point);

/* Keeps the compared times of a good run for the points of races that end so, once per job; nothing
 * for others. environment: of its launch, as in its job's record; "": not known. */
void nuce_ending_note(struct nuce_campaign_point *point, const char *job, const json_t *record,
                      const char *environment);

/* The environment of the newest run that was noted. NULL: none was. */
const char *nuce_ending_environment(const struct nuce_campaign_point *point);

/* The ratios of contender to its reference, of the launches that count (nuce_ending_known). */
struct nuce_anytime nuce_ending_ratios(const struct nuce_campaign_point *reference,
                                       const struct nuce_campaign_point *contender);

/* The verdict on contender, which has that many rivals (base/anytime.h), by the launches that it
 * has in common with its reference, and by those of the reference's duplicate. Launches of another
 * environment than the newest do not count: a rebuilt program is another contender. */
enum nuce_known nuce_ending_known(const struct nuce_campaign_point *reference,
                                  const struct nuce_campaign_point *contender, int64_t rivals);

/* points: all of a campaign. Ends the races whose contenders are all known, or whose budget is used
 * up: their points want no more runs than they have. Sets how each race ended. */
void nuce_ending_apply(struct nuce_campaign_point *points, int64_t count);

/* Writes a line for each contender of these races: what is known, and after how many launches.
 * Returns the exit status of that: 0; 1: one fails to reach at-least; else 3: one is not known. */
int nuce_ending_say(const struct nuce_campaign_point *points, int64_t count, FILE *out);

/* True if the point went wrong in such a race, which then goes on without it. */
int nuce_ending_is_left_out(const struct nuce_campaign_point *point);

/* "b hung in launch 3 and was left out", of the first such point, and the number of the others. A
 * new string; NULL: there is none. */
char *nuce_ending_left_out(const struct nuce_campaign_point *points, int64_t count);

#endif
