/* One dimension of a block-cyclic layout, cyclic(block) on ranks: element g is in block g / block,
 * and block b is on rank b mod ranks, after that rank's earlier blocks. The last block may be
 * shorter, and there may be fewer blocks than ranks. All functions are closed forms. */
#ifndef NUCE_CYCLIC_H
#define NUCE_CYCLIC_H

#include <stdint.h>

#include "base/error.h"

/* Largest number of elements, and largest block, for the functions below: a double is exact up to
 * it, and no sum here overflows an int64_t. */
#define NUCE_CYCLIC_MOST_ELEMENTS (INT64_C(1) << 53)

struct nuce_cyclic {
    int64_t elements; /* 1 .. NUCE_CYCLIC_MOST_ELEMENTS */
    int64_t block;    /* elements; 1 .. NUCE_CYCLIC_MOST_ELEMENTS, also above `elements` */
    int ranks;        /* at least 1 */
};

/* The number of elements on rank. */
int64_t nuce_cyclic_owned(const struct nuce_cyclic *cyclic, int rank);

/* The number of the elements 0 .. end - 1 that are on rank; 0 <= end <= elements. */
int64_t nuce_cyclic_owned_below(const struct nuce_cyclic *cyclic, int rank, int64_t end);

/* The element at place local < nuce_cyclic_owned of rank. */
int64_t nuce_cyclic_global(const struct nuce_cyclic *cyclic, int rank, int64_t local);

/* The intersection of two layouts of one dimension: the elements of one rank in one layout, cut by
 * their ranks in the other. */

/* Runs of `length` elements at start, start + stride, ..., `repeats` of them, as places in one
 * rank's local part. */
struct nuce_line {
    int64_t start;
    int64_t length;  /* > 0 */
    int64_t stride;  /* >= length; 0 for a single run */
    int64_t repeats; /* >= 1 */
};

/* Receives each line with the rank peer that has it in theirs. */
typedef void nuce_overlap_visit(void *context, int peer, const struct nuce_line *line);

/* The number of elements after which the ranks of both layouts repeat: lcm of the two turns, or all
 * elements if that is less. Both layouts have the same number of elements. */
int64_t nuce_cyclic_period(const struct nuce_cyclic *one, const struct nuce_cyclic *other);

/* Visits rank's elements in mine, of the elements 0 .. limit - 1, each line with its rank in
 * theirs. The runs of each peer come in ascending order, and its lines do not interleave. Runs may
 * touch. Takes the cheapest of: a step for each block of theirs; for each of its own blocks a step
 * for each block of theirs in it; for each of its own blocks one for each rank of theirs. */
void nuce_cyclic_walk(const struct nuce_cyclic *mine, const struct nuce_cyclic *theirs, int rank,
                      int64_t limit, nuce_overlap_visit *visit, void *context);

#endif
