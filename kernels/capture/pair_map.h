/* From pairs of 64 bits to numbers. */
#ifndef NUCE_PAIR_MAP_H
#define NUCE_PAIR_MAP_H

#include <stdint.h>

#include "support/error.h"

struct nuce_pair_entry {
    uint64_t a, b;
    int64_t value;
    int is_used;
};

/* All zero: empty. Freed with nuce_pair_map_fini. */
struct nuce_pair_map {
    struct nuce_pair_entry *entries;
    int64_t count, capacity;
};

void nuce_pair_map_fini(struct nuce_pair_map *map);

/* Where the value of the pair is: `fresh` where it was not there. Valid until the next call. NULL
 * with *error: no memory. */
int64_t *nuce_pair_map_at(struct nuce_pair_map *map, uint64_t a, uint64_t b, int64_t fresh,
                          struct nuce_error *error);

#endif
