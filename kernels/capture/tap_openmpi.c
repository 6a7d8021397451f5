/* Fortran constants of Open MPI: addresses of objects of its libmpi_mpifh. */
#include "capture/tap_state.h"

extern int mpi_fortran_status_ignore_, mpi_fortran_statuses_ignore_, mpi_fortran_in_place_;
#pragma weak mpi_fortran_status_ignore_
#pragma weak mpi_fortran_statuses_ignore_
#pragma weak mpi_fortran_in_place_

int nuce_tap_is_ignored(const MPI_Fint *statuses)
{
    return statuses == &mpi_fortran_status_ignore_ || statuses == &mpi_fortran_statuses_ignore_;
}

int nuce_tap_is_in_place(const void *data)
{
    return data == MPI_IN_PLACE || (data != NULL && data == &mpi_fortran_in_place_);
}

void nuce_tap_first_indices(int first[2])
{
    first[0] = first[1] = 1;
}
