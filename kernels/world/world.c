/* What ranks agree by: errors, maxima and sums that are the same everywhere afterwards. */
#include "world/world.h"

#include <string.h>

#include "world/check.h"
#include "world/control.h"

static MPI_Comm world_duplicate(void)
{
    MPI_Comm comm;

    NUCE_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    NUCE_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    return comm;
}

/* A window of shared memory in which a rank's watchdog sees what the node's other ranks are doing.
 */
static void make_board(struct nuce_world *world)
{
    int rank, unit;
    MPI_Aint bytes;

    NUCE_MPI(MPI_Comm_rank(world->node, &rank));
    NUCE_MPI(MPI_Comm_size(world->node, &world->node_size));
    bytes = rank == 0 ? world->node_size * (MPI_Aint)sizeof *world->others : 0;
    NUCE_MPI(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, world->node, &world->others,
                                     &world->board));
    NUCE_MPI(MPI_Win_shared_query(world->board, 0, &bytes, &unit, &world->others));
    world->watch = &world->others[rank];
    memset(world->watch, 0, sizeof *world->watch);
    world->watch->rank = world->rank;
}

void nuce_world_init(struct nuce_world *world)
{
    memset(world, 0, sizeof *world);
    NUCE_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    world->comm = world_duplicate();
    world->control = world_duplicate();
    world->rounds = world_duplicate();
    NUCE_MPI(MPI_Comm_rank(world->comm, &world->rank));
    NUCE_MPI(MPI_Comm_size(world->comm, &world->size));
    NUCE_MPI(
        MPI_Comm_split_type(world->control, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &world->node));
    NUCE_MPI(MPI_Comm_set_errhandler(world->node, MPI_ERRORS_RETURN));
    world->machine = nuce_wait_init(world->control, world->node);
    world->wait = world->machine;
    make_board(world);
    nuce_barrier_init(&world->barrier, world->rounds);
}

void nuce_world_fini(struct nuce_world *world)
{
    nuce_barrier_fini(&world->barrier);
    NUCE_MPI(MPI_Win_free(&world->board));
    NUCE_MPI(MPI_Comm_free(&world->node));
    NUCE_MPI(MPI_Comm_free(&world->rounds));
    NUCE_MPI(MPI_Comm_free(&world->control));
    NUCE_MPI(MPI_Comm_free(&world->comm));
}

void nuce_world_barrier(struct nuce_world *world)
{
    nuce_barrier(&world->barrier, &world->wait, world->watch);
}

void nuce_world_broadcast(struct nuce_world *world, void *data, int64_t bytes)
{
    const int64_t most = INT64_C(1) << 30; /* counts are int */
    char *at = data;

    while (bytes > 0) {
        int part = (int)(bytes < most ? bytes : most);

        nuce_control_broadcast(world, at, part, MPI_BYTE, 0);
        at += part;
        bytes -= part;
    }
}

void nuce_world_maximum(struct nuce_world *world, double *values, int count)
{
    nuce_control_allreduce(world, values, count, MPI_DOUBLE, MPI_MAX, world->control);
}

void nuce_world_gather(struct nuce_world *world, const double *values, int count, double *all)
{
    for (int i = 0; i < count; i++)
        nuce_control_gather(world, values + i, 1, MPI_DOUBLE,
                            all == NULL ? NULL : all + (int64_t)i * world->size);
}

void nuce_world_sum(struct nuce_world *world, int64_t *values, int count)
{
    nuce_control_allreduce(world, values, count, MPI_INT64_T, MPI_SUM, world->control);
}

nuce_status nuce_world_agree(struct nuce_world *world, nuce_status mine, struct nuce_error *error)
{
    struct {
        int status, rank;
    } worst = {(int)mine, world->rank};

    nuce_control_allreduce(world, &worst, 1, MPI_2INT, MPI_MAXLOC, world->control);
    if (worst.status == NUCE_OK)
        return NUCE_OK;
    error->status = mine;
    nuce_control_broadcast(world, error, (int)sizeof *error, MPI_BYTE, worst.rank);
    if (worst.rank != 0)
        (void)nuce_error_prefix(error, "rank %d", worst.rank);
    return error->status;
}
