/* METIS's multilevel k-way partitioning with the least communication volume: each node counts once
 * for each other part that needs it, as in the paper's COM.
 *
 * Source: Karypis: "METIS manual", version 5.1, 5.3, objtype=vol. */
#include "instances/kway_metis.h"

static nuce_status kway_volume_assign(const struct nuce_mesh *mesh, int parts, int64_t seed,
                                      int *part, struct nuce_error *error)
{
    return nuce_kway_metis_assign(mesh, METIS_OBJTYPE_VOL, parts, seed, part, error);
}

const struct nuce_partition_ops nuce_partition_kway_volume = {
    .name = "kway-volume",
    .summary = "METIS k-way, least communication volume",
    .source = "Karypis: METIS manual 5.1, objtype=vol",
    .assign = kway_volume_assign,
};
