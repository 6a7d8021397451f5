/* linear: rank i on processor i, nodes in the order of the topology: what an MPI launcher does by
 * default.
 *
 * O(n); asks neither who talks to whom nor how switches are linked, and is what a user gets who
 * does nothing. */
#include "mapping/placement.h"

static nuce_status linear_place(const struct nuce_placement_input *input, int *processor,
                                struct nuce_error *error)
{
    (void)error;
    for (int i = 0; i < input->processes->ranks; i++)
        processor[i] = i;
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_linear = {
    .name = "linear",
    .summary = "rank by rank on node after node, as launchers do",
    .source = "MPI's default",
    .place = linear_place,
};
