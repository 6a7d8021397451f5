/* ScaLAPACK's blocking calls of MPI, replaced by their nonblocking forms and our wait. With more
 * ranks than processors, MPICH's own wait never yields and would charge a peer's time to the
 * library. Linked into programs with pdgemr2d. Our own code makes such calls only if ranks block
 * (nuce_wait.block, in simulations), and those programs have no ScaLAPACK.
 *
 * Such a call passes no context, so it is unknown here if ranks share processors. It yields
 * after as many polls as our wait does if they share. A rank with a processor of its own gets it
 * back at once. The cost is a system call between two polls, far below the length of an awaited
 * message. */
#include <mpi.h>

#include "run/wait.h"

static const struct nuce_wait polite = {.yield = 1};

/* Waits for a request that was started if code is a success. */
static int polite_finish(int code, MPI_Request *request, MPI_Status *status)
{
    unsigned polls = 0;
    int done = 0;

    while (code == MPI_SUCCESS) {
        code = PMPI_Test(request, &done, status);
        if (done)
            break;
        nuce_wait_pause(&polite, &polls);
    }
    return code;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    unsigned polls = 0;
    int done = 0, code;

    for (;;) {
        code = PMPI_Testall(count, requests, &done, statuses);
        if (done || code != MPI_SUCCESS)
            return code;
        nuce_wait_pause(&polite, &polls);
    }
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Request request;

    return polite_finish(PMPI_Irecv(data, count, type, source, tag, comm, &request), &request,
                         status);
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int destination, int tag,
             MPI_Comm comm)
{
    MPI_Request request;

    return polite_finish(PMPI_Isend(data, count, type, destination, tag, comm, &request), &request,
                         MPI_STATUS_IGNORE);
}

int MPI_Rsend(const void *data, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm comm)
{
    MPI_Request request;

    return polite_finish(PMPI_Irsend(data, count, type, destination, tag, comm, &request), &request,
                         MPI_STATUS_IGNORE);
}

int MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int destination,
                 int send_tag, void *receive, int receive_count, MPI_Datatype receive_type,
                 int source, int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request in, out;
    int code = PMPI_Irecv(receive, receive_count, receive_type, source, receive_tag, comm, &in);

    if (code != MPI_SUCCESS)
        return code;
    code = polite_finish(PMPI_Isend(send, send_count, send_type, destination, send_tag, comm, &out),
                         &out, MPI_STATUS_IGNORE);
    return polite_finish(code, &in, status);
}

int MPI_Barrier(MPI_Comm comm)
{
    MPI_Request request;

    return polite_finish(PMPI_Ibarrier(comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;

    return polite_finish(PMPI_Ibcast(data, count, type, root, comm, &request), &request,
                         MPI_STATUS_IGNORE);
}

int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    MPI_Request request;

    return polite_finish(PMPI_Ireduce(send, receive, count, type, op, root, comm, &request),
                         &request, MPI_STATUS_IGNORE);
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    MPI_Request request;

    return polite_finish(PMPI_Iallreduce(send, receive, count, type, op, comm, &request), &request,
                         MPI_STATUS_IGNORE);
}
