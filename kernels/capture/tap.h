/* What the wrappers do before and behind a call of MPI: they tell the recorder. Thread safe; the
 * application's arguments and results are never changed, but for a status that it does not want and
 * the recorder does. Local, but for nuce_tap_open, which is collective over MPI_COMM_WORLD.
 *
 * The wrappers are made by generate.awk from calls.txt. They go on to the next tool that wraps the
 * call, or to the library by its PMPI name, as the profiling interface has it (MPI 4.1, chapter
 * 15). This library is loaded with LD_PRELOAD into every process of the start, the launcher's too,
 * which has no MPI: so what it uses of MPI is weak. */
#ifndef NUCE_TAP_H
#define NUCE_TAP_H

#include <mpi.h>
#include <stdint.h>

#include "capture/recorder.h"

#define NUCE_TAP_EXPORT __attribute__((visibility("default")))

/* MPI's own names, before which the wrappers stand, are of whichever library the program has; where
 * it has none, as the launcher, this library is loaded all the same. */

/* Whether anything is recorded: between MPI_Init and MPI_Finalize of a rank that has a file.
 * Without the lock: a wrapper that sees 0 calls MPI and does no more. */
int nuce_tap_is_on(void);

/* Where a wrapper goes on to: name is what it stands before. */
struct nuce_tap_link {
    const char *name, *real_name; /* MPI_X, PMPI_X */
    void *next, *real; /* the next one in the chain, the library's own; NULL: not found yet */
    int is_front;      /* the program has a wrapper of its own in front of this library */
    int is_wrapped;    /* it has, or another tool stands behind */
    uintptr_t program_begin, program_end; /* addresses of the program */
};

/* Finds what is not found yet, and returns the link. */
struct nuce_tap_link *nuce_tap_find_link(struct nuce_tap_link *link);

/* Whether a call of PMPI_X that returns to caller is one of the application past the wrappers:
 * the program's own or that of a wrapper in it. */
int nuce_tap_is_direct(const struct nuce_tap_link *link, const void *caller);

/* Whether a call is noted: anything is recorded, and this thread is in no other call of the
 * application, whose tool made this one. In between go_in and come_out it is, by 1 or 0. */
int nuce_tap_is_noted(void);
void nuce_tap_go_in(int by);
void nuce_tap_come_out(int by);

/* Before MPI_Init: ends a process whose MPI library is not the one that this is built for, with
 * exit status 2 and a note in the folder, since handles and statuses would be misread. */
void nuce_tap_check(void);

/* Behind MPI_Init: begins recording, where the environment names a folder. Collective over
 * MPI_COMM_WORLD. */
void nuce_tap_open(void);

/* Before MPI_Finalize, and behind it: callbacks in it may send, so recording ends only then. */
void nuce_tap_finalizing(void);
void nuce_tap_close(void);

/* Before MPI_Abort, which may end the process as exit() does. */
void nuce_tap_aborting(void);

/* Whether some of the requests of a call that failed are complete all the same:
 * MPI_ERR_IN_STATUS. */
int nuce_tap_is_partly(int result);

/* Between two tests: lets another process run. Returns 1, to stand in a loop's condition. */
int nuce_tap_pause(void);
/* A wait is over that paused so often: counted if it did. */
void nuce_tap_paused(int turns);

/* The time of what is done before and behind a call, which is paused for the call itself; of most
 * calls it is not taken. */
struct nuce_tap_watch {
    int is_on;
    int64_t since_ns, own_ns;
};
void nuce_tap_watch_begin(struct nuce_tap_watch *watch);
void nuce_tap_watch_pause(struct nuce_tap_watch *watch);
void nuce_tap_watch_resume(struct nuce_tap_watch *watch);
void nuce_tap_watch_end(struct nuce_tap_watch *watch);

/* Counts what is not captured, or whatever else the counter says. */
void nuce_tap_count(enum nuce_raw_counter counter);

/* A communicator that was made becomes known; MPI_COMM_NULL and intercommunicators are passed
 * over. */
void nuce_tap_add(MPI_Comm comm);

/* A duplicate of comm is under way (MPI_Comm_idup). It is known when it is first used: by the
 * handle that stands in *made now, or, if the library has not set it yet, as the only one of those
 * members that is awaited. made may be NULL. */
void nuce_tap_add_later(MPI_Comm comm, const MPI_Comm *made);

/* Before the communicator is freed; MPI_COMM_NULL is passed over. */
void nuce_tap_freeing(MPI_Comm comm);

/* A blocking call's message, which is none where is_noted is 0 (MPI_PROC_NULL). */
struct nuce_tap_place {
    struct nuce_recorder_place place;
    int is_noted, is_any; /* is_noted 0: there is no message (MPI_PROC_NULL, or not captured) */
};

/* Bytes of count elements, as MPI_Type_size counts them; 0 where either is unknown. */
int64_t nuce_tap_bytes(int64_t count, MPI_Datatype datatype);

/* A blocking message of that direction (enum nuce_raw_direction) begins and ends; status: of a
 * receive, NULL where it was not wanted. */
void nuce_tap_begin(struct nuce_tap_place *place, MPI_Comm comm, int direction, int peer, int tag,
                    int64_t bytes);
void nuce_tap_end(const struct nuce_tap_place *place, const MPI_Status *status);

/* The call failed: its message came to nothing. */
void nuce_tap_undo(const struct nuce_tap_place *place);

/* A message that does not block was posted, for which request stands from now on; or,
 * is_persistent, a persistent request was made: a start posts its message. */
void nuce_tap_tell(MPI_Comm comm, int direction, int peer, int tag, int64_t bytes,
                   MPI_Request request, int is_persistent);
/* A send and a receive were posted, which one request stands for. */
void nuce_tap_post_both(MPI_Comm comm, int peer, int tag, int64_t bytes, int from, int from_tag,
                        MPI_Request request);

/* Persistent requests are started. */
void nuce_tap_start(int count, const MPI_Request *requests);

/* MPI_Cancel and MPI_Request_free of a request. */
void nuce_tap_cancel(MPI_Request request);
void nuce_tap_free(MPI_Request request);

/* The communicator was probed without waiting, for any source if peer is MPI_ANY_SOURCE, and a
 * message was found or not. */
void nuce_tap_probed(MPI_Comm comm, int peer, int has_found);

/* A probe that waited saw that message. */
void nuce_tap_seen(MPI_Comm comm, int peer, int tag, const MPI_Status *status);

/* A message that MPI_Mprobe found, which is received later by its handle. */
void nuce_tap_found(MPI_Comm comm, int peer, int tag, MPI_Message message,
                    const MPI_Status *status);

/* A blocking receive of it begins (MPI_Mrecv). */
void nuce_tap_begin_found(struct nuce_tap_place *place, MPI_Message message);

/* What was found is to be received by a request (MPI_Imrecv): place gets it before the call, for
 * the handle is gone behind it; nuce_tap_post_found posts it. */
void nuce_tap_take_found(struct nuce_tap_place *place, MPI_Message message);
void nuce_tap_post_found(const struct nuce_tap_place *place, MPI_Request request);

/* Requests of a call that need no memory from the heap. */
#define NUCE_TAP_NEAR 64

/* The requests of a call that may complete them, as they were before it, and their statuses. */
struct nuce_tap_batch {
    int count, is_fortran;
    MPI_Request *handles, near[NUCE_TAP_NEAR];
    void *used; /* statuses for the call: the application's or own; may be MPI_STATUS_IGNORE */
    void *own;
    int is_ignored; /* no statuses are there to be read, not even own ones */
    MPI_Status near_status, converted;
};

/* Before the call: keeps the requests' handles. C's and Fortran's differ. */
void nuce_tap_batch_open(struct nuce_tap_batch *batch, int count, const MPI_Request *requests);
void nuce_tap_batch_open_fortran(struct nuce_tap_batch *batch, int count, const MPI_Fint *requests);
/* Before the call: which statuses it is given. Own ones take the place of ignored ones where the
 * recorder wishes for a source, or `must` says that a status is wished for whatever the requests
 * are. */
void nuce_tap_batch_use(struct nuce_tap_batch *batch, MPI_Status *statuses, int count, int must);
void nuce_tap_batch_use_fortran(struct nuce_tap_batch *batch, MPI_Fint *statuses, int count,
                                int must);

/* Behind all: frees what the batch holds. */
void nuce_tap_batch_close(struct nuce_tap_batch *batch);

/* Whether the wait for these requests is a loop of tests, in which others get the processor: option
 * --yield, and none of a kind that MPI_Testall of MPICH 4.0 refuses. */
int nuce_tap_yields(const struct nuce_tap_batch *batch);

/* The index-th status of the call, NULL where it is ignored; valid until the next. */
const MPI_Status *nuce_tap_status_at(struct nuce_tap_batch *batch, int index);

/* Behind the call: which of the batch were completed: all; the one of index (of the language, from
 * 0 or 1; MPI_UNDEFINED: none); `count` of them. */
void nuce_tap_done_all(struct nuce_tap_batch *batch);
void nuce_tap_done_one(struct nuce_tap_batch *batch, int index);
void nuce_tap_done_some(struct nuce_tap_batch *batch, int count, const int *indices);
/* None was, of a call that does not wait. */
void nuce_tap_passed(struct nuce_tap_batch *batch);

/* Numbers of elements: int, MPI_Count or MPI_Fint, or one that all share. */
struct nuce_tap_counts {
    const void *at;
    size_t size; /* of each; 0: `same` is all of them */
    int64_t same;
};
/* Datatypes: C's or Fortran's, or one that all share. */
struct nuce_tap_types {
    const void *at;
    int is_fortran, is_same;
};

static inline struct nuce_tap_counts nuce_tap_same(int64_t count)
{
    return (struct nuce_tap_counts){.same = count};
}

static inline struct nuce_tap_types nuce_tap_like(const MPI_Datatype *type)
{
    return (struct nuce_tap_types){.at = type, .is_same = 1};
}

enum nuce_tap_form {
    NUCE_TAP_BLOCKING,
    NUCE_TAP_NONBLOCKING,
    NUCE_TAP_PERSISTENT, /* made, and started later */
};

/* A collective call under way. */
struct nuce_tap_call {
    MPI_Comm comm;
    enum nuce_tap_form form;
    MPI_Request request;
    int64_t begin_ns, end_ns;
};

/* Times of a blocking call; the request of another. */
void nuce_tap_call_begin(struct nuce_tap_call *call, MPI_Comm comm, enum nuce_tap_form form);
void nuce_tap_call_end(struct nuce_tap_call *call);
void nuce_tap_call_of(struct nuce_tap_call *call, MPI_Request request);

/* What a collective call moves. This one: bytes alone, of calls whose messages depend on the
 * library's algorithm. Those below: messages, which follow from the arguments of this rank. */
void nuce_tap_collective(const struct nuce_tap_call *call, int kind, int64_t bytes);
void nuce_tap_reduce_scatter(const struct nuce_tap_call *call, struct nuce_tap_counts counts,
                             MPI_Datatype datatype);
void nuce_tap_gather(const struct nuce_tap_call *call, int kind, const void *data, int64_t count,
                     MPI_Datatype datatype, int root);
void nuce_tap_scatter(const struct nuce_tap_call *call, int kind, const void *into,
                      struct nuce_tap_counts counts, MPI_Datatype datatype, int root);
void nuce_tap_allgather(const struct nuce_tap_call *call, int kind, const void *data, int64_t count,
                        MPI_Datatype datatype, struct nuce_tap_counts into_counts,
                        MPI_Datatype into_datatype);
void nuce_tap_alltoall(const struct nuce_tap_call *call, int kind, const void *data,
                       struct nuce_tap_counts counts, struct nuce_tap_types types,
                       struct nuce_tap_counts into_counts, struct nuce_tap_types into_types);
void nuce_tap_neighbors(const struct nuce_tap_call *call, int kind, struct nuce_tap_counts counts,
                        struct nuce_tap_types types);

/* What of MPI the interposer itself uses is weak: it is loaded into processes without MPI too, the
 * launcher's. The wrappers' own calls are made so by generate.awk. */

#pragma weak PMPI_Allreduce
#pragma weak PMPI_Bcast
#pragma weak PMPI_Cart_get
#pragma weak PMPI_Cart_shift
#pragma weak PMPI_Cartdim_get
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_get_parent
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Dist_graph_neighbors
#pragma weak PMPI_Dist_graph_neighbors_count
#pragma weak PMPI_Finalized
#pragma weak PMPI_Get_library_version
#pragma weak PMPI_Graph_neighbors
#pragma weak PMPI_Graph_neighbors_count
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Ibarrier
#pragma weak PMPI_Message_f2c
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Recv
#pragma weak PMPI_Request_c2f
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_Send
#pragma weak PMPI_Status_f2c
#pragma weak PMPI_Test_cancelled
#pragma weak PMPI_Topo_test
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Type_size_x
#pragma weak PMPI_Wait

/* What Fortran's constants are. */
#pragma weak MPI_F_STATUS_IGNORE
#pragma weak MPI_F_STATUSES_IGNORE

/* Open MPI's constants are addresses of its objects. They are looked for when they are used: where
 * a program loads the library itself, as Python does, it was not there when this one was. */
#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, name) ((type)nuce_tap_object(#name))
#endif
void *nuce_tap_object(const char *name);

/* Whether a status, or statuses, of Fortran are not wanted. */
int nuce_tap_is_ignored(const MPI_Fint *statuses);

/* Whether data is MPI_IN_PLACE of C or of Fortran. */
int nuce_tap_is_in_place(const void *data);

#endif
