/* Blocking calls of an unmodified application under the schedules of a tuning file: nuce apply.
 *
 * Some time before it runs under a schedule, a call is planned: all ranks of the communicator plan
 * it together, and each keeps its own arguments of then, all but the addresses of the buffers. In
 * later calls each rank votes for those plans whose kept arguments are exactly those of its call.
 * One reduction finds a plan that all have voted for. There is none if the arguments of one rank
 * have changed: then all plan anew, or all call the MPI library.
 *
 * A wrong guess of one rank can neither deadlock nor lose a byte, because no rank acts on a guess
 * of its own. The next step of a rank follows from the reduced votes and from numbers that come
 * from earlier reductions, and is thus the same step on all ranks. A plan runs only if counts,
 * displacements and datatypes of all ranks are those of the plan, compared byte by byte, and a
 * datatype that was freed is told from another in its place. So each message has the bytes and the
 * places for which the plan was made, and each send has its receive. Hashes only choose the
 * schedule, and find ranks that expect other bytes than they are sent: such calls, and those with
 * invalid arguments, go to the MPI library on all ranks, which treats them as without nuce.
 *
 * Nonblocking and persistent calls are left to the MPI library. By MPI's progress rule an exchange
 * that all ranks have started ends even if one of them then waits for a message that another one
 * sends behind its own MPI_Wait; the steps of a schedule would advance in MPI_Wait and MPI_Test
 * alone, and hang there. ac, which posts all messages at once, would not, but each MPI call that
 * takes requests would have to know those of nuce. Nor may the start of a nonblocking call wait for
 * the reduction. */
#ifndef NUCE_APPLY_H
#define NUCE_APPLY_H

#include <mpi.h>

#include "library/mpi_side.h"

/* In the order of nuce_tuning_calls. */
enum nuce_apply_call {
    NUCE_APPLY_ALLTOALLV,
    NUCE_APPLY_ALLTOALLW,
    NUCE_APPLY_NEIGHBOR_ALLTOALLV,
    NUCE_APPLY_NEIGHBOR_ALLTOALLW,
    NUCE_APPLY_CALLS
};

/* The outcome of a call; all but the first leave it to the MPI library. */
enum nuce_apply_outcome {
    NUCE_APPLY_REPLACED,
    NUCE_APPLY_ADVISED, /* schedule=library */
    NUCE_APPLY_NO_RULE, /* for this call on so many ranks */
    NUCE_APPLY_UNKNOWN, /* no rule for its pattern */
    NUCE_APPLY_RESTING, /* no vote, because the last ones found no plan */
    NUCE_APPLY_UNEQUAL, /* invalid arguments, or other bytes than the receiver expects */
    NUCE_APPLY_REFUSED, /* the schedule cannot run here */
    NUCE_APPLY_FULL,    /* too many plans on this communicator */
    NUCE_APPLY_NONBLOCKING,
    NUCE_APPLY_PERSISTENT,
    NUCE_APPLY_LARGE,   /* counts of MPI_Count */
    NUCE_APPLY_BETWEEN, /* the groups of an intercommunicator */
    NUCE_APPLY_OUTCOMES
};

struct nuce_apply;

/* Reads the tuning file, on rank 0, which sends it to the others. NULL, on all ranks: nothing is
 * replaced, because the file cannot be read, or is for another machine or MPI library; rank 0 has
 * printed why. Collective over MPI_COMM_WORLD, after MPI_Init. Ended by nuce_apply_close. */
struct nuce_apply *nuce_apply_open(const char *path);

/* Makes the call under a schedule and returns 1, or returns 0: the caller makes the MPI library's
 * call. Entries of neighbours' calls are ignored. Collective over comm, as the call is. */
int nuce_apply_exchange(struct nuce_apply *apply, enum nuce_apply_call call,
                        const struct nuce_mpi_arguments *send,
                        const struct nuce_mpi_arguments *receive, MPI_Comm comm);

/* Counts a call that is not looked at. Local. */
void nuce_apply_count(struct nuce_apply *apply, enum nuce_apply_call call,
                      enum nuce_apply_outcome outcome, MPI_Comm comm);

/* Prints on rank 0, to stderr, how many calls were replaced, why others were not, and an estimate
 * of the time that this saved. used: path of a tuning file to which rank 0 adds the rules by which
 * calls were replaced; NULL: none. Frees what MPI_COMM_WORLD has; other communicators free theirs
 * when they are freed. Collective over MPI_COMM_WORLD, before MPI_Finalize. */
void nuce_apply_close(struct nuce_apply *apply, const char *used);

#endif
