/* Collective calls. If the call determines the receivers of this rank's data, they are recorded
 * as messages, including the one to itself. For the other calls only the bytes handed over are
 * recorded. Cost: O(ranks of the communicator) for a call with messages, O(1) for others.
 * Messages of rooted calls and of all-to-alls follow from the senders' arguments. For a
 * reduction only the bytes are known, because the library chooses the messages. */
#include <stdlib.h>

#include "capture/tap_state.h"

/* Counts of int, or of MPI_Count, which has 64 bits. */
static int64_t count_at(const struct nuce_tap_counts *counts, int index)
{
    if (counts->size == 0)
        return counts->same;
    return counts->size == sizeof(int) ? ((const int *)counts->at)[index]
                                       : ((const int64_t *)counts->at)[index];
}

static MPI_Datatype type_at(const struct nuce_tap_types *types, int index)
{
    if (types->is_same)
        return *(const MPI_Datatype *)types->at;
    return types->is_fortran ? PMPI_Type_f2c(((const MPI_Fint *)types->at)[index])
                             : ((const MPI_Datatype *)types->at)[index];
}

void nuce_tap_call_begin(struct nuce_tap_call *call, MPI_Comm comm, enum nuce_tap_form form)
{
    *call = (struct nuce_tap_call){.comm = comm, .form = form, .begin_ns = nuce_tap_now()};
}

void nuce_tap_call_end(struct nuce_tap_call *call)
{
    call->end_ns = nuce_tap_now();
}

void nuce_tap_call_of(struct nuce_tap_call *call, MPI_Request request)
{
    call->request = request;
}

/* The call's communicator; NULL: it is not captured. Used without the lock: the call keeps the
 * communicator alive, and its id, size and own rank do not change. */
static const struct nuce_tap_comm *comm_of(const struct nuce_tap_call *call)
{
    struct nuce_tap_state *state = nuce_tap_enter();
    const struct nuce_tap_comm *known;

    if (state == NULL)
        return NULL;
    known = nuce_tap_find_comm(state, call->comm);
    nuce_tap_leave(state);
    return known;
}

/* Informs the recorder, by the form of the call: over, posted, or made for later. */
static void record_collective(const struct nuce_tap_call *call, const struct nuce_tap_comm *known,
                              int kind, int64_t bytes, struct nuce_raw_message *messages, int count)
{
    struct nuce_recorder_collective collective = {.communicator = known->id,
                                                  .kind = kind,
                                                  .bytes = bytes,
                                                  .messages = messages,
                                                  .count = count};
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    switch (call->form) {
    case NUCE_TAP_BLOCKING:
        nuce_recorder_collective(state->recorder, &collective, call->begin_ns, call->end_ns);
        break;
    case NUCE_TAP_NONBLOCKING:
        nuce_recorder_post_collective(state->recorder, nuce_tap_handle(call->request), &collective,
                                      call->begin_ns);
        break;
    case NUCE_TAP_PERSISTENT:
        nuce_recorder_make_collective(state->recorder, nuce_tap_handle(call->request), &collective);
        break;
    }
    nuce_tap_leave(state);
}

void nuce_tap_collective(const struct nuce_tap_call *call, int kind, int64_t bytes)
{
    const struct nuce_tap_comm *known = comm_of(call);

    if (known != NULL)
        record_collective(call, known, kind, bytes, NULL, 0);
}

/* A rank hands over the elements of all ranks together. */
void nuce_tap_reduce_scatter(const struct nuce_tap_call *call, int kind,
                             struct nuce_tap_counts counts, MPI_Datatype datatype)
{
    const struct nuce_tap_comm *known = comm_of(call);
    int64_t sum = 0;

    for (int i = 0; known != NULL && i < known->size; i++)
        sum += count_at(&counts, i);
    if (known != NULL)
        record_collective(call, known, kind, nuce_tap_bytes(sum, datatype), NULL, 0);
}

/* Room for messages to that many ranks; NULL, and counts it, if memory runs out. */
static struct nuce_raw_message *room_for(int peers)
{
    struct nuce_raw_message *messages = calloc((size_t)(peers > 0 ? peers : 1), sizeof *messages);

    if (messages == NULL)
        nuce_tap_count(NUCE_RAW_FULL);
    return messages;
}

/* Adds a message unless it is empty. */
static void add_to(struct nuce_raw_message *messages, int *count, int peer, int64_t bytes)
{
    if (bytes > 0 && peer != MPI_PROC_NULL)
        messages[(*count)++] = (struct nuce_raw_message){.peer = peer, .bytes = bytes};
}

/* Records the same bytes to each rank from first to last, except `without` (MPI_PROC_NULL: no
 * exception). */
static void record_same(const struct nuce_tap_call *call, const struct nuce_tap_comm *known,
                        int kind, int first, int last, int without, int64_t bytes)
{
    struct nuce_raw_message *messages = room_for(last - first + 1);
    int count = 0;

    if (messages == NULL)
        return;
    for (int peer = first; peer <= last; peer++)
        add_to(messages, &count, peer, peer == without ? 0 : bytes);
    record_collective(call, known, kind, 0, messages, count);
    free(messages);
}

/* Every rank sends to the root. The root sends to itself unless it is in place. */
void nuce_tap_gather(const struct nuce_tap_call *call, int kind, const void *data, int64_t count,
                     MPI_Datatype datatype, int root)
{
    const struct nuce_tap_comm *known = comm_of(call);

    if (known != NULL)
        record_same(call, known, kind, root, root,
                    nuce_tap_is_in_place(data) ? known->own : MPI_PROC_NULL,
                    nuce_tap_is_in_place(data) ? 0 : nuce_tap_bytes(count, datatype));
}

/* Only the root sends; other ranks record the call without messages. */
void nuce_tap_scatter(const struct nuce_tap_call *call, int kind, const void *into,
                      struct nuce_tap_counts counts, MPI_Datatype datatype, int root)
{
    const struct nuce_tap_comm *known = comm_of(call);
    struct nuce_raw_message *messages;
    int count = 0;

    if (known == NULL)
        return;
    messages = room_for(known->size);
    if (messages == NULL)
        return;
    for (int peer = 0; peer < known->size && known->own == root; peer++) {
        if (peer != known->own || !nuce_tap_is_in_place(into))
            add_to(messages, &count, peer, nuce_tap_bytes(count_at(&counts, peer), datatype));
    }
    record_collective(call, known, kind, 0, messages, count);
    free(messages);
}

/* In place, a rank sends the data in its own part of the receive buffer. */
void nuce_tap_allgather(const struct nuce_tap_call *call, int kind, const void *data, int64_t count,
                        MPI_Datatype datatype, struct nuce_tap_counts into_counts,
                        MPI_Datatype into_datatype)
{
    const struct nuce_tap_comm *known = comm_of(call);
    int in_place = nuce_tap_is_in_place(data);

    if (known != NULL)
        record_same(call, known, kind, 0, known->size - 1, in_place ? known->own : MPI_PROC_NULL,
                    in_place ? nuce_tap_bytes(count_at(&into_counts, known->own), into_datatype)
                             : nuce_tap_bytes(count, datatype));
}

/* In place, the message to a rank is as long as the message from it. */
void nuce_tap_alltoall(const struct nuce_tap_call *call, int kind, const void *data,
                       struct nuce_tap_counts counts, struct nuce_tap_types types,
                       struct nuce_tap_counts into_counts, struct nuce_tap_types into_types)
{
    const struct nuce_tap_comm *known = comm_of(call);
    int in_place = nuce_tap_is_in_place(data), count = 0;
    struct nuce_raw_message *messages;

    if (known == NULL)
        return;
    messages = room_for(known->size);
    if (messages == NULL)
        return;
    for (int peer = 0; peer < known->size; peer++) {
        if (!in_place)
            add_to(messages, &count, peer,
                   nuce_tap_bytes(count_at(&counts, peer), type_at(&types, peer)));
        else if (peer != known->own)
            add_to(messages, &count, peer,
                   nuce_tap_bytes(count_at(&into_counts, peer), type_at(&into_types, peer)));
    }
    record_collective(call, known, kind, 0, messages, count);
    free(messages);
}

/* Asked once per communicator, because a topology does not change. Without memory or a topology,
 * the rank has no neighbours here, and its calls no messages. */
static void ask_neighbors(MPI_Comm comm, struct nuce_tap_comm *known)
{
    int topology = MPI_UNDEFINED, sources = 0, count = 0, is_weighted, *all = NULL;

    known->has_neighbors = 1;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm, &count);
        count *= 2;
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, known->own, &count);
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &sources, &count, &is_weighted);
        /* The call also fills sources and weights, so three more arrays need room. */
        all = calloc(2 * (size_t)sources + (size_t)count + 1, sizeof *all);
    } else {
        return;
    }
    known->neighbor = calloc((size_t)count + 1, sizeof *known->neighbor);
    if (known->neighbor != NULL && (topology != MPI_DIST_GRAPH || all != NULL)) {
        known->neighbors = count;
        /* A Cartesian communicator has two neighbours in each dimension, down and up. */
        for (int side = 0; topology == MPI_CART && 2 * side < count; side++)
            PMPI_Cart_shift(comm, side, 1, &known->neighbor[2 * side],
                            &known->neighbor[2 * side + 1]);
        if (topology == MPI_GRAPH)
            PMPI_Graph_neighbors(comm, known->own, count, known->neighbor);
        if (topology == MPI_DIST_GRAPH)
            PMPI_Dist_graph_neighbors(comm, sources, all, all + sources, count, known->neighbor,
                                      all + 2 * sources);
    }
    free(all);
}

void nuce_tap_neighbors(const struct nuce_tap_call *call, int kind, struct nuce_tap_counts counts,
                        struct nuce_tap_types types)
{
    struct nuce_tap_comm *known = (struct nuce_tap_comm *)comm_of(call);
    struct nuce_raw_message *messages;
    int count = 0;

    if (known == NULL)
        return;
    if (!known->has_neighbors)
        ask_neighbors(call->comm, known);
    messages = room_for(known->neighbors);
    if (messages == NULL)
        return;
    for (int i = 0; i < known->neighbors; i++)
        add_to(messages, &count, known->neighbor[i],
               nuce_tap_bytes(count_at(&counts, i), type_at(&types, i)));
    record_collective(call, known, kind, 0, messages, count);
    free(messages);
}
