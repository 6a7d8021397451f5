/* Adds patterns to a capture, each content once. Topologies (who sends to whom) are kept apart from
 * sizes, for programs often send other sizes along the same pairs. */
#ifndef NUCE_CAPTURE_BUILDER_H
#define NUCE_CAPTURE_BUILDER_H

#include "capture/capture.h"
#include "capture/pair_map.h"

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

#endif
