/* MPI_Neighbor_alltoallv on a distributed graph of just the partners: the call that MPI-3 made for
 * such patterns (MPI-3.1, 7.5.4 and 7.6.2). The graph is made once, before anything is timed, as an
 * application would; it is not reordered, so that ranks stay where they are. */
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/graphs.h"
#include "run/large_calls.h"

struct neighbor {
    struct nuce_neighborhood around;
    MPI_Request request;
    const struct nuce_wait *wait;
};

static void neighbor_destroy(void *self)
{
    struct neighbor *call = self;

    nuce_neighborhood_fini(&call->around);
}

/* All ranks agree before the graph is made, which is collective. Collective over the world. */
static nuce_status neighbor_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    struct neighbor *call = self;

    if (nuce_neighborhood_init(input, "MPI_Neighbor_alltoallv", &call->around, error) != NUCE_OK)
        return error->status;
    call->request = MPI_REQUEST_NULL;
    call->wait = &input->world->wait;
    return NUCE_OK;
}

static void neighbor_start(void *self)
{
    struct neighbor *call = self;
    const struct nuce_neighborhood *around = &call->around;
    const struct nuce_vector_side *send = &around->arguments.send;
    const struct nuce_vector_side *receive = &around->arguments.receive;

    if (around->arguments.is_large)
        NUCE_MPI(nuce_large.ineighbor_alltoallv(around->payload->send, send->large_count,
                                                send->large_at, MPI_BYTE, around->payload->receive,
                                                receive->large_count, receive->large_at, MPI_BYTE,
                                                around->graph, &call->request));
    else
        NUCE_MPI(MPI_Ineighbor_alltoallv(around->payload->send, send->count, send->at, MPI_BYTE,
                                         around->payload->receive, receive->count, receive->at,
                                         MPI_BYTE, around->graph, &call->request));
    nuce_payload_copy_own(around->payload);
}

static int neighbor_progress(void *self)
{
    struct neighbor *call = self;

    return nuce_wait_one(call->wait, &call->request);
}

/* The call as an application would make it. */
static void neighbor_block(void *self)
{
    const struct neighbor *call = self;
    const struct nuce_neighborhood *around = &call->around;
    const struct nuce_vector_side *send = &around->arguments.send;
    const struct nuce_vector_side *receive = &around->arguments.receive;

    if (around->arguments.is_large)
        NUCE_MPI(nuce_large.neighbor_alltoallv(around->payload->send, send->large_count,
                                               send->large_at, MPI_BYTE, around->payload->receive,
                                               receive->large_count, receive->large_at, MPI_BYTE,
                                               around->graph));
    else
        NUCE_MPI(MPI_Neighbor_alltoallv(around->payload->send, send->count, send->at, MPI_BYTE,
                                        around->payload->receive, receive->count, receive->at,
                                        MPI_BYTE, around->graph));
    nuce_payload_copy_own(around->payload);
}

const struct nuce_executor_ops nuce_executor_neighbor = {
    .name = "neighbor",
    .self_size = sizeof(struct neighbor),
    .build = neighbor_build,
    .start = neighbor_start,
    .progress = neighbor_progress,
    .block = neighbor_block,
    .destroy = neighbor_destroy,
};
