/* Linked in front of the MPI library: calls N and N + 1 of MPI_Alltoallv and MPI_Ialltoallv do
 * nothing, on all ranks. N is the environment variable NUCE_SKIP. Of two calls in a row one is in a
 * timed turn. */
#include <mpi.h>
#include <stdlib.h>

static int is_skipped(void)
{
    static int calls;
    const char *first = getenv("NUCE_SKIP");

    calls++;
    return first != NULL && (calls == atoi(first) || calls == atoi(first) + 1);
}

int MPI_Alltoallv(const void *send, const int *sends, const int *from, MPI_Datatype type,
                  void *receive, const int *receives, const int *to, MPI_Datatype other,
                  MPI_Comm comm)
{
    return is_skipped()
               ? MPI_SUCCESS
               : PMPI_Alltoallv(send, sends, from, type, receive, receives, to, other, comm);
}

int MPI_Ialltoallv(const void *send, const int *sends, const int *from, MPI_Datatype type,
                   void *receive, const int *receives, const int *to, MPI_Datatype other,
                   MPI_Comm comm, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return is_skipped() ? MPI_SUCCESS
                        : PMPI_Ialltoallv(send, sends, from, type, receive, receives, to, other,
                                          comm, request);
}
