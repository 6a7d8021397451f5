/* Constants of MPICH's Fortran: mpif.h ends in the C calls, so only those of mpi_f08 are seen. */
#include <stddef.h>

#include "interpose/weak.h"

/* In libmpich, and since MPICH 4.2, whose header no longer names them, in libmpichfort. */
extern MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
#pragma weak MPIR_F08_MPI_STATUS_IGNORE_OBJ
#pragma weak MPIR_F08_MPI_STATUSES_IGNORE_OBJ

int nuce_tap_is_ignored(const MPI_Fint *statuses)
{
    const void *at = statuses;

    /* Where they are not there, in a program without Fortran, their address is NULL. */
    return (at != NULL && (at == (const void *)&MPIR_F08_MPI_STATUS_IGNORE_OBJ ||
                           at == (const void *)MPIR_F08_MPI_STATUSES_IGNORE_OBJ)) ||
           statuses == MPI_F_STATUS_IGNORE || statuses == MPI_F_STATUSES_IGNORE;
}

int nuce_tap_is_in_place(const void *data)
{
    return data == MPI_IN_PLACE;
}
