/* linear: rank i on processor i, nodes in the order of the topology: the default of an MPI
 * launcher.
 *
 * O(n). It uses neither the messages nor the links between switches; users without a placement get
 * this. */
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
    .label = "node after node",
    .summary = "rank by rank on node after node, as launchers do",
    .source = "MPI's default",
    .place = linear_place,
};
