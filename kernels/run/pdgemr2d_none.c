/* For programs without ScaLAPACK: reports that when pdgemr2d is requested. A program with
 * ScaLAPACK links pdgemr2d.c as an object of its own, which replaces this one: the linker takes
 * from a library only missing symbols. */
#include "run/executor_none.h"

NUCE_EXECUTOR_NONE(nuce_executor_pdgemr2d, "pdgemr2d",
                   "this program was built without ScaLAPACK: install it for the same MPI (MPICH "
                   "on Debian: libscalapack-mpich-dev) and build nuce again");
