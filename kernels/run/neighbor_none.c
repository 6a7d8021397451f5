/* Where the MPI has no nonblocking neighbourhood collectives: says so when one is asked for. */
#include "engine.h"

static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    (void)input;
    (void)self;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "neighbor: this MPI has no neighbourhood collectives that do "
                          "not block, which came with MPI 3");
}

static void destroy(void *self)
{
    (void)self;
}

const struct nuce_executor_ops nuce_executor_neighbor = {
    .name = "neighbor",
    .create = create,
    .destroy = destroy,
};
