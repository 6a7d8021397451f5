/* Traces of sst-dumpi, in the form that libdumpi writes or in that which its dumpi2ascii prints: a
 * file for each rank, in their order. What a rank did is told to a recorder as the interposer of
 * nuce capture tells it, and what the recorders leave is merged: rounds, joins and qualities are
 * those of a capture.
 *
 * Followed: messages of all modes, persistent ones, completions, the collective calls of MPI 2 but
 * for in-place ones of which nothing was recorded, communicators that are duplicated, split or
 * made of a group, and Cartesian ones that are not reordered, with their parts. Calls on other
 * communicators, one-sided ones and those that came with MPI 3 and 4 are counted as not captured.
 * Times are of each host's clock, which begins where it likes: who came how late is known where
 * all ranks were on one host, which their headers must say (dumpi2ascii -a). Source:
 * sstsimulator/sst-dumpi, dumpi/common/dumpiio.c, dumpi/bin/dumpi2ascii-callbacks.c. */
#include <stdlib.h>
#include <string.h>

#include "imports/dumpi_comms.h"
#include "imports/dumpi_left_out.h"
#include "imports/dumpi_meta.h"
#include "imports/matrices.h"
#include "imports/traced.h"
#include "support/allocate.h"

/* A communicator of the rank at hand. Numbers are used again after MPI_Comm_free: the latest of a
 * number counts, so searches go backwards. */
struct dumpi_comm {
    int64_t number;
    int id;        /* the recorder's; -1: not followed, calls on it are counted only */
    int size, own; /* of the communicator; this rank in it */
};

/* One rank's second pass: the calls of its file, told to its recorder. */
struct dumpi_reader {
    const struct nuce_dumpi_world *world; /* what the first pass found of all ranks */
    int own;                              /* world rank, and index of its file */
    struct nuce_dumpi_stream stream;
    struct nuce_dumpi_call call; /* at hand */
    struct nuce_recorder *recorder;
    struct dumpi_comm *comms;
    int64_t comm_count, comm_capacity;
    int64_t creation; /* index of the next one, in step with the calls */
};

/* A whole number that the call at hand must have. */
static nuce_status dumpi_get(const struct dumpi_reader *reader, const char *name, int64_t *out,
                             struct nuce_error *error)
{
    return nuce_dumpi_integer(&reader->stream, &reader->call, name, out, error);
}

/* Bytes of so many elements of the datatype that the argument `type` names. NUCE_BAD_INPUT: the
 * size of the datatype is not known, or the product is beyond NUCE_MATRICES_MOST_BYTES. Nothing is
 * guessed: a message of a wrong size would make a wrong pattern. */
static nuce_status dumpi_bytes(const struct dumpi_reader *reader, const char *type, int64_t count,
                               int64_t *out, struct nuce_error *error)
{
    int64_t number, size;

    if (dumpi_get(reader, type, &number, error) != NUCE_OK)
        return error->status;
    size = nuce_dumpi_size(&reader->world->rank[reader->own].types, number);
    if (size < 0)
        return nuce_dumpi_refuse(
            &reader->stream, nuce_dumpi_find(&reader->call, type)->value, error,
            "datatype %lld: its size is not told: expected what dumpi2ascii -a prints, or a binary "
            "trace of version 0.6.6 or later",
            (long long)number);
    if (count < 0 || __builtin_mul_overflow(count, size, out) || *out > NUCE_MATRICES_MOST_BYTES)
        return nuce_dumpi_refuse(&reader->stream, reader->call.place, error,
                                 "%s: %lld elements of %lld bytes: expected 0 to 1024TiB",
                                 reader->call.name, (long long)count, (long long)size);
    return NUCE_OK;
}

/* The same, with the count as the argument of that name. */
static nuce_status dumpi_sent(const struct dumpi_reader *reader, const char *count,
                              const char *type, int64_t *out, struct nuce_error *error)
{
    int64_t number;

    if (dumpi_get(reader, count, &number, error) != NUCE_OK)
        return error->status;
    return dumpi_bytes(reader, type, number, out, error);
}

/* Counted in the rank's header, from where it comes into the capture's summary. */
static void count_left_out(struct dumpi_reader *reader, enum nuce_raw_counter counter)
{
    nuce_recorder_header(reader->recorder)->counters[counter]++;
}

/* The call's communicator. *out NULL, counted as not captured: it is not followed. */
static nuce_status dumpi_comm_of(struct dumpi_reader *reader, const struct dumpi_comm **out,
                                 struct nuce_error *error)
{
    int64_t number;

    *out = NULL;
    if (dumpi_get(reader, "comm", &number, error) != NUCE_OK)
        return error->status;
    for (int64_t i = reader->comm_count - 1; i >= 0 && *out == NULL; i--) {
        if (reader->comms[i].number == number)
            *out = &reader->comms[i];
    }
    if (*out != NULL && (*out)->id < 0)
        *out = NULL;
    if (*out == NULL)
        count_left_out(reader, NUCE_RAW_OTHER);
    return NUCE_OK;
}

/* Makes members (world ranks, this one among them) known to the recorder under the trace's number.
 * size 0: a communicator that is not followed; it is noted all the same, so that an older one of
 * the same number does not stand for it. */
static nuce_status add_comm(struct dumpi_reader *reader, int64_t number, const int *members,
                            int size, struct nuce_error *error)
{
    struct dumpi_comm comm = {.number = number, .id = -1, .size = size};
    void *list = reader->comms;

    while (comm.own < size && members[comm.own] != reader->own)
        comm.own++;
    if (size > 0) {
        comm.id = nuce_recorder_add(reader->recorder, members, size, comm.own);
        if (comm.id < 0)
            return nuce_error_set(error, NUCE_FAILED, "no room for a communicator");
    }
    if (nuce_allocate_more(&list, &reader->comm_capacity, reader->comm_count + 1,
                           sizeof *reader->comms, error) != NUCE_OK)
        return error->status;
    reader->comms = list;
    reader->comms[reader->comm_count++] = comm;
    return NUCE_OK;
}

/* The rank's next communicator, as the first pass understood it: the group that all members agreed
 * on, or this rank alone (group -2), or none that is followed. */
static nuce_status take_creation(struct dumpi_reader *reader, struct nuce_error *error)
{
    const struct nuce_dumpi_creation *creation =
        &reader->world->rank[reader->own].creations[reader->creation++];
    const struct nuce_dumpi_group *group =
        creation->group >= 0 ? &reader->world->groups[creation->group] : NULL;

    if (group == NULL)
        return add_comm(reader, creation->made, &reader->own, creation->group == -2, error);
    return add_comm(reader, creation->made, group->members, group->size, error);
}

/* The rank of the communicator in the argument of that name. *peer is NUCE_RECORDER_ANY for
 * MPI_ANY_SOURCE; *is_none says MPI_PROC_NULL, for which traces have several negative numbers. */
static nuce_status dumpi_peer(const struct dumpi_reader *reader, const struct dumpi_comm *comm,
                              const char *name, int is_source, int *peer, int *is_none,
                              struct nuce_error *error)
{
    int64_t number;

    if (dumpi_get(reader, name, &number, error) != NUCE_OK)
        return error->status;
    *is_none = number < (is_source ? NUCE_DUMPI_ANY : 0);
    if (number >= comm->size)
        return nuce_dumpi_refuse(&reader->stream, nuce_dumpi_find(&reader->call, name)->value,
                                 error, "'%lld': expected a rank of a communicator of %d",
                                 (long long)number, comm->size);
    *peer = number == NUCE_DUMPI_ANY ? NUCE_RECORDER_ANY : (int)number;
    return NUCE_OK;
}

/* The message of the call's arguments of those names. count NULL: it is received, and its bytes are
 * not looked at, for the sender's count is what was moved. *is_one 0: there is none
 * (MPI_PROC_NULL), or its communicator is not followed. Tags are cut to 31 bits, which MPI
 * guarantees no more of. */
static nuce_status dumpi_message(struct dumpi_reader *reader, const char *peer, const char *tag,
                                 const char *count, const char *type,
                                 struct nuce_recorder_message *out, int *is_one,
                                 struct nuce_error *error)
{
    const struct dumpi_comm *comm;
    int64_t number;
    int is_none = 0;

    *is_one = 0;
    *out = (struct nuce_recorder_message){.direction =
                                              count != NULL ? NUCE_RAW_SEND : NUCE_RAW_RECEIVE};
    if (dumpi_comm_of(reader, &comm, error) != NUCE_OK)
        return error->status;
    if (comm == NULL)
        return NUCE_OK;
    if (dumpi_peer(reader, comm, peer, count == NULL, &out->peer, &is_none, error) != NUCE_OK ||
        dumpi_get(reader, tag, &number, error) != NUCE_OK ||
        (count != NULL && dumpi_sent(reader, count, type, &out->bytes, error) != NUCE_OK))
        return error->status;
    out->communicator = comm->id;
    out->tag = number == NUCE_DUMPI_ANY ? NUCE_RECORDER_ANY : (int)(number & INT32_MAX);
    *is_one = !is_none;
    return NUCE_OK;
}

/* A blocking receive is over. Where it took any source or tag and its status was not recorded
 * (MPI_STATUS_IGNORE), or says nobody, its other end is not known: the message is taken back. */
static void end_receive(struct dumpi_reader *reader, const struct nuce_recorder_place *place)
{
    int64_t source = 0, tag = 0;
    int is_any =
        place->message.peer == NUCE_RECORDER_ANY || place->message.tag == NUCE_RECORDER_ANY;
    int is_told = nuce_dumpi_status(&reader->stream, &reader->call, "status", 0, &source, &tag);

    if (is_any && (!is_told || source < 0 || source >= reader->world->ranks))
        nuce_recorder_undo(reader->recorder, place, reader->call.return_ns);
    else
        nuce_recorder_end(reader->recorder, place, (int)source, (int)tag, reader->call.return_ns);
}

static nuce_status take_send(struct dumpi_reader *reader, struct nuce_error *error)
{
    struct nuce_recorder_message message;
    struct nuce_recorder_place place;
    int is_one;

    if (dumpi_message(reader, "dest", "tag", "count", "datatype", &message, &is_one, error) !=
        NUCE_OK)
        return error->status;
    if (is_one) {
        place = nuce_recorder_begin(reader->recorder, &message, reader->call.enter_ns);
        nuce_recorder_end(reader->recorder, &place, 0, 0, reader->call.return_ns);
    }
    return NUCE_OK;
}

static nuce_status take_receive(struct dumpi_reader *reader, struct nuce_error *error)
{
    struct nuce_recorder_message message;
    struct nuce_recorder_place place;
    int is_one;

    if (dumpi_message(reader, "source", "tag", NULL, NULL, &message, &is_one, error) != NUCE_OK)
        return error->status;
    if (is_one) {
        place = nuce_recorder_begin(reader->recorder, &message, reader->call.enter_ns);
        end_receive(reader, &place);
    }
    return NUCE_OK;
}

/* Both are begun before any ends, so that they are of one round: this is what lets ranks in a ring
 * send to each other without a deadlock. */
static nuce_status take_sendrecv(struct dumpi_reader *reader, struct nuce_error *error)
{
    int is_replace = strcmp(reader->call.name, "MPI_Sendrecv_replace") == 0, sends, receives;
    struct nuce_recorder_message out, in;
    struct nuce_recorder_place out_place = {.index = 0}, in_place = {.index = 0};

    if (dumpi_message(reader, "dest", "sendtag", is_replace ? "count" : "sendcount",
                      is_replace ? "datatype" : "sendtype", &out, &sends, error) != NUCE_OK ||
        dumpi_message(reader, "source", "recvtag", NULL, NULL, &in, &receives, error) != NUCE_OK)
        return error->status;
    if (sends)
        out_place = nuce_recorder_begin(reader->recorder, &out, reader->call.enter_ns);
    if (receives)
        in_place = nuce_recorder_begin(reader->recorder, &in, reader->call.enter_ns);
    if (sends)
        nuce_recorder_end(reader->recorder, &out_place, 0, 0, reader->call.return_ns);
    if (receives)
        end_receive(reader, &in_place);
    return NUCE_OK;
}

/* Whether it is dumpi's number of an error (0) or of MPI_REQUEST_NULL (1). Numbers of requests have
 * 16 bits: after 32767 of them come negative ones, which are requests as any. */
static int is_no_request(int64_t request)
{
    return request == 0 || request == 1;
}

/* A request for a message: of one that is under way from now on (MPI_Isend), or of one that is made
 * for later starts (MPI_Send_init). The name says which, and of which direction. */
static nuce_status take_request(struct dumpi_reader *reader, struct nuce_error *error)
{
    int is_made = strstr(reader->call.name, "_init") != NULL, is_one;
    int is_receive =
        strstr(reader->call.name, "recv") != NULL || strstr(reader->call.name, "Recv") != NULL;
    struct nuce_recorder_message message;
    int64_t request;

    if (dumpi_message(reader, is_receive ? "source" : "dest", "tag", is_receive ? NULL : "count",
                      is_receive ? NULL : "datatype", &message, &is_one, error) != NUCE_OK ||
        dumpi_get(reader, "request", &request, error) != NUCE_OK)
        return error->status;
    if (!is_one || is_no_request(request))
        return NUCE_OK;
    if (is_made)
        nuce_recorder_make(reader->recorder, (uint64_t)request, &message);
    else
        nuce_recorder_post(reader->recorder, (uint64_t)request, &message, reader->call.enter_ns);
    return NUCE_OK;
}

/* The request is complete, and its status is the index-th of the argument of that name. A receive
 * from any source needs the status: where it was not recorded the round has a message that nobody
 * knows, as with MPI_Request_free; where its source is nobody it was cancelled. */
static void finish_request(struct dumpi_reader *reader, int64_t request, const char *statuses,
                           int64_t index)
{
    int64_t source = 0, tag = 0;
    int is_told;

    if (is_no_request(request))
        return;
    is_told = nuce_dumpi_status(&reader->stream, &reader->call, statuses, index, &source, &tag);
    if (nuce_recorder_wishes(reader->recorder, (uint64_t)request) == NUCE_RECORDER_NOTHING)
        nuce_recorder_finish(reader->recorder, (uint64_t)request, 0, 0, reader->call.return_ns);
    else if (!is_told)
        nuce_recorder_free(reader->recorder, (uint64_t)request, reader->call.return_ns);
    else if (source < 0 || source >= reader->world->ranks)
        nuce_recorder_cancelled(reader->recorder, (uint64_t)request, reader->call.return_ns);
    else
        nuce_recorder_finish(reader->recorder, (uint64_t)request, (int)source, (int)tag,
                             reader->call.return_ns);
}

/* Whether the call completed something: the flag of a Test; a Wait has none, and always did. */
static nuce_status is_done(const struct dumpi_reader *reader, int64_t *done,
                           struct nuce_error *error)
{
    *done = 1;
    return nuce_dumpi_find(&reader->call, "flag") == NULL ? NUCE_OK
                                                          : dumpi_get(reader, "flag", done, error);
}

static nuce_status take_one_done(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t request, done;

    if (is_done(reader, &done, error) != NUCE_OK ||
        dumpi_get(reader, "request", &request, error) != NUCE_OK)
        return error->status;
    if (done)
        finish_request(reader, request, "status", 0);
    return NUCE_OK;
}

/* An index out of the list is MPI_UNDEFINED: there was no active request. */
static nuce_status take_any_done(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t *requests, count, index, done;

    if (is_done(reader, &done, error) != NUCE_OK ||
        dumpi_get(reader, "index", &index, error) != NUCE_OK ||
        nuce_dumpi_list(&reader->stream, &reader->call, "requests", &requests, &count, error) !=
            NUCE_OK)
        return error->status;
    if (done && index >= 0 && index < count)
        finish_request(reader, requests[index], "status", 0);
    free(requests);
    return NUCE_OK;
}

static nuce_status take_all_done(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t *requests, count, done;

    if (is_done(reader, &done, error) != NUCE_OK ||
        nuce_dumpi_list(&reader->stream, &reader->call, "requests", &requests, &count, error) !=
            NUCE_OK)
        return error->status;
    for (int64_t i = 0; done && i < count; i++)
        finish_request(reader, requests[i], "statuses", i);
    free(requests);
    return NUCE_OK;
}

/* The i-th status is of the request with the i-th index, not of the i-th request (MPI 4.1,
 * 3.7.5). */
static nuce_status take_some_done(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t *requests = NULL, *indices = NULL, count, chosen;

    if (nuce_dumpi_list(&reader->stream, &reader->call, "requests", &requests, &count, error) !=
            NUCE_OK ||
        nuce_dumpi_list(&reader->stream, &reader->call, "indices", &indices, &chosen, error) !=
            NUCE_OK) {
        free(requests);
        return error->status;
    }
    for (int64_t i = 0; i < chosen; i++) {
        if (indices[i] >= 0 && indices[i] < count)
            finish_request(reader, requests[indices[i]], "statuses", i);
    }
    free(requests);
    free(indices);
    return NUCE_OK;
}

static nuce_status take_starts(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t *requests, count, one;

    if (strcmp(reader->call.name, "MPI_Start") == 0) {
        if (dumpi_get(reader, "request", &one, error) != NUCE_OK)
            return error->status;
        nuce_recorder_start(reader->recorder, (uint64_t)one, reader->call.enter_ns);
        return NUCE_OK;
    }
    if (nuce_dumpi_list(&reader->stream, &reader->call, "requests", &requests, &count, error) !=
        NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < count; i++)
        nuce_recorder_start(reader->recorder, (uint64_t)requests[i], reader->call.enter_ns);
    free(requests);
    return NUCE_OK;
}

/* MPI_Cancel only asks: whether the message was taken back its status says when it is completed.
 * MPI_Request_free leaves it under way with nobody who waits for it. */
static nuce_status take_release(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t request;

    if (dumpi_get(reader, "request", &request, error) != NUCE_OK)
        return error->status;
    if (strcmp(reader->call.name, "MPI_Cancel") == 0)
        nuce_recorder_cancel(reader->recorder, (uint64_t)request);
    else
        nuce_recorder_free(reader->recorder, (uint64_t)request, reader->call.return_ns);
    return NUCE_OK;
}

/* A probe for any source lets the application answer in the order of arrival: from then on the
 * rounds of that epoch may come out otherwise in another run, and are marked so. */
static nuce_status take_probe(struct dumpi_reader *reader, struct nuce_error *error)
{
    const struct dumpi_comm *comm;
    int64_t source;

    if (dumpi_comm_of(reader, &comm, error) != NUCE_OK ||
        dumpi_get(reader, "source", &source, error) != NUCE_OK)
        return error->status;
    if (comm != NULL && source == NUCE_DUMPI_ANY)
        nuce_recorder_flag(reader->recorder, comm->id, NUCE_RAW_PROBED);
    return NUCE_OK;
}

/* How the messages of a collective call follow from its arguments. Every rank tells what it itself
 * sends: what it receives the others tell. */
enum collective_way {
    WAY_MOVED,     /* no messages of its own: count elements of datatype are moved */
    WAY_MOVED_SUM, /* the same, of the sum of recvcounts */
    WAY_NOTHING,   /* no data: a barrier */
    WAY_ROOT,      /* sendcount elements to the root */
    WAY_FROM_ROOT, /* the root: sendcount, or sendcounts, to each */
    WAY_EACH,      /* sendcount, or sendcounts, to each */
};

/* The collective calls that are followed: those of which dumpi records all arguments. */
static const struct {
    const char *name;
    int kind; /* enum nuce_raw_kind */
    enum collective_way way;
} collectives[] = {
    {"MPI_Barrier", NUCE_RAW_KIND_barrier, WAY_NOTHING},
    {"MPI_Bcast", NUCE_RAW_KIND_bcast, WAY_MOVED},
    {"MPI_Reduce", NUCE_RAW_KIND_reduce, WAY_MOVED},
    {"MPI_Allreduce", NUCE_RAW_KIND_allreduce, WAY_MOVED},
    {"MPI_Scan", NUCE_RAW_KIND_scan, WAY_MOVED},
    {"MPI_Exscan", NUCE_RAW_KIND_exscan, WAY_MOVED},
    {"MPI_Reduce_scatter", NUCE_RAW_KIND_reduce_scatter, WAY_MOVED_SUM},
    {"MPI_Gather", NUCE_RAW_KIND_gather, WAY_ROOT},
    {"MPI_Gatherv", NUCE_RAW_KIND_gatherv, WAY_ROOT},
    {"MPI_Scatter", NUCE_RAW_KIND_scatter, WAY_FROM_ROOT},
    {"MPI_Scatterv", NUCE_RAW_KIND_scatterv, WAY_FROM_ROOT},
    {"MPI_Allgather", NUCE_RAW_KIND_allgather, WAY_EACH},
    {"MPI_Allgatherv", NUCE_RAW_KIND_allgatherv, WAY_EACH},
    {"MPI_Alltoall", NUCE_RAW_KIND_alltoall, WAY_EACH},
    {"MPI_Alltoallv", NUCE_RAW_KIND_alltoallv, WAY_EACH},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* Bytes of a call whose messages depend on the library's algorithm: the size of its data. A count
 * that is negative or a sum too large for 64 bits becomes -1, which dumpi_bytes refuses. */
static nuce_status moved_bytes(const struct dumpi_reader *reader, enum collective_way way,
                               int64_t *out, struct nuce_error *error)
{
    int64_t *counts, count, sum = 0;

    if (way == WAY_MOVED)
        return dumpi_sent(reader, "count", "datatype", out, error);
    if (nuce_dumpi_list(&reader->stream, &reader->call, "recvcounts", &counts, &count, error) !=
        NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < count; i++) {
        if (counts[i] < 0 || __builtin_add_overflow(sum, counts[i], &sum))
            sum = -1;
    }
    free(counts);
    return dumpi_bytes(reader, "datatype", sum, out, error);
}

/* Adds a message to each rank of the communicator, itself included: of sendcounts (which must then
 * be one a rank), or of sendcount. Messages without bytes are none. collective->messages has room
 * for size of them. */
static nuce_status messages_to_each(const struct dumpi_reader *reader,
                                    const struct dumpi_comm *comm,
                                    struct nuce_recorder_collective *collective,
                                    struct nuce_error *error)
{
    int64_t *counts = NULL, count = 0, same = 0, bytes = 0;
    int is_vector = nuce_dumpi_find(&reader->call, "sendcounts") != NULL;

    if (is_vector ? nuce_dumpi_list(&reader->stream, &reader->call, "sendcounts", &counts, &count,
                                    error) != NUCE_OK
                  : dumpi_get(reader, "sendcount", &same, error) != NUCE_OK)
        return error->status;
    if (is_vector && count != comm->size) {
        free(counts);
        return nuce_dumpi_refuse(&reader->stream, reader->call.place, error,
                                 "%s: %lld sendcounts: expected %d, one a rank", reader->call.name,
                                 (long long)count, comm->size);
    }
    error->status = NUCE_OK;
    for (int peer = 0; error->status == NUCE_OK && peer < comm->size; peer++) {
        if (dumpi_bytes(reader, "sendtype", is_vector ? counts[peer] : same, &bytes, error) ==
                NUCE_OK &&
            bytes > 0)
            collective->messages[collective->count++] =
                (struct nuce_raw_message){.peer = peer, .bytes = bytes};
    }
    free(counts);
    return error->status;
}

/* A gather: this rank's part. The root also sends to itself. */
static nuce_status message_to_root(const struct dumpi_reader *reader, int64_t root,
                                   struct nuce_recorder_collective *collective,
                                   struct nuce_error *error)
{
    int64_t bytes;

    if (dumpi_sent(reader, "sendcount", "sendtype", &bytes, error) != NUCE_OK)
        return error->status;
    if (bytes > 0)
        collective->messages[collective->count++] =
            (struct nuce_raw_message){.peer = (int)root, .bytes = bytes};
    return NUCE_OK;
}

/* What this rank sends, by the call's way, to collective->messages or ->bytes. Of a scatter the
 * root alone has something to tell. */
static nuce_status collective_messages(const struct dumpi_reader *reader, enum collective_way way,
                                       const struct dumpi_comm *comm,
                                       struct nuce_recorder_collective *collective,
                                       struct nuce_error *error)
{
    int64_t root = 0;

    if (way == WAY_NOTHING)
        return NUCE_OK;
    if (way == WAY_MOVED || way == WAY_MOVED_SUM)
        return moved_bytes(reader, way, &collective->bytes, error);
    if (way == WAY_EACH)
        return messages_to_each(reader, comm, collective, error);
    if (dumpi_get(reader, "root", &root, error) != NUCE_OK)
        return error->status;
    if (root < 0 || root >= comm->size)
        return nuce_dumpi_refuse(&reader->stream, reader->call.place, error,
                                 "%s: root %lld: expected a rank of a communicator of %d",
                                 reader->call.name, (long long)root, comm->size);
    if (way == WAY_ROOT)
        return message_to_root(reader, root, collective, error);
    return root == comm->own ? messages_to_each(reader, comm, collective, error) : NUCE_OK;
}

/* Tells the recorder the whole call, begin and end, at once: nothing else of this rank can begin in
 * between, for the trace has calls in the order of their ends. */
static nuce_status take_collective(struct dumpi_reader *reader, int row, struct nuce_error *error)
{
    struct nuce_recorder_collective collective = {.kind = collectives[row].kind};
    const struct dumpi_comm *comm;

    if (dumpi_comm_of(reader, &comm, error) != NUCE_OK)
        return error->status;
    if (comm == NULL)
        return NUCE_OK;
    collective.communicator = comm->id;
    collective.messages = nuce_allocate(comm->size, sizeof *collective.messages, error);
    if (collective.messages == NULL)
        return error->status;
    error->status = collective_messages(reader, collectives[row].way, comm, &collective, error);
    if (error->status == NUCE_OK)
        nuce_recorder_collective(reader->recorder, &collective, reader->call.enter_ns,
                                 reader->call.return_ns);
    free(collective.messages);
    return error->status;
}

/* What is done with a call that is no collective one. Calls that are neither here nor in
 * dumpi_left_out.c carry no data, and are passed over. */
static const struct {
    const char *name;
    nuce_status (*take)(struct dumpi_reader *, struct nuce_error *);
} takers[] = {
    {"MPI_Send", take_send},
    {"MPI_Bsend", take_send},
    {"MPI_Ssend", take_send},
    {"MPI_Rsend", take_send},
    {"MPI_Recv", take_receive},
    {"MPI_Sendrecv", take_sendrecv},
    {"MPI_Sendrecv_replace", take_sendrecv},
    {"MPI_Isend", take_request},
    {"MPI_Ibsend", take_request},
    {"MPI_Issend", take_request},
    {"MPI_Irsend", take_request},
    {"MPI_Irecv", take_request},
    {"MPI_Send_init", take_request},
    {"MPI_Bsend_init", take_request},
    {"MPI_Ssend_init", take_request},
    {"MPI_Rsend_init", take_request},
    {"MPI_Recv_init", take_request},
    {"MPI_Start", take_starts},
    {"MPI_Startall", take_starts},
    {"MPI_Wait", take_one_done},
    {"MPI_Test", take_one_done},
    {"MPI_Waitany", take_any_done},
    {"MPI_Testany", take_any_done},
    {"MPI_Waitall", take_all_done},
    {"MPI_Testall", take_all_done},
    {"MPI_Waitsome", take_some_done},
    {"MPI_Testsome", take_some_done},
    {"MPI_Cancel", take_release},
    {"MPI_Request_free", take_release},
    {"MPI_Iprobe", take_probe},
};
enum { TAKERS = sizeof takers / sizeof *takers };

/* Sizes of datatypes are those of now: what a call makes takes the place of another of its number,
 * so this is done for each call in turn, in the second pass again. */
static nuce_status note_type(struct dumpi_reader *reader, struct nuce_error *error)
{
    struct nuce_dumpi_types *types = &reader->world->rank[reader->own].types;

    if (nuce_dumpi_note_told(types, &reader->stream, &reader->call, error) != NUCE_OK)
        return error->status;
    return nuce_dumpi_note_made(types, &reader->stream, &reader->call, error);
}

/* In this order: datatypes, for any call may make one; communicators; collective calls; messages;
 * and what is left is counted if it carries data. */
static nuce_status take_call(struct dumpi_reader *reader, struct nuce_error *error)
{
    int counter = nuce_dumpi_left_out(reader->call.name);

    count_left_out(reader, NUCE_RAW_CALLS);
    if (note_type(reader, error) != NUCE_OK)
        return error->status;
    if (nuce_dumpi_is_creation(&reader->call))
        return take_creation(reader, error);
    for (int i = 0; i < COLLECTIVES; i++) {
        if (strcmp(reader->call.name, collectives[i].name) == 0)
            return take_collective(reader, i, error);
    }
    for (int i = 0; i < TAKERS; i++) {
        if (strcmp(reader->call.name, takers[i].name) == 0)
            return takers[i].take(reader, error);
    }
    if (counter >= 0)
        count_left_out(reader, (enum nuce_raw_counter)counter);
    return NUCE_OK;
}

/* All calls of the file. The rank's begin is the time of the first. */
static nuce_status take_calls(struct dumpi_reader *reader, struct nuce_error *error)
{
    int64_t begin_ns = -1;

    for (;;) {
        int found;

        if (nuce_dumpi_next(&reader->stream, &reader->call, &found, error) != NUCE_OK)
            return error->status;
        if (!found)
            return NUCE_OK;
        if (begin_ns < 0) {
            begin_ns = reader->call.enter_ns;
            nuce_recorder_header(reader->recorder)->begin_ns = begin_ns;
        }
        if (take_call(reader, error) != NUCE_OK)
            return error->status;
    }
}

/* The second pass over one rank's file. MPI_COMM_WORLD is made known first: the recorder takes its
 * first communicator for it. */
static nuce_status record_rank(struct dumpi_reader *reader, const struct nuce_import_input *input,
                               struct nuce_error *error)
{
    nuce_status status;

    reader->recorder = nuce_traced_recorder(input, reader->own, input->count,
                                            reader->world->rank[reader->own].host, error);
    if (reader->recorder == NULL)
        return error->status;
    status = nuce_dumpi_open(&reader->stream, &input->files[reader->own], error);
    if (status == NUCE_OK)
        status = add_comm(reader, NUCE_DUMPI_COMM_WORLD, reader->world->groups[0].members,
                          input->count, error);
    if (status == NUCE_OK)
        status = add_comm(reader, NUCE_DUMPI_COMM_SELF, &reader->own, 1, error);
    if (status == NUCE_OK)
        status = take_calls(reader, error);
    nuce_recorder_destroy(reader->recorder, NUCE_RAW_FINALIZED, reader->call.return_ns);
    free(reader->comms);
    return status;
}

/* Whether times of all ranks can be compared: where all were on one host, and its name is known.
 * libdumpi does not synchronise clocks. */
static int are_times_of_one_clock(const struct nuce_dumpi_world *world)
{
    for (int rank = 0; rank < world->ranks; rank++) {
        if (!world->rank[rank].has_times ||
            strcmp(world->rank[rank].host, world->rank[0].host) != 0)
            return 0;
    }
    return world->rank[0].host[0] != '\0';
}

/* Two passes: dumpi_comms.c reads all files to know who is in which communicator, for that of a
 * split is known only with the colours of all; then each rank's calls are told to a recorder, one
 * rank after the other. Time O(bytes of all files), memory that of the files, the communicators,
 * and one recorder. */
static nuce_status dumpi_import(const struct nuce_import_input *input, struct nuce_capture *out,
                                struct nuce_error *error)
{
    struct nuce_dumpi_world world = {.ranks = 0};
    int is_one_clock;
    nuce_status status;

    if (input->ranks > 0 && input->ranks != input->count)
        return nuce_error_refuse(error, "ranks", "'%d': expected a file for each, %d are given",
                                 input->ranks, input->count);
    status = nuce_dumpi_world_init(&world, input, error);
    for (int rank = 0; status == NUCE_OK && rank < input->count; rank++) {
        struct dumpi_reader reader = {.world = &world, .own = rank};

        status = record_rank(&reader, input, error);
    }
    is_one_clock = status == NUCE_OK && are_times_of_one_clock(&world);
    nuce_dumpi_world_fini(&world);
    return status == NUCE_OK ? nuce_traced_merge(input, is_one_clock, out, error) : status;
}

static int dumpi_recognises(const char *text, size_t length)
{
    return nuce_dumpi_recognises(text, length) || nuce_dumpi_is_meta(text, length);
}

const struct nuce_importer_ops nuce_importer_dumpi = {
    .name = "dumpi",
    .summary =
        "traces of sst-dumpi: a file a rank, binary or as dumpi2ascii prints it; or their .meta",
    .source = "sstsimulator/sst-dumpi",
    .recognises = dumpi_recognises,
    .named_files = nuce_dumpi_meta_files,
    .import = dumpi_import,
};
