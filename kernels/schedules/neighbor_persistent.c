/* neighbor-persistent: MPI_Neighbor_alltoallv_init: the same exchange again and again, told to the
 * library beforehand.
 *
 * Problem: the library's own order of an exchange with few partners that is repeated.
 * Steps: once, the graph of the pattern and the persistent request; then one MPI_Start an exchange.
 * Cost: the library's; it may set up in advance what `neighbor` sets up in every call.
 * Limits: needs an MPI of version 4; what happens in the call cannot be seen: one phase stands for
 * it.
 * Source: MPI standard 4.0, "Persistent Neighborhood Communication on Process Topologies". */
#include <stddef.h>

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
