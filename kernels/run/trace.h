/* The start and end of each transfer of one step on this rank. Executors note them while
 * nuce_world.trace is set, for one step after the samples; otherwise it costs them a comparison
 * with NULL. */
#ifndef NUCE_TRACE_H
#define NUCE_TRACE_H

#include <mpi.h>
#include <stdint.h>

#include "base/error.h"
#include "schedules/schedule.h"

/* This rank's end of a transfer. */
enum nuce_direction {
    NUCE_SEND,
    NUCE_RECEIVE,
};

/* One end of one transfer. bytes, peer and phase are those of the schedule's transfer; direction
 * is an enum nuce_direction. end_s is 0 until the end is seen. */
struct nuce_trace_event {
    int64_t bytes;
    double start_s, end_s; /* on this rank's clock */
    int peer;              /* the other rank; the rank itself for a copy */
    int phase;
    int direction;
    int rank;
};

/* A transfer that has begun, without a seen end. event is an index into struct nuce_trace's
 * events. */
struct nuce_trace_open {
    MPI_Request request;
    int64_t event;
};

/* The notes of one step. Owned. */
struct nuce_trace {
    int rank;
    int is_noted; /* the executor notes events; a library's call cannot */
    int64_t capacity, count;
    int64_t lost; /* events without room */
    struct nuce_trace_event *events;
    int64_t pending;              /* transfers in `open` */
    struct nuce_trace_open *open; /* capacity */
};

/* A buffer of capacity events, which never grows. Local. Freed with nuce_trace_fini. */
void nuce_trace_init(int rank, int64_t capacity, struct nuce_trace *out);
void nuce_trace_fini(struct nuce_trace *trace);

/* Notes that request, which is persistent, starts now for transfer. trace NULL, here and below:
 * nothing. */
void nuce_trace_start(struct nuce_trace *trace, enum nuce_direction direction,
                      const struct nuce_transfer *transfer, MPI_Request request);
/* The executor has found request complete: sets the end of its event to now; ignored if its
 * start was not noted. O(transfers in flight). */
void nuce_trace_end(struct nuce_trace *trace, MPI_Request request);
/* Notes both ends of a piece that this rank has copied to itself since start_s. */
void nuce_trace_note_copy(struct nuce_trace *trace, int phase, int64_t bytes, double start_s);

#endif
