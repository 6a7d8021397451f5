/* Records of halo exchanges under placements for tests of what is drawn and printed of them. */
#ifndef NUCE_TEST_PLACEMENT_RECORDS_H
#define NUCE_TEST_PLACEMENT_RECORDS_H

#include <jansson.h>

struct placed {
    const char *kind, *placement;
    int seed;
    double s; /* median of six samples, s - spread to s + spread, the interval */
    double spread;
    double cardinality; /* of 1000 bytes in 10 messages */
    double latency_s;
};

json_t *placed_record(const struct placed *what);

/* Appends them as a heat of that number, the first its reference, in four launches j1 to j4, with
 * their jobs; a launch is up to two percent off for each, in the geometric mean not. */
void append_placements(const char *folder, int heat, const struct placed *all, int count);

/* At least one run for every plot of placements, of job j1. */
void write_placements(const char *folder);

#endif
