/* The clock of the faulty programs of the tests, in the place of base/clock.c: with
 * NUCE_FAULT=clocks it is another on each rank from the third on, as on as many nodes, so that what
 * synchronises clocks has something to do on one machine. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

/* Of clocks that are wrong: seconds that they are apart, and what each gains or loses. */
#define APART_S 1000.0
#define DRIFT 10e-6

/* MPICH's and Open MPI's launchers say it before MPI_Init does. 0 where no launcher says it. */
static int rank_of_process(void)
{
    const char *rank = getenv("PMI_RANK");

    if (rank == NULL)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank == NULL ? 0 : atoi(rank);
}

double nuce_clock(void)
{
    const char *fault = getenv("NUCE_FAULT");
    struct timespec now;
    double right_s;
    int rank;

    clock_gettime(CLOCK_MONOTONIC, &now);
    right_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (fault == NULL || strcmp(fault, "clocks") != 0 || (rank = rank_of_process()) < 2)
        return right_s;
    if (rank % 2 == 1)
        rank = -rank;
    return right_s + rank * (APART_S + DRIFT * right_s);
}
