/* Particles that move between the ranks of a box: an application for docs/how-to/tune.md.
 *
 *   particles [STEPS]     default 200
 *
 * In each step a rank hands particles to its neighbours in a ring, more to the right than to the
 * left, and one to each other rank. No particle is lost, or it says so and ends with 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct particle {
    double id, place;
};

/* Particles that go from one rank to another in a step. */
static int moving(int from, int to, int size)
{
    return to == from ? 0 : to == (from + 1) % size ? 6 : to == (from + size - 1) % size ? 3 : 1;
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 200, lost = 0, sent = 0, received = 0;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);

    int to[size], to_at[size], from[size], from_at[size];
    for (int i = 0; i < size; i++) {
        to_at[i] = sent;
        from_at[i] = received;
        sent += to[i] = moving(rank, i, size);
        received += from[i] = moving(i, rank, size);
    }
    struct particle *out = calloc(sent + 1, sizeof *out), *in = calloc(received + 1, sizeof *in);

    double begin = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < sent; i++)
            out[i] = (struct particle){.id = rank, .place = step};
        MPI_Alltoallv(out, to, to_at, type, in, from, from_at, type, MPI_COMM_WORLD);
        for (int i = 0; i < size; i++)
            for (int k = 0; k < from[i]; k++)
                lost += in[from_at[i] + k].id != i || in[from_at[i] + k].place != step;
    }
    double step_us = 1e6 * (MPI_Wtime() - begin) / steps;
    MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d particles lost\ntime per step: %g us\n", lost, step_us);
    free(out);
    free(in);
    MPI_Type_free(&type);
    MPI_Finalize();
    return lost > 0;
}
