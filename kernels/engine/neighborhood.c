/* Counts and displacements of MPI's neighbourhood collectives are int: what does not fit is refused
 * before the graph is made. */
#include "engine/neighborhood.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "world/check.h"

static nuce_status neighborhood_allocate(struct nuce_neighborhood *neighborhood,
                                         struct nuce_error *error)
{
    const struct nuce_payload *p = neighborhood->payload;

    neighborhood->send_count = nuce_allocate(p->sends, sizeof(int), error);
    neighborhood->send_at = nuce_allocate(p->sends, sizeof(int), error);
    neighborhood->receive_count = nuce_allocate(p->receives, sizeof(int), error);
    neighborhood->receive_at = nuce_allocate(p->receives, sizeof(int), error);
    if (neighborhood->send_count == NULL || neighborhood->send_at == NULL ||
        neighborhood->receive_count == NULL || neighborhood->receive_at == NULL)
        return error->status;
    return NUCE_OK;
}

/* Counts and displacements of `count` messages, which lie at at[0 .. count]. */
static void neighborhood_fill(const int64_t *at, int count, int *counts, int *displacements)
{
    for (int i = 0; i < count; i++) {
        displacements[i] = (int)at[i];
        counts[i] = (int)(at[i + 1] - at[i]);
    }
}

static nuce_status check_counts(const struct nuce_payload *p, const char *call,
                                struct nuce_error *error)
{
    if (p->send_at[p->sends] > INT_MAX || p->receive_at[p->receives] > INT_MAX)
        return nuce_error_set(
            error, NUCE_FAILED,
            "%s counts bytes as int: this rank sends %lld and receives %lld bytes", call,
            (long long)p->send_at[p->sends], (long long)p->receive_at[p->receives]);
    return NUCE_OK;
}

nuce_status nuce_neighborhood_init(const struct nuce_engine_input *input, const char *call,
                                   struct nuce_neighborhood *out, struct nuce_error *error)
{
    struct nuce_payload *p = input->payload;
    struct nuce_neighborhood neighborhood = {.graph = MPI_COMM_NULL, .payload = p};
    nuce_status status = check_counts(p, call, error);

    if (status == NUCE_OK)
        status = neighborhood_allocate(&neighborhood, error);
    /* Making the graph is collective: all ranks must know that all can go on. */
    if (nuce_world_agree(input->world, status, error) != NUCE_OK) {
        nuce_neighborhood_fini(&neighborhood);
        return error->status;
    }
    neighborhood_fill(p->send_at, p->sends, neighborhood.send_count, neighborhood.send_at);
    neighborhood_fill(p->receive_at, p->receives, neighborhood.receive_count,
                      neighborhood.receive_at);
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
    free(neighborhood->send_count);
    free(neighborhood->send_at);
    free(neighborhood->receive_count);
    free(neighborhood->receive_at);
    memset(neighborhood, 0, sizeof *neighborhood);
    neighborhood->graph = MPI_COMM_NULL;
}
