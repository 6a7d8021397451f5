/* MPI_Alltoallv on the whole communicator: what most codes call today (MPI 3.1, 5.8).
 *
 * Cost: four ints for each rank of the communicator, whatever the pattern, and the library looks at
 * all of them in each call. Limit: counts and displacements are int, so that a rank can neither
 * send nor receive more than 2 GiB. */
#include <limits.h>
#include <stdlib.h>

#include "engine/engine.h"
#include "support/allocate.h"
#include "world/check.h"

struct alltoallv {
    MPI_Comm comm;
    struct nuce_world *world;
    struct nuce_payload *payload;
    int *send_count, *send_at, *receive_count, *receive_at; /* size of the communicator each */
    MPI_Request request;
};

static void alltoallv_destroy(void *self)
{
    struct alltoallv *call = self;

    if (call == NULL)
        return;
    free(call->send_count);
    free(call->send_at);
    free(call->receive_count);
    free(call->receive_at);
    free(call);
}

static nuce_status alltoallv_allocate(struct alltoallv *call, int size, struct nuce_error *error)
{
    call->send_count = nuce_allocate(size, sizeof(int), error);
    call->send_at = nuce_allocate(size, sizeof(int), error);
    call->receive_count = nuce_allocate(size, sizeof(int), error);
    call->receive_at = nuce_allocate(size, sizeof(int), error);
    if (call->send_count == NULL || call->send_at == NULL || call->receive_count == NULL ||
        call->receive_at == NULL)
        return error->status;
    return NUCE_OK;
}

/* Local: the call needs nothing made together. */
static nuce_status alltoallv_create(const struct nuce_engine_input *input, void **self,
                                    struct nuce_error *error)
{
    struct nuce_payload *p = input->payload;
    struct alltoallv *call;

    if (p->send_at[p->sends] > INT_MAX || p->receive_at[p->receives] > INT_MAX)
        return nuce_error_set(error, NUCE_FAILED,
                              "MPI_Alltoallv counts bytes as int: this rank sends %lld and "
                              "receives %lld bytes",
                              (long long)p->send_at[p->sends],
                              (long long)p->receive_at[p->receives]);
    call = nuce_allocate(1, sizeof *call, error);
    if (call == NULL)
        return error->status;
    call->comm = input->world->comm;
    call->world = input->world;
    call->payload = p;
    call->request = MPI_REQUEST_NULL;
    if (alltoallv_allocate(call, input->world->size, error) != NUCE_OK) {
        alltoallv_destroy(call);
        return error->status;
    }
    for (int i = 0; i < p->sends; i++) {
        call->send_at[p->destination[i]] = (int)p->send_at[i];
        call->send_count[p->destination[i]] = (int)(p->send_at[i + 1] - p->send_at[i]);
    }
    for (int i = 0; i < p->receives; i++) {
        call->receive_at[p->source[i]] = (int)p->receive_at[i];
        call->receive_count[p->source[i]] = (int)(p->receive_at[i + 1] - p->receive_at[i]);
    }
    *self = call;
    return NUCE_OK;
}

static void alltoallv_start(void *self)
{
    struct alltoallv *call = self;

    NUCE_MPI(MPI_Ialltoallv(call->payload->send, call->send_count, call->send_at, MPI_BYTE,
                            call->payload->receive, call->receive_count, call->receive_at, MPI_BYTE,
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

    NUCE_MPI(MPI_Alltoallv(call->payload->send, call->send_count, call->send_at, MPI_BYTE,
                           call->payload->receive, call->receive_count, call->receive_at, MPI_BYTE,
                           call->comm));
    nuce_payload_copy_own(call->payload);
}

const struct nuce_executor_ops nuce_executor_alltoallv = {
    .name = "alltoallv",
    .create = alltoallv_create,
    .start = alltoallv_start,
    .progress = alltoallv_progress,
    .block = alltoallv_block,
    .destroy = alltoallv_destroy,
};
