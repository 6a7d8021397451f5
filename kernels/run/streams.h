/* Two queues of requests that advance on their own, as executors of several disciplines have them:
 * whoever has them says how deep each is. */
#ifndef NUCE_STREAMS_H
#define NUCE_STREAMS_H

#include "run/engine.h"

/* As create of struct nuce_executor_ops, with up to `receives` receives and `sends` sends in flight
 * at a time (INT_MAX: all). Local. */
void nuce_streams_create(const struct nuce_engine_input *input, int receives, int sends,
                         void **self);

/* The others of struct nuce_executor_ops. */
void nuce_streams_start(void *self);
int nuce_streams_progress(void *self);
void nuce_streams_diagnose(void *self, int *peer, int *phase);
void nuce_streams_destroy(void *self);

#endif
