/* The interposer's internal state. There is one per process, because an application's calls pass
 * none. */
#ifndef NUCE_TAP_STATE_H
#define NUCE_TAP_STATE_H

#include <pthread.h>

#include "capture/tap.h"

/* The facts of a communicator, kept as its attribute, so that MPI frees them with the
 * communicator. */
struct nuce_tap_comm {
    int id;            /* the recorder's number */
    int size, own;     /* of the communicator */
    int has_neighbors; /* MPI was asked for its topology */
    int neighbors;     /* destinations, in the order of the calls */
    int *neighbor;     /* ranks; MPI_PROC_NULL: no neighbour. Owned; NULL: none, or no memory */
};

/* A message that MPI_Mprobe found and that is not received yet. */
struct nuce_tap_find {
    MPI_Message message;
    struct nuce_recorder_message what;
};

/* A duplicate that was requested (MPI_Comm_idup) and not used yet. */
struct nuce_tap_later {
    int id, size, own;
    int *members;  /* world ranks; owned */
    MPI_Comm made; /* its handle, if the library set it at once */
};

/* The lock protects all of it, except recorder, which nuce_tap_is_on reads without the lock, and
 * the members that are set once before recorder. The members that every call of MPI reads come
 * first, in one cache line. */
struct nuce_tap_state {
    struct nuce_recorder *recorder; /* NULL: recording is off */
    int64_t calls;                  /* calls of MPI so far */
    int is_threaded;                /* 0: one thread at a time is here even without the lock */
    pthread_mutex_t lock;
    /* keyval: of the attribute; pid: of the recording process; yields: option --yield */
    int keyval, pid, yields;
    int first_index[2]; /* of Fortran: the result of nuce_tap_first_indices */
    int tells_pairs;    /* the result of nuce_tap_tells_pairs */
    MPI_Comm last;      /* the last communicator that was looked up */
    struct nuce_tap_comm *last_comm;
    struct nuce_recorder_message
        seen; /* message seen by a probe for any source, if its openness says so */
    struct nuce_tap_find *finds;
    int find_count, find_capacity;
    struct nuce_tap_later *laters;
    int later_count;
    int64_t watched, watched_ns;  /* timed calls, and their total time */
    int64_t reading_ns, begin_ns; /* time of one clock reading; processor time at MPI_Init */
    char path[4096];              /* of the raw file */
    int exit_status;              /* status given to exit() */
    int is_aborting;
    int64_t finalize_ns, finalize_calls; /* start of MPI_Finalize, 0: not yet; calls until then */
} __attribute__((aligned(64)));

struct nuce_tap_state *nuce_tap_the_state(void);

/* Takes the lock if several threads may call MPI at once. Returns NULL, unlocked, if recording
 * is off. While the lock is held, do not call MPI functions that may call back (attributes'
 * functions). */
struct nuce_tap_state *nuce_tap_enter(void);
void nuce_tap_leave(struct nuce_tap_state *state);

/* Begins measuring the interposer's own cost (tap_watch.c), and reports it. */
void nuce_tap_watch_open(void);
void nuce_tap_watch_close(int64_t *counters);

/* Watches how the process ends without MPI_Finalize (tap_leave.c). */
void nuce_tap_leave_open(void);

/* Notes the exit status in the file, in any state of the recorder. */
void nuce_tap_leave_at_once(int status);

/* Nanoseconds of CLOCK_MONOTONIC; its zero is the host's choice. */
int64_t nuce_tap_now(void);

/* The facts of the communicator. NULL, and counts it, for an intercommunicator or an unseen
 * creation. The lock is held. */
struct nuce_tap_comm *nuce_tap_find_comm(struct nuce_tap_state *state, MPI_Comm comm);

/* Finds the index of a Fortran array's first request, for MPI_Waitany and its kind, and for
 * MPI_Waitsome and its kind. Local. */
void nuce_tap_first_indices(int first[2]);

/* True if the status of MPI_Isendrecv has the source and tag of the receive. Local. */
int nuce_tap_tells_pairs(void);

/* A handle as a number. */
static inline uint64_t nuce_tap_handle(MPI_Request request)
{
    return (uint64_t)(uintptr_t)request;
}

#endif
