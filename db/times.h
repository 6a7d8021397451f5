/* Inside db: the times of a run's samples as the database keeps them, "[[step, pack, ...], ...]",
 * an array a sample. Read by hand and not by jansson or SQLite's json_each: a summary reads every
 * sample of a point again, and a tree of values for each would cost more than all else. */
#ifndef NUCE_TIMES_H
#define NUCE_TIMES_H

#include <stdint.h>

#include "support/error.h"
#include "support/race_ratio.h"
#include "support/record.h"

/* Reads the next sample of the text at *at: each part in seconds, NaN where it is null or left out.
 * 0 at the end of the text, or where it is not as collect writes it. *at moves behind what was
 * read; it begins at the first byte of the text. */
int nuce_times_next(const char **at, double parts[NUCE_SAMPLE_PARTS]);

/* The number of the part called name (may be NULL), from 0, as enum nuce_sample_part has it; -1: it
 * is none. */
int nuce_times_part(const char *name);

/* The ratio of a contender to its reference in one launch, by the part of that number of the times
 * of each; own and reference are texts as above, whose sample i is of round i. No rounds and NaN
 * where the part is none. NUCE_FAILED when out of memory. */
nuce_status nuce_times_race(const char *own, const char *reference, int part,
                            struct nuce_race_ratio *out, struct nuce_error *error);

#endif
