/* What decompositions cost: the model of the workload `stencil`. */
#ifndef NUCE_STENCIL_MODEL_H
#define NUCE_STENCIL_MODEL_H

#include <jansson.h>

#include "base/error.h"
#include "base/result.h"
#include "points/workload.h"

/* Records acost, bcost, internal_edges, cost, imbalance, decompose_s and settled of the array that
 * params, a (complete) struct nuce_stencil_params, describe, area_error where it is cut in whole
 * cells, and its rectangles. */
nuce_status nuce_stencil_model(const void *params, int ranks, struct nuce_model_memory *memory,
                               struct nuce_found *found, json_t *lists, struct nuce_error *error);

#endif
