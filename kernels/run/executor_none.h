/* For an executor that a program cannot have: it says why when it is asked for. */
#ifndef NUCE_EXECUTOR_NONE_H
#define NUCE_EXECUTOR_NONE_H

#include "run/engine.h"

/* Defines the executor symbol, called name, whose create fails with NUCE_BAD_INPUT. reason: a
 * string that ends a sentence begun with the name. Local; all ranks fail alike. */
#define NUCE_EXECUTOR_NONE(symbol, called, reason)                                                 \
    static nuce_status create(const struct nuce_engine_input *input, void **self,                  \
                              struct nuce_error *error)                                            \
    {                                                                                              \
        (void)input;                                                                               \
        (void)self;                                                                                \
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s", called ": " reason);                    \
    }                                                                                              \
                                                                                                   \
    static void destroy(void *self)                                                                \
    {                                                                                              \
        (void)self;                                                                                \
    }                                                                                              \
                                                                                                   \
    const struct nuce_executor_ops symbol = {.name = called, .create = create, .destroy = destroy}

#endif
