/* Recursive bisection by weight, across the longer side: the common part of rb2 and rb3. */
#ifndef NUCE_BISECTION_H
#define NUCE_BISECTION_H

#include "instances/array_problem.h"

/* Divides the weights listed in order[0 .. count - 1], count >= 2, nonincreasing, in two. Moves
 * those of the first half to the front, both halves still nonincreasing, and returns their number,
 * 1 .. count - 1. scratch holds count. */
typedef int nuce_bisection_split(const struct nuce_array_problem *problem, int *order, int count,
                                 int *scratch);

void nuce_bisection_build(const struct nuce_array_problem *problem, nuce_bisection_split *split,
                          struct nuce_decomposition *out);

#endif
