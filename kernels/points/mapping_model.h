/* Placements on networks of switches: the model of the workload `mapping`. */
#ifndef NUCE_MAPPING_MODEL_H
#define NUCE_MAPPING_MODEL_H

#include <jansson.h>

#include "base/error.h"
#include "base/result.h"
#include "mapping/topology.h"
#include "points/workload.h"
/* How the network of (complete) params is drawn. */
struct nuce_topology_recipe nuce_mapping_recipe(const struct nuce_mapping_params *params);

/* Sets cardinality and its bound, the three latencies, place_s and network_links of the placement
 * that params, a (complete) struct nuce_mapping_params, describe, and what the network has; with
 * layout adds the lists switches, switch_links and placed. memory keeps the problem for further
 * placements of the instance. NUCE_BAD_INPUT: a file cannot be read or has no room. */
nuce_status nuce_mapping_model(const void *params, int ranks, struct nuce_model_memory *memory,
                               struct nuce_found *found, json_t *lists, struct nuce_error *error);

#endif
