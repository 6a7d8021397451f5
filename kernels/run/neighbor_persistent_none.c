/* For an MPI without persistent neighbourhood collectives. */
#include "run/executor_none.h"

NUCE_EXECUTOR_NONE(nuce_executor_neighbor_persistent, "neighbor-persistent",
                   "this MPI has no persistent neighbourhood collectives, which came with MPI 4");
