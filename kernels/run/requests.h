/* One rank's part of a schedule as persistent MPI requests; a piece that a rank sends to itself is
 * copied, never sent. */
#ifndef NUCE_REQUESTS_H
#define NUCE_REQUESTS_H

#include <mpi.h>

#include "run/engine.h"

/* Arrays are owned; sends, receives and copies say how many there are of each. world and payload
 * are borrowed until nuce_requests_fini, as is the schedule behind the pieces. Entry k of
 * send_piece is what request send[k] is for; receives likewise; copy has what the rank sends
 * itself, by phase. */
struct nuce_requests {
    int sends, receives, copies; /* pieces; those to oneself are copies alone */
    MPI_Request *send;           /* persistent, in the order of the schedule */
    MPI_Request *receive;
    const struct nuce_transfer *
        *send_piece; /* what each request is for: borrowed from the schedule */
    const struct nuce_transfer **receive_piece;
    const struct nuce_transfer **copy;
    const struct nuce_world *world;
    const struct nuce_payload *payload;
};

/* Makes the requests. Where a schedule says what comes after what, sends are synchronous: a send
 * that ends in a buffer would let a rank run ahead of it, and have more in flight than `depth`.
 * That is what the papers' machines did (Ranka, Wang and Kumar, 3.2; Bhat, Prasanna and
 * Raghavendra, 4.1: data are sent once the receiver has acknowledged). Local. Freed with
 * nuce_requests_fini. */
void nuce_requests_init(const struct nuce_engine_input *input, struct nuce_requests *out);
void nuce_requests_fini(struct nuce_requests *requests);

/* Before request index is started: notes it where the step is traced. Local. */
void nuce_requests_note_send(const struct nuce_requests *requests, int index);
void nuce_requests_note_receive(const struct nuce_requests *requests, int index);

/* Copies the pieces to oneself from copy *next on, up to those of `phase`; *next moves on.
 * Local. */
void nuce_requests_copy(const struct nuce_requests *requests, int phase, int *next);

/* Copies a piece that the rank sends to itself, and notes it where the step is traced. */
void nuce_requests_copy_own(const struct nuce_world *world, const struct nuce_payload *payload,
                            const struct nuce_transfer *piece);

/* MPI's counts are int: bytes as a count of a datatype. *type is MPI_BYTE and *count bytes as long
 * as they fit, else a committed type of all of them, count 1; freed by
 * nuce_requests_free_bytes_type. */
void nuce_requests_bytes_type(int64_t bytes, MPI_Datatype *type, int *count);
void nuce_requests_free_bytes_type(MPI_Datatype *type);

#endif
