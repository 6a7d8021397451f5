/* One dimension of a block-cyclic layout, cyclic(block) on ranks: element g is in block g / block,
 * and block b is on rank b mod ranks, after that rank's earlier blocks. The last block may be cut
 * short, and there may be fewer blocks than ranks. Everything here is a closed form. */
#ifndef NUCE_CYCLIC_H
#define NUCE_CYCLIC_H

#include <stdint.h>

#include "base/error.h"

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

/* The element at place local < nuce_cyclic_owned of rank. */
int64_t nuce_cyclic_global(const struct nuce_cyclic *cyclic, int rank, int64_t local);

/* The elements of one turn over all ranks, block x ranks, or `elements` where that is less. */
int64_t nuce_cyclic_turn(const struct nuce_cyclic *cyclic);

/* Where two layouts of one dimension meet: the elements of one rank of the one, cut by who holds
 * them in the other. */

/* Runs of `length` elements at start, start + stride, ..., `repeats` of them, in places of one
 * rank's local part. */
struct nuce_line {
    int64_t start;
    int64_t length;  /* > 0 */
    int64_t stride;  /* >= length; 0 for a single run */
    int64_t repeats; /* >= 1 */
};

/* Receives each line with the rank peer that holds it by theirs. */
typedef void nuce_overlap_visit(void *context, int peer, const struct nuce_line *line);

/* After how many elements the owners of both layouts repeat: lcm of the two turns, or all elements
 * where that is less. The layouts are of equally many elements. */
int64_t nuce_cyclic_period(const struct nuce_cyclic *one, const struct nuce_cyclic *other);

/* Visits what rank holds by mine of the elements 0 .. limit - 1, each line with the rank that
 * holds it by theirs. The runs of each peer come in ascending order, and lines do not interleave
 * with others of the same peer. Runs may touch. Takes the cheapest of: a step for each block of
 * theirs; for each of its own blocks a step for each block of theirs in it; for each of its own
 * blocks one for each rank of theirs. */
void nuce_cyclic_walk(const struct nuce_cyclic *mine, const struct nuce_cyclic *theirs, int rank,
                      int64_t limit, nuce_overlap_visit *visit, void *context);

#endif
