/* rm: processes on processors at random, the baseline of the comparison. O(n).
 * Source: Moh et al., section 4. */
#include "mapping/placement.h"

static nuce_status rm_place(const struct nuce_placement_input *input, int *processor,
                            struct nuce_error *error)
{
    struct nuce_rng rng = input->rng;

    (void)error;
    for (int i = 0; i < input->processes->ranks; i++)
        processor[i] = i;
    nuce_rng_shuffle(&rng, processor, input->processes->ranks);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_rm = {
    .name = "rm",
    .label = "random",
    .summary = "random mapping",
    .source = "Moh et al., section 4",
    .place = rm_place,
};
