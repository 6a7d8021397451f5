/* Placements changed by swapping two processes, at a cost of the degrees of the two. */
#ifndef NUCE_SWAPS_H
#define NUCE_SWAPS_H

#include "mapping/placement.h"

/* Local search: each process is tried against those on the switches of its neighbours and on the
 * switches linked to these. The best swap is made, until no process gains. Changes processor[], a
 * placement; the cardinality never rises. */
void nuce_swaps_search(const struct nuce_placement_input *input, int *processor);

#endif
