/* Distributed graphs of a rank's partners, which the races of a launch share. Making one splits
 * a communicator in the library, which spins (20 and 50 ms if 4 and 8 ranks share 2 processors). */
#ifndef NUCE_GRAPHS_H
#define NUCE_GRAPHS_H

#include <mpi.h>

#include "base/error.h"
#include "run/engine.h"
#include "run/payload.h"
#include "run/world.h"

/* Number of kept graphs; the library has some thousand communicators. */
#define NUCE_GRAPHS_MOST 8

/* One kept graph. struct nuce_graphs owns comm and partners; partners NULL: the place is free. A
 * graph with users is never freed to make room. */
struct nuce_graph {
    MPI_Comm comm; /* partners are this rank's neighbours in it, without weights */
    int receives, sends;
    int *partners; /* sources, then destinations */
    int users;
};

/* All zero: none yet. */
struct nuce_graphs {
    struct nuce_graph made[NUCE_GRAPHS_MOST];
    int next; /* place of the next graph, if it has no users */
};

/* Returns the graph of payload's partners, on world->comm: one of world->graphs, which keeps it
 * until another needs its place. Adds a user to it; a caller that is done removes one. NULL if
 * world->graphs is NULL, or all graphs in it are in use. Collective; the same on all ranks. */
struct nuce_graph *nuce_graphs_take(struct nuce_world *world, const struct nuce_payload *payload);

/* After the last use. Collective. */
void nuce_graphs_fini(struct nuce_graphs *graphs);

/* Counts and displacements, in bytes, for the library's vector collectives. Either the int or
 * the large arrays are set; the others are NULL. */
struct nuce_vector_side {
    int *count, *at;
    MPI_Count *large_count;
    MPI_Aint *large_at;
};

/* self of the executors that call a vector collective of the library. */
struct nuce_vector_call {
    struct nuce_engine_input input;
    MPI_Comm comm;             /* the world's, or the distributed graph of this rank's partners */
    struct nuce_graph *shared; /* owner of that graph; NULL: not shared */
    int owns_graph;
    int is_large; /* use the call with large counts; the same on all ranks */
    struct nuce_vector_side send, receive;
    MPI_Request request;
};

/* Initialises the call of that name. by_rank: an entry for each rank of the world; else one for
 * each message of the payload, and a graph. Counts are int if these suffice on all ranks, as in
 * applications. NUCE_BAD_INPUT: they do not, and the library has no call with large counts
 * (run/large_calls.h). Collective over the world; the same status on all ranks. */
nuce_status nuce_vector_call_init(const struct nuce_engine_input *input, const char *name,
                                  int by_rank, struct nuce_vector_call *out,
                                  struct nuce_error *error);

/* Functions of struct nuce_executor_ops, for an active request and for init's data. */
int nuce_vector_call_progress(void *self);
void nuce_vector_call_destroy(void *self);

/* Makes the library's call with counts of int, or with large ones. The arguments after the
 * buffers are those from the communicator on. */
#define NUCE_VECTOR_CALL(call, plain, large, ...)                                                  \
    do {                                                                                           \
        const struct nuce_payload *payload_ = (call)->input.payload;                               \
        const struct nuce_vector_side *send_ = &(call)->send, *receive_ = &(call)->receive;        \
                                                                                                   \
        if ((call)->is_large)                                                                      \
            NUCE_MPI(large(payload_->send.data, send_->large_count, send_->large_at, MPI_BYTE,     \
                           payload_->receive.data, receive_->large_count, receive_->large_at,      \
                           MPI_BYTE, __VA_ARGS__));                                                \
        else                                                                                       \
            NUCE_MPI(plain(payload_->send.data, send_->count, send_->at, MPI_BYTE,                 \
                           payload_->receive.data, receive_->count, receive_->at, MPI_BYTE,        \
                           __VA_ARGS__));                                                          \
    } while (0)

#endif
