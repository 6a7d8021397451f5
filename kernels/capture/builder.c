/* Patterns, each content once: found by the beginning of their SHA-256, topologies by 128 bits of a
 * hash. Two contents with the same beginning of 48 bits would be taken for one: with 10 000
 * patterns in a capture the chance is 2e-7. Cost: O(m + s) for m messages on a communicator of s
 * members. */
#include "capture/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/rng.h"

int nuce_capture_builder_order(const void *a, const void *b)
{
    const struct nuce_message *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->destination != y->destination)
        return x->destination < y->destination ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The index of the topology of the messages, found or made; -1 with *error. The messages are in
 * order, so equal topologies have equal hashes. */
static int topology_of(struct nuce_capture_builder *builder, const struct nuce_message *messages,
                       int64_t count)
{
    struct nuce_capture *capture = builder->capture;
    struct nuce_capture_topology *added;
    void *list = capture->topology;
    uint64_t a = (uint64_t)count, b = 0;
    int64_t *known;

    for (int64_t i = 0; i < count; i++) {
        a = nuce_rng_mix(a + (((uint64_t)(uint32_t)messages[i].source << 32) |
                              (uint32_t)messages[i].destination));
        b = nuce_rng_mix(b ^ a);
    }
    known = nuce_pair_map_at(&builder->ways, a, b, capture->topologies);
    if (*known < capture->topologies)
        return (int)*known;
    nuce_allocate_more(&list, &builder->topology_capacity, capture->topologies + 1, sizeof *added);
    capture->topology = list;
    added = &capture->topology[capture->topologies++];
    *added = (struct nuce_capture_topology){.messages = count};
    added->source = nuce_allocate(count, sizeof *added->source);
    added->destination = nuce_allocate(count, sizeof *added->destination);
    for (int64_t i = 0; i < count; i++) {
        added->source[i] = messages[i].source;
        added->destination[i] = messages[i].destination;
    }
    return capture->topologies - 1;
}

/* The numbers are hashed as they lie in memory, so ids are alike on machines of one byte order.
 * Times are no part of it, nor how often the pattern occurred. */
nuce_status nuce_capture_builder_identify(const struct nuce_capture *capture,
                                          struct nuce_capture_pattern *pattern,
                                          const struct nuce_message *messages, int64_t count,
                                          struct nuce_error *error)
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
    error->status = nuce_hash(text, (size_t)words * sizeof *text, hex, error);
    free(text);
    if (error->status == NUCE_OK) {
        memcpy(pattern->id, hex, NUCE_CAPTURE_ID - 1);
        pattern->id[NUCE_CAPTURE_ID - 1] = '\0';
    }
    return error->status;
}

/* Adds a pattern with its topology and sizes, arrivals 0. On failure it is in the list half-made,
 * which nuce_capture_fini can free. */
static nuce_status append_pattern(struct nuce_capture_builder *builder,
                                  const struct nuce_capture_pattern *pattern,
                                  const struct nuce_message *messages, int64_t count,
                                  struct nuce_error *error)
{
    struct nuce_capture *capture = builder->capture;
    struct nuce_capture_pattern *added;
    void *list = capture->pattern;

    nuce_allocate_more(&list, &builder->pattern_capacity, capture->patterns + 1, sizeof *added);
    capture->pattern = list;
    added = &capture->pattern[capture->patterns++];
    *added = *pattern;
    added->topology = topology_of(builder, messages, count);
    added->bytes = nuce_allocate(count, sizeof *added->bytes);
    if (added->topology < 0)
        return error->status;
    if (count > 0)
        added->arrival_ns = nuce_allocate(capture->communicator[pattern->communicator].size,
                                          sizeof *added->arrival_ns);
    for (int64_t i = 0; i < count; i++)
        added->bytes[i] = messages[i].bytes;
    return NUCE_OK;
}

int64_t nuce_capture_builder_add(struct nuce_capture_builder *builder,
                                 const struct nuce_capture_pattern *pattern,
                                 const struct nuce_message *messages, int64_t count,
                                 struct nuce_error *error)
{
    struct nuce_capture_pattern wanted = *pattern;
    int64_t *same;

    if (nuce_capture_builder_identify(builder->capture, &wanted, messages, count, error) != NUCE_OK)
        return -1;
    same = nuce_pair_map_at(&builder->ids, strtoull(wanted.id, NULL, 16), 0,
                            builder->capture->patterns);
    if (*same == builder->capture->patterns &&
        append_pattern(builder, &wanted, messages, count, error) != NUCE_OK)
        return -1;
    return *same;
}

void nuce_capture_builder_fini(struct nuce_capture_builder *builder)
{
    nuce_pair_map_fini(&builder->ids);
    nuce_pair_map_fini(&builder->ways);
}
