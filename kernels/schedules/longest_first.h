/* The messages of a pattern by what they cost on a network, the longest first; but those of ranks
 * to themselves, which cost nothing. */
#ifndef NUCE_LONGEST_FIRST_H
#define NUCE_LONGEST_FIRST_H

#include "schedules/network.h"
#include "schedules/pattern.h"

/* A message by what it costs alone on its pair; position is an int because a row has at most one
 * message for each rank. */
struct nuce_ordered_message {
    double seconds;
    int source;
    int position; /* in the source's row of the pattern */
};

/* *out: *count of them, freed with free(); equal ones as they stand in the pattern.
 * O(messages log messages). */
void nuce_longest_first(const struct nuce_pattern *pattern, const struct nuce_network *network,
                        struct nuce_ordered_message **out, int64_t *count);

#endif
