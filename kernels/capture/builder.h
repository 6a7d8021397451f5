/* Adds patterns to a capture: each content once, topologies apart from sizes. */
#ifndef NUCE_CAPTURE_BUILDER_H
#define NUCE_CAPTURE_BUILDER_H

#include "capture/capture.h"
#include "capture/pair_map.h"

/* {.capture = ...}: an empty one, of a capture whose communicators are there. */
struct nuce_capture_builder {
    struct nuce_capture *capture; /* borrowed */
    struct nuce_pair_map ids;     /* beginning of an id -> pattern */
    struct nuce_pair_map ways;    /* hash of pairs -> topology */
    int64_t pattern_capacity, topology_capacity;
};

/* Orders messages as a topology has them, for qsort. */
int nuce_capture_builder_order(const void *a, const void *b);

/* The index of the pattern with that kind, quality, communicator, bytes moved and messages (world
 * ranks, in order), which is added where it was not there. -1 with *error: no memory. */
int64_t nuce_capture_builder_add(struct nuce_capture_builder *builder,
                                 const struct nuce_capture_pattern *pattern,
                                 const struct nuce_message *messages, int64_t count,
                                 struct nuce_error *error);

/* Sets the pattern's id: the beginning of the SHA-256 of all that makes it what it is, with its
 * messages as above. On a duplicate of a communicator it is the same. */
nuce_status nuce_capture_builder_identify(const struct nuce_capture *capture,
                                          struct nuce_capture_pattern *pattern,
                                          const struct nuce_message *messages, int64_t count,
                                          struct nuce_error *error);

/* Frees what it holds beside the capture. */
void nuce_capture_builder_fini(struct nuce_capture_builder *builder);

#endif
