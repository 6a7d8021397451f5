/* Messages between two ranks. All functions do nothing if recording is off. Cost: O(1) on
 * average for a message.
 *
 * Each MPI call of a message calls one of these, before or after the call itself. begin and end
 * enclose a blocking call. post is for a call that returns a request. make and start are for a
 * persistent request. found and take_found are for the result of a matched probe. The lock is
 * held from nuce_tap_enter, which returns NULL if recording is off, to nuce_tap_leave. A receive
 * is recorded without bytes, because its sender records them. */
#include <stdlib.h>

#include "capture/tap_state.h"

/* Returns 0 also for a datatype that MPI refuses: the call itself reports that. */
int64_t nuce_tap_bytes(int64_t count, MPI_Datatype datatype)
{
    MPI_Count size = 0;

    if (count <= 0 || PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return count * (int64_t)size;
}

/* Fills *out with the message of these arguments. Returns 0 if there is no message
 * (MPI_PROC_NULL), or its communicator is not captured. The lock is held. */
static int describe_message(struct nuce_tap_state *state, MPI_Comm comm, int direction, int peer,
                            int tag, int64_t bytes, struct nuce_recorder_message *out)
{
    const struct nuce_tap_comm *known =
        peer == MPI_PROC_NULL ? NULL : nuce_tap_find_comm(state, comm);

    if (known == NULL)
        return 0;
    *out = (struct nuce_recorder_message){
        .communicator = known->id,
        .direction = direction,
        .peer = peer == MPI_ANY_SOURCE ? NUCE_RECORDER_ANY : peer,
        .tag = tag == MPI_ANY_TAG ? NUCE_RECORDER_ANY : tag,
        .bytes = bytes,
    };
    /* The receive of the probed message counts as one from any source: the program did not
     * choose the source. */
    if (state->seen.openness != NUCE_RAW_KNOWN && direction == NUCE_RAW_RECEIVE &&
        state->seen.communicator == known->id && state->seen.peer == peer) {
        out->openness = state->seen.openness;
        state->seen.openness = NUCE_RAW_KNOWN;
    }
    return 1;
}

/* place->is_noted is 0 if there was no message and hence no end. */
void nuce_tap_begin(struct nuce_tap_place *place, MPI_Comm comm, int direction, int peer, int tag,
                    int64_t bytes)
{
    struct nuce_tap_state *state = nuce_tap_enter();
    struct nuce_recorder_message message;

    if (state == NULL)
        return;
    place->is_noted = describe_message(state, comm, direction, peer, tag, bytes, &message);
    if (place->is_noted)
        place->place = nuce_recorder_begin(state->recorder, &message, NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

/* Source and tag are read only if the receive took any. */
void nuce_tap_end(const struct nuce_tap_place *place, const MPI_Status *status)
{
    struct nuce_tap_state *state = place->is_noted ? nuce_tap_enter() : NULL;

    if (state == NULL)
        return;
    nuce_recorder_end(state->recorder, &place->place, status != NULL ? status->MPI_SOURCE : 0,
                      status != NULL ? status->MPI_TAG : 0, NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

void nuce_tap_undo(const struct nuce_tap_place *place)
{
    struct nuce_tap_state *state = place->is_noted ? nuce_tap_enter() : NULL;

    if (state == NULL)
        return;
    nuce_recorder_undo(state->recorder, &place->place, NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

void nuce_tap_tell(MPI_Comm comm, int direction, int peer, int tag, int64_t bytes,
                   MPI_Request request, int is_persistent)
{
    struct nuce_tap_state *state = nuce_tap_enter();
    struct nuce_recorder_message message;

    if (state == NULL)
        return;
    if (describe_message(state, comm, direction, peer, tag, bytes, &message)) {
        if (is_persistent)
            nuce_recorder_make(state->recorder, nuce_tap_handle(request), &message);
        else
            nuce_recorder_post(state->recorder, nuce_tap_handle(request), &message,
                               NUCE_RECORDER_NOW);
    }
    nuce_tap_leave(state);
}

/* One request for two messages; if one of the messages is empty, it is an ordinary request. */
void nuce_tap_post_both(MPI_Comm comm, int peer, int tag, int64_t bytes, int from, int from_tag,
                        MPI_Request request)
{
    struct nuce_recorder_message out, in;
    struct nuce_tap_state *state;
    int is_both;

    if (peer == MPI_PROC_NULL || from == MPI_PROC_NULL) {
        nuce_tap_tell(comm, NUCE_RAW_SEND, peer, tag, bytes, request, 0);
        nuce_tap_tell(comm, NUCE_RAW_RECEIVE, from, from_tag, 0, request, 0);
        return;
    }
    state = nuce_tap_enter();
    if (state == NULL)
        return;
    is_both = describe_message(state, comm, NUCE_RAW_RECEIVE, from, from_tag, 0, &in) &&
              describe_message(state, comm, NUCE_RAW_SEND, peer, tag, bytes, &out);
    if (is_both)
        nuce_recorder_post_pair(state->recorder, nuce_tap_handle(request), &in, &out,
                                NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

void nuce_tap_start(int count, const MPI_Request *requests)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    for (int i = 0; i < count; i++)
        nuce_recorder_start(state->recorder, nuce_tap_handle(requests[i]), NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

void nuce_tap_cancel(MPI_Request request)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    nuce_recorder_cancel(state->recorder, nuce_tap_handle(request));
    nuce_tap_leave(state);
}

void nuce_tap_free(MPI_Request request)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    nuce_recorder_free(state->recorder, nuce_tap_handle(request), NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

/* A probe of any source is flagged, because the next receive may depend on which message came
 * first. The rounds of its epoch are then ambiguous (capture/raw.h). */
void nuce_tap_probed(MPI_Comm comm, int peer, int tag, int has_found)
{
    struct nuce_tap_state *state = peer != MPI_PROC_NULL ? nuce_tap_enter() : NULL;
    const struct nuce_tap_comm *known;

    if (state == NULL)
        return;
    known = nuce_tap_find_comm(state, comm);
    if (known != NULL && peer == MPI_ANY_SOURCE)
        nuce_recorder_flag(state->recorder, known->id, NUCE_RAW_PROBED);
    else if (known != NULL)
        nuce_recorder_probe(state->recorder, known->id, peer,
                            tag == MPI_ANY_TAG ? NUCE_RECORDER_ANY : tag, has_found);
    nuce_tap_leave(state);
}

/* The fields that a probe left open. */
static int openness_of(int peer, int tag)
{
    if (peer != MPI_ANY_SOURCE)
        return NUCE_RAW_KNOWN;
    return tag == MPI_ANY_TAG ? NUCE_RAW_ANY : NUCE_RAW_ANY_SOURCE;
}

void nuce_tap_seen(MPI_Comm comm, int peer, int tag, const MPI_Status *status)
{
    struct nuce_tap_state *state =
        peer == MPI_ANY_SOURCE && status != NULL ? nuce_tap_enter() : NULL;

    if (state == NULL)
        return;
    state->seen.openness = NUCE_RAW_KNOWN;
    if (describe_message(state, comm, NUCE_RAW_RECEIVE, status->MPI_SOURCE, status->MPI_TAG, 0,
                         &state->seen))
        state->seen.openness = openness_of(peer, tag);
    nuce_tap_leave(state);
}

/* A matched probe found the message, so its receive has this source. */
void nuce_tap_found(MPI_Comm comm, int peer, int tag, MPI_Message message, const MPI_Status *status)
{
    struct nuce_tap_state *state = status != NULL ? nuce_tap_enter() : NULL;
    struct nuce_tap_find find = {.message = message};

    if (state == NULL)
        return;
    if (state->find_count == state->find_capacity) {
        int capacity = 2 * state->find_capacity + 8;
        struct nuce_tap_find *more = realloc(state->finds, (size_t)capacity * sizeof *more);

        if (more == NULL) {
            nuce_recorder_header(state->recorder)->counters[NUCE_RAW_FULL]++;
            nuce_tap_leave(state);
            return;
        }
        state->finds = more;
        state->find_capacity = capacity;
    }
    if (describe_message(state, comm, NUCE_RAW_RECEIVE, status->MPI_SOURCE, status->MPI_TAG, 0,
                         &find.what)) {
        find.what.openness = openness_of(peer, tag);
        state->finds[state->find_count++] = find;
    }
    nuce_tap_leave(state);
}

void nuce_tap_take_found(struct nuce_tap_place *place, MPI_Message message)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    /* Few are open at a time, usually one, so a list suffices. Its order has no meaning. */
    for (int i = 0; i < state->find_count && !place->is_noted; i++) {
        if (state->finds[i].message != message)
            continue;
        place->place.message = state->finds[i].what;
        place->is_noted = 1;
        state->finds[i] = state->finds[--state->find_count];
    }
    nuce_tap_leave(state);
}

void nuce_tap_begin_found(struct nuce_tap_place *place, MPI_Message message)
{
    struct nuce_tap_state *state;

    nuce_tap_take_found(place, message);
    state = place->is_noted ? nuce_tap_enter() : NULL;
    if (state == NULL)
        return;
    place->place = nuce_recorder_begin(state->recorder, &place->place.message, NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}

void nuce_tap_post_found(const struct nuce_tap_place *place, MPI_Request request)
{
    struct nuce_tap_state *state = place->is_noted ? nuce_tap_enter() : NULL;

    if (state == NULL)
        return;
    nuce_recorder_post(state->recorder, nuce_tap_handle(request), &place->place.message,
                       NUCE_RECORDER_NOW);
    nuce_tap_leave(state);
}
