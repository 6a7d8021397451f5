/* The rank of each process of a point, which rank 0 computes before the processes are renumbered.
 * No MPI; the machine is given as a topology and the node of each rank. */
#ifndef NUCE_PLACED_RANKS_H
#define NUCE_PLACED_RANKS_H

#include "base/error.h"
#include "mapping/placement.h"
#include "mapping/topology.h"
#include "points/point.h"

struct nuce_placed_ranks {
    const struct nuce_point *point;  /* borrowed */
    struct nuce_processes processes; /* processes of the point, with the bytes that they exchange */
    int *rank;                       /* point->ranks: the rank of each process */
    int *node;                       /* point->ranks: the node of each rank; NULL if the machine is
                                        not known; then the next four are not known either */
    int *on;                         /* point->ranks: the rank on each processor */
    struct nuce_topology topology;
    struct nuce_routing routing;       /* through topology */
    struct nuce_processors processors; /* those that the ranks run on */
};

/* The placing of point, or NULL if its processes are the ranks as they are launched. */
const struct nuce_placing *nuce_placed_ranks_wanted(const struct nuce_point *point);

/* Makes *out for point; its processes and machine are not known yet. Freed with
 * nuce_placed_ranks_fini, also when a call on it has failed. */
void nuce_placed_ranks_init(const struct nuce_point *point, struct nuce_placed_ranks *out);
void nuce_placed_ranks_fini(struct nuce_placed_ranks *placed);

/* Fills processes: one for each rank, joined by the bytes of the point's pattern, on their mesh if
 * they have one. */
nuce_status nuce_placed_ranks_find_processes(struct nuce_placed_ranks *placed,
                                             struct nuce_error *error);

/* Sets the machine: takes over topology and node (allocated, point->ranks long). */
void nuce_placed_ranks_set_machine(struct nuce_placed_ranks *placed, struct nuce_topology *topology,
                                   int *node);

/* Fills rank by the point's placement, one of nuce_placements. Processes and machine must be
 * known. */
nuce_status nuce_placed_ranks_place(struct nuce_placed_ranks *placed, struct nuce_error *error);

/* The model's results for rank, for any way of its computation: bytes x links, and the seconds of a
 * message's header without load (NaN if nothing is sent). The machine must be known. */
void nuce_placed_ranks_weigh(const struct nuce_placed_ranks *placed, double *cardinality,
                             double *latency_s);

/* The number of processes that are not on the node of the rank of their number. Without a machine
 * any other rank counts as another node. */
int64_t nuce_placed_ranks_moved(const struct nuce_placed_ranks *placed);

#endif
