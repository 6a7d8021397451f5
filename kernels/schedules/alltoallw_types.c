/* alltoallw-types: MPI_Alltoallw on derived datatypes: the library packs, or need not.
 *
 * Problem: a redistribution without packing code of one's own: a datatype for each peer says where
 * in the array its elements are.
 * Steps: once, the types, from the index sets in closed form; then one call from array to array.
 * What a rank keeps is copied by our own copy, as under every other schedule: it is no
 * communication, and the difference to alltoallv is then the types alone.
 * Cost: the library's; whether types are packed faster than by hand is what this one is for.
 * Limits: what happens in the call cannot be seen: one phase stands for it, and packing cannot be
 * told from sending.
 * Source: MPI standard 3.1, sections 4.1 and 5.8. */
#include <stddef.h>

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
