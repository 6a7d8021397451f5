/* For SMPI, in which windows wait in a circle if a send waits for its receive. */
#include "run/executor_none.h"

NUCE_EXECUTOR_NONE(nuce_executor_rma, "rma",
                   "SimGrid has no windows on a machine whose sends wait for their receives");
