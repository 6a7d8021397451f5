/* The distributed graph of this rank's partners, and the arguments of the library's neighbourhood
 * collectives on it. */
#ifndef NUCE_NEIGHBORHOOD_H
#define NUCE_NEIGHBORHOOD_H

#include <mpi.h>

#include "run/engine.h"
#include "run/graphs.h"
#include "run/vector_arguments.h"

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
