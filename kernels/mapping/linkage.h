/* Hierarchical clustering by average linkage (Sokal and Michener, University of Kansas Science
 * Bulletin 38, 1958: UPGMA). */
#ifndef NUCE_LINKAGE_H
#define NUCE_LINKAGE_H

#include "base/error.h"

/* Two clusters become one: those that hold the elements a and b. */
struct nuce_linkage_merge {
    int a, b;
    double height; /* the mean distance between an element of the one and one of the other */
};

/* Merges count elements until one cluster is left: merge[0 .. count - 2], by ascending height.
 * distance, count x count and symmetric, is written over. Time O(count^2) by chains of nearest
 * neighbours (Murtagh, The Computer Journal 26(4), 1983). */
void nuce_linkage_average(double *distance, int count, struct nuce_linkage_merge *merge);

#endif
