/* MPI_Neighbor_alltoallv on a distributed graph of the partners only: MPI-3's call for such
 * patterns (MPI-3.1, 7.5.4 and 7.6.2). The graph is made once, before timing, as in an
 * application. It is not reordered, so ranks stay in place. */
#include "run/check.h"
#include "run/graphs.h"
#include "run/large_calls.h"

/* Collective over the world. */
static nuce_status neighbor_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    return nuce_vector_call_init(input, "MPI_Neighbor_alltoallv", 0, self, error);
}

static void neighbor_start(void *self)
{
    struct nuce_vector_call *call = self;

    NUCE_VECTOR_CALL(call, MPI_Ineighbor_alltoallv, nuce_large.ineighbor_alltoallv, call->comm,
                     &call->request);
    nuce_payload_copy_own(call->input.payload);
}

/* The call as an application would make it. */
static void neighbor_block(void *self)
{
    struct nuce_vector_call *call = self;

    NUCE_VECTOR_CALL(call, MPI_Neighbor_alltoallv, nuce_large.neighbor_alltoallv, call->comm);
    nuce_payload_copy_own(call->input.payload);
}

const struct nuce_executor_ops nuce_executor_neighbor = {
    .name = "neighbor",
    .takes_buffers = 1,
    .self_size = sizeof(struct nuce_vector_call),
    .build = neighbor_build,
    .start = neighbor_start,
    .progress = nuce_vector_call_progress,
    .block = neighbor_block,
    .destroy = nuce_vector_call_destroy,
};
