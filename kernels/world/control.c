/* Each collective in two forms: blocking where ranks block, else nonblocking with our wait. */
#include "world/control.h"

#include "world/check.h"

/* Before a collective: tells the watchdog. Returns whether ranks block. */
static int control_begin(struct nuce_world *world)
{
    nuce_watch_set(world->watch, NUCE_ACTIVITY_CONTROL, -1, 0);
    return world->wait.block;
}

void nuce_control_allreduce(struct nuce_world *world, void *values, int count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Allreduce(MPI_IN_PLACE, values, count, type, op, comm));
        return;
    }
    NUCE_MPI(MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, comm, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_broadcast(struct nuce_world *world, void *data, int count, MPI_Datatype type,
                            int root)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Bcast(data, count, type, root, world->control));
        return;
    }
    NUCE_MPI(MPI_Ibcast(data, count, type, root, world->control, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_gather(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                         void *all, MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Gather(mine, count, type, all, count, type, 0, comm));
        return;
    }
    NUCE_MPI(MPI_Igather(mine, count, type, all, count, type, 0, comm, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_gatherv(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                          void *all, const int counts[], const int at[], MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Gatherv(mine, count, type, all, counts, at, type, 0, comm));
        return;
    }
    NUCE_MPI(MPI_Igatherv(mine, count, type, all, counts, at, type, 0, comm, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_allgather(struct nuce_world *world, const void *mine, int count,
                            MPI_Datatype type, void *all, MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Allgather(mine, count, type, all, count, type, comm));
        return;
    }
    NUCE_MPI(MPI_Iallgather(mine, count, type, all, count, type, comm, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_allgatherv(struct nuce_world *world, const void *mine, int count,
                             MPI_Datatype type, void *all, const int counts[], const int at[],
                             MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Allgatherv(mine, count, type, all, counts, at, type, comm));
        return;
    }
    NUCE_MPI(MPI_Iallgatherv(mine, count, type, all, counts, at, type, comm, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_alltoall(struct nuce_world *world, const void *mine, MPI_Datatype type,
                           void *theirs)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Alltoall(mine, 1, type, theirs, 1, type, world->control));
        return;
    }
    NUCE_MPI(MPI_Ialltoall(mine, 1, type, theirs, 1, type, world->control, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_alltoallv(struct nuce_world *world, const void *mine, const int counts[],
                            const int at[], MPI_Datatype type, void *theirs,
                            const int their_counts[], const int their_at[])
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Alltoallv(mine, counts, at, type, theirs, their_counts, their_at, type,
                               world->control));
        return;
    }
    NUCE_MPI(MPI_Ialltoallv(mine, counts, at, type, theirs, their_counts, their_at, type,
                            world->control, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_scatter(struct nuce_world *world, const void *all, int count, MPI_Datatype type,
                          void *mine, MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Scatter(all, count, type, mine, count, type, 0, comm));
        return;
    }
    NUCE_MPI(MPI_Iscatter(all, count, type, mine, count, type, 0, comm, &request));
    nuce_wait_request(&world->wait, &request);
}

void nuce_control_scatterv(struct nuce_world *world, const void *all, const int counts[],
                           const int at[], MPI_Datatype type, void *mine, int count, MPI_Comm comm)
{
    MPI_Request request;

    if (control_begin(world)) {
        NUCE_MPI(MPI_Scatterv(all, counts, at, type, mine, count, type, 0, comm));
        return;
    }
    NUCE_MPI(MPI_Iscatterv(all, counts, at, type, mine, count, type, 0, comm, &request));
    nuce_wait_request(&world->wait, &request);
}
