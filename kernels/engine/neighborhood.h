/* The distributed graph of this rank's partners, and the arguments of the library's neighbourhood
 * collectives on it. */
#ifndef NUCE_NEIGHBORHOOD_H
#define NUCE_NEIGHBORHOOD_H

#include <mpi.h>

#include "engine/engine.h"

struct nuce_neighborhood {
    MPI_Comm graph;
    struct nuce_payload *payload;    /* borrowed */
    int *send_count, *send_at;       /* sends, bytes */
    int *receive_count, *receive_at; /* receives, bytes */
};

/* Collective: the same status on all ranks, NUCE_FAILED if a rank's bytes do not fit into the int
 * that call counts them with. Freed with nuce_neighborhood_fini, collective where it succeeded. */
nuce_status nuce_neighborhood_init(const struct nuce_engine_input *input, const char *call,
                                   struct nuce_neighborhood *out, struct nuce_error *error);
void nuce_neighborhood_fini(struct nuce_neighborhood *neighborhood);

#endif
