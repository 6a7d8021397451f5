/* The engine: works off one rank's part of a schedule, again and again, with MPI. */
#ifndef NUCE_ENGINE_H
#define NUCE_ENGINE_H

#include <mpi.h>

#include "base/error.h"
#include "run/payload.h"
#include "run/trace.h"
#include "run/world.h"
#include "schedules/schedule.h"

struct nuce_arrays;

/* What an engine is made of. All of it is borrowed until nuce_engine_fini. */
struct nuce_engine_input {
    struct nuce_world *world;
    const struct nuce_schedule *schedule;
    struct nuce_payload *payload; /* its buffers are sent from and received into */
    /* what the messages are of; NULL: of nothing but the payload */
    const struct nuce_arrays *arrays;
};

/* A way of executing: a discipline, or a call of the MPI library. One file and one row of
 * executors.def each. What is complete it learns from the MPI_Test family and keeps itself: under
 * MPICH 4.2 MPI_Request_get_status makes a complete persistent request inactive, and no test tells
 * of it any more. A step is start, then progress until it says 1; nothing in it allocates. */
struct nuce_executor_ops {
    const char *name; /* a discipline's name, or what nuce_schedule_ops.executor says */
    /* Whether it tells world->trace, where that is set, of every transfer: nuce_trace_start before,
     * nuce_trace_end after. */
    int traces;
    /* Whether it moves input->arrays, from array to array: nothing is to be packed or unpacked. */
    int moves_arrays;
    /* Bytes of self: the engine makes them, zeroed, and frees them behind destroy. */
    size_t self_size;
    /* All that a step needs, requests too; what fails leaves nothing to destroy. Collective. */
    nuce_status (*build)(void *self, const struct nuce_engine_input *input,
                         struct nuce_error *error);
    void (*start)(void *self);
    /* 1: this rank is done with the exchange. Must be called again and again, for nothing else
     * makes the exchange go on; waits only where ranks are to block (nuce_wait.block), or where the
     * library has no test (rma.c). */
    int (*progress)(void *self); /* 1: this rank is done with the exchange */
    /* The blocking call, where the library has one; else NULL. */
    void (*block)(void *self);
    /* Which rank, in which phase, is waited for: sets *peer (-1: not one alone) and *phase. NULL:
     * only the library knows. */
    void (*diagnose)(void *self, int *peer, int *phase);
    /* Whether what this rank received for others was what their sources send under salt, after an
     * exchange of such bytes: NUCE_CORRUPT on the ranks that got the first wrong byte of all,
     * naming its way. NULL: it receives nothing for others. Collective. */
    nuce_status (*check)(void *self, uint64_t salt, struct nuce_error *error);
    /* Frees what self holds; NULL: nothing. Collective where build was. */
    void (*destroy)(void *self);
};

/* All executors, NULL-ended: executors.def. */
extern const struct nuce_executor_ops *const nuce_executors[];

/* One rank's part of a schedule, ready to be worked off any number of times. self is of
 * ops->self_size bytes; all else is borrowed. */
struct nuce_engine {
    const struct nuce_executor_ops *ops;
    void *self;
    struct nuce_world *world;
    struct nuce_payload *payload;
    const struct nuce_arrays *arrays; /* what it moves; NULL: the payload */
    int nonblocking;                  /* a library collective runs in its nonblocking form */
};

/* Sets up everything that a step needs; NUCE_BAD_INPUT or NUCE_FAILED on any rank is for the caller
 * to agree on. Collective over the world. Freed with nuce_engine_fini, collective. */
nuce_status nuce_engine_init(const struct nuce_engine_input *input, struct nuce_engine *out,
                             struct nuce_error *error);
void nuce_engine_fini(struct nuce_engine *engine);

/* One whole exchange. Where the library's call blocks and every rank has a processor of its own it
 * is called as people call it; where not, in its nonblocking form with our wait. Collective over
 * the world. */
void nuce_engine_run(struct nuce_engine *engine);

/* The same in two halves, for computing in between: start, then progress until it says 1. progress
 * may be called as often as one likes before. */
void nuce_engine_start(struct nuce_engine *engine);
int nuce_engine_progress(struct nuce_engine *engine);
/* Waits until progress says 1, by the world's wait policy. Collective with start on all ranks. */
void nuce_engine_finish(struct nuce_engine *engine);

#endif
