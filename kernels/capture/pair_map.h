/* A hash map from pairs of 64 bits to int64_t; nothing is taken out of it. */
#ifndef NUCE_PAIR_MAP_H
#define NUCE_PAIR_MAP_H

#include <stdint.h>

#include "base/error.h"

/* A place of the table: the pair, and what is kept of it. A place that is not used is free. */
struct nuce_pair_entry {
    uint64_t a, b;
    int64_t value;
    int is_used;
};

/* All zero: empty. Freed with nuce_pair_map_fini. */
struct nuce_pair_map {
    struct nuce_pair_entry *entries;
    int64_t count, capacity; /* capacity: a power of two, or 0 */
};

void nuce_pair_map_fini(struct nuce_pair_map *map);

/* Where the value of the pair (a, b) is; it is `fresh` where the pair was not there, which is now.
 * Valid until the next call. O(1) on average. */
int64_t *nuce_pair_map_at(struct nuce_pair_map *map, uint64_t a, uint64_t b, int64_t fresh);

#endif
