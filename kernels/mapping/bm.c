/* bm: binary mapping: the mesh is halved across its longest side, and the processors so that the
 * distances between the halves are as large as possible. Then each half is bisected by itself.
 *
 * The halves of the processors begin with the largest switches merged, the one that is too large
 * divided, and are improved by Kernighan and Lin's heuristic with full passes. (The paper's size
 * |N_p|^2 / 2 of the first half is a misprint of |N_p| / 2. Its "minimise the cost of the cut"
 * holds for affinities, not for distances.) Halves follow the mesh if it is odd.
 * Source: Moh et al., section 4.2. */
#include "mapping/bisect.h"

static nuce_status bm_place(const struct nuce_placement_input *input, int *processor,
                            struct nuce_error *error)
{
    static const struct nuce_bisect_options options = {.starts = 1};
    struct nuce_rng rng = input->rng;

    (void)error;
    nuce_bisect(input, &options, &rng, processor);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_bm = {
    .name = "bm",
    .label = "halving",
    .summary = "binary mapping: both sides halved, processors so that halves are far apart",
    .source = "Moh et al., section 4.2",
    .place = bm_place,
};
