/* The places of a rank's messages in its two buffers, and the bytes that they carry when the
 * payload is verified. */
#ifndef NUCE_PAYLOAD_H
#define NUCE_PAYLOAD_H

#include <stdint.h>

#include "base/error.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* The use of a buffer. Buffers of one use are shared, because contenders run in turn. */
enum nuce_buffer_use {
    NUCE_BUFFER_SEND, /* messages */
    NUCE_BUFFER_RECEIVE,
    NUCE_BUFFER_FROM, /* an array, before and after it is redistributed */
    NUCE_BUFFER_TO,
    NUCE_BUFFER_USES,
};

/* The buffers so far; NULL: none of that use yet. Starts zeroed. data is owned; bytes is the
 * size of each. */
struct nuce_buffers {
    unsigned char *data[NUCE_BUFFER_USES];
    int64_t bytes[NUCE_BUFFER_USES];
};

/* Returns a buffer of at least `bytes` bytes, with the content of its last user. The first
 * request for a use sets its size. *is_shared 1: it stays there until nuce_buffers_fini.
 * *is_shared 0: shared is NULL or its buffer is too small, so the caller gets its own, zeroed,
 * and frees it with free(). NULL with *error when out of memory. Local. */
unsigned char *nuce_buffers_take(struct nuce_buffers *shared, enum nuce_buffer_use use,
                                 int64_t bytes, int *is_shared, struct nuce_error *error);

/* Bytes of all existing buffers; 0 for NULL. */
int64_t nuce_buffers_bytes(const struct nuce_buffers *shared);

/* Frees all; called after the last user. */
void nuce_buffers_fini(struct nuce_buffers *shared);

/* Buffers that the contenders of a race share. They run in turn and on one pattern, so none of
 * them has better memory, and a race needs only as much as one point. */
/* The way of a rank's message to itself, if it bypasses the buffers. */
struct nuce_own_copy {
    void (*copy)(void *context); /* the whole message; NULL: it is in the buffers as any other */
    void *context;               /* borrowed */
};

/* The messages of one way, by their other rank, which ascends and appears once: an index is found
 * by binary search. Messages are contiguous: message k is bytes at[k] .. at[k + 1] - 1 of data. */
struct nuce_payload_side {
    int count;
    int *peer;   /* count */
    int64_t *at; /* count + 1: bytes into data */
    unsigned char *data;
    unsigned char **place; /* count: each message in memory of others; NULL: in data */
    int is_shared;         /* 1: the buffer is shared, and others free it */
};

/* A rank's messages. All arrays are owned, and the buffers too unless they are shared. */
struct nuce_payload {
    int rank;
    struct nuce_payload_side send, receive;
    struct nuce_own_copy own;
};

/* Makes the buffers of rank under pattern. own NULL: they include messages to itself; else these
 * are excluded. shared NULL: the buffers are zeroed; else they are shared, with the content of
 * their last user, and borrowed until nuce_payload_fini. Freed with that. Local. */
nuce_status nuce_payload_init(const struct nuce_pattern *pattern, int rank,
                              const struct nuce_own_copy *own, struct nuce_buffers *shared,
                              struct nuce_payload *out, struct nuce_error *error);
void nuce_payload_fini(struct nuce_payload *payload);

/* The same without buffers: the message to rank i is at from[i], and that from rank i at to[i].
 * Both arrays are borrowed for the call, the messages until nuce_payload_fini. Such messages are
 * neither filled nor checked. Local. */
void nuce_payload_init_at(const struct nuce_pattern *pattern, int rank, unsigned char *const *from,
                          unsigned char *const *to, struct nuce_payload *out);

/* The same in two buffers of the caller, borrowed until nuce_payload_fini. Local. */
void nuce_payload_init_in(const struct nuce_pattern *pattern, int rank, unsigned char *send,
                          unsigned char *receive, struct nuce_payload *out);

/* The reverse on the same buffers: sends become receives. All of it is borrowed; the rank's
 * message to itself is excluded. */
struct nuce_payload nuce_payload_reverse(const struct nuce_payload *payload);

/* The bytes of all messages in the buffer. */
int64_t nuce_payload_bytes(const struct nuce_payload_side *side);

/* The address of a piece of the message to or from its peer. A piece without bytes may be anywhere,
 * even without a message. */
unsigned char *nuce_payload_at(const struct nuce_payload_side *side,
                               const struct nuce_transfer *piece);

/* A hash of the bytes: four lanes, so that it is as fast as memory. Not secure against attacks. */
uint64_t nuce_payload_hash(const unsigned char *data, int64_t bytes);

/* Sums of hashes of the sent, and of the received messages, each with its source and
 * destination. Over all ranks both are equal, modulo 2^64, if every message arrived unchanged. */
uint64_t nuce_payload_sum_sent(const struct nuce_payload *payload);
uint64_t nuce_payload_sum_received(const struct nuce_payload *payload);

/* Inverts the first byte of each received message. Local. */
void nuce_payload_spoil(struct nuce_payload *payload);

/* Copies the message to oneself, if it is not in the buffers. */
void nuce_payload_copy_own(const struct nuce_payload *payload);

/* Fills the send buffer with bytes that are a function of (source, destination, offset, salt).
 * Fills the receive buffer with the complement of the expected bytes, so a missing byte is
 * detected. Local. */
void nuce_payload_fill(struct nuce_payload *payload, uint64_t salt);

/* Counts the bytes at data that differ from those of nuce_payload_fill, for the message from
 * source to destination, from its byte `offset` on. *first is the place in the message of the
 * first wrong byte. */
int64_t nuce_payload_compare(const unsigned char *data, int64_t offset, int64_t bytes, int source,
                             int destination, uint64_t salt, int64_t *first);

/* Compares every received byte; NUCE_CORRUPT names source, destination, offset, both values and
 * the number of wrong bytes. Local. */
nuce_status nuce_payload_check(const struct nuce_payload *payload, uint64_t salt,
                               struct nuce_error *error);

#endif
