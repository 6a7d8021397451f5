/* One dimension of a block-cyclic layout, cyclic(block) on ranks: element g is in block g / block,
 * and block b is on rank b mod ranks, after that rank's earlier blocks. The last block may be cut
 * short, and there may be fewer blocks than ranks. Everything here is a closed form. */
#ifndef NUCE_CYCLIC_H
#define NUCE_CYCLIC_H

#include <stdint.h>

/* The most elements, and the largest block, that the functions below take: what a double counts
 * exactly, and far enough below 2^63 that no sum here overflows. */
#define NUCE_CYCLIC_MOST_ELEMENTS (INT64_C(1) << 53)

struct nuce_cyclic {
    int64_t elements; /* 1 .. NUCE_CYCLIC_MOST_ELEMENTS */
    int64_t block;    /* elements; 1 .. NUCE_CYCLIC_MOST_ELEMENTS, also above `elements` */
    int ranks;        /* at least 1 */
};

/* How many of all elements rank holds. */
int64_t nuce_cyclic_owned(const struct nuce_cyclic *cyclic, int rank);

/* How many of the elements 0 .. end - 1 rank holds; 0 <= end <= elements. */
int64_t nuce_cyclic_owned_below(const struct nuce_cyclic *cyclic, int rank, int64_t end);

/* The rank that holds element global, 0 <= global < elements, and its place in that rank's local
 * part. */
int nuce_cyclic_owner(const struct nuce_cyclic *cyclic, int64_t global);
int64_t nuce_cyclic_local(const struct nuce_cyclic *cyclic, int64_t global);

/* The element at place local < nuce_cyclic_owned of rank. */
int64_t nuce_cyclic_global(const struct nuce_cyclic *cyclic, int rank, int64_t local);

/* The elements of one turn over all ranks, block x ranks, or `elements` where that is less. */
int64_t nuce_cyclic_turn(const struct nuce_cyclic *cyclic);

#endif
