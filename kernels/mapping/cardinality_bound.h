/* What no placement's cardinality can be less than. */
#ifndef NUCE_CARDINALITY_BOUND_H
#define NUCE_CARDINALITY_BOUND_H

#include "placement.h"

/* least[k], k = 0 .. ranks: at least so much weight joins any k processes to the others. An array
 * freed by the caller, or NULL with *error. Exact for meshes of one and two sides longer than 1; of
 * others it follows from the degrees alone. */
double *nuce_processes_least_cuts(const struct nuce_processes *processes, struct nuce_error *error);

/* A lower bound of the cardinality over all placements of processes on processors. Whatever way a
 * message goes, it crosses every set of switches that holds one of its ends. So where sets have
 * shares such that those which a link leaves sum to 1 at most on each link, the cardinality is at
 * least the sum over sets of share x least[processors in the set]. The sets are single switches,
 * what is below a link of the spanning tree and, in smaller networks, what is within so many links
 * of a switch; their shares are a nearly best packing (Fleischer, SIAM Journal on Discrete
 * Mathematics 13(4), 2000). Whole for meshes, as cardinalities are. */
nuce_status nuce_cardinality_bound(const struct nuce_processes *processes,
                                   const struct nuce_processors *processors, double *out,
                                   struct nuce_error *error);

#endif
