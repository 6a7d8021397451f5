/* MPI_Neighbor_alltoallv_init: the neighbourhood collective as a persistent request, new in MPI 4.
 * Built where the MPI has it; else neighbor_persistent_none.c is. MPI 4.1, 8.8. MPI_Start is
 * called in each step; all that a library can prepare it has prepared in build, which is not
 * timed. */
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/graphs.h"
#include "run/large_calls.h"

struct persistent {
    struct nuce_neighborhood around;
    MPI_Request request;
    const struct nuce_wait *wait;
};

static void neighbor_persistent_destroy(void *self)
{
    struct persistent *call = self;

    NUCE_MPI(MPI_Request_free(&call->request));
    nuce_neighborhood_fini(&call->around);
}

/* Counts and places stay in `around` as long as the request: the library may read them in every
 * start. */
static nuce_status neighbor_persistent_build(void *self, const struct nuce_engine_input *input,
                                             struct nuce_error *error)
{
    struct persistent *call = self;
    const struct nuce_vector_side *send, *receive;
    struct nuce_neighborhood *around;

    if (nuce_neighborhood_init(input, "MPI_Neighbor_alltoallv_init", &call->around, error) !=
        NUCE_OK)
        return error->status;
    around = &call->around;
    send = &around->arguments.send;
    receive = &around->arguments.receive;
    if (around->arguments.is_large)
        NUCE_MPI(nuce_large.neighbor_alltoallv_init(
            around->payload->send, send->large_count, send->large_at, MPI_BYTE,
            around->payload->receive, receive->large_count, receive->large_at, MPI_BYTE,
            around->graph, MPI_INFO_NULL, &call->request));
    else
        NUCE_MPI(MPI_Neighbor_alltoallv_init(
            around->payload->send, send->count, send->at, MPI_BYTE, around->payload->receive,
            receive->count, receive->at, MPI_BYTE, around->graph, MPI_INFO_NULL, &call->request));
    call->wait = &input->world->wait;
    return NUCE_OK;
}

static void neighbor_persistent_start(void *self)
{
    struct persistent *call = self;

    NUCE_MPI(MPI_Start(&call->request));
    nuce_payload_copy_own(call->around.payload);
}

static int neighbor_persistent_progress(void *self)
{
    struct persistent *call = self;

    return nuce_wait_one(call->wait, &call->request);
}

const struct nuce_executor_ops nuce_executor_neighbor_persistent = {
    .name = "neighbor-persistent",
    .self_size = sizeof(struct persistent),
    .build = neighbor_persistent_build,
    .start = neighbor_persistent_start,
    .progress = neighbor_persistent_progress,
    .destroy = neighbor_persistent_destroy,
};
