/* Inside db: the times of a run's samples as the database keeps them, "[[step, pack, ...], ...]".
 */
#ifndef NUCE_TIMES_H
#define NUCE_TIMES_H

#include <stdint.h>

#include "support/error.h"
#include "support/race_ratio.h"
#include "support/record.h"

/* Reads the next sample of the text at *at: each part in seconds, NaN where it is null or left out.
 * 0 at the end of the text, or where it is not as collect writes it. */
int nuce_times_next(const char **at, double parts[NUCE_SAMPLE_PARTS]);

/* The number of the part called name (may be NULL), from 0; -1: it is none. */
int nuce_times_part(const char *name);

/* The ratio of a contender to its reference in one launch, by the part of that number of the times
 * of each. NUCE_FAILED when out of memory. */
nuce_status nuce_times_race(const char *own, const char *reference, int part,
                            struct nuce_race_ratio *out, struct nuce_error *error);

#endif
