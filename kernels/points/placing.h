/* The common part of workloads whose processes can be placed on nodes: the placement, and the
 * network of switches. */
#ifndef NUCE_PLACING_H
#define NUCE_PLACING_H

#include "base/error.h"
#include "base/option.h"
#include "base/rng.h"
#include "points/facts.h"

/* A placement that the MPI library chooses: MPI_Cart_create or MPI_Dist_graph_create_adjacent, with
 * permission to reorder. */
#define NUCE_PLACEMENT_MPI "mpi-reorder"

/* A part of the workload's parameters. placing_options.inc holds the rows of its options. */
struct nuce_placing {
    char placement[NUCE_NAME_BYTES];      /* "": processes are the ranks as they were launched */
    char topology[NUCE_PATH_BYTES];       /* a file; "": the machine's own */
    char topology_nodes[NUCE_NAME_BYTES]; /* by-name or in-order */
};

/* The index-th placement, and the index-th way to find the ranks' nodes; NULL past the end. */
const char *nuce_placing_name(size_t index);
const char *nuce_placing_nodes(size_t index);

/* True if rank i runs on the i-th node of the topology, for any name of its host. */
int nuce_placing_is_in_order(const struct nuce_placing *placing);

/* Makes all checks that need no files. network is the point's name for one, "" for none. A network
 * of the ranks as they were launched is NUCE_BAD_INPUT together with a placement. */
nuce_status nuce_placing_complete(const struct nuce_placing *placing, const char *network,
                                  struct nuce_error *error);

/* Checks the topology's file against ranks. */
nuce_status nuce_placing_inspect(const struct nuce_placing *placing, int ranks,
                                 struct nuce_facts *facts, struct nuce_error *error);

/* The random numbers of the placement, by the seed of the point. */
struct nuce_rng nuce_placing_rng(int64_t seed);

#endif
