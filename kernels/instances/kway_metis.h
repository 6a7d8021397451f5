/* The common part of the two methods from METIS. */
#ifndef NUCE_KWAY_METIS_H
#define NUCE_KWAY_METIS_H

#include <metis.h>

#include "instances/partition.h"

/* METIS_PartGraphKway with the objective; as nuce_partition_ops.assign. METIS may leave parts
 * empty. */
nuce_status nuce_kway_metis_assign(const struct nuce_mesh *mesh, mobjtype_et objective, int parts,
                                   int64_t seed, int *part, struct nuce_error *error);

#endif
