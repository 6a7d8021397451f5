/* A capture made of calls whose messages are known and nothing else: no times, one communicator. */
#ifndef NUCE_MATRICES_H
#define NUCE_MATRICES_H

#include "capture/builder.h"

/* More bytes than this between two ranks are taken for a slip. */
#define NUCE_MATRICES_MOST_BYTES ((int64_t)1 << 50)

/* A file with more messages than this is not read. */
#define NUCE_MATRICES_MOST_MESSAGES ((int64_t)1 << 26)

struct nuce_matrices {
    struct nuce_capture capture; /* what there is so far */
    struct nuce_capture_builder builder;
    struct nuce_message *messages; /* of the call at hand */
    int64_t count, capacity;
    int *calls; /* indices of the patterns */
    int64_t call_count, call_capacity;
};

/* An empty one. Freed with nuce_matrices_fini, whatever comes. */
void nuce_matrices_init(struct nuce_matrices *matrices);
void nuce_matrices_fini(struct nuce_matrices *matrices);

/* Adds a message to the call at hand, in any order; one without bytes is none. */
nuce_status nuce_matrices_add(struct nuce_matrices *matrices, int source, int destination,
                              int64_t bytes, struct nuce_error *error);

/* The call at hand is over: of so many ranks, the same for all calls, and of that kind and quality
 * (enum nuce_raw_kind). */
nuce_status nuce_matrices_end_call(struct nuce_matrices *matrices, int ranks, int kind,
                                   enum nuce_capture_quality quality, struct nuce_error *error);

/* All calls are there: they become a capture. At least one call must have been. */
nuce_status nuce_matrices_finish(struct nuce_matrices *matrices, struct nuce_capture *out,
                                 struct nuce_error *error);

#endif
