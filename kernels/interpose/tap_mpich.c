/* Constants of MPICH's Fortran: mpif.h ends in the C calls, so only those of mpi_f08 are seen. */
#include "interpose/weak.h"

#pragma weak MPIR_F08_MPI_STATUS_IGNORE_OBJ
#pragma weak MPIR_F08_MPI_STATUSES_IGNORE_OBJ

int nuce_tap_is_ignored(const MPI_Fint *statuses)
{
    const void *at = statuses;

    return at == (const void *)&MPIR_F08_MPI_STATUS_IGNORE_OBJ ||
           at == (const void *)MPIR_F08_MPI_STATUSES_IGNORE_OBJ ||
           statuses == MPI_F_STATUS_IGNORE || statuses == MPI_F_STATUSES_IGNORE;
}

int nuce_tap_is_in_place(const void *data)
{
    return data == MPI_IN_PLACE;
}
