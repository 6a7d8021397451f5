/* MPI_Neighbor_alltoallv_init: the neighbourhood collective as a persistent request, new in MPI
 * 4. Built if the MPI has it; else neighbor_persistent_none.c is. MPI 4.1, 8.8. A step calls
 * MPI_Start; the library can prepare everything in build, which is not timed. */
#include "run/check.h"
#include "run/graphs.h"
#include "run/large_calls.h"

static void neighbor_persistent_destroy(void *self)
{
    NUCE_MPI(MPI_Request_free(&((struct nuce_vector_call *)self)->request));
    nuce_vector_call_destroy(self);
}

/* Counts and places live as long as the request: the library may read them in every start. */
static nuce_status neighbor_persistent_build(void *self, const struct nuce_engine_input *input,
                                             struct nuce_error *error)
{
    struct nuce_vector_call *call = self;

    if (nuce_vector_call_init(input, "MPI_Neighbor_alltoallv_init", 0, call, error) != NUCE_OK)
        return error->status;
    NUCE_VECTOR_CALL(call, MPI_Neighbor_alltoallv_init, nuce_large.neighbor_alltoallv_init,
                     call->comm, MPI_INFO_NULL, &call->request);
    return NUCE_OK;
}

static void neighbor_persistent_start(void *self)
{
    struct nuce_vector_call *call = self;

    NUCE_MPI(MPI_Start(&call->request));
    nuce_payload_copy_own(call->input.payload);
}

const struct nuce_executor_ops nuce_executor_neighbor_persistent = {
    .name = "neighbor-persistent",
    .takes_buffers = 1,
    .self_size = sizeof(struct nuce_vector_call),
    .build = neighbor_persistent_build,
    .start = neighbor_persistent_start,
    .progress = nuce_vector_call_progress,
    .destroy = neighbor_persistent_destroy,
};
