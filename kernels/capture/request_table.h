/* Active requests, found by their handles. MPI libraries give one handle to several active
 * requests that are complete from the beginning. A handle that another thread has waited for may
 * be reused before its end is reported here. Among requests of one handle, the oldest of the
 * calling thread is found, else the oldest. */
#ifndef NUCE_REQUEST_TABLE_H
#define NUCE_REQUEST_TABLE_H

#include <stdint.h>

#define NUCE_RECORDER_ANY (-1) /* source or tag of a receive from any source or with any tag */

/* A message of a communicator. */
struct nuce_recorder_message {
    /* the recorder's number; enum nuce_raw_direction; rank in the communicator, or
     * NUCE_RECORDER_ANY */
    int communicator, direction, peer, tag;
    int64_t bytes; /* of a send; unused for a receive */
    int openness;  /* of a receive with a peer from a probe: the probe's enum nuce_raw_openness */
};

/* The place of a noted message, for its end. */
struct nuce_recorder_place {
    struct nuce_recorder_message message;
    int index;     /* of a send: in the round */
    int64_t round; /* of a send: its serial; -1: there was no room */
};

/* A request of the application: for a message or a collective call. next is an index, because
 * the table may move as it grows. */
struct nuce_request {
    uint64_t handle;
    struct nuce_recorder_place place; /* the message, and its place while it is active */
    int64_t call;                     /* place in the file of an active collective call; 0: none */
    int definition;                   /* of a collective; 0: it is a message */
    int next;                         /* index in its chain or in the free list; 0: none */
    uint64_t thread;
    /* number of its communicator's messages when a test first passed it over, plus 1, and the
     * epoch then; 0: none did */
    int64_t passed;
    int passed_epoch;
    int8_t is_persistent, is_active, is_any, is_cancelled;
    int8_t is_paired; /* the next oldest entry of the handle ends with this one */
};

struct nuce_request_table {
    struct nuce_request *entries; /* [0] is not used */
    int *heads;                   /* of chains; their number is a power of two */
    int count, capacity, chains, first_free;
    uint64_t thread; /* the current thread */
};

/* An all-zero table is empty. */
void nuce_request_table_fini(struct nuce_request_table *table);

/* Returns a new entry, all zero but its handle, the newest with that handle; NULL if memory runs
 * out. Adding an entry may move the others. */
struct nuce_request *nuce_request_table_add(struct nuce_request_table *table, uint64_t handle);

/* Prefers active entries of the handle, then those of the thread, then the oldest; NULL: none. */
struct nuce_request *nuce_request_table_find(const struct nuce_request_table *table,
                                             uint64_t handle);
void nuce_request_table_remove(struct nuce_request_table *table, struct nuce_request *request);

#endif
