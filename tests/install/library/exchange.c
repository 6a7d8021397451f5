/* Each rank sends rank + 1 numbers to every other, ten times, under a schedule of nuce:
 *
 *   cc=$(pkg-config --variable=compiler nuce_mpi)
 *   $cc exchange.c $(pkg-config --cflags --libs nuce_mpi) -o exchange
 *   mpiexec -n 4 ./exchange [SCHEDULE]
 *   NUCE_TUNING=FILE mpiexec -n 4 ./exchange
 */
#include <stdio.h>
#include <stdlib.h>

#include <nuce_mpi.h>

enum { MOST_RANKS = 64, STEPS = 10 };

int main(int argc, char **argv)
{
    int rank, size, sums = 0;
    int counts[2][MOST_RANKS], places[2][MOST_RANKS] = {{0}};
    int sent[MOST_RANKS], received[MOST_RANKS * MOST_RANKS];
    nuce_request exchange;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    /* All destinations get the same numbers; those of a source follow those of the one before. */
    for (int i = 0, end = 0; i < size; end += i + 1, i++) {
        counts[0][i] = rank + 1;
        counts[1][i] = i + 1;
        places[1][i] = end;
    }

    MPI_Info_create(&info);
    if (argc > 1)
        MPI_Info_set(info, "nuce_schedule", argv[1]);
    if (nuce_alltoallv_init(sent, counts[0], places[0], MPI_INT, received, counts[1], places[1],
                            MPI_INT, MPI_COMM_WORLD, info, &exchange) != MPI_SUCCESS) {
        if (rank == 0)
            fprintf(stderr, "exchange: %s\n", nuce_request_error(exchange));
        nuce_request_free(&exchange);
        MPI_Finalize();
        return 1;
    }
    MPI_Info_free(&info);
    if (rank == 0)
        printf("schedule: %s\n", nuce_request_schedule(exchange));

    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i <= rank; i++)
            sent[i] = rank * STEPS + step;
        nuce_start(exchange);
        /* Computation without received data goes here; nuce_test advances the exchange. */
        nuce_wait(exchange);
        for (int i = 0; i < size; i++)
            sums += received[places[1][i] + i] == i * STEPS + step;
    }
    nuce_request_free(&exchange);
    if (sums == size * STEPS)
        printf("rank %d received all numbers\n", rank);
    MPI_Finalize();
    return sums == size * STEPS ? 0 : 1;
}
