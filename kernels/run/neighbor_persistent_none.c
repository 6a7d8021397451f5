/* Where the MPI has no persistent neighbourhood collectives: says so when one is asked for. */
#include "engine.h"

static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    (void)input;
    (void)self;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "neighbor-persistent: this MPI has no persistent neighbourhood "
                          "collectives, which came with MPI 4");
}

static void destroy(void *self)
{
    (void)self;
}

const struct nuce_executor_ops nuce_executor_neighbor_persistent = {
    .name = "neighbor-persistent",
    .create = create,
    .destroy = destroy,
};
