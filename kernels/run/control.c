/* Each collective in two forms: blocking if ranks block, else nonblocking with our wait. */
#include "run/control.h"

#include "run/check.h"

/* Informs the watchdog, and calls MPI in the right form; both have the same arguments except the
 * request. */
#define EITHER(world, blocking, nonblocking, ...)                                                  \
    do {                                                                                           \
        MPI_Request request_;                                                                      \
                                                                                                   \
        nuce_watch_set((world)->watch, NUCE_ACTIVITY_CONTROL, -1, 0);                              \
        if ((world)->wait.block) {                                                                 \
            NUCE_MPI(blocking(__VA_ARGS__));                                                       \
        } else {                                                                                   \
            NUCE_MPI(nonblocking(__VA_ARGS__, &request_));                                         \
            nuce_wait_request(&(world)->wait, &request_);                                          \
        }                                                                                          \
    } while (0)

void nuce_control_allreduce(struct nuce_world *world, void *values, int count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm)
{
    EITHER(world, MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, values, count, type, op, comm);
}

void nuce_control_broadcast(struct nuce_world *world, void *data, int count, MPI_Datatype type,
                            int root)
{
    EITHER(world, MPI_Bcast, MPI_Ibcast, data, count, type, root, world->control);
}

void nuce_control_gather(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                         void *all, MPI_Comm comm)
{
    EITHER(world, MPI_Gather, MPI_Igather, mine, count, type, all, count, type, 0, comm);
}

void nuce_control_gatherv(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                          void *all, const int counts[], const int at[], MPI_Comm comm)
{
    EITHER(world, MPI_Gatherv, MPI_Igatherv, mine, count, type, all, counts, at, type, 0, comm);
}

void nuce_control_allgather(struct nuce_world *world, const void *mine, int count,
                            MPI_Datatype type, void *all, MPI_Comm comm)
{
    EITHER(world, MPI_Allgather, MPI_Iallgather, mine, count, type, all, count, type, comm);
}

void nuce_control_allgatherv(struct nuce_world *world, const void *mine, int count,
                             MPI_Datatype type, void *all, const int counts[], const int at[],
                             MPI_Comm comm)
{
    EITHER(world, MPI_Allgatherv, MPI_Iallgatherv, mine, count, type, all, counts, at, type, comm);
}

void nuce_control_alltoall(struct nuce_world *world, const void *mine, MPI_Datatype type,
                           void *theirs)
{
    EITHER(world, MPI_Alltoall, MPI_Ialltoall, mine, 1, type, theirs, 1, type, world->control);
}

void nuce_control_alltoallv(struct nuce_world *world, const void *mine, const int counts[],
                            const int at[], MPI_Datatype type, void *theirs,
                            const int their_counts[], const int their_at[])
{
    EITHER(world, MPI_Alltoallv, MPI_Ialltoallv, mine, counts, at, type, theirs, their_counts,
           their_at, type, world->control);
}

void nuce_control_scatter(struct nuce_world *world, const void *all, int count, MPI_Datatype type,
                          void *mine, MPI_Comm comm)
{
    EITHER(world, MPI_Scatter, MPI_Iscatter, all, count, type, mine, count, type, 0, comm);
}

void nuce_control_scatterv(struct nuce_world *world, const void *all, const int counts[],
                           const int at[], MPI_Datatype type, void *mine, int count, MPI_Comm comm)
{
    EITHER(world, MPI_Scatterv, MPI_Iscatterv, all, counts, at, type, mine, count, type, 0, comm);
}
