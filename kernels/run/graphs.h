/* Distributed graphs of a rank's partners, which the heats of a launch share: to make one splits a
 * communicator in the library, which spins (20 and 50 ms where 4 and 8 ranks share 2 processors).
 */
#ifndef NUCE_GRAPHS_H
#define NUCE_GRAPHS_H

#include <mpi.h>

#include "base/error.h"
#include "run/payload.h"
#include "run/world.h"

/* So many are kept; the library has some thousand communicators. */
#define NUCE_GRAPHS_MOST 8

/* One graph that is kept. comm and partners are owned by struct nuce_graphs; partners NULL: the
 * place is free. A graph with users is never freed to make room. */
struct nuce_graph {
    MPI_Comm comm; /* partners are this rank's neighbours in it, without weights */
    int receives, sends;
    int *partners; /* from whom, then to whom */
    int users;
};

/* All zero: none yet. */
struct nuce_graphs {
    struct nuce_graph made[NUCE_GRAPHS_MOST];
    int next; /* where the next one goes if nobody uses it */
};

/* The graph of the partners that payload has, on world->comm: one of world->graphs, where it is
 * kept until it makes room for another. Returned with nuce_graphs_give. NULL where world->graphs
 * is, or all in it are in use, and when memory is short. Collective; the same on all ranks. */
struct nuce_graph *nuce_graphs_take(struct nuce_world *world, const struct nuce_payload *payload);

/* Accepts NULL. Local. */
void nuce_graphs_give(struct nuce_graph *graph);

/* One that is nobody else's; freed by MPI_Comm_free. Collective. */
MPI_Comm nuce_graphs_make(const struct nuce_world *world, const struct nuce_payload *payload);

/* After the last use. Collective. */
void nuce_graphs_fini(struct nuce_graphs *graphs);

#endif
