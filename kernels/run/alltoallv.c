/* MPI_Alltoallv on the whole communicator: what most codes call today (MPI 3.1, 5.8).
 *
 * Cost: four ints for each rank of the communicator, whatever the pattern, and the library looks at
 * all of them in each call. Where a rank sends or receives more than 2 GiB, MPI_Alltoallv_c. */
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/engine.h"
#include "run/graphs.h"
#include "run/large_calls.h"

struct alltoallv {
    MPI_Comm comm;
    struct nuce_world *world;
    struct nuce_payload *payload;
    struct nuce_vector_arguments arguments; /* an entry for each rank */
    MPI_Request request;
};

static void alltoallv_destroy(void *self)
{
    struct alltoallv *call = self;

    nuce_vector_arguments_fini(&call->arguments);
}

/* Collective over the world. */
static nuce_status alltoallv_build(void *self, const struct nuce_engine_input *input,
                                   struct nuce_error *error)
{
    struct alltoallv *call = self;

    if (nuce_vector_arguments_init(input, "MPI_Alltoallv", 1, &call->arguments, error) != NUCE_OK)
        return error->status;
    call->comm = input->world->comm;
    call->world = input->world;
    call->payload = input->payload;
    call->request = MPI_REQUEST_NULL;
    return NUCE_OK;
}

static void alltoallv_start(void *self)
{
    struct alltoallv *call = self;
    const struct nuce_vector_side *send = &call->arguments.send,
                                  *receive = &call->arguments.receive;

    if (call->arguments.is_large)
        NUCE_MPI(nuce_large.ialltoallv(call->payload->send, send->large_count, send->large_at,
                                       MPI_BYTE, call->payload->receive, receive->large_count,
                                       receive->large_at, MPI_BYTE, call->comm, &call->request));
    else
        NUCE_MPI(MPI_Ialltoallv(call->payload->send, send->count, send->at, MPI_BYTE,
                                call->payload->receive, receive->count, receive->at, MPI_BYTE,
                                call->comm, &call->request));
    nuce_payload_copy_own(call->payload);
}

static int alltoallv_progress(void *self)
{
    struct alltoallv *call = self;

    return nuce_wait_one(&call->world->wait, &call->request);
}

static void alltoallv_block(void *self)
{
    struct alltoallv *call = self;
    const struct nuce_vector_side *send = &call->arguments.send,
                                  *receive = &call->arguments.receive;

    if (call->arguments.is_large)
        NUCE_MPI(nuce_large.alltoallv(call->payload->send, send->large_count, send->large_at,
                                      MPI_BYTE, call->payload->receive, receive->large_count,
                                      receive->large_at, MPI_BYTE, call->comm));
    else
        NUCE_MPI(MPI_Alltoallv(call->payload->send, send->count, send->at, MPI_BYTE,
                               call->payload->receive, receive->count, receive->at, MPI_BYTE,
                               call->comm));
    nuce_payload_copy_own(call->payload);
}

const struct nuce_executor_ops nuce_executor_alltoallv = {
    .name = "alltoallv",
    .self_size = sizeof(struct alltoallv),
    .build = alltoallv_build,
    .start = alltoallv_start,
    .progress = alltoallv_progress,
    .block = alltoallv_block,
    .destroy = alltoallv_destroy,
};
