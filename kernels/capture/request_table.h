/* Requests under way, found by their handles. MPI libraries give several that are active the same
 * handle, where they are complete from the beginning; and one that another thread has waited for is
 * given out again before that is told here. Of such the oldest of the thread that asks is found,
 * else the oldest. */
#ifndef NUCE_REQUEST_TABLE_H
#define NUCE_REQUEST_TABLE_H

#include <stdint.h>

#define NUCE_RECORDER_ANY (-1) /* source or tag of a receive that takes any */

/* A message of a communicator. */
struct nuce_recorder_message {
    /* the recorder's number; enum nuce_raw_direction; rank in the communicator, or
     * NUCE_RECORDER_ANY */
    int communicator, direction, peer, tag;
    int64_t bytes; /* of a send; a receive's are not looked at */
    int openness;  /* of a receive whose peer a probe has said: enum nuce_raw_openness of that */
};

/* Where a message is noted, for its end. */
struct nuce_recorder_place {
    struct nuce_recorder_message message;
    int index;     /* of a send: in the round */
    int64_t round; /* of a send: its serial; -1: there was no room */
};

/* A request that the application has: of a message, or of a collective call. next is an index, so
 * that the table may move as it grows. */
struct nuce_request {
    uint64_t handle;
    struct nuce_recorder_place place; /* what it is, and where while it is under way */
    int64_t call;   /* place in the file of a collective call under way; 0: none */
    int definition; /* of a collective; 0: it is a message */
    int next;       /* in its chain or in the list of free ones; 0: none */
    uint64_t thread;
    /* messages of its communicator when a test or the like first passed it over, plus 1, and the
     * epoch then; 0: none did */
    int64_t passed;
    int passed_epoch;
    int8_t is_persistent, is_active, is_any, is_cancelled;
    int8_t is_paired; /* the next oldest of the handle ends with it */
};

struct nuce_request_table {
    struct nuce_request *entries; /* [0] is none */
    int *heads;                   /* of chains, a power of two of them */
    int count, capacity, chains, first_free;
    uint64_t thread; /* that adds and asks */
};

/* A table that is all zero is empty. */
void nuce_request_table_fini(struct nuce_request_table *table);

/* A new entry, all zero but its handle, the newest of it; NULL: no memory. Entries move when
 * another is added. */
struct nuce_request *nuce_request_table_add(struct nuce_request_table *table, uint64_t handle);

/* An active one of the handle before others, then one of the thread, then the oldest; NULL: none.
 */
struct nuce_request *nuce_request_table_find(const struct nuce_request_table *table,
                                             uint64_t handle);
void nuce_request_table_remove(struct nuce_request_table *table, struct nuce_request *request);

#endif
