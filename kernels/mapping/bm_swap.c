/* bm-swap: bm, then local search by swaps.
 *
 * It shows the gain that swaps alone add to the papers' binary mapping. Its difference to `bm` is
 * the value of the search; its difference to `bisection` is the value of halving with regard to the
 * other parts.
 * Cost: that of bm and of the search (swaps.h).
 * Source: Moh et al., section 4.2, and local search. */
#include "mapping/swaps.h"

extern const struct nuce_placement_ops nuce_placement_bm;

const struct nuce_placement_ops nuce_placement_bm_swap = {
    .name = "bm-swap",
    .label = "halving, swaps",
    .summary = "bm, then swaps of processes as long as one gains",
    .source = "Moh et al., section 4.2; local search",
    .base = &nuce_placement_bm,
    .improve = nuce_swaps_search,
};
