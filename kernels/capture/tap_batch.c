/* The requests that a call completes: their handles before it, and their statuses if a message
 * took any source or tag. The recorder knows requests by their handles, but a call sets
 * completed ones to MPI_REQUEST_NULL, so they are saved before it. Cost: O(requests) of a call,
 * without the heap up to NUCE_TAP_NEAR of them. */
#include <stdlib.h>
#include <string.h>

#include "capture/tap_state.h"

/* A Fortran status is a C status, word by word, in both libraries. */
#define FORTRAN_WORDS (sizeof(MPI_Status) / sizeof(MPI_Fint))

/* The tag of nuce_tap_tells_pairs' message, which no earlier request had. */
#define PAIR_TAG 31

/* Makes room for the handles and returns their number. Without room the batch is empty, and the
 * ends of its requests are never seen. */
static int hold_handles(struct nuce_tap_batch *batch, int count)
{
    batch->handles =
        count <= NUCE_TAP_NEAR ? batch->near : malloc((size_t)count * sizeof *batch->handles);
    batch->count = batch->handles != NULL && count > 0 ? count : 0;
    return batch->count;
}

void nuce_tap_batch_open(struct nuce_tap_batch *batch, int count, const MPI_Request *requests)
{
    if (hold_handles(batch, count) > 0)
        memcpy(batch->handles, requests, (size_t)count * sizeof *requests);
}

void nuce_tap_batch_open_fortran(struct nuce_tap_batch *batch, int count, const MPI_Fint *requests)
{
    batch->is_fortran = 1;
    count = hold_handles(batch, count);
    for (int i = 0; i < count; i++)
        batch->handles[i] = PMPI_Request_f2c(requests[i]);
}

/* Replaces ignored statuses by own ones, if they are needed. */
static void use_own(struct nuce_tap_batch *batch, int count, int must)
{
    struct nuce_tap_state *state = must ? NULL : nuce_tap_enter();

    batch->is_ignored = 1;
    /* Requests that took any source or tag need a status. */
    for (int i = 0;
         state != NULL && i < batch->count && !must && nuce_recorder_wishes_any(state->recorder);
         i++)
        must = nuce_recorder_wishes(state->recorder, nuce_tap_handle(batch->handles[i])) !=
               NUCE_RECORDER_NOTHING;
    if (state != NULL)
        nuce_tap_leave(state);
    if (!must)
        return;
    if (count <= 1) {
        batch->used = &batch->near_status;
        batch->is_ignored = 0;
        return;
    }
    batch->own = malloc((size_t)count * sizeof(MPI_Status));
    if (batch->own != NULL) {
        batch->used = batch->own;
        batch->is_ignored = 0;
    }
}

void nuce_tap_batch_use(struct nuce_tap_batch *batch, MPI_Status *statuses, int count, int must)
{
    batch->used = statuses;
    if (statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE)
        use_own(batch, count, must);
}

void nuce_tap_batch_use_fortran(struct nuce_tap_batch *batch, MPI_Fint *statuses, int count,
                                int must)
{
    batch->is_fortran = 1;
    batch->used = statuses;
    if (nuce_tap_is_ignored(statuses))
        use_own(batch, count, must);
}

void nuce_tap_batch_close(struct nuce_tap_batch *batch)
{
    free(batch->own);
    if (batch->handles != batch->near)
        free(batch->handles);
}

/* Converts a Fortran status into batch->converted, which the next call overwrites. */
const MPI_Status *nuce_tap_status_at(struct nuce_tap_batch *batch, int index)
{
    if (batch->is_ignored)
        return NULL;
    if (!batch->is_fortran)
        return (const MPI_Status *)batch->used + index;
    PMPI_Status_f2c((MPI_Fint *)batch->used + (size_t)index * FORTRAN_WORDS, &batch->converted);
    return &batch->converted;
}

/* MPI 4's function, which some mpi.h and some libraries lack. */
int PMPI_Isendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                   MPI_Comm, MPI_Request *);
#pragma weak PMPI_Isendrecv

/* MPICH 4.0 does not set source and tag in MPI_Isendrecv's status, which keeps those of another
 * request. A test message finds out. */
int nuce_tap_tells_pairs(void)
{
    MPI_Status status = {.MPI_SOURCE = 0};
    MPI_Request request;
    char out = 0, in;

    if (PMPI_Isendrecv == NULL)
        return 1;
    PMPI_Isendrecv(&out, 1, MPI_CHAR, 0, PAIR_TAG, &in, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG,
                   MPI_COMM_SELF, &request);
    PMPI_Wait(&request, &status);
    return status.MPI_SOURCE == 0 && status.MPI_TAG == PAIR_TAG;
}

/* Request number `request` is complete; status number `status` is its own. If a needed source
 * has no status, or the message was cancelled, the message counts as cancelled. */
static void done_request(struct nuce_tap_state *state, struct nuce_tap_batch *batch, int request,
                         int status)
{
    uint64_t handle = nuce_tap_handle(batch->handles[request]);
    enum nuce_recorder_wish wish = NUCE_RECORDER_NOTHING;
    const MPI_Status *known;
    int is_cancelled = 0;

    if (nuce_recorder_wishes_any(state->recorder))
        wish = nuce_recorder_wishes(state->recorder, handle);
    if (wish == NUCE_RECORDER_NOTHING || (wish == NUCE_RECORDER_PAIR && !state->tells_pairs)) {
        nuce_recorder_finish(state->recorder, handle, NUCE_RECORDER_ANY, NUCE_RECORDER_ANY,
                             NUCE_RECORDER_NOW);
        return;
    }
    known = nuce_tap_status_at(batch, status);
    if (known != NULL)
        PMPI_Test_cancelled(known, &is_cancelled);
    if (known == NULL || is_cancelled)
        nuce_recorder_cancelled(state->recorder, handle, NUCE_RECORDER_NOW);
    else
        nuce_recorder_finish(state->recorder, handle, known->MPI_SOURCE, known->MPI_TAG,
                             NUCE_RECORDER_NOW);
}

void nuce_tap_done_all(struct nuce_tap_batch *batch)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    for (int i = 0; i < batch->count; i++)
        done_request(state, batch, i, i);
    nuce_tap_leave(state);
}

/* Requests that are still there were passed over: which ones depends on time. */
static void pass_rest(struct nuce_tap_state *state, const struct nuce_tap_batch *batch)
{
    for (int i = 0; i < batch->count; i++) {
        if (batch->handles[i] != MPI_REQUEST_NULL)
            nuce_recorder_pass(state->recorder, nuce_tap_handle(batch->handles[i]));
    }
}

void nuce_tap_passed(struct nuce_tap_batch *batch)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    pass_rest(state, batch);
    nuce_tap_leave(state);
}

/* Completes the requests of the indices. Fortran counts from 1, or from 0
 * (nuce_tap_first_indices). */
static void done_indices(struct nuce_tap_batch *batch, int count, const int *indices, int is_some)
{
    struct nuce_tap_state *state = count == MPI_UNDEFINED ? NULL : nuce_tap_enter();

    if (state == NULL)
        return;
    for (int i = 0; i < count; i++) {
        int index = indices[i] - (batch->is_fortran ? state->first_index[is_some] : 0);

        if (index >= 0 && index < batch->count) {
            done_request(state, batch, index, i);
            batch->handles[index] = MPI_REQUEST_NULL;
        }
    }
    pass_rest(state, batch);
    nuce_tap_leave(state);
}

void nuce_tap_done_some(struct nuce_tap_batch *batch, int count, const int *indices)
{
    done_indices(batch, count, indices, 1);
}

void nuce_tap_done_one(struct nuce_tap_batch *batch, int index)
{
    if (index != MPI_UNDEFINED)
        done_indices(batch, 1, &index, 0);
}
