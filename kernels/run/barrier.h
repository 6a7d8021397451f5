/* A dissemination barrier of our own (Hensgen, Finkel, Manber: "Two algorithms for barrier
 * synchronization", Int. J. of Parallel Programming 17(1), 1988): ceil(log2 n) rounds, in round k a
 * rank tells rank + 2^k and hears from rank - 2^k. Unlike a library's it waits as everything else
 * here does, and lets all ranks out within one message of each other. */
#ifndef NUCE_BARRIER_H
#define NUCE_BARRIER_H

#include <mpi.h>

#include "run/wait.h"

#define NUCE_BARRIER_ROUNDS 31

/* Persistent requests of all rounds; 31 rounds are enough for 2^31 ranks. */
struct nuce_barrier {
    int rounds;
    int from[NUCE_BARRIER_ROUNDS];                /* who is heard in each round */
    MPI_Request requests[NUCE_BARRIER_ROUNDS][2]; /* persistent: receive, send */
};

/* Makes the requests, on a communicator that nothing else uses. Local. Freed with
 * nuce_barrier_fini, also local. */
void nuce_barrier_init(struct nuce_barrier *barrier, MPI_Comm comm);
void nuce_barrier_fini(struct nuce_barrier *barrier);

/* Returns on no rank before it was called on all. watch is told which rank is waited for.
 * Collective over the barrier's communicator. */
void nuce_barrier(struct nuce_barrier *barrier, const struct nuce_wait *wait,
                  struct nuce_watch *watch);

#endif
