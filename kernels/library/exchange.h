/* The messages of one call under a schedule: what libnuce_mpi makes for a request, and nuce apply
 * for a call that comes again. */
#ifndef NUCE_MPI_EXCHANGE_H
#define NUCE_MPI_EXCHANGE_H

#include "library/mpi_side.h"
#include "run/engine.h"
#include "run/planning.h"

/* Starts zeroed; then the caller makes both sides (nuce_mpi_side_init). All of it is owned. */
struct nuce_mpi_exchange {
    struct nuce_mpi_side send, receive;
    struct nuce_planning plan;
    struct nuce_payload payload;
    struct nuce_engine engine; /* ops NULL: none is made yet */
};

/* Completes the tuning. NUCE_BAD_INPUT: the schedule cannot run with it on so many ranks. Local. */
nuce_status nuce_mpi_exchange_check(const struct nuce_schedule_ops *ops, struct nuce_tuning *tuning,
                                    int ranks, struct nuce_error *error);

/* Makes plan, places and engine for the messages of both sides. packs_send, packs_receive: all
 * messages of that side are packed, so that its buffer may be another one in each step. For calls
 * of the MPI library all are packed. NUCE_BAD_INPUT: the schedule does not suit the messages, or is
 * rma. world is borrowed until nuce_mpi_exchange_fini, which accepts what a failure left half-made.
 * Both are collective over the world; the same status on all ranks. */
nuce_status nuce_mpi_exchange_init(struct nuce_world *world, const struct nuce_schedule_ops *ops,
                                   const struct nuce_tuning *tuning, int packs_send,
                                   int packs_receive, struct nuce_mpi_exchange *exchange,
                                   struct nuce_error *error);
void nuce_mpi_exchange_fini(struct nuce_mpi_exchange *exchange);

/* The neighbours of a rank, both lists in one array, which is freed by the caller. */
struct nuce_mpi_neighbors {
    int *of;
    int sources, destinations; /* those come first */
};

/* MPI_ERR_TOPOLOGY: comm has none, or a Cartesian one with a repeated neighbour, whose messages
 * take a direction that differs between MPI libraries. Local. */
int nuce_mpi_neighbors_find(MPI_Comm comm, struct nuce_mpi_neighbors *out);

#endif
