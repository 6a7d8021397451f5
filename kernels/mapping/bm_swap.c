/* bm-swap: bm, then local search by swaps.
 *
 * What the papers' binary mapping leaves to be gained by swaps alone: beside `bm` it shows what the
 * search is worth, beside `bisection` what halving with an eye to the other parts is worth. Cost:
 * that of bm and of the search (swaps.h). Source: Moh et al., section 4.2, and local search. */
#include "mapping/swaps.h"

extern const struct nuce_placement_ops nuce_placement_bm;

const struct nuce_placement_ops nuce_placement_bm_swap = {
    .name = "bm-swap",
    .summary = "bm, then swaps of processes as long as one gains",
    .source = "Moh et al., section 4.2; local search",
    .base = &nuce_placement_bm,
    .improve = nuce_swaps_search,
};
