/* A thread on every rank that waits, without a wake-up, for a signal or for the end of a run's
 * time. Signals are blocked in all other threads, so none interrupts a measurement. */
#ifndef NUCE_WATCHDOG_H
#define NUCE_WATCHDOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/error.h"
#include "run/wait.h"

struct nuce_watchdog {
    _Atomic int interrupted; /* TERM, INT or USR1 has come: finish the sample and stop */
    pthread_t thread;
    pthread_mutex_t mutex;
    const struct nuce_watch *own;    /* this rank's activity; NULL until nuce_watchdog_look_at */
    const struct nuce_watch *others; /* the activities of this node's ranks */
    int count;
    int armed;         /* guarded by mutex, as all below */
    int over;          /* the program ends */
    int is_ending;     /* nuce_watchdog_end */
    double deadline_s; /* by nuce_clock */
    double allowed_s;  /* for the message */
    /* Called on expiry with the mutex held, before the process ends: writes the record. NULL:
     * none. */
    void (*expired)(void *context, const char *message);
    void *context;
};

/* Blocks TERM, INT, USR1 and (for itself) USR2 in the calling thread and starts the watchdog. Must
 * be called before MPI_Init, so that the library's threads inherit the mask. */
nuce_status nuce_watchdog_start(struct nuce_watchdog *watchdog, struct nuce_error *error);
void nuce_watchdog_stop(struct nuce_watchdog *watchdog);

/* Sets the memory in which the watchdog sees the activity of this rank, own, and of all count
 * ranks of its node; kept. */
void nuce_watchdog_look_at(struct nuce_watchdog *watchdog, const struct nuce_watch *own,
                           const struct nuce_watch *others, int count);

/* Gives the process allowed_s more seconds. Then it reports on stderr what it waited for, calls
 * expired and ends with exit status 1, which makes the launcher end all ranks. Rank 0 (which
 * writes the record) goes first, the others a little later and only if it did not. */
void nuce_watchdog_arm(struct nuce_watchdog *watchdog, double allowed_s,
                       void (*expired)(void *context, const char *message), void *context);

/* The same for MPI_Finalize, without a record; the memory of nuce_watchdog_look_at may be freed
 * afterwards. */
void nuce_watchdog_end(struct nuce_watchdog *watchdog, int rank, double allowed_s);

/* The run is done; expired is not called after this returns. */
void nuce_watchdog_disarm(struct nuce_watchdog *watchdog);

#endif
