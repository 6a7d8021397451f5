/* What one rank notes of its messages while the application runs: rounds of messages, collective
 * calls, and what was not captured. No MPI here: requests are numbers, ranks are numbers. Nothing
 * prints or ends the process; what finds no room is counted. The caller sees to it that one thread
 * is here at a time.
 *
 * A round of a rank on a communicator is what it sends without having seen, since the round began,
 * that a message came, and what it then sees come. It ends
 *   - before a send, if a receive was seen to end in it: the send may depend on that;
 *   - before a send, if a collective call of its group came behind all that was sent and is over;
 *   - when nothing of the rank is under way on the communicator, neither send nor receive;
 *   - before what is posted, if some send was seen to end in it and no receive is under way.
 * A send is of the round in which it is posted; a receive is of that in which it is seen to end,
 * whenever it was posted. What is under way when a round ends is none of the next one's: a send
 * ends unseen, a receive is of a later round. Blocking calls post and end.
 *
 * Where a round ends may depend on time and not on the program alone. An epoch is flagged if a send
 * was posted after a call that does not wait for all its requests (MPI_Test, MPI_Waitany and their
 * like) had passed a receive over that came later, or after a probe that found nothing; if a probe
 * asked for any source; or if several threads were in one round. */
#ifndef NUCE_RECORDER_H
#define NUCE_RECORDER_H

#include <stdint.h>

#include "capture/raw_writer.h"
#include "capture/request_table.h"

/* A message as the recorder is told of it, and where it is noted. */

/* A round longer than this never ends by itself (a listener's): it is cut. */
#define NUCE_RECORDER_LONGEST 65536

struct nuce_recorder;

/* In place of a time, now_ns: the recorder asks its clock, and only where a round begins or ends.
 * Most calls do neither, and reading the clock is a third of what noting one costs. */
#define NUCE_RECORDER_NOW INT64_MIN

/* Who comes here next: a number of the thread, for requests with one handle and for rounds that
 * several threads share. Until the next call of this, the clock is asked once at most. */
void nuce_recorder_enter(struct nuce_recorder *recorder, uint64_t thread);

/* A recorder that writes to path; header says who it is; clock, in nanoseconds, may be NULL where
 * NUCE_RECORDER_NOW is never given. NULL with errno. */
struct nuce_recorder *nuce_recorder_create(const char *path, const struct nuce_raw_header *header,
                                           int64_t (*clock)(void));

/* Ends the open rounds and the file, and frees. NULL is accepted. */
void nuce_recorder_destroy(struct nuce_recorder *recorder, enum nuce_raw_ending ending,
                           int64_t now_ns);

/* The header in the file, to be added to; valid until the next call of any function here. */
struct nuce_raw_header *nuce_recorder_header(struct nuce_recorder *recorder);

/* A communicator of size members, world ranks, the own one being the own-th. Returns its number, -1
 * where there is no room. The first that is added is MPI_COMM_WORLD. */
int nuce_recorder_add(struct nuce_recorder *recorder, const int *members, int size, int own);

/* It is freed by the application. */
void nuce_recorder_drop(struct nuce_recorder *recorder, int communicator);

/* A message that the request stands for was posted. */
void nuce_recorder_post(struct nuce_recorder *recorder, uint64_t request,
                        const struct nuce_recorder_message *message, int64_t now_ns);

/* One request that stands for two messages: its status is that of the first. */
void nuce_recorder_post_pair(struct nuce_recorder *recorder, uint64_t request,
                             const struct nuce_recorder_message *first,
                             const struct nuce_recorder_message *second, int64_t now_ns);

/* A blocking call begins, and ends; source and tag are what a receive from any got. */
struct nuce_recorder_place nuce_recorder_begin(struct nuce_recorder *recorder,
                                               const struct nuce_recorder_message *message,
                                               int64_t now_ns);
void nuce_recorder_end(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                       int source, int tag, int64_t now_ns);

/* The message at place came to nothing. */
void nuce_recorder_undo(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                        int64_t now_ns);

/* A persistent request is made, and started. */
void nuce_recorder_make(struct nuce_recorder *recorder, uint64_t request,
                        const struct nuce_recorder_message *message);
void nuce_recorder_start(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns);

/* What the end of a request must tell. */
enum nuce_recorder_wish {
    NUCE_RECORDER_NOTHING, /* its end says all: no status is needed */
    NUCE_RECORDER_SOURCE,  /* its source and tag, or that it was cancelled */
    NUCE_RECORDER_PAIR,    /* the same of a request that stands for two messages */
};
/* Whether any request wishes for something: if not, none need be asked. */
int nuce_recorder_wishes_any(const struct nuce_recorder *recorder);
enum nuce_recorder_wish nuce_recorder_wishes(const struct nuce_recorder *recorder,
                                             uint64_t request);

/* How many ranks the request's communicator has; 0: nobody knows the request. */
int nuce_recorder_request_size(const struct nuce_recorder *recorder, uint64_t request);

/* Whether a loop of tests may wait for it: one that is known and no persistent collective call.
 * Those MPI_Testall of MPICH 4.0 takes for errors, as it does partitioned messages, which nobody
 * knows. */
int nuce_recorder_is_testable(const struct nuce_recorder *recorder, uint64_t request);

/* The request was seen to be complete; source and tag are looked at where they were wished for:
 * with NUCE_RECORDER_ANY for a source nobody knows them, and the receive is left out. Requests that
 * nobody knows are passed over. */
void nuce_recorder_finish(struct nuce_recorder *recorder, uint64_t request, int source, int tag,
                          int64_t now_ns);

/* A call that does not wait for all of its requests returned without this one. */
void nuce_recorder_pass(struct nuce_recorder *recorder, uint64_t request);

/* A probe for messages of one source found one, or none. */
void nuce_recorder_probe(struct nuce_recorder *recorder, int communicator, int has_found);

/* The application asked to cancel it; and it was. */
void nuce_recorder_cancel(struct nuce_recorder *recorder, uint64_t request);
void nuce_recorder_cancelled(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns);

/* The application freed it. */
void nuce_recorder_free(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns);

/* Marks the present epoch of the communicator. */
void nuce_recorder_flag(struct nuce_recorder *recorder, int communicator, enum nuce_raw_flag flag);

/* One rank's part in a collective call. Messages' directions and epochs are 0, their tags 0. */
struct nuce_recorder_collective {
    int communicator, kind;
    int64_t bytes;
    struct nuce_raw_message *messages;
    int count;
};

/* A blocking one, over. */
void nuce_recorder_collective(struct nuce_recorder *recorder,
                              const struct nuce_recorder_collective *collective, int64_t begin_ns,
                              int64_t end_ns);
/* One that the request stands for; and one that is made for later starts. */
void nuce_recorder_post_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective,
                                   int64_t now_ns);
void nuce_recorder_make_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective);

#endif
