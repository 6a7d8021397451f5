/* Parts that executors share: requests for the pieces of a rank's schedule, and the copy of
 * those to itself, which are never sent. */
#ifndef NUCE_REQUESTS_H
#define NUCE_REQUESTS_H

#include <mpi.h>

#include "run/engine.h"
#include "run/request_set.h"

/* Adds a request for a piece that this rank sends to another or receives from it, at its place
 * in the payload. Returns its index. Local. */
int nuce_requests_add(const struct nuce_engine_input *input, enum nuce_direction direction, int tag,
                      const struct nuce_transfer *piece, struct nuce_request_set *set);

/* The same for all pieces that this rank sends, or receives, in order, with tag 0: pieces
 * between two ranks match in the order of the schedule on both sides. */
void nuce_requests_add_all(const struct nuce_engine_input *input, enum nuce_direction direction,
                           struct nuce_request_set *set);

/* The number of pieces that this rank sends and receives, including those to itself: no executor
 * needs more requests. */
int64_t nuce_requests_most(const struct nuce_engine_input *input);

/* Copies the pieces that the rank sends to itself, from entry *next of the schedule's sends on,
 * up to those of `phase`; *next moves on. Notes them if the step is traced. Local. */
void nuce_requests_copy(const struct nuce_engine_input *input, int phase, int64_t *next);

/* Copies all pieces to itself. */
void nuce_requests_copy_all(const struct nuce_engine_input *input);

/* Sets *peer to that of the first request from first up to end that is not complete; returns 0,
 * without a change of *peer, if there is none. Local. */
int nuce_requests_wait_for(const struct nuce_request_set *set, int first, int end, int *peer);

#endif
