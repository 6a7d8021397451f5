/* MPI_Alltoallw from array to array, with a derived datatype for each peer (MPI-3.1, 4.1 and
 * 5.8). The types are made once, before timing, as a program does that redistributes more than
 * once. Our own code copies the elements that stay on the rank (schedules/alltoallw_types.c has
 * the reason). Cost: memory for a derived type a peer and side, and for the three arrays of the
 * communicator's size for each side that the call requires; the library determines the time of a
 * step. Nothing is packed or unpacked. */
#include <stdlib.h>

#include "base/allocate.h"
#include "run/array_peers.h"
#include "run/check.h"
#include "run/engine.h"
#include "run/index_type.h"

/* One side of the call: size of the communicator each. */
struct alltoallw_side {
    int *count, *at;    /* 1 or 0; at: all 0, because the types begin where the array does */
    MPI_Datatype *type; /* MPI_BYTE if the count is 0 */
};

struct alltoallw {
    struct nuce_engine_input input;
    struct alltoallw_side send, receive;
    MPI_Request request;
};

/* Only entries with a count have a type. */
static void free_side(struct alltoallw_side *side, int size)
{
    for (int i = 0; i < size; i++) {
        if (side->count[i] > 0)
            NUCE_MPI(MPI_Type_free(&side->type[i]));
    }
    free(side->count);
    free(side->at);
    free(side->type);
}

static void alltoallw_types_destroy(void *self)
{
    struct alltoallw *call = self;

    free_side(&call->send, call->input.world->size);
    free_side(&call->receive, call->input.world->size);
}

/* One side's arguments: a type for each peer of the index set except the rank itself. */
static void make_side(const struct nuce_index_set *set, int rank, int size,
                      struct alltoallw_side *side)
{
    side->count = nuce_allocate(size, sizeof(int));
    side->at = nuce_allocate(size, sizeof(int));
    side->type = nuce_allocate(size, sizeof(MPI_Datatype));
    for (int i = 0; i < size; i++)
        side->type[i] = MPI_BYTE;
    for (int k = 0; k < nuce_index_set_peers(set); k++) {
        int peer = nuce_index_set_rank(set, k);

        if (peer == rank)
            continue;
        nuce_index_type(set, k, &side->type[peer]);
        side->count[peer] = 1;
    }
}

static nuce_status alltoallw_types_build(void *self, const struct nuce_engine_input *input,
                                         struct nuce_error *error)
{
    int rank = input->world->rank, size = input->world->size;
    struct alltoallw *call = self;

    (void)error;
    NUCE_ASSERT(input->arrays != NULL); /* nuce_scheduling_complete */
    call->input = *input;
    call->request = MPI_REQUEST_NULL;
    make_side(&input->arrays->sends, rank, size, &call->send);
    make_side(&input->arrays->receives, rank, size, &call->receive);
    return NUCE_OK;
}

static void alltoallw_types_start(void *self)
{
    struct alltoallw *call = self;

    NUCE_MPI(MPI_Ialltoallw(call->input.arrays->from, call->send.count, call->send.at,
                            call->send.type, call->input.arrays->to, call->receive.count,
                            call->receive.at, call->receive.type, call->input.world->comm,
                            &call->request));
    nuce_payload_copy_own(call->input.payload);
}

static int alltoallw_types_progress(void *self)
{
    struct alltoallw *call = self;

    return nuce_wait_one(&call->input.world->wait, &call->request);
}

static void alltoallw_types_block(void *self)
{
    struct alltoallw *call = self;

    NUCE_MPI(MPI_Alltoallw(call->input.arrays->from, call->send.count, call->send.at,
                           call->send.type, call->input.arrays->to, call->receive.count,
                           call->receive.at, call->receive.type, call->input.world->comm));
    nuce_payload_copy_own(call->input.payload);
}

const struct nuce_executor_ops nuce_executor_alltoallw_types = {
    .name = "alltoallw-types",
    .moves_arrays = 1,
    .self_size = sizeof(struct alltoallw),
    .build = alltoallw_types_build,
    .start = alltoallw_types_start,
    .progress = alltoallw_types_progress,
    .block = alltoallw_types_block,
    .destroy = alltoallw_types_destroy,
};
