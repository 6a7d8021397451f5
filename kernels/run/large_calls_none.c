/* For an MPI without vector collectives with large counts. */
#include "run/large_calls.h"

const struct nuce_large_calls nuce_large = {0};
