/* How long a campaign samples, by its plan alone: before a first run nobody knows how long a step
 * takes. So one number is for steps of a millisecond and all rounds, the other for steps so slow
 * that each point ends by its limit. Set-up and the reference's twin are in neither. */
#include "campaigns/sampling_time.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

#define STEP_S 1e-3
/* A turn of a race: the step that goes before it, and the one that counts (run/rounds.c). */
#define STEPS_A_TURN 2

void nuce_sampling_time_add(struct nuce_sampling_time *time, const json_t *line, double launches)
{
    const json_t *measure = json_object_get(line, "measure");
    double limit_s = json_number_value(json_object_get(measure, "limit"));
    double rounds = json_number_value(json_object_get(measure, "max"));

    time->about_s += launches * fmin(limit_s, rounds * STEPS_A_TURN * STEP_S);
    time->most_s += launches * limit_s;
}

void nuce_sampling_time_say(const struct nuce_sampling_time *time, int is_simulated,
                            char text[NUCE_SAMPLING_BYTES])
{
    char about[NUCE_UNITS_BYTES], most[NUCE_UNITS_BYTES];

    nuce_units_format_seconds(time->most_s, most);
    if (is_simulated)
        snprintf(text, NUCE_SAMPLING_BYTES, "at most %s of sampling on the simulated machine",
                 most);
    else
        snprintf(text, NUCE_SAMPLING_BYTES,
                 "about %s of sampling where a step takes 1ms, at most %s",
                 nuce_units_format_seconds(time->about_s, about), most);
}

int nuce_sampling_is_raced(const struct nuce_config *config)
{
    return config->sweep.platform == NULL;
}

void nuce_sampling_time_estimate(const struct nuce_config *config, char text[NUCE_SAMPLING_BYTES])
{
    double launches = nuce_sampling_is_raced(config) ? (double)config->sweep.measure.launches : 1;
    struct nuce_sampling_time time = {0};

    for (int64_t i = 0; i < config->plan.count; i++) {
        if (!config->plan.points[i].is_computed)
            nuce_sampling_time_add(&time, config->plan.points[i].line, launches);
    }
    nuce_sampling_time_say(&time, config->sweep.platform != NULL, text);
}
