/* From the parameters of a point of the workload `redistribute` to its two layouts. */
#ifndef NUCE_REDISTRIBUTE_INSTANCE_H
#define NUCE_REDISTRIBUTE_INSTANCE_H

#include "base/error.h"
#include "instances/redistribution.h"
#include "points/workload.h"

/* The redistribution of (complete or not) params on ranks ranks, checked. NUCE_BAD_INPUT names the
 * option. */
nuce_status nuce_redistribute_instance(const struct nuce_redistribute_params *params, int ranks,
                                       struct nuce_redistribution *out, struct nuce_error *error);

#endif
