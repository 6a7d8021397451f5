/* curve-swap: curve, then local search by swaps.
 *
 * The same search from a start that takes next to no time, O(n + switches): how much of what
 * bisections find the swaps find by themselves. */
#include "mapping/placement.h"
#include "mapping/swaps.h"

extern const struct nuce_placement_ops nuce_placement_curve;

static nuce_status curve_swap_place(const struct nuce_placement_input *input, int *processor,
                                    struct nuce_error *error)
{
    if (nuce_placement_curve.place(input, processor, error) != NUCE_OK)
        return error->status;
    nuce_swaps_search(input, processor);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_curve_swap = {
    .name = "curve-swap",
    .summary = "curve, then swaps of processes as long as one gains",
    .source = "Hilbert's curve; local search",
    .place = curve_swap_place,
};
