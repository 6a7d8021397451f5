/* bm-swap: bm, then local search by swaps.
 *
 * What the papers' binary mapping leaves to be gained by swaps alone: beside `bm` it shows what the
 * search is worth, beside `bisection` what halving with an eye to the other parts is worth. Cost:
 * that of bm and of the search (swaps.h). Source: Moh et al., section 4.2, and local search. */
#include "mapping/placement.h"
#include "mapping/swaps.h"

extern const struct nuce_placement_ops nuce_placement_bm;

static nuce_status bm_swap_place(const struct nuce_placement_input *input, int *processor,
                                 struct nuce_error *error)
{
    if (nuce_placement_bm.place(input, processor, error) != NUCE_OK)
        return error->status;
    nuce_swaps_search(input, processor);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_bm_swap = {
    .name = "bm-swap",
    .summary = "bm, then swaps of processes as long as one gains",
    .source = "Moh et al., section 4.2; local search",
    .place = bm_swap_place,
};
