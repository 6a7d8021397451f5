/* Where two layouts of one dimension meet: the elements of one rank of the one, cut by who holds
 * them in the other. */
#ifndef NUCE_OVERLAP_H
#define NUCE_OVERLAP_H

#include <stdint.h>

#include "base/error.h"
#include "instances/cyclic.h"

/* Runs of `length` elements at start, start + stride, ..., `repeats` of them, in places of one
 * rank's local part. */
struct nuce_line {
    int64_t start;
    int64_t length;  /* > 0 */
    int64_t stride;  /* >= length; 0 for a single run */
    int64_t repeats; /* >= 1 */
};

/* Receives each line with the rank peer that holds it by theirs; a status other than NUCE_OK ends
 * the walk, which returns it. */
typedef nuce_status nuce_overlap_visit(void *context, int peer, const struct nuce_line *line,
                                       struct nuce_error *error);

/* After how many elements the owners of both layouts repeat: lcm of the two turns, or all elements
 * where that is less. The layouts are of equally many elements. */
int64_t nuce_overlap_period(const struct nuce_cyclic *one, const struct nuce_cyclic *other);

/* Visits what rank holds by mine of the elements 0 .. limit - 1, each line with the rank that
 * holds it by theirs. The runs of each peer come in ascending order, and lines do not interleave
 * with others of the same peer. Runs may touch. Takes the cheapest of: a step for each block of
 * theirs; for each of its own blocks a step for each block of theirs in it; for each of its own
 * blocks one for each rank of theirs. */
nuce_status nuce_overlap_walk(const struct nuce_cyclic *mine, const struct nuce_cyclic *theirs,
                              int rank, int64_t limit, nuce_overlap_visit *visit, void *context,
                              struct nuce_error *error);

#endif
