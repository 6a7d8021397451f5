/* Placements by bisection: processes are halved along the mesh, and their processors so that the
 * distances between the halves are large. */
#ifndef NUCE_BISECT_H
#define NUCE_BISECT_H

#include "mapping/placement.h"

struct nuce_bisect_options {
    int starts;  /* halves that Kernighan and Lin's heuristic begins with, at each bisection; the
                    first merges the largest switches, the second those of the smallest */
    double pull; /* of processes in other parts of the mesh, on those that talk to them: 0: none, so
                    that only distances between the halves count; 1: as much as the mean distance to
                    where those processes are so far */
};

/* Fills processor[rank], a placement. rng is drawn from where there are more than 4 starts.
 * O(starts x shares^2) a bisection, and more for passes of many swaps (halves.h). */
void nuce_bisect(const struct nuce_placement_input *input,
                 const struct nuce_bisect_options *options, struct nuce_rng *rng, int *processor);

#endif
