/* The cost of a call of libnuce_mpi: nuce-bench-library left-alone | replaced, on one rank that
 * sends itself 8 bytes. left-alone: MPI's own call by nuce_start and nuce_wait, beside that call.
 * replaced: ac, beside its persistent requests. */
#include <string.h>

#include "mpi_turns.h"
#include "nuce_mpi.h"
#include "run/check.h"

#define TURNS 201
#define REPEATS 2000

struct exchange {
    nuce_request ours;
    MPI_Request requests[2]; /* persistent */
    double sent, received;
};

static const int one[] = {1}, zero[] = {0};

static void by_library(void *context)
{
    struct exchange *exchange = context;

    nuce_start(exchange->ours);
    nuce_wait(exchange->ours);
}

static void straight_call(void *context)
{
    struct exchange *exchange = context;
    MPI_Request request;

    NUCE_MPI(MPI_Ialltoallv(&exchange->sent, one, zero, MPI_DOUBLE, &exchange->received, one, zero,
                            MPI_DOUBLE, MPI_COMM_WORLD, &request));
    NUCE_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void straight_messages(void *context)
{
    struct exchange *exchange = context;

    NUCE_MPI(MPI_Startall(2, exchange->requests));
    NUCE_MPI(MPI_Waitall(2, exchange->requests, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    int is_replaced = argc > 1 && strcmp(argv[1], "replaced") == 0;
    struct exchange exchange = {0};
    struct nuce_world world;
    MPI_Info info;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    NUCE_ASSERT(world.size == 1);
    NUCE_MPI(MPI_Info_create(&info));
    NUCE_MPI(MPI_Info_set(info, "nuce_schedule", is_replaced ? "ac" : "alltoallv"));
    NUCE_ASSERT(nuce_alltoallv_init(&exchange.sent, one, zero, MPI_DOUBLE, &exchange.received, one,
                                    zero, MPI_DOUBLE, MPI_COMM_WORLD, info,
                                    &exchange.ours) == MPI_SUCCESS);
    NUCE_MPI(MPI_Info_free(&info));
    NUCE_MPI(
        MPI_Recv_init(&exchange.received, 1, MPI_DOUBLE, 0, 0, world.comm, &exchange.requests[0]));
    NUCE_MPI(MPI_Send_init(&exchange.sent, 1, MPI_DOUBLE, 0, 0, world.comm, &exchange.requests[1]));
    nuce_mpi_turns(&world, TURNS, REPEATS, by_library,
                   is_replaced ? straight_messages : straight_call, &exchange);
    for (int i = 0; i < 2; i++)
        NUCE_MPI(MPI_Request_free(&exchange.requests[i]));
    NUCE_ASSERT(nuce_request_free(&exchange.ours) == MPI_SUCCESS);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return 0;
}
