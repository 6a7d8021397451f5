/* How long a campaign samples: what is said before it starts. */
#ifndef NUCE_SAMPLING_TIME_H
#define NUCE_SAMPLING_TIME_H

#include "campaigns/config.h"

#define NUCE_SAMPLING_BYTES 128

/* Whether points race, in several launches: a machine that is simulated has no noise. */
int nuce_sampling_is_raced(const struct nuce_config *config);

/* Seconds. A step's own time is not known before it is measured: about_s is for one of a
 * millisecond and all rounds, most_s for steps so slow that each point ends by its limit. Set-up
 * and the reference's twin are in neither. */
struct nuce_sampling_time {
    double about_s, most_s;
};

/* Adds the launches of a point that are left; line is that of its plan file. */
void nuce_sampling_time_add(struct nuce_sampling_time *time, const json_t *line, double launches);

/* "about 3m18s of sampling where a step takes 1ms, at most 5h30m"; of a simulated machine, whose
 * seconds are not ours, "at most 5h30m of sampling on the simulated machine". */
void nuce_sampling_time_say(const struct nuce_sampling_time *time, int is_simulated,
                            char text[NUCE_SAMPLING_BYTES]);

/* The same of all points of a sweep that a program can run. */
void nuce_sampling_time_estimate(const struct nuce_config *config, char text[NUCE_SAMPLING_BYTES]);

#endif
