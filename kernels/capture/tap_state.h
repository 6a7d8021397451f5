/* Inside the interposer: its state, which is one of the process, since an application's calls hand
 * it none. */
#ifndef NUCE_TAP_STATE_H
#define NUCE_TAP_STATE_H

#include <pthread.h>

#include "capture/tap.h"

/* What is known of a communicator, kept as its attribute, so that MPI frees it with the
 * communicator. */
struct nuce_tap_comm {
    int id;            /* the recorder's number */
    int size, own;     /* of the communicator */
    int has_neighbors; /* whether MPI was asked for its topology yet */
    int neighbors;     /* destinations, in the order of the calls */
    int *neighbor;     /* ranks; MPI_PROC_NULL: nobody. Owned; NULL: none, or no memory */
};

/* A message that MPI_Mprobe found and that has not been received. */
struct nuce_tap_find {
    MPI_Message message;
    struct nuce_recorder_message what;
};

/* A duplicate that was asked for (MPI_Comm_idup) and has not been used yet. */
struct nuce_tap_later {
    int id, size, own;
    int *members;  /* world ranks; owned */
    MPI_Comm made; /* its handle, where the library gave it at once */
};

/* All of it is under the lock, but for recorder, which nuce_tap_is_on reads without, and what is
 * set once before it is. What every call of MPI looks at stands first, in one line of the cache. */
struct nuce_tap_state {
    struct nuce_recorder *recorder; /* NULL: nothing is recorded */
    int64_t calls;                  /* of MPI so far */
    int is_threaded;                /* 0: one thread at a time is here without the lock too */
    pthread_mutex_t lock;
    /* of the attribute; of the process that records; option --yield */
    int keyval, pid, yields;
    int first_index[2]; /* of Fortran: what nuce_tap_first_indices found */
    int tells_pairs;    /* what nuce_tap_tells_pairs found */
    MPI_Comm last;      /* the communicator that was looked for last */
    struct nuce_tap_comm *last_comm;
    struct nuce_recorder_message
        seen; /* what a probe for any source saw, if its openness says so */
    struct nuce_tap_find *finds;
    int find_count, find_capacity;
    struct nuce_tap_later *laters;
    int later_count;
    int64_t watched, watched_ns;  /* calls that were timed, and how long they took */
    int64_t reading_ns, begin_ns; /* what reading the clock takes; processor time at MPI_Init */
    char path[4096];              /* of the raw file */
    int exit_status;              /* what exit() was given */
    int is_aborting;
    int64_t finalize_ns, finalize_calls; /* when MPI_Finalize began, 0: not yet; calls until then */
} __attribute__((aligned(64)));

struct nuce_tap_state *nuce_tap_the_state(void);

/* Takes the lock, where several threads may call MPI at once; NULL, unlocked, where nothing is
 * recorded. MPI must not be called while it is held, where it may call back (attributes'
 * functions). */
struct nuce_tap_state *nuce_tap_enter(void);
void nuce_tap_leave(struct nuce_tap_state *state);

/* An MPI library that the program has loaded for itself alone, as Python does, is not seen from
 * here: makes it so, that what this one calls of it is found. */
void nuce_tap_bring_into_view(void);

/* Begins watching what this costs (tap_chain.c), and tells it. */
void nuce_tap_watch_open(void);
void nuce_tap_watch_close(int64_t *counters);

/* Watches how the process ends without MPI_Finalize (tap_leave.c). */
void nuce_tap_leave_open(void);

/* Nanoseconds of CLOCK_MONOTONIC, from where the host likes. */
int64_t nuce_tap_now(void);

/* What is known of the communicator; NULL, counted: it is an intercommunicator, or nobody saw it
 * being made. The lock is held. */
struct nuce_tap_comm *nuce_tap_find_comm(struct nuce_tap_state *state, MPI_Comm comm);

/* What the index of a Fortran array's first request is: to MPI_Waitany and its like, and to
 * MPI_Waitsome and its like. Local. */
void nuce_tap_first_indices(int first[2]);

/* Whether the status of MPI_Isendrecv says from whom and with which tag it received. Local. */
int nuce_tap_tells_pairs(void);

/* A handle as a number. */
static inline uint64_t nuce_tap_handle(MPI_Request request)
{
    return (uint64_t)(uintptr_t)request;
}

#endif
