/* An application for nuce apply: application [FILE], which it makes first. It checks each byte that
 * it gets, says so at its end, and ends with exit status 3.
 *
 * 40 calls of one pattern; the counts of ranks 0 and 1 differ in the last 10. One nonblocking call,
 * a persistent one, one alone, and three of neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 40
#define MOST 16

struct sides {
    int to[MOST], to_at[MOST], from[MOST], from_at[MOST], sent[MOST * 8], received[MOST * 8];
};

/* Rank i sends j + 1 ints to rank j, and rank 0 one more to rank 1 if is_changed. */
static int elements(int i, int j, int is_changed)
{
    return j + 1 + (is_changed && i == 0 && j == 1);
}

static void make_sides(int rank, int size, int is_changed, struct sides *sides)
{
    memset(sides, 0, sizeof *sides);
    for (int i = 0; i < size; i++) {
        sides->to[i] = elements(rank, i, is_changed);
        sides->from[i] = elements(i, rank, is_changed);
        sides->to_at[i] = sides->from_at[i] = i * 8;
        for (int k = 0; k < sides->to[i]; k++)
            sides->sent[i * 8 + k] = 1000 * rank + 10 * i + k;
    }
}

static void check(int rank, int size, const struct sides *sides, const char *what)
{
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < 8; k++) {
            int expected = k < sides->from[i] ? 1000 * i + 10 * rank + k : 0;

            if (sides->received[i * 8 + k] == expected)
                continue;
            fprintf(stderr, "rank %d, %s: %d from %d, expected %d\n", rank, what,
                    sides->received[i * 8 + k], i, expected);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

#define SIDES                                                                                      \
    sides.sent, sides.to, sides.to_at, MPI_INT, sides.received, sides.from, sides.from_at, MPI_INT

#ifdef WRAPS
/* A tool in the application, in front of all libraries. */
static int seen;

int MPI_Alltoallv(const void *s, const int *sc, const int *sd, MPI_Datatype st, void *r,
                  const int *rc, const int *rd, MPI_Datatype rt, MPI_Comm comm)
{
    seen++;
    return PMPI_Alltoallv(s, sc, sd, st, r, rc, rd, rt, comm);
}
#endif

static void make_calls(int rank, int size)
{
    struct sides sides;
    MPI_Request request;
    MPI_Comm ring;
    int periodic = 1, neighbor[2] = {2, 2}, at[2] = {0, 2}, sent[4], received[4];

    for (int call = 0; call < CALLS; call++) {
        make_sides(rank, size, call >= CALLS - 10, &sides);
        MPI_Alltoallv(SIDES, MPI_COMM_WORLD);
        check(rank, size, &sides, "MPI_Alltoallv");
    }
    make_sides(rank, size, 0, &sides);
    MPI_Ialltoallv(SIDES, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(rank, size, &sides, "MPI_Ialltoallv");
#if MPI_VERSION >= 4
    make_sides(rank, size, 0, &sides);
    MPI_Alltoallv_init(SIDES, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    check(rank, size, &sides, "MPI_Alltoallv_init");
#endif
    make_sides(0, 1, 0, &sides);
    MPI_Alltoallv(SIDES, MPI_COMM_SELF);
    check(0, 1, &sides, "MPI_Alltoallv alone");
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    for (int k = 0; k < 4; k++)
        sent[k] = 10 * rank + k;
    for (int call = 0; call < 3; call++) {
        memset(received, 0, sizeof received);
        MPI_Neighbor_alltoallv(sent, neighbor, at, MPI_INT, received, neighbor, at, MPI_INT, ring);
        if (received[0] != 10 * ((rank + size - 1) % size) + 2 ||
            received[3] != 10 * ((rank + 1) % size) + 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    int rank, size;

    if (argc > 1)
        fclose(fopen(argv[1], "w")); /* it has been started */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_calls(rank, size);
#ifdef WRAPS
    if (seen != CALLS + 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    if (rank == 0)
        puts("all bytes are right");
    MPI_Finalize();
    return 3;
}
