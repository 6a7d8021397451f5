/* Patterns, each content stored once. A pattern is found by the first 48 bits of its SHA-256, a
 * topology by a 128-bit hash. Two contents with the same 48 bits would be merged: with 10 000
 * patterns in a capture the chance is 2e-7. Cost: O(m + s) for m messages on a communicator of s
 * members. */
#include "capture/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/int.h"
#include "base/rng.h"

/* Open addressing with linear probing, at most half full, so that searches are short and always
 * end. */

#define LEAST_PAIRS 64

void nuce_pair_map_fini(struct nuce_pair_map *map)
{
    free(map->entries);
    *map = (struct nuce_pair_map){0};
}

/* The entry of the pair, or the free entry where it belongs. The map is not full. */
static struct nuce_pair_entry *pair_entry(const struct nuce_pair_map *map, uint64_t a, uint64_t b)
{
    uint64_t mask = (uint64_t)map->capacity - 1, at = nuce_rng_mix(a + nuce_rng_mix(b)) & mask;

    while (map->entries[at].is_used && (map->entries[at].a != a || map->entries[at].b != b))
        at = (at + 1) & mask;
    return &map->entries[at];
}

int64_t *nuce_pair_map_at(struct nuce_pair_map *map, uint64_t a, uint64_t b, int64_t fresh)
{
    struct nuce_pair_entry *entry;

    if (2 * (map->count + 1) > map->capacity) {
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
    entry = pair_entry(map, a, b);
    if (!entry->is_used) {
        *entry = (struct nuce_pair_entry){.a = a, .b = b, .value = fresh, .is_used = 1};
        map->count++;
    }
    return &entry->value;
}

int nuce_capture_builder_order(const void *a, const void *b)
{
    const struct nuce_message *x = a, *y = b;

    return NUCE_INT_ORDER({x->source, y->source}, {x->destination, y->destination},
                          {x->bytes, y->bytes});
}

/* The numbers are hashed as they lie in memory, so ids agree on machines of one byte order.
 * Neither times nor the number of calls go into the id. */
void nuce_capture_builder_identify(const struct nuce_capture *capture,
                                   struct nuce_capture_pattern *pattern,
                                   const struct nuce_message *messages, int64_t count)
{
    const struct nuce_capture_communicator *communicator =
        &capture->communicator[pattern->communicator];
    int64_t words = 4 + communicator->size + 3 * count, at = 0, *text;
    char hex[NUCE_HASH_BYTES];

    text = nuce_allocate(words, sizeof *text);
    text[at++] = pattern->kind;
    text[at++] = pattern->quality;
    text[at++] = pattern->moved;
    text[at++] = communicator->size;
    for (int i = 0; i < communicator->size; i++)
        text[at++] = communicator->members[i];
    for (int64_t i = 0; i < count; i++) {
        text[at++] = messages[i].source;
        text[at++] = messages[i].destination;
        text[at++] = messages[i].bytes;
    }
    nuce_hash(text, (size_t)words * sizeof *text, hex);
    free(text);
    memcpy(pattern->id, hex, NUCE_CAPTURE_ID - 1);
    pattern->id[NUCE_CAPTURE_ID - 1] = '\0';
}

int64_t nuce_capture_builder_add(struct nuce_capture_builder *builder,
                                 const struct nuce_capture_pattern *pattern,
                                 const struct nuce_message *messages, int64_t count)
{
    struct nuce_capture *capture = builder->capture;
    struct nuce_capture_pattern added = *pattern;
    uint64_t a = (uint64_t)count, b = 0;
    int64_t same, way;

    nuce_capture_builder_identify(capture, &added, messages, count);
    same = *nuce_pair_map_at(&builder->ids, strtoull(added.id, NULL, 16), 0, capture->patterns);
    if (same < capture->patterns)
        return same;
    /* The topology, found or added. The messages are in order, so equal topologies have equal
     * hashes. */
    for (int64_t i = 0; i < count; i++) {
        a = nuce_rng_mix(a + (((uint64_t)(uint32_t)messages[i].source << 32) |
                              (uint32_t)messages[i].destination));
        b = nuce_rng_mix(b ^ a);
    }
    way = *nuce_pair_map_at(&builder->ways, a, b, capture->topologies);
    added.topology = (int)way;
    if (way == capture->topologies) {
        struct nuce_capture_topology made = {
            .messages = count,
            .source = nuce_allocate(count, sizeof *made.source),
            .destination = nuce_allocate(count, sizeof *made.destination),
        };

        for (int64_t i = 0; i < count; i++) {
            made.source[i] = messages[i].source;
            made.destination[i] = messages[i].destination;
        }
        nuce_allocate_more((void **)&capture->topology, &builder->topology_capacity, way + 1,
                           sizeof made);
        capture->topology[capture->topologies++] = made;
    }
    added.bytes = nuce_allocate(count, sizeof *added.bytes);
    if (count > 0)
        added.arrival_ns = nuce_allocate(capture->communicator[pattern->communicator].size,
                                         sizeof *added.arrival_ns);
    for (int64_t i = 0; i < count; i++)
        added.bytes[i] = messages[i].bytes;
    nuce_allocate_more((void **)&capture->pattern, &builder->pattern_capacity,
                       capture->patterns + 1, sizeof added);
    capture->pattern[capture->patterns++] = added;
    return same;
}

void nuce_capture_builder_fini(struct nuce_capture_builder *builder)
{
    nuce_pair_map_fini(&builder->ids);
    nuce_pair_map_fini(&builder->ways);
}

/* A capture made from traffic matrices. A matrix holds the bytes of each pair in one call. It
 * has no times, hosts or communicators, and it does not say how many messages a sum was. Its
 * quality is therefore merged.
 *
 * Steps: collect the messages of a call, sort them by source and destination, look up the
 * pattern (capture/builder.h), and append its index to the sequence of calls. Cost: O(m log m)
 * time for a call of m messages, 16 bytes for each message of the current call and 4 for each
 * call. */

void nuce_matrices_init(struct nuce_matrices *matrices)
{
    *matrices = (struct nuce_matrices){0};
    matrices->builder.capture = &matrices->capture;
}

void nuce_matrices_fini(struct nuce_matrices *matrices)
{
    nuce_capture_builder_fini(&matrices->builder);
    nuce_capture_fini(&matrices->capture);
    free(matrices->messages);
    free(matrices->calls);
}

void nuce_matrices_add(struct nuce_matrices *matrices, int source, int destination, int64_t bytes)
{
    if (bytes == 0)
        return;
    nuce_allocate_more((void **)&matrices->messages, &matrices->capacity, matrices->count + 1,
                       sizeof *matrices->messages);
    matrices->messages[matrices->count++] = (struct nuce_message){source, destination, bytes};
}

/* The first call makes the communicator; all other calls have as many ranks. */
void nuce_matrices_end_call(struct nuce_matrices *matrices, int ranks)
{
    struct nuce_capture_pattern pattern = {.kind = NUCE_RAW_KIND_matrix,
                                           .quality = NUCE_CAPTURE_MERGED};
    struct nuce_capture *capture = &matrices->capture;
    int64_t index;

    /* The one communicator has all ranks, as MPI_COMM_WORLD would. No rank's host is known (-1).
     * All ranks count as ended in MPI_Finalize: the file does not say how they ended, which is
     * no reason to warn of an incomplete run. */
    if (capture->ranks == 0) {
        capture->communicator = nuce_allocate(1, sizeof *capture->communicator);
        capture->sequence = nuce_allocate(1, sizeof *capture->sequence);
        capture->host_of = nuce_allocate(ranks, sizeof *capture->host_of);
        capture->communicators = 1;
        capture->communicator->size = ranks;
        capture->communicator->members =
            nuce_allocate(ranks, sizeof *capture->communicator->members);
        for (int i = 0; i < ranks; i++) {
            capture->communicator->members[i] = i;
            capture->host_of[i] = -1;
        }
        capture->ranks = capture->found = capture->endings[NUCE_RAW_FINALIZED] = ranks;
    }
    NUCE_ASSERT(matrices->capture.ranks == ranks);
    if (matrices->count > 0)
        qsort(matrices->messages, (size_t)matrices->count, sizeof *matrices->messages,
              nuce_capture_builder_order);
    index =
        nuce_capture_builder_add(&matrices->builder, &pattern, matrices->messages, matrices->count);
    nuce_allocate_more((void **)&matrices->calls, &matrices->call_capacity,
                       matrices->call_count + 1, sizeof *matrices->calls);
    matrices->calls[matrices->call_count++] = (int)index;
    capture->pattern[index].calls++;
    matrices->count = 0;
}

void nuce_matrices_finish(struct nuce_matrices *matrices, struct nuce_capture *out)
{
    NUCE_ASSERT(matrices->call_count > 0);
    nuce_capture_sequence_init(matrices->calls, matrices->call_count,
                               &matrices->capture.sequence[0]);
    *out = matrices->capture;
    matrices->capture = (struct nuce_capture){0};
}
