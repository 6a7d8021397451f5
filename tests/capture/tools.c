/* A ring that sends in callbacks of MPI_Finalize too, and a tool that wraps MPI itself: -DTOOL is
 * the tool, -DRING the program, both a program with wrappers of its own; -DFORTRAN has what a ring
 * in Fortran needs of either. -DNAMES: the tool sends by MPI's names, which are wrapped as well. */
#include <mpi.h>
#include <stdio.h>

#ifdef NAMES
#define SEND MPI_Issend
#else
#define SEND PMPI_Issend
#endif

#ifdef TOOL
static int inits, sends, waits;

int MPI_Init(int *argc, char ***argv)
{
    inits++;
    return PMPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &(int){0});
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    sends++;
    return SEND(data, n, type, to, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    waits++;
    return PMPI_Waitall(count, requests, statuses);
}

int MPI_Finalize(void)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("the tool saw %d, %d and %d\n", inits, sends, waits);
    return PMPI_Finalize();
}
#endif

#ifdef FORTRAN_TOOL
static int sends;
void pmpi_isend_(void *, int *, int *, int *, int *, int *, int *, int *);

void mpi_isend_(void *data, int *n, int *type, int *to, int *tag, int *comm, int *request,
                int *error)
{
    if (++sends == 20)
        fprintf(stderr, "the tool saw 20\n");
    pmpi_isend_(data, n, type, to, tag, comm, request, error);
}
#endif

#if defined RING || defined FORTRAN
static int pass(int bytes)
{
    static char in[200], out[200];
    MPI_Request requests[2];
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(in, 200, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, bytes, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
    return MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static int at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    return pass(*(int *)extra);
}

void hang_up_(void)
{
    static int bytes[] = {13, 14};
    int key[2];

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key[0], &bytes[0]);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key[1], &bytes[1]);
    MPI_Comm_set_attr(MPI_COMM_SELF, key[0], NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key[1], NULL);
}
#endif

#ifdef RING
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hang_up_();
    for (int i = 0; i < 20; i++)
        pass(100);
    MPI_Finalize();
    return 0;
}
#endif
