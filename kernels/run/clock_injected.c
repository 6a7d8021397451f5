/* The clock of the tests' faulty programs, which replaces base/clock.c. With NUCE_FAULT=clocks,
 * each rank from the third on has another clock, like separate nodes. The synchronisation of
 * clocks is thus tested on one machine. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

/* Faulty clocks: seconds between two of them, and the rate of each. */
#define APART_S 1000.0
#define DRIFT 10e-6

/* MPICH's and Open MPI's launchers set it before MPI_Init. Returns 0 without such a launcher. */
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
