/* The ways that messages take under a schedule of any discipline, transfer by transfer. */
#ifndef NUCE_SCHEDULE_WAYS_H
#define NUCE_SCHEDULE_WAYS_H

#include "schedules/schedule.h"

/* One transfer of a part of a message. Rounds count from 0; from and to are ranks. A parcel's first
 * leg leaves its source, its last one reaches its destination. */
struct nuce_leg {
    int round, from, to;
    struct nuce_parcel parcel;
};
/* Legs in the order in which they were added; all zero: none. The array is owned. */
struct nuce_legs {
    int64_t count, capacity;
    struct nuce_leg *leg;
};
void nuce_legs_fini(struct nuce_legs *legs);

/* Adds to *legs one for each transfer of each part of a message, without what ranks send to
 * themselves; *rounds: how many there are. Rounds are phases; under a discipline without phases, of
 * what is posted all at once one round, of blocking sends the place in their rank's list, of
 * streams how many pieces of its two queues come before it: one of each at a time. NUCE_BAD_INPUT:
 * the schedule is dynamic, or pads. */
nuce_status nuce_schedule_ways(const struct nuce_schedule *schedule, struct nuce_legs *legs,
                               int *rounds, struct nuce_error *error);

/* Whether the schedule called name can be a part of another, for an option: one that has an order,
 * needs a pattern alone, or groups too, and has no parts or choices of its own. NUCE_BAD_INPUT. */
nuce_status nuce_schedule_check_part(const char *option, const char *name,
                                     struct nuce_error *error);

#endif
