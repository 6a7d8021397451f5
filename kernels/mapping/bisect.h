/* Placements by bisection: processes are halved along the mesh, and their processors so that the
 * distances between the halves are large. */
#ifndef NUCE_BISECT_H
#define NUCE_BISECT_H

#include "mapping/placement.h"

/* Halves of a set of processors, switch by switch: those on one switch are alike, all that counts
 * is how many of them are in the first half. */
struct nuce_share {
    int home;    /* a switch */
    int count;   /* processors on it that belong to the set, more than 0 */
    int first;   /* of these, in the first half */
    double pull; /* what it costs to have one of them in the first half instead of the second */
};

/* What a half of shares is good for: scale x the sum of distances between a processor in the first
 * half and one in the second, less the pull of those in the first. */
struct nuce_halves {
    const struct nuce_routing *routing; /* borrowed */
    struct nuce_share *share;           /* the caller's, shares of them */
    int shares;
    double scale;
};

/* O(shares^2). */
double nuce_halves_value(const struct nuce_halves *halves);

/* Kernighan and Lin's heuristic (Bell System Technical Journal 49, 1970), to a larger value: passes
 * of swaps of the best pair, each processor at most once, of which the best beginning is kept,
 * until a pass gains nothing. Sizes of the halves stay. scratch: 4 x shares doubles. O(swaps x
 * shares) and the search for pairs, of which most are ruled out by their bound. */
void nuce_halves_improve(const struct nuce_halves *halves, double *scratch);

struct nuce_bisect_options {
    int starts;  /* halves that Kernighan and Lin's heuristic begins with, at each bisection; the
                    first merges the largest switches, the second those of the smallest */
    double pull; /* of processes in other parts of the mesh, on those that talk to them: 0: none, so
                    that only distances between the halves count; 1: as much as the mean distance to
                    where those processes are so far */
};

/* Fills processor[rank], a placement. rng is drawn from where there are more than 4 starts.
 * O(starts x shares^2) a bisection, and more for passes of many swaps. */
void nuce_bisect(const struct nuce_placement_input *input,
                 const struct nuce_bisect_options *options, struct nuce_rng *rng, int *processor);

#endif
