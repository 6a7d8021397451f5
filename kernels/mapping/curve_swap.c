/* curve-swap: curve, then local search by swaps.
 *
 * The same search from a start that costs almost nothing, O(n + switches). It shows the part of the
 * bisections' gain that swaps find by themselves. */
#include "mapping/swaps.h"

extern const struct nuce_placement_ops nuce_placement_curve;

const struct nuce_placement_ops nuce_placement_curve_swap = {
    .name = "curve-swap",
    .label = "space-filling curve, swaps",
    .summary = "curve, then swaps of processes as long as one gains",
    .source = "Hilbert's curve; local search",
    .base = &nuce_placement_curve,
    .improve = nuce_swaps_search,
};
