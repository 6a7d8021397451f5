/* MPI_Alltoallv: the call that programs use today, as a peer for the schedules.
 *
 * Problem: the library's own order of an irregular exchange.
 * Steps: one call; each rank passes its row and column of the pattern.
 * Cost: the library's; O(ranks) arguments on every rank, even if almost all counts are 0.
 * Limits: the steps inside the call are not visible, so the schedule has a single phase.
 * Source: MPI standard 3.1, section 5.8. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_alltoallv = {
    .name = "alltoallv",
    .summary = "the library's MPI_Alltoallv",
    .source = "MPI standard 3.1, section 5.8",
    .executor = "alltoallv",
    .discipline = NUCE_DYNAMIC,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_all_at_once,
};
