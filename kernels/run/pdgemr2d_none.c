/* For programs without ScaLAPACK: says so when pdgemr2d is asked for. A program that has it links
 * pdgemr2d.c as an object of its own, which takes the place of this one: the linker takes from a
 * library only what it does not have yet. */
#include "engine.h"

static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    (void)input;
    (void)self;
    return nuce_error_set(
        error, NUCE_BAD_INPUT,
        "pdgemr2d: this program was built without ScaLAPACK: install it for the "
        "same MPI (MPICH on Debian: libscalapack-mpich-dev) and build nuce again");
}

static void destroy(void *self)
{
    (void)self;
}

const struct nuce_executor_ops nuce_executor_pdgemr2d = {
    .name = "pdgemr2d",
    .create = create,
    .destroy = destroy,
};
