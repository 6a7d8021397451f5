/* A capture made of traffic matrices: sums of messages, no times, one communicator. */
#ifndef NUCE_MATRICES_H
#define NUCE_MATRICES_H

#include "capture/builder.h"

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
