/* METIS's multilevel k-way partitioning with the fewest cut edges.
 *
 * Source: Karypis, Kumar: "Multilevel k-way partitioning scheme for irregular graphs", Journal of
 * Parallel and Distributed Computing 48(1), 1998. */
#include "instances/kway_metis.h"

static nuce_status kway_assign(const struct nuce_mesh *mesh, int parts, int64_t seed, int *part,
                               struct nuce_error *error)
{
    return nuce_kway_metis_assign(mesh, METIS_OBJTYPE_CUT, parts, seed, part, error);
}

const struct nuce_partition_ops nuce_partition_kway = {
    .name = "kway",
    .summary = "METIS k-way, fewest cut edges",
    .source = "Karypis, Kumar: JPDC 48(1), 1998",
    .assign = kway_assign,
};
