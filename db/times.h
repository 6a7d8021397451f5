/* Inside db: the times of a run's samples in the database's form, "[[step, pack, ...], ...]", an
 * array a sample. */
#ifndef NUCE_TIMES_H
#define NUCE_TIMES_H

#include "base/race_ratio.h"
#include "base/record.h"

/* The number of the part called name (may be NULL), from 0, as in enum nuce_sample_part; -1: no
 * such part. */
int nuce_times_part(const char *name);

/* The samples of one run, as numbers and in that form. */
struct nuce_times {
    int64_t count;                     /* of samples */
    double medians[NUCE_SAMPLE_PARTS]; /* seconds, of each part; NaN: the run lacks it */
    char *times; /* up to the last part that the run has; "[]" without samples */
};

/* Reads the texts of JSON arrays without blanks, one a part, as in records; NULL: no such part.
 * Digits are copied unchanged. Returns nonzero if these are arrays of one length, the step's, of
 * finite numbers that are not negative; else *out is all zero. Released with nuce_times_fini. */
int nuce_times_read(const char *const parts[NUCE_SAMPLE_PARTS], struct nuce_times *out);

/* Accepts an all-zero one. */
void nuce_times_fini(struct nuce_times *times);

/* Reads the next sample of such a text; *at is the text at first. A missing part is NaN. Returns
 * 0 at the end, and for a text of any other form. */
int nuce_times_next(const char **at, double parts[NUCE_SAMPLE_PARTS]);

/* The ratio of a contender to its reference in one launch, by the given part of the times of
 * each. own and reference are texts as above; sample i is of round i. No rounds and NaN if there
 * is no such part. */
void nuce_times_race(const char *own, const char *reference, int part, struct nuce_race_ratio *out);

#endif
