/* Ends a job after an MPI failure. */
#include "run/check.h"

#include <stdio.h>

#include "base/error.h"

void nuce_check_mpi(int code, const char *call, const char *file, int line)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, rank = -1;

    if (code == MPI_SUCCESS)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "nuce: rank %d: %s:%d: %s: %s\n", rank, file, line, call, text);
    MPI_Abort(MPI_COMM_WORLD, nuce_error_exit_status(NUCE_FAILED));
}
