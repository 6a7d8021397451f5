/* Fortran constants of MPICH. mpif.h calls end in the C calls, so only the constants of mpi_f08
 * are seen. */
#include <stddef.h>

#include "capture/tap_state.h"

/* In libmpich, or in libmpichfort since MPICH 4.2, which no longer names them in its header. */
extern MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
#pragma weak MPIR_F08_MPI_STATUS_IGNORE_OBJ
#pragma weak MPIR_F08_MPI_STATUSES_IGNORE_OBJ

int nuce_tap_is_ignored(const MPI_Fint *statuses)
{
    const void *at = statuses;

    /* In a program without Fortran they are absent, and their address is NULL. */
    return (at != NULL && (at == (const void *)&MPIR_F08_MPI_STATUS_IGNORE_OBJ ||
                           at == (const void *)MPIR_F08_MPI_STATUSES_IGNORE_OBJ)) ||
           statuses == MPI_F_STATUS_IGNORE || statuses == MPI_F_STATUSES_IGNORE;
}

int nuce_tap_is_in_place(const void *data)
{
    return data == MPI_IN_PLACE;
}

void pmpir_waitany_f08_(MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, MPI_Fint *);
void pmpir_waitsome_f08_(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, MPI_Fint *);
#pragma weak pmpir_waitany_f08_
#pragma weak pmpir_waitsome_f08_

/* Indices of MPICH 4.0 count from 0, unlike Fortran's. So the first index is tested, with a null
 * request and one that completes. */
void nuce_tap_first_indices(int first[2])
{
    MPI_Fint two = 2, count = 0, error;
    MPI_F08_status statuses[2];

    first[0] = first[1] = 1;
    for (int i = 0; i < 2 && pmpir_waitany_f08_ != NULL && pmpir_waitsome_f08_ != NULL; i++) {
        MPI_Fint requests[2] = {MPI_REQUEST_NULL}, index[2] = {2, 2};
        MPI_Request request;

        PMPI_Ibarrier(MPI_COMM_SELF, &request);
        requests[1] = PMPI_Request_c2f(request);
        if (i == 0)
            pmpir_waitany_f08_(&two, requests, index, statuses, &error);
        else
            pmpir_waitsome_f08_(&two, requests, &count, index, statuses, &error);
        first[i] = index[0] - 1;
    }
}
