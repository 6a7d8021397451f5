/* Persistent requests that are started one by one, in any order. */
#ifndef NUCE_REQUEST_SET_H
#define NUCE_REQUEST_SET_H

#include <mpi.h>

#include "run/engine.h"

/* Requests by their index. All arrays are owned, with `capacity` elements. world is borrowed.
 * direction is an enum nuce_direction in a byte. A request and its active copy are two handles
 * of the same request: MPI gets the second, so only started ones are tested. */
struct nuce_request_set {
    const struct nuce_world *world;
    /* Sends are synchronous. With buffered sends a rank could run ahead of the schedule's order,
     * and have more in flight than `depth`. The papers' machines also sent synchronously (Ranka,
     * Wang and Kumar, 3.2; Bhat, Prasanna and Raghavendra, 4.1: data are sent once the receiver
     * has acknowledged). */
    int is_synchronous;
    int capacity, count;
    MPI_Request *request;
    struct nuce_transfer *about; /* the transfer of each; phase -1: it is never traced */
    unsigned char *direction;
    MPI_Request *active; /* started requests that are not found complete yet; else
                          * MPI_REQUEST_NULL, because SMPI reports requests that are not started
                          * as complete */
    int *completed;      /* result of the last nuce_request_set_test */
};

/* Room for capacity requests on the world's comm. Local. Freed with nuce_request_set_fini. */
void nuce_request_set_init(const struct nuce_world *world, int64_t capacity,
                           struct nuce_request_set *out);
void nuce_request_set_fini(struct nuce_request_set *set);

/* Adds a request for count elements of type at data and returns its index, which counts up from
 * 0. about gives the peer and, for traces, phase and bytes. Local. More than capacity are a bug.
 * data must stay until nuce_request_set_fini; type may be freed, because MPI keeps its own copy. */
int nuce_request_set_add(struct nuce_request_set *set, enum nuce_direction direction, void *data,
                         int count, MPI_Datatype type, int tag, const struct nuce_transfer *about);

/* The same for about->bytes contiguous bytes at data. */
int nuce_request_set_add_bytes(struct nuce_request_set *set, enum nuce_direction direction,
                               void *data, int tag, const struct nuce_transfer *about);

/* Starts the request of that index, or those from first up to end, none of which is active.
 * Local. */
void nuce_request_set_start(struct nuce_request_set *set, int index);
void nuce_request_set_start_some(struct nuce_request_set *set, int first, int end);

/* Tests the requests from first up to end, or, if ranks block, waits for one of them. Returns
 * the number of completed ones; their indices are in set->completed until the next call. Local. */
int nuce_request_set_test_some(struct nuce_request_set *set, int first, int end);

/* Tests all; returns the number of completed ones, with their indices in set->completed. */
int nuce_request_set_test(struct nuce_request_set *set);

/* The first index from first up to end with an active request that is not complete; -1: none.
 * Local. */
int nuce_request_set_pending(const struct nuce_request_set *set, int first, int end);

#endif
