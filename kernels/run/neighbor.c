/* MPI_Neighbor_alltoallv on a distributed graph of just the partners: the call that MPI-3 made for
 * such patterns (MPI-3.1, 7.5.4 and 7.6.2). */
#include <limits.h>
#include <stdlib.h>

#include "check.h"
#include "engine.h"
#include "memory.h"

struct neighbor {
    MPI_Comm graph;
    struct nuce_payload *payload;
    int *send_count, *send_at;       /* sends */
    int *receive_count, *receive_at; /* receives */
    MPI_Request request;
};

static void destroy(void *self)
{
    struct neighbor *call = self;

    if (call == NULL)
        return;
    if (call->graph != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_free(&call->graph));
    free(call->send_count);
    free(call->send_at);
    free(call->receive_count);
    free(call->receive_at);
    free(call);
}

static nuce_status allocate(struct neighbor *call, struct nuce_error *error)
{
    const struct nuce_payload *p = call->payload;

    call->send_count = nuce_allocate(p->sends, sizeof(int), error);
    call->send_at = nuce_allocate(p->sends, sizeof(int), error);
    call->receive_count = nuce_allocate(p->receives, sizeof(int), error);
    call->receive_at = nuce_allocate(p->receives, sizeof(int), error);
    if (call->send_count == NULL || call->send_at == NULL || call->receive_count == NULL ||
        call->receive_at == NULL)
        return error->status;
    return NUCE_OK;
}

static void fill(const int64_t *at, int count, int *counts, int *displacements)
{
    for (int i = 0; i < count; i++) {
        displacements[i] = (int)at[i];
        counts[i] = (int)(at[i + 1] - at[i]);
    }
}

static nuce_status check_counts(const struct nuce_payload *p, struct nuce_error *error)
{
    if (p->send_at[p->sends] > INT_MAX || p->receive_at[p->receives] > INT_MAX)
        return nuce_error_set(error, NUCE_FAILED,
                              "MPI_Neighbor_alltoallv counts bytes as int: this rank sends %lld "
                              "and receives %lld bytes",
                              (long long)p->send_at[p->sends],
                              (long long)p->receive_at[p->receives]);
    return NUCE_OK;
}

/* Making the graph is collective: all ranks must know that all can go on. */
static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    struct nuce_payload *p = input->payload;
    struct neighbor *call = nuce_allocate(1, sizeof *call, error);
    nuce_status status = call == NULL ? error->status : check_counts(p, error);

    if (call != NULL) {
        call->graph = MPI_COMM_NULL;
        call->payload = p;
        call->request = MPI_REQUEST_NULL;
        if (status == NUCE_OK)
            status = allocate(call, error);
    }
    if (nuce_agree(input->world, status, error) != NUCE_OK) {
        destroy(call);
        return error->status;
    }
    fill(p->send_at, p->sends, call->send_count, call->send_at);
    fill(p->receive_at, p->receives, call->receive_count, call->receive_at);
    NUCE_MPI(MPI_Dist_graph_create_adjacent(input->world->comm, p->receives, p->source,
                                            MPI_UNWEIGHTED, p->sends, p->destination,
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &call->graph));
    NUCE_MPI(MPI_Comm_set_errhandler(call->graph, MPI_ERRORS_RETURN));
    *self = call;
    return NUCE_OK;
}

static void start(void *self)
{
    struct neighbor *call = self;

    NUCE_MPI(MPI_Ineighbor_alltoallv(call->payload->send, call->send_count, call->send_at, MPI_BYTE,
                                     call->payload->receive, call->receive_count, call->receive_at,
                                     MPI_BYTE, call->graph, &call->request));
}

static int progress(void *self)
{
    struct neighbor *call = self;
    int done = 0;

    NUCE_MPI(MPI_Test(&call->request, &done, MPI_STATUS_IGNORE));
    return done;
}

static void block(void *self)
{
    struct neighbor *call = self;

    NUCE_MPI(MPI_Neighbor_alltoallv(call->payload->send, call->send_count, call->send_at, MPI_BYTE,
                                    call->payload->receive, call->receive_count, call->receive_at,
                                    MPI_BYTE, call->graph));
}

/* Inside the library: only it knows. */
static void diagnose(void *self, int *peer, int *phase)
{
    (void)self;
    *peer = -1;
    *phase = 0;
}

const struct nuce_executor_ops nuce_executor_neighbor = {
    .name = "neighbor",
    .create = create,
    .start = start,
    .progress = progress,
    .block = block,
    .diagnose = diagnose,
    .destroy = destroy,
};
