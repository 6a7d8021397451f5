/* Two queues of requests that advance independently, for the executors of several disciplines;
 * each executor sets their depths. */
#ifndef NUCE_STREAMS_H
#define NUCE_STREAMS_H

#include "run/requests.h"

/* One of the two queues: requests of the set, in order. */
struct nuce_stream {
    int first, next, end; /* next: to start */
    int slot, depth;      /* its first slot, and its number of slots */
};

/* The executor: both queues, with adjacent slots. */
struct nuce_streams {
    struct nuce_engine_input input;
    struct nuce_request_set set;
    struct nuce_stream receive, send;
    MPI_Request *active; /* slots: handles of the set; unused ones are MPI_REQUEST_NULL */
    int *piece;          /* slots: index of the request in each */
    int *indices;        /* scratch of nuce_wait_some */
    int slots;
    int running; /* pieces in flight, in both queues */
};

/* Functions of struct nuce_executor_ops. build: the schedule's depth limits the sends in flight,
 * and the receives, except for NUCE_BLOCKING, which posts all receives. Local. */
nuce_status nuce_streams_build(void *self, const struct nuce_engine_input *input,
                               struct nuce_error *error);
void nuce_streams_start(void *self);
int nuce_streams_progress(void *self);
void nuce_streams_diagnose(void *self, int *peer, int *phase);
void nuce_streams_destroy(void *self);

#endif
