/* The engine: executes one rank's part of a schedule, repeatedly, with MPI. */
#ifndef NUCE_ENGINE_H
#define NUCE_ENGINE_H

#include <mpi.h>

#include "base/error.h"
#include "run/payload.h"
#include "run/trace.h"
#include "run/world.h"
#include "schedules/schedule.h"

struct nuce_arrays;

/* The inputs of an engine. All of it is borrowed until nuce_engine_fini. */
struct nuce_engine_input {
    struct nuce_world *world;
    const struct nuce_schedule *schedule;
    struct nuce_payload *payload; /* its messages are sent and received */
    /* the source and goal of messages; NULL: the payload only */
    const struct nuce_arrays *arrays;
};

/* A way of executing: a discipline, or a call of the MPI library. One file and one row of
 * executors.def each. An executor keeps the completions that the MPI_Test family reports. Under
 * MPICH 4.2 MPI_Request_get_status makes a complete persistent request inactive, and no test
 * reports it any more. A step is start, then progress until it returns 1; nothing in it
 * allocates. */
struct nuce_executor_ops {
    const char *name; /* a discipline's name, or the name in nuce_schedule_ops.executor */
    /* True if it reports every transfer to world->trace, if that is set: nuce_trace_start
     * before, nuce_trace_end after. */
    int traces;
    /* True if it moves input->arrays, from array to array: nothing is packed or unpacked. */
    int moves_arrays;
    /* True if it takes the payload's two buffers whole, so that messages cannot be elsewhere. */
    int takes_buffers;
    /* Bytes of self: the engine makes them, zeroed, and frees them after destroy. */
    size_t self_size;
    /* Prepares everything for a step, including requests; a failure leaves nothing to destroy.
     * Collective. */
    nuce_status (*build)(void *self, const struct nuce_engine_input *input,
                         struct nuce_error *error);
    void (*start)(void *self);
    /* Returns 1 when this rank is done with the exchange. Call it repeatedly, because only these
     * calls advance the exchange. It waits only if ranks block (nuce_wait.block), or if the
     * library has no test (rma.c). */
    int (*progress)(void *self); /* 1: this rank is done with the exchange */
    /* The blocking call, if the library has one; else NULL. */
    void (*block)(void *self);
    /* Finds the rank, and the phase, that is waited for: sets *peer (-1: not one alone) and
     * *phase. NULL: only the library knows. */
    void (*diagnose)(void *self, int *peer, int *phase);
    /* Checks the bytes that this rank received for others against those of their sources under
     * salt, after an exchange of such bytes. Returns NUCE_CORRUPT on the ranks that got the
     * first wrong byte of all, naming its way. NULL: it receives nothing for others. Collective. */
    nuce_status (*check)(void *self, uint64_t salt, struct nuce_error *error);
    /* Frees the contents of self; NULL: nothing. Collective if build was. */
    void (*destroy)(void *self);
};

/* All executors, NULL-ended: executors.def. */
extern const struct nuce_executor_ops *const nuce_executors[];

/* One rank's part of a schedule, ready for any number of executions. self has ops->self_size
 * bytes; all else is borrowed. */
struct nuce_engine {
    const struct nuce_executor_ops *ops;
    void *self;
    struct nuce_world *world;
    struct nuce_payload *payload;
    const struct nuce_arrays *arrays; /* moved arrays; NULL: the payload */
    int nonblocking;                  /* a library collective runs in its nonblocking form */
};

/* The executor of a schedule. Local. */
const struct nuce_executor_ops *nuce_engine_executor(const struct nuce_schedule *schedule);

/* Prepares everything for a step. An executor that takes buffers needs a payload with them. The
 * caller agrees on NUCE_BAD_INPUT or NUCE_FAILED of any rank. Collective over the world. Freed with
 * nuce_engine_fini, collective. */
nuce_status nuce_engine_init(const struct nuce_engine_input *input, struct nuce_engine *out,
                             struct nuce_error *error);
void nuce_engine_fini(struct nuce_engine *engine);

/* One whole exchange. If every rank has a processor of its own, a blocking library call is
 * called as in applications. Else its nonblocking form is used with our wait. Collective over
 * the world. */
void nuce_engine_run(struct nuce_engine *engine);

/* The same in two halves, for computing in between: start, then progress until it returns 1.
 * progress may be called any number of times before. */
void nuce_engine_start(struct nuce_engine *engine);
int nuce_engine_progress(struct nuce_engine *engine);
/* Waits until progress returns 1, by the world's wait policy. Collective with start on all
 * ranks. */
void nuce_engine_finish(struct nuce_engine *engine);

#endif
