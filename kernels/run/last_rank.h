/* The step taken apart: the parts of the rank that ends last. */
#ifndef NUCE_LAST_RANK_H
#define NUCE_LAST_RANK_H

#include "base/result.h"
#include "run/entrant.h"

/* Sets last_rank, last_share and last_*_s of *found (nuce_results_run): means over the middle half
 * of the samples by their step, so that they add up to the step's mean there and one sample in
 * which the machine was elsewhere says nothing. timed: bit 1 << NUCE_PART_... for each part that
 * was. Nothing is set where there are no samples. */
void nuce_last_rank_describe(const struct nuce_samples *samples, unsigned timed,
                             struct nuce_found *found);

#endif
