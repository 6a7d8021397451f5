/* bisection: as bm, with several initial halves at each bisection. Processes that exchange with
 * other parts of the mesh are drawn to the places of these (Dunlop and Kernighan's terminal
 * propagation, IEEE Transactions on CAD 4(1), 1985). Then local search by swaps. Whole runs with
 * different draws are made and the best is kept. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mapping/bisect.h"
#include "mapping/swaps.h"

/* Chosen on random networks of 75 switches: more starts gain less than a per cent. */
#define STARTS 12
#define RUNS 4
/* With more processes than this one run takes a while. */
#define MANY 2048

static nuce_status bisection_place(const struct nuce_placement_input *input, int *processor,
                                   struct nuce_error *error)
{
    static const struct nuce_bisect_options options = {.starts = STARTS, .pull = 1};
    int ranks = input->processes->ranks, runs = ranks > MANY ? 1 : RUNS;
    struct nuce_rng rng = input->rng;
    int *tried = nuce_allocate(ranks, sizeof *tried);
    double best = 0;

    (void)error;
    for (int run = 0; run < runs; run++) {
        double cost;

        nuce_bisect(input, &options, &rng, tried);
        nuce_swaps_search(input, tried);
        cost = nuce_placement_cardinality(input->processes, input->processors, tried);
        if (run == 0 || cost < best) {
            best = cost;
            memcpy(processor, tried, (size_t)ranks * sizeof *tried);
        }
    }
    free(tried);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_bisection = {
    .name = "bisection",
    .summary = "bisection with several starts, aware of the other parts, then swaps",
    .source = "Kernighan and Lin 1970; Dunlop and Kernighan 1985",
    .place = bisection_place,
};
