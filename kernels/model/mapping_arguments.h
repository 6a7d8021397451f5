/* The command line of nuce-model mapping. */
#ifndef NUCE_MAPPING_ARGUMENTS_H
#define NUCE_MAPPING_ARGUMENTS_H

#include "mapping/processes.h"
#include "mapping/routing.h"
#include "mapping/topology.h"
#include "support/error.h"
#include "support/option.h"
#include "tables/grid.h"

struct nuce_mapping_arguments {
    char placements[NUCE_PATH_BYTES]; /* comma list, names not checked */
    struct nuce_processes processes;
    struct nuce_topology topology; /* from a file; else empty, and drawn by recipe */
    struct nuce_topology_recipe recipe;
    const struct nuce_routing_ops *routing;
    int per_node;
    int64_t seed, samples;
    enum nuce_grid_format format;
};

void nuce_mapping_arguments_fini(struct nuce_mapping_arguments *arguments);

/* Parses argv; --help prints and exits. Freed with nuce_mapping_arguments_fini. */
nuce_status nuce_mapping_arguments_parse(int argc, char **argv, struct nuce_mapping_arguments *out,
                                         struct nuce_error *error);

#endif
