/* MPI_Alltoallv on the whole communicator: the usual call of today's applications (MPI 3.1,
 * 5.8).
 *
 * Cost: four ints for each rank of the communicator, for any pattern; the library reads all of
 * them in each call. A rank that sends or receives more than 2 GiB uses MPI_Alltoallv_c. */
#include "run/check.h"
#include "run/graphs.h"
#include "run/large_calls.h"

/* Collective over the world. */
static nuce_status alltoallv_build(void *self, const struct nuce_engine_input *input,
                                   struct nuce_error *error)
{
    return nuce_vector_call_init(input, "MPI_Alltoallv", 1, self, error);
}

static void alltoallv_start(void *self)
{
    struct nuce_vector_call *call = self;

    NUCE_VECTOR_CALL(call, MPI_Ialltoallv, nuce_large.ialltoallv, call->comm, &call->request);
    nuce_payload_copy_own(call->input.payload);
}

static void alltoallv_block(void *self)
{
    struct nuce_vector_call *call = self;

    NUCE_VECTOR_CALL(call, MPI_Alltoallv, nuce_large.alltoallv, call->comm);
    nuce_payload_copy_own(call->input.payload);
}

const struct nuce_executor_ops nuce_executor_alltoallv = {
    .name = "alltoallv",
    .takes_buffers = 1,
    .self_size = sizeof(struct nuce_vector_call),
    .build = alltoallv_build,
    .start = alltoallv_start,
    .progress = nuce_vector_call_progress,
    .block = alltoallv_block,
    .destroy = nuce_vector_call_destroy,
};
