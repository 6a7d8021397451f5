/* Buffers that the contenders of a heat have in common: they run in turn and on one pattern, so
 * none of them has the better memory, and a heat takes no more of it than a point alone. */
#ifndef NUCE_BUFFERS_H
#define NUCE_BUFFERS_H

#include <stdint.h>

#include "base/error.h"

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

#endif
