/* MPI_Neighbor_alltoallv on a distributed graph: the library's call for sparse patterns, as a peer.
 *
 * Problem: the library's own order of an exchange with few partners per rank.
 * Steps: once, MPI_Dist_graph_create_adjacent from the pattern's row and column; then one call per
 * exchange.
 * Cost: the library's; arguments in proportion to the partners, not to the ranks.
 * Limits: the steps inside the call are not visible, so the schedule has a single phase.
 * Source: MPI standard 3.1, sections 7.5.4 and 7.6.2. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_neighbor = {
    .name = "neighbor",
    .summary = "the library's MPI_Neighbor_alltoallv on a distributed graph",
    .source = "MPI standard 3.1, sections 7.5.4 and 7.6.2",
    .executor = "neighbor",
    .discipline = NUCE_DYNAMIC,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_all_at_once,
};
