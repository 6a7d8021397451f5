/* Counts and displacements, in bytes, as the library's vector collectives take them. */
#ifndef NUCE_VECTOR_ARGUMENTS_H
#define NUCE_VECTOR_ARGUMENTS_H

#include <mpi.h>

#include "run/engine.h"

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

#endif
