/* Adds patterns to a capture, each content once. Topologies (the pairs that communicate) are
 * stored apart from sizes, because programs often send other sizes along the same pairs. */
#ifndef NUCE_CAPTURE_BUILDER_H
#define NUCE_CAPTURE_BUILDER_H

#include <stdint.h>

#include "base/error.h"
#include "capture/capture.h"

/* A hash map from pairs of 64 bits to int64_t. Entries are never removed. */

/* A slot of the table: the pair and its value. An unused slot is free. */
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

/* The address of the value of the pair (a, b). A new pair is added with the value `fresh`. Valid
 * until the next call. O(1) on average. */
int64_t *nuce_pair_map_at(struct nuce_pair_map *map, uint64_t a, uint64_t b, int64_t fresh);

/* Initialise with {.capture = ...}. The capture already has its communicators, and only this
 * builder adds patterns to it. */
struct nuce_capture_builder {
    struct nuce_capture *capture; /* borrowed */
    struct nuce_pair_map ids;     /* the 12 digits of an id, 0 -> index of the pattern */
    struct nuce_pair_map ways;    /* 128 bits of hash of the pairs -> index of the topology */
    int64_t pattern_capacity, topology_capacity;
};

/* Orders struct nuce_message as a topology has them, for qsort: by source, destination, bytes. */
int nuce_capture_builder_order(const void *a, const void *b);

/* Returns the index in capture->pattern of the pattern with this kind, quality, communicator,
 * bytes moved and messages. Messages are between world ranks, in nuce_capture_builder_order. The
 * other fields of *pattern are ignored if the pattern is known already. A new pattern is added
 * with no calls. */
int64_t nuce_capture_builder_add(struct nuce_capture_builder *builder,
                                 const struct nuce_capture_pattern *pattern,
                                 const struct nuce_message *messages, int64_t count);

/* Sets pattern->id to the first 12 hexadecimal digits of a SHA-256. The hash covers kind,
 * quality, bytes moved, the members of the communicator and the messages in the order above. So
 * the same pattern has the same id in every capture of as many ranks, on any duplicate of the
 * communicator. */
void nuce_capture_builder_identify(const struct nuce_capture *capture,
                                   struct nuce_capture_pattern *pattern,
                                   const struct nuce_message *messages, int64_t count);

/* Frees the builder's own storage. The capture stays. */
void nuce_capture_builder_fini(struct nuce_capture_builder *builder);

/* A message above 16 TiB is an error, or damage: half a million such messages still add up within
 * int64_t. */
#define NUCE_CAPTURE_MOST_BYTES ((int64_t)1 << 44)

/* A capture made of traffic matrices: sums of messages, no times, one communicator. */

/* Calls on their way to a capture, one at a time. The messages of the current call are dropped
 * once its pattern is found. All lists are owned. */
struct nuce_matrices {
    struct nuce_capture capture; /* the calls so far; empty again once finished */
    struct nuce_capture_builder builder;
    struct nuce_message *messages; /* messages of the current call, in the order of reading */
    int64_t count, capacity;
    int *calls; /* for each call, in order, the index of its pattern in the capture */
    int64_t call_count, call_capacity;
};

/* Makes an empty one. The caller always frees it with nuce_matrices_fini. */
void nuce_matrices_init(struct nuce_matrices *matrices);
void nuce_matrices_fini(struct nuce_matrices *matrices);

/* Adds a message of `bytes` to the current call, in any order. A message of 0 bytes is ignored.
 * Ranks are not checked here: nuce_matrices_end_call expects 0 .. ranks - 1. */
void nuce_matrices_add(struct nuce_matrices *matrices, int source, int destination, int64_t bytes);

/* Ends the current call. `ranks` is the same for all calls (the first call makes the
 * communicator). Equal patterns are stored once, and counted. */
void nuce_matrices_end_call(struct nuce_matrices *matrices, int ranks);

/* Turns all calls, at least one, into a capture, which the caller then owns. `matrices` must
 * still be freed. */
void nuce_matrices_finish(struct nuce_matrices *matrices, struct nuce_capture *out);

#endif
