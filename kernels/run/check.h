/* A failed MPI call ends the job with one message, because the job cannot continue. */
#ifndef NUCE_CHECK_H
#define NUCE_CHECK_H

#include <mpi.h>

/* Prints rank, call, MPI's own text, file and line on stderr, then calls MPI_Abort. Needs
 * MPI_ERRORS_RETURN on the communicator, which nuce_world_init sets. */
#define NUCE_MPI(call) nuce_check_mpi((call), #call, __FILE__, __LINE__)

/* The function behind NUCE_MPI: does nothing for MPI_SUCCESS, else it does not return. */
void nuce_check_mpi(int code, const char *call, const char *file, int line);

#endif
