/* Two queues of requests that advance on their own, as executors of several disciplines have them:
 * whoever has them says how deep each is. */
#ifndef NUCE_STREAMS_H
#define NUCE_STREAMS_H

#include "run/engine.h"
#include "run/requests.h"

/* One of the two queues. */
struct nuce_stream {
    MPI_Request *all; /* borrowed from requests, in order, as is */
    const struct nuce_transfer **about;
    const struct nuce_world *world;
    enum nuce_direction direction;
    int total;
    int next;            /* the next to start */
    MPI_Request *active; /* depth slots of the streams' own; unused ones are MPI_REQUEST_NULL */
    int *piece;          /* which piece is in each slot */
    int depth;
};

/* The executor: both queues, whose slots lie side by side. */
struct nuce_streams {
    struct nuce_requests requests;
    struct nuce_stream receive, send;
    MPI_Request *active; /* the slots of receive, then those of send */
    int *piece;
    int *indices; /* scratch of nuce_wait_some */
    int slots;
    int running; /* pieces in flight, in both queues */
};

/* Functions of struct nuce_executor_ops. build: as many sends in flight at a time as the schedule's
 * depth says, and as many receives, or, of NUCE_BLOCKING, all. Local. */
nuce_status nuce_streams_build(void *self, const struct nuce_engine_input *input,
                               struct nuce_error *error);
void nuce_streams_start(void *self);
int nuce_streams_progress(void *self);
void nuce_streams_diagnose(void *self, int *peer, int *phase);
void nuce_streams_destroy(void *self);

#endif
