/* Inside db: the times of a run's samples as the database keeps them, "[[step, pack, ...], ...]",
 * an array a sample. */
#ifndef NUCE_TIMES_H
#define NUCE_TIMES_H

#include "support/error.h"
#include "support/race_ratio.h"
#include "support/record.h"

/* The number of the part called name (may be NULL), from 0, as enum nuce_sample_part has it; -1: it
 * is none. */
int nuce_times_part(const char *name);

/* Reads the next sample of such a text; *at is the text at first. A part that it has not is NaN.
 * Returns 0 at the end, and of a text of any other form. */
int nuce_times_next(const char **at, double parts[NUCE_SAMPLE_PARTS]);

/* The ratio of a contender to its reference in one launch, by the part of that number of the times
 * of each; own and reference are texts as above, whose sample i is of round i. No rounds and NaN
 * where the part is none. NUCE_FAILED when out of memory. */
nuce_status nuce_times_race(const char *own, const char *reference, int part,
                            struct nuce_race_ratio *out, struct nuce_error *error);

#endif
