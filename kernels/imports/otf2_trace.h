/* What an archive of OTF2 says of messages, rank by rank, without OTF2's types: what reads it
 * (otf2_library.c) needs the library, what makes a capture of it (otf2.c) does not. */
#ifndef NUCE_OTF2_TRACE_H
#define NUCE_OTF2_TRACE_H

#include "recorder/raw.h"
#include "support/error.h"

/* Types of events. X_POSTED is followed by the type that ends it: its value plus one is X_DONE,
 * which settle_post relies on. */
enum nuce_otf2_type {
    NUCE_OTF2_SEND, /* of a blocking call: begins and ends in it */
    NUCE_OTF2_RECEIVE,
    NUCE_OTF2_SEND_POSTED,
    NUCE_OTF2_SEND_DONE,
    NUCE_OTF2_RECEIVE_POSTED, /* a request only: what it got is in the archive's RECEIVE_DONE */
    NUCE_OTF2_RECEIVE_DONE,
    NUCE_OTF2_CANCELLED,
    NUCE_OTF2_COLLECTIVE,
    NUCE_OTF2_COLLECTIVE_POSTED, /* a request only: which call it is stands in COLLECTIVE_DONE */
    NUCE_OTF2_COLLECTIVE_DONE,
};

/* An event of messages of one rank. */
struct nuce_otf2_event {
    enum nuce_otf2_type type;
    int comm; /* index in the trace's comms; -1: it is not followed, or not told in this event */
    int peer; /* a rank of the communicator, or of the world (is_global); not checked */
    int tag, kind; /* kind: enum nuce_raw_kind of a collective call */
    int64_t bytes;
    uint64_t request; /* of what does not block; a number is used again once its request ended */
    int64_t begin_ns, end_ns; /* of the call of MPI that it is in, else when it was */
    int64_t call;             /* what is in one call of MPI has the same number; 0: in none */
    int64_t before;           /* index of the last one of the same location and call; -1 */
    int is_freed;             /* posted, and never seen to end; set by who joins requests */
};

/* A communicator. members is owned. */
struct nuce_otf2_comm {
    int size, *members; /* world ranks, owned */
    int is_self;        /* of each rank alone; no members */
    int is_global;      /* events name world ranks */
    int is_used;        /* some event is on it: only those are told to recorders */
};

/* One rank's events, and the span of all its events in time (ns from the clock's first tick). */
struct nuce_otf2_rank {
    struct nuce_otf2_event *events; /* in order of time */
    int64_t count, capacity;
    int64_t begin_ns, end_ns;            /* -1 and 0: it has no event at all */
    int64_t counters[NUCE_RAW_COUNTERS]; /* what the reader left out */
    char host[64];                       /* "": it is not told */
};

/* All that was read. Empty when all is 0. */
struct nuce_otf2_trace {
    int ranks;
    struct nuce_otf2_rank *rank;
    struct nuce_otf2_comm *comms;
    int64_t comm_count, comm_capacity;
    int are_clocks_one; /* times of all ranks can be compared */
};

/* Reads the archive whose anchor file (NAME.otf2) is at path. NUCE_BAD_INPUT: it is none, or not
 * whole, or this nuce was built without OTF2. Freed with nuce_otf2_trace_fini, whatever comes. */
nuce_status nuce_otf2_read(const char *path, struct nuce_otf2_trace *trace,
                           struct nuce_error *error);
void nuce_otf2_trace_fini(struct nuce_otf2_trace *trace);

#endif
