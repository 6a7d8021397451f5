/* Replaces an executor that a program lacks; reports the reason when it is requested. */
#ifndef NUCE_EXECUTOR_NONE_H
#define NUCE_EXECUTOR_NONE_H

#include "run/engine.h"

/* Defines the executor symbol, called name. Its build fails with NUCE_BAD_INPUT. reason: a
 * string that ends a sentence begun with the name. Local; all ranks fail alike. */
#define NUCE_EXECUTOR_NONE(symbol, called, reason)                                                 \
    static nuce_status build(void *self, const struct nuce_engine_input *input,                    \
                             struct nuce_error *error)                                             \
    {                                                                                              \
        (void)self;                                                                                \
        (void)input;                                                                               \
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s", called ": " reason);                    \
    }                                                                                              \
                                                                                                   \
    const struct nuce_executor_ops symbol = {.name = called, .self_size = 1, .build = build}

#endif
