/* State that all ranks of a program share: communicators, the wait policy, the barrier, and
 * collectives that wait the same way. */
#ifndef NUCE_WORLD_H
#define NUCE_WORLD_H

#include <jansson.h>
#include <mpi.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/wait.h"

#define NUCE_BARRIER_ROUNDS 31

/* A dissemination barrier of our own (Hensgen, Finkel, Manber: "Two algorithms for barrier
 * synchronization", Int. J. of Parallel Programming 17(1), 1988). It has ceil(log2 n) rounds; in
 * round k a rank sends to rank + 2^k and receives from rank - 2^k. Unlike a library's barrier it
 * waits as all code here does, and releases all ranks within one message of each other.
 * Persistent requests of all rounds; 31 rounds are enough for 2^31 ranks. */
struct nuce_barrier {
    int rounds;
    int from[NUCE_BARRIER_ROUNDS];                /* source of the message in each round */
    MPI_Request requests[NUCE_BARRIER_ROUNDS][2]; /* persistent: receive, send */
};

/* Makes the requests, on a communicator that nothing else uses. Local. Freed with
 * nuce_barrier_fini, also local. */
void nuce_barrier_init(struct nuce_barrier *barrier, MPI_Comm comm);
void nuce_barrier_fini(struct nuce_barrier *barrier);

/* Memory that the ranks of a node share, in which each writes its activity. The watchdog of any
 * of them thus sees which rank delays the others. If the ranks share no memory, each has a board
 * of its own. */
struct nuce_board {
    struct nuce_watch *ranks; /* by rank in node; this rank's alone where memory is not shared */
    struct nuce_watch *mine;  /* one of them */
    int count;
};

struct nuce_buffers;
struct nuce_graphs;
struct nuce_trace;

/* Everything that a rank shares with the others. Communicators are separate, so that messages of
 * one purpose never match those of another. */
struct nuce_world {
    MPI_Comm comm;    /* for the engine and the workloads */
    MPI_Comm control; /* for nuce's own collectives */
    MPI_Comm rounds;  /* for the barrier alone; MPI_COMM_NULL: the world has none */
    MPI_Comm node;    /* the ranks on this node, in order */
    MPI_Comm leaders; /* the first ranks of all nodes, in order; MPI_COMM_NULL on other ranks,
                       * with one node, and if it is simulated */
    int rank, size;
    struct nuce_wait machine; /* policy "auto" */
    struct nuce_wait wait;    /* the policy of the current run */
    struct nuce_barrier barrier;
    struct nuce_board board;      /* the activity of each rank of the node */
    struct nuce_watch *watch;     /* this rank's, on the board; NULL: nothing watches it */
    int node_size;                /* ranks on this node */
    int lacks_memory;             /* the last nuce_node_memory_check found too little */
    const char *program;          /* borrowed: the file of this program */
    const char *networks;         /* borrowed: the folder of measured networks */
    const json_t *hosts;          /* borrowed, rank 0: names of the hosts by rank */
    struct nuce_trace *trace;     /* borrowed: the notes of the current step; NULL: nothing */
    struct nuce_buffers *buffers; /* borrowed: buffers that a race's contenders share; NULL: none */
    struct nuce_graphs *graphs;   /* borrowed: graphs of this comm that races share; NULL: none */
};

/* Makes the world of all ranks, after MPI_Init; MPI's errors are returned from then on, for
 * NUCE_MPI. Collective over MPI_COMM_WORLD. Ended by nuce_world_fini, collective, before
 * MPI_Finalize. */
void nuce_world_init(struct nuce_world *world);
void nuce_world_fini(struct nuce_world *world);

/* Makes a world of comm's ranks, for a library within an application: it has no barrier and no
 * board. comm is only duplicated. Collective over comm. Ended by nuce_world_fini, collective. */
void nuce_world_init_on(MPI_Comm comm, struct nuce_world *world);

/* Frees the communicators that only nuce's own collectives use, so that a library keeps one a
 * world: only the engine's steps follow. Collective over the world. */
void nuce_world_end_control(struct nuce_world *world);

/* Makes world->leaders from its node and control. Collective. */
void nuce_world_split_leaders(struct nuce_world *world);

/* Each of these is collective over the world. The barrier is our own: it returns on no rank
 * before all ranks have called it. */
void nuce_world_barrier(struct nuce_world *world);

/* Copies rank 0's bytes to all. */
void nuce_world_broadcast(struct nuce_world *world, void *data, int64_t bytes);

/* Replaces each value by its maximum over all ranks. */
void nuce_world_maximum(struct nuce_world *world, double *values, int count);

/* Collects count values of every rank at rank 0: all[i x ranks + r] is value i of rank r. all is
 * NULL on the others. */
void nuce_world_gather(struct nuce_world *world, const double *values, int count, double *all);

/* Replaces each value by its sum over all ranks. */
void nuce_world_sum(struct nuce_world *world, int64_t *values, int count);

/* Agrees on a status: all ranks leave with the same one. It is NUCE_OK if mine is NUCE_OK
 * everywhere, else the worst status. The message is that of the lowest rank with it, preceded by
 * "rank R: " unless R is 0. */
nuce_status nuce_world_agree(struct nuce_world *world, nuce_status mine, struct nuce_error *error);

#endif
