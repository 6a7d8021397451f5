/* scotch: the static mapping of the library of that name, as a peer. The library balances loads to
 * within a part of them. Processes that are too many for a switch move to switches with too few,
 * each time the one whose edges grow least. No swaps follow.
 * Source: Pellegrini and Roman, SCOTCH, HPCN Europe 1996; SCOTCH 7.0. */
#include "mapping/scotch_map.h"

#include <stdlib.h>

#include "base/allocate.h"

/* Moves processes from switches with too many to those with too few. surplus[s]: processes on s
 * beyond its processors, negative if some are missing; all 0 at the end. O(missing x edges). */
static void scotch_balance(const struct nuce_placement_input *input, int *home, int *surplus)
{
    const struct nuce_processes *processes = input->processes;
    const struct nuce_routing *routing = input->processors->routing;

    for (int s = 0; s < routing->topology->switches; s++) {
        while (surplus[s] < 0) {
            int best = -1;
            double least = 0;

            for (int rank = 0; rank < input->processes->ranks; rank++) {
                double more = 0; /* growth of its edges if it moves to s */

                if (surplus[home[rank]] <= 0)
                    continue;
                for (int64_t k = processes->start[rank]; k < processes->start[rank + 1]; k++) {
                    int other = home[processes->neighbor[k]];

                    more += processes->weight[k] * (nuce_routing_hops(routing, s, other) -
                                                    nuce_routing_hops(routing, home[rank], other));
                }
                if (best < 0 || more < least) {
                    best = rank;
                    least = more;
                }
            }
            surplus[home[best]]--;
            surplus[s]++;
            home[best] = s;
        }
    }
}

static nuce_status scotch_place(const struct nuce_placement_input *input, int *processor,
                                struct nuce_error *error)
{
    const struct nuce_processors *processors = input->processors;
    int ranks = input->processes->ranks, switches = processors->routing->topology->switches;
    int *home = nuce_allocate(ranks, sizeof *home);
    int *surplus = nuce_allocate(switches, sizeof *surplus);
    nuce_status status = nuce_scotch_map(input, home, error);

    if (status != NUCE_OK)
        goto done;
    for (int s = 0; s < switches; s++)
        surplus[s] = processors->start[s] - processors->start[s + 1];
    for (int rank = 0; rank < ranks; rank++)
        surplus[home[rank]]++;
    scotch_balance(input, home, surplus);
    /* No switch has a surplus: the array now counts the placed processes. */
    for (int rank = 0; rank < ranks; rank++)
        processor[rank] = processors->member[processors->start[home[rank]] + surplus[home[rank]]++];
done:
    free(home);
    free(surplus);
    return status;
}

const struct nuce_placement_ops nuce_placement_scotch = {
    .name = "scotch",
    .summary = "SCOTCH's static mapping, where nuce was built with that library",
    .source = "Pellegrini and Roman 1996; SCOTCH 7.0",
    .is_library = 1,
    .place = scotch_place,
};
