/* alltoallw-types: MPI_Alltoallw on derived datatypes: the library packs, or need not.
 *
 * Problem: a redistribution without packing code of one's own: a datatype for each peer describes
 * where in the array its elements are.
 * Steps: once, the types, from the index sets in closed form; then one call from array to array.
 * nuce's own copy moves the elements that a rank keeps, as under every other schedule. They are no
 * communication, so the types alone make the difference to alltoallv.
 * Cost: the library's. This schedule shows whether types are packed faster than by hand.
 * Limits: the steps inside the call are not visible, so the schedule has a single phase, and
 * packing cannot be separated from sending.
 * Source: MPI standard 3.1, sections 4.1 and 5.8. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_alltoallw_types = {
    .name = "alltoallw-types",
    .summary = "the library's MPI_Alltoallw on derived datatypes over the arrays, no packing",
    .source = "MPI standard 3.1, sections 4.1 and 5.8",
    .executor = "alltoallw-types",
    .discipline = NUCE_DYNAMIC,
    .needs = NUCE_NEEDS_ARRAYS,
    .fill = nuce_schedule_all_at_once,
};
