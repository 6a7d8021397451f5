/* Where a rank's messages lie in its two buffers, and what bytes they carry when the payload is
 * verified. */
#ifndef NUCE_PAYLOAD_H
#define NUCE_PAYLOAD_H

#include <stdint.h>

#include "base/error.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* What a buffer is for. Buffers of one use are shared, since contenders run in turn. */
enum nuce_buffer_use {
    NUCE_BUFFER_SEND, /* messages */
    NUCE_BUFFER_RECEIVE,
    NUCE_BUFFER_FROM, /* an array, before and after it is redistributed */
    NUCE_BUFFER_TO,
    NUCE_BUFFER_USES,
};

/* Buffers that were made so far; NULL: none of that use yet. Starts zeroed. data is owned, bytes is
 * the room of each. */
struct nuce_buffers {
    unsigned char *data[NUCE_BUFFER_USES];
    int64_t bytes[NUCE_BUFFER_USES];
};

/* A buffer of at least bytes bytes, with whatever the last one left in it; who asks first for a use
 * says how large it is. *is_shared 1: it stays there until nuce_buffers_fini; 0: it is the
 * caller's, zeroed, to be freed with free(), since shared is NULL or its buffer is too small. NULL
 * with *error when out of memory. Local. */
unsigned char *nuce_buffers_take(struct nuce_buffers *shared, enum nuce_buffer_use use,
                                 int64_t bytes, int *is_shared, struct nuce_error *error);

/* Bytes that are there already; 0 for NULL. */
int64_t nuce_buffers_bytes(const struct nuce_buffers *shared);

/* Frees all; after the last who took one of them. */
void nuce_buffers_fini(struct nuce_buffers *shared);

/* Buffers that the contenders of a heat have in common: they run in turn and on one pattern, so
 * none of them has the better memory, and a heat takes no more of it than a point alone. */
/* How a rank's message to itself gets from where it is to where it goes, when it need not pass
 * through the buffers. */
struct nuce_own_copy {
    void (*copy)(void *context); /* the whole message; NULL: it lies in the buffers as any other */
    void *context;               /* borrowed */
};

/* Messages lie one behind the other: sends by destination, receives by source, both ascending.
 * Message k to others is bytes send_at[k] .. send_at[k + 1] - 1 of send, that from source[k]
 * likewise in receive. All arrays are owned, the buffers too unless they are shared. Ranks ascend
 * and appear once, so that an index is found by halves. */
struct nuce_payload {
    int rank;
    int sends, receives;
    int *destination; /* sends */
    int *source;      /* receives */
    int64_t *send_at; /* sends + 1: bytes into send */
    int64_t *receive_at;
    unsigned char *send;
    unsigned char *receive;
    int shares_send, shares_receive; /* 1: the buffer is others' as well, who free it */
    struct nuce_own_copy own;
};

/* The buffers of rank under pattern; own NULL: what it sends to itself is in them, else it is not
 * among the messages. shared NULL: they are zeroed; else those that others have theirs in as well,
 * with what these have left there, borrowed until nuce_payload_fini. Freed with that. Local. */
nuce_status nuce_payload_init(const struct nuce_pattern *pattern, int rank,
                              const struct nuce_own_copy *own, struct nuce_buffers *shared,
                              struct nuce_payload *out, struct nuce_error *error);
void nuce_payload_fini(struct nuce_payload *payload);

/* The other way round, on the same buffers: sends become receives. All of it is borrowed; nothing
 * is said of what the rank sends to itself. */
struct nuce_payload nuce_payload_reverse(const struct nuce_payload *payload);

/* Index of the message to destination (from source); it must exist. O(log messages). */
int nuce_payload_send_index(const struct nuce_payload *payload, int destination);
int nuce_payload_receive_index(const struct nuce_payload *payload, int source);

/* Where a piece of the message to (from) its peer lies in the send (receive) buffer; one without
 * bytes lies anywhere there, and there need be no message. */
unsigned char *nuce_payload_from(const struct nuce_payload *payload,
                                 const struct nuce_transfer *piece);
unsigned char *nuce_payload_to(const struct nuce_payload *payload,
                               const struct nuce_transfer *piece);

/* A hash of so many bytes: four lanes, so that it is as fast as memory. Not for strangers. */
uint64_t nuce_payload_hash(const unsigned char *data, int64_t bytes);

/* Sums of hashes of the messages that were sent, and received, each with who sent it to whom: over
 * all ranks both are the same where every message came as it was sent, modulo 2^64. */
uint64_t nuce_payload_sum_sent(const struct nuce_payload *payload);
uint64_t nuce_payload_sum_received(const struct nuce_payload *payload);

/* Copies the message to oneself, if it is not in the buffers. */
void nuce_payload_copy_own(const struct nuce_payload *payload);

/* Fills the send buffer with bytes that are a function of (source, destination, offset, salt), and
 * the receive buffer with the complement of what is to come, so that a byte that does not come is
 * seen. Local. */
void nuce_payload_fill(struct nuce_payload *payload, uint64_t salt);

/* How many of so many bytes at data are not those of the message from source to destination from
 * its byte offset on, as nuce_payload_fill makes them; *first is where in the message the first is.
 */
int64_t nuce_payload_compare(const unsigned char *data, int64_t offset, int64_t bytes, int source,
                             int destination, uint64_t salt, int64_t *first);

/* Compares every received byte; NUCE_CORRUPT names source, destination, offset, both values and how
 * many bytes are wrong. Local. */
nuce_status nuce_payload_check(const struct nuce_payload *payload, uint64_t salt,
                               struct nuce_error *error);

#endif
