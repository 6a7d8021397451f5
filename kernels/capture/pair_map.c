/* Open addressing with linear probing, at most half full, so that searches are short and always
 * end. */
#include "capture/pair_map.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/rng.h"

#define LEAST_PAIRS 64

void nuce_pair_map_fini(struct nuce_pair_map *map)
{
    free(map->entries);
    *map = (struct nuce_pair_map){0};
}

/* The entry of the pair, or the free one where it belongs. The map is not full. */
static struct nuce_pair_entry *pair_entry(const struct nuce_pair_map *map, uint64_t a, uint64_t b)
{
    uint64_t mask = (uint64_t)map->capacity - 1, at = nuce_rng_mix(a + nuce_rng_mix(b)) & mask;

    while (map->entries[at].is_used && (map->entries[at].a != a || map->entries[at].b != b))
        at = (at + 1) & mask;
    return &map->entries[at];
}

static void pair_map_grow(struct nuce_pair_map *map)
{
    struct nuce_pair_map larger = {
        .count = map->count, .capacity = map->capacity == 0 ? LEAST_PAIRS : 2 * map->capacity};

    larger.entries = nuce_allocate(larger.capacity, sizeof *larger.entries);
    for (int64_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].is_used)
            *pair_entry(&larger, map->entries[i].a, map->entries[i].b) = map->entries[i];
    }
    free(map->entries);
    *map = larger;
}

int64_t *nuce_pair_map_at(struct nuce_pair_map *map, uint64_t a, uint64_t b, int64_t fresh)
{
    struct nuce_pair_entry *entry;

    if (2 * (map->count + 1) > map->capacity)
        pair_map_grow(map);
    entry = pair_entry(map, a, b);
    if (!entry->is_used) {
        *entry = (struct nuce_pair_entry){.a = a, .b = b, .value = fresh, .is_used = 1};
        map->count++;
    }
    return &entry->value;
}
