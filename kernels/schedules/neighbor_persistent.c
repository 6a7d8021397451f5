/* neighbor-persistent: MPI_Neighbor_alltoallv_init: one exchange that is repeated, announced to the
 * library.
 *
 * Problem: the library's own order of an exchange with few partners that is repeated.
 * Steps: once, the graph of the pattern and the persistent request; then one MPI_Start per
 * exchange.
 * Cost: the library's; it may set up in advance what `neighbor` sets up in every call.
 * Limits: needs an MPI of version 4; the steps inside the call are not visible, so the schedule has
 * a single phase.
 * Source: MPI standard 4.0, "Persistent Neighborhood Communication on Process Topologies". */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_neighbor_persistent = {
    .name = "neighbor-persistent",
    .summary = "the library's persistent MPI_Neighbor_alltoallv_init (MPI 4)",
    .source = "MPI standard 4.0, Persistent Neighborhood Communication on Process Topologies",
    .executor = "neighbor-persistent",
    .discipline = NUCE_DYNAMIC,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_all_at_once,
};
