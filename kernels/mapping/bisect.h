/* Placements by bisection: processes are halved along the mesh, and their processors so that the
 * distances between the halves are large. */
#ifndef NUCE_BISECT_H
#define NUCE_BISECT_H

#include "mapping/placement.h"

/* Halves of a set of processors, switch by switch. Processors on one switch are equal, so only
 * their number in the first half counts. */
struct nuce_share {
    int home;    /* a switch */
    int count;   /* its processors in the set, more than 0 */
    int first;   /* number of these in the first half */
    double pull; /* extra cost of one of them in the first half instead of the second */
};

/* The value of halves: scale x the sum of distances between a processor in the first half and one
 * in the second, less the pull of those in the first. */
struct nuce_halves {
    const struct nuce_routing *routing; /* borrowed */
    struct nuce_share *share;           /* owned by the caller; shares of them */
    int shares;
    double scale;
};

/* O(shares^2). */
double nuce_halves_value(const struct nuce_halves *halves);

/* Kernighan and Lin's heuristic (Bell System Technical Journal 49, 1970), to a larger value. A pass
 * swaps the best pair again and again, each processor at most once, and its best beginning is kept.
 * It ends when a pass gains nothing. Sizes of the halves stay. scratch: 4 x shares doubles. O(swaps
 * x shares) and the search for pairs, most of which their bound excludes. */
void nuce_halves_improve(const struct nuce_halves *halves, double *scratch);

struct nuce_bisect_options {
    int starts;  /* initial halves for Kernighan and Lin's heuristic at each bisection; the first
                    merges the largest switches, the second the smallest */
    double pull; /* pull of processes in other parts of the mesh on those that exchange with them.
                    0: none, so that only distances between the halves count; 1: the mean distance
                    to the current place of those processes */
};

/* Fills processor[rank], a placement. With more than 4 starts it draws from rng. O(starts x
 * shares^2) per bisection, and more for passes of many swaps. */
void nuce_bisect(const struct nuce_placement_input *input,
                 const struct nuce_bisect_options *options, struct nuce_rng *rng, int *processor);

#endif
