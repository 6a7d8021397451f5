/* For an MPI without nonblocking neighbourhood collectives. */
#include "run/executor_none.h"

NUCE_EXECUTOR_NONE(nuce_executor_neighbor, "neighbor",
                   "this MPI has no neighbourhood collectives that do not block, which came with "
                   "MPI 3");
