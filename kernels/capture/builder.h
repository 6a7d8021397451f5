/* Adds patterns to a capture, each content once. Topologies (who sends to whom) are kept apart from
 * sizes, for programs often send other sizes along the same pairs. */
#ifndef NUCE_CAPTURE_BUILDER_H
#define NUCE_CAPTURE_BUILDER_H

#include <stdint.h>

#include "base/error.h"
#include "capture/capture.h"

/* A hash map from pairs of 64 bits to int64_t; nothing is taken out of it. */

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

/* Made by {.capture = ...}, of a capture whose communicators are there and whose patterns are added
 * by this builder alone. */
struct nuce_capture_builder {
    struct nuce_capture *capture; /* borrowed */
    struct nuce_pair_map ids;     /* the 12 digits of an id, 0 -> index of the pattern */
    struct nuce_pair_map ways;    /* 128 bits of hash of the pairs -> index of the topology */
    int64_t pattern_capacity, topology_capacity;
};

/* Orders struct nuce_message as a topology has them, for qsort: by source, destination, bytes. */
int nuce_capture_builder_order(const void *a, const void *b);

/* The index in capture->pattern of the pattern with that kind, quality, communicator and bytes
 * moved (all else of *pattern is ignored where it is known already) and those messages: world
 * ranks, in nuce_capture_builder_order. It is added, with no calls, where it was not there. -1 with
 * *error: no memory; the capture can then only be freed. */
int64_t nuce_capture_builder_add(struct nuce_capture_builder *builder,
                                 const struct nuce_capture_pattern *pattern,
                                 const struct nuce_message *messages, int64_t count,
                                 struct nuce_error *error);

/* Sets pattern->id: the first 12 hexadecimal digits of the SHA-256 of all that makes it what it is:
 * kind, quality, bytes moved, the members of its communicator, its messages in the order as above.
 * So the same pattern has the same id in every capture of as many ranks, on whatever duplicate of
 * the communicator it was seen. NUCE_FAILED: no memory; the id is as it was. */
nuce_status nuce_capture_builder_identify(const struct nuce_capture *capture,
                                          struct nuce_capture_pattern *pattern,
                                          const struct nuce_message *messages, int64_t count,
                                          struct nuce_error *error);

/* Frees what it holds beside the capture, which stays. */
void nuce_capture_builder_fini(struct nuce_capture_builder *builder);

/* A capture made of traffic matrices: sums of messages, no times, one communicator. */

/* More bytes than this (1 PiB) between two ranks are taken for a slip of the file, not for traffic.
 */
#define NUCE_MATRICES_MOST_BYTES ((int64_t)1 << 50)

/* Calls on their way to a capture, one at a time: the messages of the call at hand are forgotten
 * once it is looked up. All lists are owned. */
struct nuce_matrices {
    struct nuce_capture capture; /* what there is so far; empty again once finished */
    struct nuce_capture_builder builder;
    struct nuce_message *messages; /* of the call at hand, in the order of reading */
    int64_t count, capacity;
    int *calls; /* for each call, in order, the index of its pattern in the capture */
    int64_t call_count, call_capacity;
};

/* An empty one. Freed with nuce_matrices_fini, whatever comes. */
void nuce_matrices_init(struct nuce_matrices *matrices);
void nuce_matrices_fini(struct nuce_matrices *matrices);

/* Adds a message of so many bytes to the call at hand, in any order. A message of 0 bytes is none
 * and is passed over. The ranks are not checked here: 0 .. ranks - 1 of the call that they end
 * in. */
void nuce_matrices_add(struct nuce_matrices *matrices, int source, int destination, int64_t bytes);

/* The call at hand is over. ranks is the same for all calls (the first makes the communicator).
 * Equal patterns are kept once, and counted. */
nuce_status nuce_matrices_end_call(struct nuce_matrices *matrices, int ranks,
                                   struct nuce_error *error);

/* All calls are there, at least one: they become a capture, which the caller owns from then on.
 * `matrices` must still be freed. */
void nuce_matrices_finish(struct nuce_matrices *matrices, struct nuce_capture *out);

#endif
