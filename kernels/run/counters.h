/* Hardware counters by PAPI. An unreadable counter is absent (JSON null), never zero. */
#ifndef NUCE_COUNTERS_H
#define NUCE_COUNTERS_H

#include <jansson.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/record.h"
#include "run/world.h"

struct nuce_counters;

/* Prepares to count events (comma list; "" for none), each of them once. Events that cannot be
 * counted here are kept, with unknown values. *note (NUCE_MESSAGE_BYTES) names these and the
 * reason once; "" if all can. Local. Freed with nuce_counters_destroy. */
nuce_status nuce_counters_create(const char *events, struct nuce_counters **out, char *note,
                                 struct nuce_error *error);
void nuce_counters_destroy(struct nuce_counters *counters);

/* True if this rank counts any event. */
int nuce_counters_is_counting(const struct nuce_counters *counters);

/* Encloses each part of a step: the counts in between are added to that part. Cheap if there are
 * no events. */
void nuce_counters_begin(struct nuce_counters *counters);
void nuce_counters_end(struct nuce_counters *counters, enum nuce_sample_part part);

/* Ends a part that began at begin_s: its counters, and its seconds in parts. Returns the present
 * time, when the next one begins. */
static inline double nuce_counters_stamp(struct nuce_counters *counters, enum nuce_sample_part part,
                                         double begin_s, double parts[NUCE_SAMPLE_PARTS])
{
    double now = nuce_clock();

    parts[part] = now - begin_s;
    nuce_counters_end(counters, part);
    return now;
}

/* Forgets the counts so far (the warm-up). */
void nuce_counters_reset(struct nuce_counters *counters);

/* Replaces this rank's counts by the sums over all ranks; an event that some rank cannot count is
 * unknown. Collective. */
void nuce_counters_sum(struct nuce_counters *counters, struct nuce_world *world);

/* The counts in a record's form: an array of {"part","event","value"}; NULL if there are no
 * events. New reference. */
json_t *nuce_counters_json(const struct nuce_counters *counters);

/* {"library": version or null, "counters": hardware counters, "events": preset events that count
 * here}, for the environment. New reference. */
json_t *nuce_counters_describe(void);

#endif
