/* Records the messages of one rank while the application runs: rounds of messages, collective
 * calls, and the number of uncaptured events. It uses no MPI: requests and ranks are numbers.
 * Nothing prints or ends the process; records without room are counted. The caller ensures that
 * one thread is here at a time.
 *
 * A round of a rank on a communicator has two parts: messages that it sends before it sees any
 * message of the round come, then messages that it sees come. It ends
 *   - before a send, if the end of a receive was seen in it: the send may depend on that receive;
 *   - before a send, if all of its sends ended and a collective call of its group came after them;
 *   - when no send and no receive of the rank is pending on the communicator;
 *   - before a post, if the end of a send was seen in it and no receive is pending.
 *
 * A send belongs to the round in which it is posted. A receive belongs to the round in which its
 * end is seen, whenever it was posted. A message that is pending when a round ends does not
 * extend into the next one: a send ends unseen, a receive belongs to a later round. Blocking
 * calls post and end.
 *
 * The end of a round may depend on time and not only on the program. An epoch is flagged if
 *   - a test passed over a receive that came later, and then a send was posted (a test is
 *     MPI_Test, MPI_Waitany or another call that does not wait for all its requests);
 *   - a send was posted after a probe that found nothing;
 *   - a probe asked for any source;
 *   - several threads were in one round. */
#ifndef NUCE_RECORDER_H
#define NUCE_RECORDER_H

#include <stdint.h>

#include "capture/raw_writer.h"
#include "capture/request_table.h"

/* A longer round is cut: its messages are in epochs. */
#define NUCE_RECORDER_LONGEST 65536

struct nuce_recorder;

/* A value of now_ns: the recorder reads its clock itself, and only if a round begins or ends.
 * Most calls do neither, and reading the clock is a third of the cost of noting a call. */
#define NUCE_RECORDER_NOW INT64_MIN

/* Announces the next caller by the number of its thread, for requests that share a handle and
 * rounds that several threads share. Until the next call of this function, the clock is read at
 * most once. */
void nuce_recorder_enter(struct nuce_recorder *recorder, uint64_t thread);

/* Makes a recorder that writes to path. header identifies the rank. clock, in nanoseconds, may
 * be NULL if NUCE_RECORDER_NOW is never used. Returns NULL with errno. */
struct nuce_recorder *nuce_recorder_create(const char *path, const struct nuce_raw_header *header,
                                           int64_t (*clock)(void));

/* Ends the open rounds and the file, and frees. Accepts NULL. */
void nuce_recorder_destroy(struct nuce_recorder *recorder, enum nuce_raw_ending ending,
                           int64_t now_ns);

/* The header in the file, for the caller to add to; valid until the next call of any function
 * here. */
struct nuce_raw_header *nuce_recorder_header(struct nuce_recorder *recorder);

/* Adds a communicator of size members, world ranks; the own rank is number `own`. Returns its
 * number, or -1 if there is no room. The first is MPI_COMM_WORLD. */
int nuce_recorder_add(struct nuce_recorder *recorder, const int *members, int size, int own);

/* The application frees the communicator. */
void nuce_recorder_drop(struct nuce_recorder *recorder, int communicator);

/* A message was posted; request represents it. */
void nuce_recorder_post(struct nuce_recorder *recorder, uint64_t request,
                        const struct nuce_recorder_message *message, int64_t now_ns);

/* One request for two messages: its status is that of the first. */
void nuce_recorder_post_pair(struct nuce_recorder *recorder, uint64_t request,
                             const struct nuce_recorder_message *first,
                             const struct nuce_recorder_message *second, int64_t now_ns);

/* A blocking call begins, and ends; source and tag are those that a receive from any source got. */
struct nuce_recorder_place nuce_recorder_begin(struct nuce_recorder *recorder,
                                               const struct nuce_recorder_message *message,
                                               int64_t now_ns);
void nuce_recorder_end(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                       int source, int tag, int64_t now_ns);

/* The message at place did not happen. */
void nuce_recorder_undo(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                        int64_t now_ns);

/* A persistent request is made, and started. */
void nuce_recorder_make(struct nuce_recorder *recorder, uint64_t request,
                        const struct nuce_recorder_message *message);
void nuce_recorder_start(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns);

/* The facts needed from the end of a request. */
enum nuce_recorder_wish {
    NUCE_RECORDER_NOTHING, /* none: no status is needed */
    NUCE_RECORDER_SOURCE,  /* its source and tag, or its cancellation */
    NUCE_RECORDER_PAIR,    /* the same for a request of two messages */
};
/* True if any active request needs a status. If false, no request need be checked. */
int nuce_recorder_wishes_any(const struct nuce_recorder *recorder);
enum nuce_recorder_wish nuce_recorder_wishes(const struct nuce_recorder *recorder,
                                             uint64_t request);

/* The number of ranks of the request's communicator; 0: unknown request. */
int nuce_recorder_request_size(const struct nuce_recorder *recorder, uint64_t request);

/* True if a loop of tests may wait for the request: it is known and not a persistent collective
 * call. MPI_Testall of MPICH 4.0 reports these as errors, and partitioned messages too, which
 * are always unknown here. */
int nuce_recorder_is_testable(const struct nuce_recorder *recorder, uint64_t request);

/* The request is complete. source and tag are used only if they were needed. NUCE_RECORDER_ANY
 * means that a needed source is unknown: the receive is then dropped. Unknown requests are
 * ignored. */
void nuce_recorder_finish(struct nuce_recorder *recorder, uint64_t request, int source, int tag,
                          int64_t now_ns);

/* A call that does not wait for all of its requests returned without this one. */
void nuce_recorder_pass(struct nuce_recorder *recorder, uint64_t request);

/* A probe for a message of one source with that tag, or NUCE_RECORDER_ANY, found one, or found
 * none. Sends between a miss and that message may depend on time. */
void nuce_recorder_probe(struct nuce_recorder *recorder, int communicator, int peer, int tag,
                         int has_found);

/* The application asked to cancel the request; then: it was cancelled. */
void nuce_recorder_cancel(struct nuce_recorder *recorder, uint64_t request);
void nuce_recorder_cancelled(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns);

/* The application freed the request. */
void nuce_recorder_free(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns);

/* Flags the present epoch of the communicator. */
void nuce_recorder_flag(struct nuce_recorder *recorder, int communicator, enum nuce_raw_flag flag);

/* One rank's part in a collective call. The messages' directions, epochs and tags are 0. */
struct nuce_recorder_collective {
    int communicator, kind;
    int64_t bytes;
    struct nuce_raw_message *messages;
    int count;
};

/* A blocking call that is over. */
void nuce_recorder_collective(struct nuce_recorder *recorder,
                              const struct nuce_recorder_collective *collective, int64_t begin_ns,
                              int64_t end_ns);
/* A call with a request; then a call that is made for later starts. */
void nuce_recorder_post_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective,
                                   int64_t now_ns);
void nuce_recorder_make_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective);

#endif
