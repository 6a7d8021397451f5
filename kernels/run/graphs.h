/* Distributed graphs of a rank's partners, which the heats of a launch share: to make one splits a
 * communicator in the library, which spins (20 and 50 ms where 4 and 8 ranks share 2 processors).
 */
#ifndef NUCE_GRAPHS_H
#define NUCE_GRAPHS_H

#include <mpi.h>

#include "base/error.h"
#include "run/engine.h"
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
 * is, or all in it are in use. Collective; the same on all ranks. */
struct nuce_graph *nuce_graphs_take(struct nuce_world *world, const struct nuce_payload *payload);

/* Accepts NULL. Local. */
void nuce_graphs_give(struct nuce_graph *graph);

/* One that is nobody else's; freed by MPI_Comm_free. Collective. */
MPI_Comm nuce_graphs_make(const struct nuce_world *world, const struct nuce_payload *payload);

/* After the last use. Collective. */
void nuce_graphs_fini(struct nuce_graphs *graphs);

/* Counts and displacements, in bytes, as the library's vector collectives take them. */
/* What a rank sends, or what it receives: int, or the large ones, and the others NULL. */
struct nuce_vector_side {
    int *count, *at;
    MPI_Count *large_count;
    MPI_Aint *large_at;
};

struct nuce_vector_arguments {
    int is_large; /* the same on all ranks: the call with large counts is to be made */
    struct nuce_vector_side send, receive;
};

/* For the call named so: by_rank: an entry for each rank of the world, else one for each message of
 * the payload. int where that does for all ranks, as applications call it. NUCE_BAD_INPUT: it does
 * not, and the library has no call with large counts (run/large_calls.h). Collective over the
 * world; the same status on all ranks. Freed with nuce_vector_arguments_fini. */
nuce_status nuce_vector_arguments_init(const struct nuce_engine_input *input, const char *call,
                                       int by_rank, struct nuce_vector_arguments *out,
                                       struct nuce_error *error);
void nuce_vector_arguments_fini(struct nuce_vector_arguments *arguments);

/* The distributed graph of this rank's partners, and the arguments of the library's neighbourhood
 * collectives on it. */
/* The graph and the arguments. graph MPI_COMM_NULL: it was not made. */
struct nuce_neighborhood {
    MPI_Comm graph;
    struct nuce_graph *shared;    /* whose graph that is; NULL: it is freed with this */
    struct nuce_payload *payload; /* borrowed */
    struct nuce_vector_arguments arguments;
};

/* call: the name of the library's function, for the message. NUCE_BAD_INPUT as of
 * nuce_vector_arguments_init. Collective over the world; the same status on all
 * ranks. Freed with nuce_neighborhood_fini, collective where init succeeded. */
nuce_status nuce_neighborhood_init(const struct nuce_engine_input *input, const char *call,
                                   struct nuce_neighborhood *out, struct nuce_error *error);
void nuce_neighborhood_fini(struct nuce_neighborhood *neighborhood);

#endif
