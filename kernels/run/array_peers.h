/* A distributed array before and after its redistribution: one rank's local parts, and the
 * destinations and sources of their elements. */
#ifndef NUCE_ARRAYS_H
#define NUCE_ARRAYS_H

#include <stdint.h>

#include "base/error.h"
#include "instances/index_set.h"
#include "instances/redistribution.h"
#include "run/payload.h"

/* One rank's parts of a distributed array, `from` before and `to` after its redistribution. */
struct nuce_arrays {
    struct nuce_redistribution redistribution;
    int rank;
    int is_reverse;                 /* the way back of another struct */
    struct nuce_index_set sends;    /* places in `from`, by destination, the rank itself included */
    struct nuce_index_set receives; /* places in `to`, by source */
    unsigned char *from, *to;       /* the local parts, column by column */
    int shares_from, shares_to;     /* 1: the buffer is shared, and others free it */
    int64_t from_bytes, to_bytes;
};

/* Makes the index sets of rank; the parts are not allocated yet. A rank may have no elements
 * before, after, or both. Local. Freed with nuce_arrays_fini. */
void nuce_arrays_init(const struct nuce_redistribution *redistribution, int rank,
                      struct nuce_arrays *out);
/* Allocates both parts, or takes them from shared, which other contenders use as well (borrowed
 * until nuce_arrays_fini; NULL: none). nuce_arrays_fill sets their content. Local. */
nuce_status nuce_arrays_allocate(struct nuce_arrays *arrays, struct nuce_buffers *shared,
                                 struct nuce_error *error);
void nuce_arrays_fini(struct nuce_arrays *arrays);

/* The way back, from `to` to `from`. All of it is borrowed from arrays. */
struct nuce_arrays nuce_arrays_reverse(const struct nuce_arrays *arrays);

/* Bytes of both parts and of the buffers for all messages of the rank. */
int64_t nuce_arrays_bytes(const struct nuce_arrays *arrays);

/* Pack copies elements for other ranks from `from` to the send buffers. Unpack copies received
 * elements from the receive buffers to `to`. */
void nuce_arrays_pack(const struct nuce_arrays *arrays, struct nuce_payload *payload);
void nuce_arrays_unpack(const struct nuce_arrays *arrays, const struct nuce_payload *payload);

/* Copies the elements that stay on the rank from `from` to `to`. context: the arrays; the type
 * is that of nuce_own_copy. */
void nuce_arrays_copy_own(void *context);

/* Fills `from` with its elements, and `to` with the complement of the expected ones, so a
 * missing element is detected. Element (row, column) of the whole array is a function of both
 * and of salt. */
void nuce_arrays_fill(const struct nuce_arrays *arrays, uint64_t salt);

/* Inverts a byte of `to` from each source but the rank itself. Local. */
void nuce_arrays_spoil(const struct nuce_arrays *arrays);

/* Compares every element of `to`. The layout gives its place in the whole array, not the index
 * sets, which packing uses: an error in these is therefore detected. NUCE_CORRUPT counts the
 * wrong bytes and names the first. Local. */
nuce_status nuce_arrays_check(const struct nuce_arrays *arrays, uint64_t salt,
                              struct nuce_error *error);

#endif
