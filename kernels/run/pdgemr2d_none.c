/* For programs without ScaLAPACK: says so when pdgemr2d is asked for. A program that has it links
 * pdgemr2d.c as an object of its own, which takes the place of this one: the linker takes from a
 * library only what it does not have yet. */
#include "run/executor_none.h"

NUCE_EXECUTOR_NONE(nuce_executor_pdgemr2d, "pdgemr2d",
                   "this program was built without ScaLAPACK: install it for the same MPI (MPICH "
                   "on Debian: libscalapack-mpich-dev) and build nuce again");
