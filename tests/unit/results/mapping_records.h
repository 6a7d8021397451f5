/* Records of placements for tests of what is drawn and printed of them. */
#ifndef NUCE_TEST_MAPPING_RECORDS_H
#define NUCE_TEST_MAPPING_RECORDS_H

#include <jansson.h>

/* What the model says of a square mesh of side x side processes placed on network number instance
 * of the mapping paper's: its cardinality, microseconds without distant messages, and with 10 and
 * 20 % of them 0.1 and 0.2 more. Of campaign a, job j1. */
json_t *modelled_mapping(const char *placement, int side, int instance, double cardinality,
                         double latency_us);

/* That placing side x side processes on as many nodes took place_s seconds. Of the same. */
json_t *timed_mapping(const char *placement, int side, double place_s);

/* At least one run for every plot of placements. */
void write_mappings(const char *folder);

#endif
