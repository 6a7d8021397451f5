/* The arguments are made, or refused, before the graph is. */
#include "run/neighborhood.h"

#include <string.h>

#include "run/check.h"

nuce_status nuce_neighborhood_init(const struct nuce_engine_input *input, const char *call,
                                   struct nuce_neighborhood *out, struct nuce_error *error)
{
    struct nuce_payload *p = input->payload;
    struct nuce_neighborhood neighborhood = {.graph = MPI_COMM_NULL, .payload = p};

    if (nuce_vector_arguments_init(input, call, 0, &neighborhood.arguments, error) != NUCE_OK)
        return error->status;
    neighborhood.shared = nuce_graphs_take(input->world, p);
    neighborhood.graph =
        neighborhood.shared != NULL ? neighborhood.shared->comm : nuce_graphs_make(input->world, p);
    *out = neighborhood;
    return NUCE_OK;
}

void nuce_neighborhood_fini(struct nuce_neighborhood *neighborhood)
{
    nuce_graphs_give(neighborhood->shared);
    if (neighborhood->shared == NULL && neighborhood->graph != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_free(&neighborhood->graph));
    nuce_vector_arguments_fini(&neighborhood->arguments);
    memset(neighborhood, 0, sizeof *neighborhood);
    neighborhood->graph = MPI_COMM_NULL;
}
