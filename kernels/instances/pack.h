/* Packing and unpacking of the elements of an index set, as strided copies. */
#ifndef NUCE_PACK_H
#define NUCE_PACK_H

#include "instances/index_set.h"

/* Copies the message to the k-th peer from this rank's local part into the buffer of
 * nuce_index_set_bytes(set, k) bytes. The two do not overlap and need no alignment. */
void nuce_index_set_pack(const struct nuce_index_set *set, int k, const void *array, void *buffer);

/* The reverse: copies the message from the k-th peer to its places. */
void nuce_index_set_unpack(const struct nuce_index_set *set, int k, const void *buffer,
                           void *array);

/* Copies the elements that a rank keeps from its local part before (from) to the one after (to), as
 * pack and unpack would, without a buffer between. The sets are those of one rank in one
 * redistribution; the parts do not overlap. */
void nuce_redistribution_copy_own(const struct nuce_index_set *sends,
                                  const struct nuce_index_set *receives, const void *from,
                                  void *to);

#endif
