/* The parts of the wrappers before and after a call of MPI: they inform the recorder. Thread
 * safe. The application's arguments and results are never changed, except that an ignored status
 * is replaced if the recorder needs one. Local, except nuce_tap_open, which is collective over
 * MPI_COMM_WORLD.
 *
 * generate.awk makes the wrappers from calls.txt. A wrapper continues with the next tool that
 * wraps the call, or with the library by its PMPI name, as the profiling interface defines (MPI
 * 4.1, chapter 15). LD_PRELOAD loads this library into every process of the start, including the
 * launcher's, which has no MPI. All references to MPI are therefore weak. */
#ifndef NUCE_TAP_H
#define NUCE_TAP_H

#include <mpi.h>
#include <stdint.h>

#include "capture/recorder.h"

#define NUCE_TAP_EXPORT __attribute__((visibility("default")))

/* The wrappers precede MPI's own names, which come from the program's library. If there is none,
 * as in the launcher, this library is loaded nevertheless. */

/* True if recording is on: between MPI_Init and MPI_Finalize of a rank that has a file. Reads
 * without the lock: a wrapper that sees 0 calls MPI and does no more. */
int nuce_tap_is_on(void);

/* The continuation of a wrapper; name is the wrapped name. */
struct nuce_tap_link {
    const char *name, *real_name; /* MPI_X, PMPI_X */
    void *next, *real; /* next: of the chain; real: the library's own; NULL: not found yet */
    int is_front;      /* the program has its own wrapper in front of this library */
    int is_wrapped;    /* there is such a wrapper, or another tool after this library */
    uintptr_t program_begin, program_end; /* addresses of the program */
};

/* Finds the missing addresses, and returns the link. */
struct nuce_tap_link *nuce_tap_find_link(struct nuce_tap_link *link);

/* True if a call of PMPI_X that returns to caller comes from the application past the wrappers:
 * from the program itself or from a wrapper in it. */
int nuce_tap_is_direct(const struct nuce_tap_link *link, const void *caller);

/* True if a call should be recorded: recording is on, and this thread is not inside another
 * recorded call, whose tool made this one. Between go_in and come_out, the thread is inside a
 * call if `by` is 1. */
int nuce_tap_is_noted(void);
int nuce_tap_is_inside(void);
void nuce_tap_go_in(int by);
void nuce_tap_come_out(int by);

/* The name of an MPI library in this process that is not the one that this was built for; NULL:
 * there is none. */
const char *nuce_tap_other_library(void);

/* Called before MPI_Init. Ends a process with another MPI library than this one was built for,
 * because handles and statuses would be misread. The exit status is 2, and the folder gets a
 * note. */
void nuce_tap_check(void);

/* Called after MPI_Init. Begins recording if the environment names a folder. Collective over
 * MPI_COMM_WORLD. */
void nuce_tap_open(void);

/* Called before MPI_Finalize, and after it. Callbacks in MPI_Finalize may send, so recording
 * ends only after it. */
void nuce_tap_finalizing(void);
void nuce_tap_close(void);

/* Called before MPI_Abort, which may end the process as exit() does. */
void nuce_tap_aborting(void);

/* True if some requests of a failed call are complete nevertheless: MPI_ERR_IN_STATUS. */
int nuce_tap_is_partly(int result);

/* Lets another process run between two tests. Returns 1, for use in a loop's condition. */
int nuce_tap_pause(void);
/* Ends a wait of that many pauses; counts it if there were any. */
void nuce_tap_paused(int turns);

/* The time that recording takes before and after a call. The timer pauses during the call
 * itself. Most calls are not timed. */
struct nuce_tap_watch {
    int is_on;
    int64_t since_ns, own_ns;
};
void nuce_tap_watch_begin(struct nuce_tap_watch *watch);
void nuce_tap_watch_pause(struct nuce_tap_watch *watch);
void nuce_tap_watch_resume(struct nuce_tap_watch *watch);
void nuce_tap_watch_end(struct nuce_tap_watch *watch);

/* Counts an event, such as an uncaptured call. */
void nuce_tap_count(enum nuce_raw_counter counter);

/* Adds a new communicator; ignores MPI_COMM_NULL and intercommunicators. */
void nuce_tap_add(MPI_Comm comm);

/* A duplicate of comm is being made (MPI_Comm_idup). It becomes known when it is first used. It
 * is recognised by the handle in *made now, or, if the library has not set that yet, as the only
 * expected duplicate with those members. made may be NULL. */
void nuce_tap_add_later(MPI_Comm comm, const MPI_Comm *made);

/* Called before the communicator is freed; ignores MPI_COMM_NULL. */
void nuce_tap_freeing(MPI_Comm comm);

/* A blocking call's message. */
struct nuce_tap_place {
    struct nuce_recorder_place place;
    int is_noted, is_any; /* is_noted 0: there is no message (MPI_PROC_NULL, or not captured) */
};

/* Bytes of count elements, as MPI_Type_size counts them; 0 if either is unknown. */
int64_t nuce_tap_bytes(int64_t count, MPI_Datatype datatype);

/* A blocking message of that direction (enum nuce_raw_direction) begins and ends. status is a
 * receive's, or NULL if it was ignored. */
void nuce_tap_begin(struct nuce_tap_place *place, MPI_Comm comm, int direction, int peer, int tag,
                    int64_t bytes);
void nuce_tap_end(const struct nuce_tap_place *place, const MPI_Status *status);

/* The call failed, so its message did not happen. */
void nuce_tap_undo(const struct nuce_tap_place *place);

/* A non-blocking message was posted with this request. With is_persistent, a persistent request
 * was made: its start posts the message. */
void nuce_tap_tell(MPI_Comm comm, int direction, int peer, int tag, int64_t bytes,
                   MPI_Request request, int is_persistent);
/* A send and a receive were posted with one request. */
void nuce_tap_post_both(MPI_Comm comm, int peer, int tag, int64_t bytes, int from, int from_tag,
                        MPI_Request request);

/* Persistent requests are started. */
void nuce_tap_start(int count, const MPI_Request *requests);

/* MPI_Cancel and MPI_Request_free of a request. */
void nuce_tap_cancel(MPI_Request request);
void nuce_tap_free(MPI_Request request);

/* The communicator was probed without waiting, for any source if peer is MPI_ANY_SOURCE.
 * has_found: a message was found. */
void nuce_tap_probed(MPI_Comm comm, int peer, int tag, int has_found);

/* A waiting probe saw that message. */
void nuce_tap_seen(MPI_Comm comm, int peer, int tag, const MPI_Status *status);

/* MPI_Mprobe found a message, which is received later by its handle. */
void nuce_tap_found(MPI_Comm comm, int peer, int tag, MPI_Message message,
                    const MPI_Status *status);

/* A blocking receive of a found message begins (MPI_Mrecv). */
void nuce_tap_begin_found(struct nuce_tap_place *place, MPI_Message message);

/* A request will receive the found message (MPI_Imrecv). place is filled before the call,
 * because the call consumes the handle; nuce_tap_post_found posts it. */
void nuce_tap_take_found(struct nuce_tap_place *place, MPI_Message message);
void nuce_tap_post_found(const struct nuce_tap_place *place, MPI_Request request);

/* Requests of a call that fit without heap memory. */
#define NUCE_TAP_NEAR 64

/* The requests of a completing call, as they were before it, and their statuses. */
struct nuce_tap_batch {
    int count, is_fortran;
    MPI_Request *handles, near[NUCE_TAP_NEAR];
    void *used; /* statuses for the call: the application's or own; may be MPI_STATUS_IGNORE */
    void *own;
    int is_ignored; /* there are no readable statuses, not even own ones */
    MPI_Status near_status, converted;
};

/* Called before the call: keeps the requests' handles, in C's or Fortran's form. */
void nuce_tap_batch_open(struct nuce_tap_batch *batch, int count, const MPI_Request *requests);
void nuce_tap_batch_open_fortran(struct nuce_tap_batch *batch, int count, const MPI_Fint *requests);
/* Called before the call: chooses the statuses for it. Own statuses replace ignored ones if the
 * recorder needs a source. `must`: a status is needed for any kind of request. */
void nuce_tap_batch_use(struct nuce_tap_batch *batch, MPI_Status *statuses, int count, int must);
void nuce_tap_batch_use_fortran(struct nuce_tap_batch *batch, MPI_Fint *statuses, int count,
                                int must);

/* Called last: frees the batch's storage. */
void nuce_tap_batch_close(struct nuce_tap_batch *batch);

/* True if a loop of tests that gives up the processor waits for these requests. Option --yield
 * is then set, and MPI_Testall of MPICH 4.0 accepts all of their kinds. */
int nuce_tap_yields(const struct nuce_tap_batch *batch);

/* The index-th status of the call, NULL if it is ignored; valid until the next call. */
const MPI_Status *nuce_tap_status_at(struct nuce_tap_batch *batch, int index);

/* Called after the call, with the completed requests of the batch: all; the one of index (from 0
 * or 1, by language; MPI_UNDEFINED: none); `count` of them. */
void nuce_tap_done_all(struct nuce_tap_batch *batch);
void nuce_tap_done_one(struct nuce_tap_batch *batch, int index);
void nuce_tap_done_some(struct nuce_tap_batch *batch, int count, const int *indices);
/* A call that does not wait completed none. */
void nuce_tap_passed(struct nuce_tap_batch *batch);

/* Numbers of elements: int, MPI_Count or MPI_Fint, or one number for all. */
struct nuce_tap_counts {
    const void *at;
    size_t size; /* bytes of each number; 0: `same` holds for all */
    int64_t same;
};
/* Datatypes of C or Fortran, or one datatype for all. */
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
    NUCE_TAP_PERSISTENT, /* made now, started later */
};

/* An active collective call. */
struct nuce_tap_call {
    MPI_Comm comm;
    enum nuce_tap_form form;
    MPI_Request request;
    int64_t begin_ns, end_ns;
};

/* Sets the times of a blocking call, or the request of another. */
void nuce_tap_call_begin(struct nuce_tap_call *call, MPI_Comm comm, enum nuce_tap_form form);
void nuce_tap_call_end(struct nuce_tap_call *call);
void nuce_tap_call_of(struct nuce_tap_call *call, MPI_Request request);

/* The data of a collective call. This function records bytes alone, where the messages depend on
 * the library's algorithm. The functions below record messages, which follow from this rank's
 * arguments. */
void nuce_tap_collective(const struct nuce_tap_call *call, int kind, int64_t bytes);
void nuce_tap_reduce_scatter(const struct nuce_tap_call *call, int kind,
                             struct nuce_tap_counts counts, MPI_Datatype datatype);
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

/* The interposer's own references to MPI are weak: it is also loaded into processes without MPI,
 * such as the launcher's. generate.awk does the same for the wrappers' calls. */

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

/* Fortran's constants. */
#pragma weak MPI_F_STATUS_IGNORE
#pragma weak MPI_F_STATUSES_IGNORE

/* Open MPI's constants are addresses of its objects, looked up at each use. A program that loads
 * the library itself, as Python does, has them only after this library was loaded. */
#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, name) ((type)nuce_tap_object(#name))
#endif
void *nuce_tap_object(const char *name);

/* True if Fortran's statuses are ignored. */
int nuce_tap_is_ignored(const MPI_Fint *statuses);

/* True if data is MPI_IN_PLACE of C or of Fortran. */
int nuce_tap_is_in_place(const void *data);

#endif
