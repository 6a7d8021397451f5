/* Archives of OTF2, as Score-P and others write them: NAME.otf2 and the folder beside it. What a
 * rank did is told to a recorder, as the interposer of nuce capture would have told it.
 *
 * The problem: the archive says what a receive got (source, tag, bytes) when it is done, and which
 * collective call a request stood for as well; a recorder is told when things are posted, since the
 * order of posting is the order in which messages are matched (MPI 4.1, 3.5).
 *
 * Steps: read all events (otf2_library.c); for each rank join the two ends of each request, so that
 * what was posted knows its peer and bytes (join_requests); then tell the events in order of time,
 * those of one call of MPI together. Cost: O(e log e) time for e events of a rank, 80 bytes
 * of memory for each event of all ranks.
 *
 * Followed: messages, requests, and collective calls, of which an archive has each rank's sum of
 * bytes alone: where the messages would follow from arguments, the pattern is `merged`. That a
 * receive took any source it does not say. One-sided calls and those on intercommunicators are
 * counted as not captured. Source: OTF2 3.0's OTF2_Events.h, "MPI events". */
#include <stdlib.h>
#include <string.h>

#include "capture/builder.h"
#include "imports/matrices.h"
#include "imports/otf2_trace.h"
#include "imports/traced.h"
#include "support/allocate.h"

/* One rank's events being told to its recorder. */
struct otf2_teller {
    const struct nuce_otf2_trace *trace;
    struct nuce_otf2_rank *rank;
    /* own: world rank. ids: for each communicator of the trace its number at the recorder; -1: this
     * rank is not in it, or no event is on it. */
    int own, *ids; /* ids: of each communicator the recorder's; -1: this rank is none of it */
    const char *path;
    struct nuce_recorder *recorder;
    struct nuce_recorder_place *places; /* of the blocking messages of one call, in their order */
    int64_t place_capacity;
};

void nuce_otf2_trace_fini(struct nuce_otf2_trace *trace)
{
    for (int i = 0; trace->rank != NULL && i < trace->ranks; i++)
        free(trace->rank[i].events);
    for (int64_t i = 0; i < trace->comm_count; i++)
        free(trace->comms[i].members);
    free(trace->rank);
    free(trace->comms);
    *trace = (struct nuce_otf2_trace){0};
}

/* An event of a request, for sorting: by request, those of one in order of time, for a number
 * stands for one request after the other. */
struct otf2_step {
    uint64_t request;
    int64_t index;
};

static int order_of_steps(const void *a, const void *b)
{
    const struct otf2_step *x = a, *y = b;

    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Whether the event has a request: all but what blocks. */
static int is_of_request(enum nuce_otf2_type type)
{
    return type != NUCE_OTF2_SEND && type != NUCE_OTF2_RECEIVE && type != NUCE_OTF2_COLLECTIVE;
}

static int is_post(enum nuce_otf2_type type)
{
    return type == NUCE_OTF2_SEND_POSTED || type == NUCE_OTF2_RECEIVE_POSTED ||
           type == NUCE_OTF2_COLLECTIVE_POSTED;
}

/* Gives what was posted what the next event of its request says; end NULL: there is none. A send
 * knew all when it was posted. What never ended, or was cancelled, keeps no communicator (-1), and
 * so is not told but counted. */
static void settle_post(struct nuce_otf2_rank *rank, struct nuce_otf2_event *post,
                        const struct nuce_otf2_event *end)
{
    int is_done = end != NULL && end->type == (enum nuce_otf2_type)(post->type + 1);

    if (post->type == NUCE_OTF2_SEND_POSTED)
        return;
    if (is_done) {
        post->comm = end->comm;
        post->peer = end->peer;
        post->tag = end->tag;
        post->kind = end->kind;
        post->bytes = end->bytes;
    } else if (post->type == NUCE_OTF2_COLLECTIVE_POSTED) {
        rank->counters[NUCE_RAW_OTHER]++;
    } else {
        rank->counters[end == NULL || is_post(end->type) ? NUCE_RAW_UNFINISHED
                                                         : NUCE_RAW_CANCELLED]++;
    }
}

/* Goes through the events of one request after the other. A post is ended by the next event of its
 * request, if that is no post. An end without a post is a receive or a collective call that
 * blocked: some writers record a blocking call so. What is posted and never seen to end is taken
 * for freed (MPI_Request_free), so that its round can end. */
static void settle_steps(struct nuce_otf2_rank *rank, const struct otf2_step *steps, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        struct nuce_otf2_event *event = &rank->events[steps[i].index];
        int is_followed = i + 1 < count && steps[i + 1].request == steps[i].request;
        int is_known = i > 0 && steps[i - 1].request == steps[i].request &&
                       is_post(rank->events[steps[i - 1].index].type);

        if (is_post(event->type)) {
            settle_post(rank, event, is_followed ? &rank->events[steps[i + 1].index] : NULL);
            event->is_freed = !is_followed || is_post(rank->events[steps[i + 1].index].type);
        } else if (!is_known && event->type == NUCE_OTF2_RECEIVE_DONE) {
            event->type = NUCE_OTF2_RECEIVE;
        } else if (!is_known && event->type == NUCE_OTF2_COLLECTIVE_DONE) {
            event->type = NUCE_OTF2_COLLECTIVE;
        }
    }
}

/* Joins the two ends of each request of the rank, by settle_steps. */
static nuce_status join_requests(struct nuce_otf2_rank *rank, struct nuce_error *error)
{
    struct otf2_step *steps = nuce_allocate(rank->count, sizeof *steps, error);
    int64_t count = 0;

    if (steps == NULL)
        return error->status;
    for (int64_t i = 0; i < rank->count; i++) {
        if (is_of_request(rank->events[i].type))
            steps[count++] = (struct otf2_step){rank->events[i].request, i};
    }
    if (count > 0)
        qsort(steps, (size_t)count, sizeof *steps, order_of_steps);
    settle_steps(rank, steps, count);
    free(steps);
    return NUCE_OK;
}

/* NUCE_BAD_INPUT, with the archive, the rank and the event's number in it, from 1 on. */
static nuce_status refuse_event(const struct otf2_teller *teller,
                                const struct nuce_otf2_event *event, const char *what,
                                struct nuce_error *error)
{
    return nuce_error_set(error, NUCE_BAD_INPUT, "%s: rank %d, its event %lld of messages: %s",
                          teller->path, teller->own, (long long)(event - teller->rank->events + 1),
                          what);
}

/* *peer becomes the rank in the event's communicator that it names, looked up where the archive
 * names world ranks. NUCE_BAD_INPUT: this rank or the peer is not in the communicator, or the bytes
 * are beyond NUCE_MATRICES_MOST_BYTES. */
static nuce_status otf2_peer(const struct otf2_teller *teller, const struct nuce_otf2_event *event,
                             int *peer, struct nuce_error *error)
{
    const struct nuce_otf2_comm *comm = &teller->trace->comms[event->comm];
    int size = comm->is_self ? 1 : comm->size;

    if (teller->ids[event->comm] < 0)
        return refuse_event(teller, event, "it is on a communicator without this rank", error);
    *peer = event->peer;
    if (comm->is_global && !comm->is_self) {
        for (*peer = 0; *peer < size && comm->members[*peer] != event->peer;)
            ++*peer;
    }
    if (*peer < 0 || *peer >= size)
        return refuse_event(teller, event, "its other rank is none of the communicator", error);
    if (event->bytes < 0 || event->bytes > NUCE_MATRICES_MOST_BYTES)
        return refuse_event(teller, event, "it has more than 1024TiB", error);
    return NUCE_OK;
}

/* The event as a recorder's message, in `direction`. */
static nuce_status otf2_message(const struct otf2_teller *teller,
                                const struct nuce_otf2_event *event, int direction,
                                struct nuce_recorder_message *out, struct nuce_error *error)
{
    int peer = 0;

    if (otf2_peer(teller, event, &peer, error) != NUCE_OK)
        return error->status;
    *out = (struct nuce_recorder_message){.communicator = teller->ids[event->comm],
                                          .direction = direction,
                                          .peer = peer,
                                          .tag = event->tag,
                                          .bytes = event->bytes};
    return NUCE_OK;
}

/* Begins a blocking message; its place in the round is kept as places[number], for end_event. */
static nuce_status begin_blocking(struct otf2_teller *teller, const struct nuce_otf2_event *event,
                                  int64_t number, struct nuce_error *error)
{
    struct nuce_recorder_message message;
    void *places = teller->places;
    int direction = event->type == NUCE_OTF2_SEND ? NUCE_RAW_SEND : NUCE_RAW_RECEIVE;

    if (otf2_message(teller, event, direction, &message, error) != NUCE_OK ||
        nuce_allocate_more(&places, &teller->place_capacity, number + 1, sizeof *teller->places,
                           error) != NUCE_OK)
        return error->status;
    teller->places = places;
    teller->places[number] = nuce_recorder_begin(teller->recorder, &message, event->begin_ns);
    return NUCE_OK;
}

/* Tells of a posted message, and where it is never seen to end that it is freed. */
static nuce_status post_message(struct otf2_teller *teller, const struct nuce_otf2_event *event,
                                struct nuce_error *error)
{
    int is_send = event->type == NUCE_OTF2_SEND_POSTED;
    struct nuce_recorder_message message;

    if (otf2_message(teller, event, is_send ? NUCE_RAW_SEND : NUCE_RAW_RECEIVE, &message, error) !=
        NUCE_OK)
        return error->status;
    nuce_recorder_post(teller->recorder, event->request, &message, event->begin_ns);
    if (event->is_freed)
        nuce_recorder_free(teller->recorder, event->request, event->end_ns);
    return NUCE_OK;
}

/* A blocking call is told as a whole; one that is posted by its request, which end_event
 * finishes. */
static nuce_status take_collective_event(struct otf2_teller *teller,
                                         const struct nuce_otf2_event *event,
                                         struct nuce_error *error)
{
    struct nuce_recorder_collective collective = {
        .communicator = teller->ids[event->comm], .kind = event->kind, .bytes = event->bytes};

    if (collective.communicator < 0)
        return refuse_event(teller, event, "it is on a communicator without this rank", error);
    if (event->bytes < 0 || event->bytes > NUCE_MATRICES_MOST_BYTES)
        return refuse_event(teller, event, "it has more than 1024TiB", error);
    if (event->type == NUCE_OTF2_COLLECTIVE)
        nuce_recorder_collective(teller->recorder, &collective, event->begin_ns, event->end_ns);
    else
        nuce_recorder_post_collective(teller->recorder, event->request, &collective,
                                      event->begin_ns);
    return NUCE_OK;
}

/* Tells what the event begins; *blocking counts the blocking messages of this call. An event
 * without a communicator that is followed begins nothing. */
static nuce_status begin_event(struct otf2_teller *teller, const struct nuce_otf2_event *event,
                               int64_t *blocking, struct nuce_error *error)
{
    if (event->comm < 0)
        return NUCE_OK;
    switch (event->type) {
    case NUCE_OTF2_SEND:
    case NUCE_OTF2_RECEIVE:
        return begin_blocking(teller, event, (*blocking)++, error);
    case NUCE_OTF2_SEND_POSTED:
    case NUCE_OTF2_RECEIVE_POSTED:
        return post_message(teller, event, error);
    case NUCE_OTF2_COLLECTIVE:
    case NUCE_OTF2_COLLECTIVE_POSTED:
        return take_collective_event(teller, event, error);
    default:
        return NUCE_OK;
    }
}

/* Tells what the event ends. *blocking counts as in begin_event, so that both mean the same
 * places. */
static void end_event(struct otf2_teller *teller, const struct nuce_otf2_event *event,
                      int64_t *blocking)
{
    switch (event->type) {
    case NUCE_OTF2_SEND:
    case NUCE_OTF2_RECEIVE:
        if (event->comm >= 0)
            nuce_recorder_end(teller->recorder, &teller->places[(*blocking)++], 0, 0,
                              event->end_ns);
        break;
    case NUCE_OTF2_SEND_DONE:
    case NUCE_OTF2_RECEIVE_DONE:
    case NUCE_OTF2_COLLECTIVE_DONE:
        nuce_recorder_finish(teller->recorder, event->request, 0, 0, event->end_ns);
        break;
    case NUCE_OTF2_CANCELLED:
        nuce_recorder_cancel(teller->recorder, event->request);
        nuce_recorder_cancelled(teller->recorder, event->request, event->end_ns);
        break;
    default:
        break;
    }
}

/* Tells all events. What is in one call of MPI, as in a Sendrecv or a Waitall, begins before any of
 * it ends, so that it is of one round. */
static nuce_status tell_events(struct otf2_teller *teller, struct nuce_error *error)
{
    const struct nuce_otf2_rank *rank = teller->rank;

    for (int64_t first = 0, end; first < rank->count; first = end) {
        int64_t blocking = 0;

        for (end = first + 1; end < rank->count && rank->events[first].call != 0 &&
                              rank->events[end].call == rank->events[first].call;)
            end++;
        for (int64_t i = first; i < end; i++) {
            if (begin_event(teller, &rank->events[i], &blocking, error) != NUCE_OK)
                return error->status;
        }
        blocking = 0;
        for (int64_t i = first; i < end; i++)
            end_event(teller, &rank->events[i], &blocking);
    }
    return NUCE_OK;
}

/* Makes the communicators with this rank that events are on known to its recorder, in the same
 * order on all ranks, which is what tells apart those of the same members. The first added is the
 * world; the first communicator of the archive with the world's members is taken to be it. */
static nuce_status add_comms(struct otf2_teller *teller, const int *world, struct nuce_error *error)
{
    const struct nuce_otf2_trace *trace = teller->trace;
    int world_id = nuce_recorder_add(teller->recorder, world, trace->ranks, teller->own);

    for (int64_t i = 0; i < trace->comm_count; i++) {
        const struct nuce_otf2_comm *comm = &trace->comms[i];
        const int *members = comm->is_self ? &teller->own : comm->members;
        int size = comm->is_self ? 1 : comm->size, own = 0;

        teller->ids[i] = -1;
        while (own < size && members[own] != teller->own)
            own++;
        if (!comm->is_used || own == size)
            continue;
        if (world_id >= 0 && size == trace->ranks &&
            memcmp(members, world, (size_t)size * sizeof *world) == 0) {
            teller->ids[i] = world_id; /* the first one is the world itself */
            world_id = -1;
            continue;
        }
        teller->ids[i] = nuce_recorder_add(teller->recorder, members, size, own);
        if (teller->ids[i] < 0)
            return nuce_error_set(error, NUCE_FAILED, "no room for a communicator");
    }
    return NUCE_OK;
}

/* One rank: its raw file is begun, filled and ended here. */
static nuce_status tell_rank(struct otf2_teller *teller, const struct nuce_import_input *input,
                             const int *world, struct nuce_error *error)
{
    struct nuce_raw_header *header;

    if (join_requests(teller->rank, error) != NUCE_OK)
        return error->status;
    teller->recorder =
        nuce_traced_recorder(input, teller->own, teller->trace->ranks, teller->rank->host, error);
    if (teller->recorder == NULL)
        return error->status;
    header = nuce_recorder_header(teller->recorder);
    header->begin_ns = teller->rank->begin_ns;
    memcpy(header->counters, teller->rank->counters, sizeof header->counters);
    header->counters[NUCE_RAW_CALLS] += teller->rank->count;
    if (add_comms(teller, world, error) == NUCE_OK)
        error->status = tell_events(teller, error);
    nuce_recorder_destroy(teller->recorder, NUCE_RAW_FINALIZED, teller->rank->end_ns);
    return error->status;
}

/* All ranks, one after the other. */
static nuce_status tell_ranks(struct nuce_otf2_trace *trace, const struct nuce_import_input *input,
                              struct nuce_error *error)
{
    int *ids = nuce_allocate(trace->comm_count, sizeof *ids, error);
    int *world = ids == NULL ? NULL : nuce_allocate(trace->ranks, sizeof *world, error);
    nuce_status status = world == NULL ? error->status : NUCE_OK;

    for (int rank = 0; world != NULL && rank < trace->ranks; rank++)
        world[rank] = rank;
    for (int rank = 0; status == NUCE_OK && rank < trace->ranks; rank++) {
        struct otf2_teller teller = {.trace = trace,
                                     .rank = &trace->rank[rank],
                                     .own = rank,
                                     .ids = ids,
                                     .path = input->files[0].name};

        status = tell_rank(&teller, input, world, error);
        free(teller.places);
    }
    free(ids);
    free(world);
    return status;
}

/* Of calls whose messages would follow from their arguments (gather .. alltoallw in the order of
 * enum nuce_raw_kind) an archive has sums alone: their patterns are marked merged, which changes
 * what identifies them. */
static nuce_status mark_sums(struct nuce_capture *capture, struct nuce_error *error)
{
    for (int i = 0; i < capture->patterns; i++) {
        struct nuce_capture_pattern *pattern = &capture->pattern[i];

        if (pattern->moved > 0 && pattern->kind >= NUCE_RAW_KIND_gather &&
            pattern->kind <= NUCE_RAW_KIND_alltoallw) {
            pattern->quality = NUCE_CAPTURE_MERGED;
            if (nuce_capture_builder_identify(capture, pattern, NULL, 0, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

/* The events are freed as soon as they are told: the merge makes lists of its own of the same. */
static nuce_status otf2_import(const struct nuce_import_input *input, struct nuce_capture *out,
                               struct nuce_error *error)
{
    struct nuce_otf2_trace trace = {.ranks = 0};
    struct nuce_capture capture = {0};
    int are_clocks_one;
    nuce_status status;

    if (input->count != 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: expected one archive of OTF2, %d files are given",
                              input->files[1].name, input->count);
    status = nuce_otf2_read(input->files[0].name, &trace, error);
    if (status == NUCE_OK && input->ranks > 0 && input->ranks != trace.ranks)
        status = nuce_error_refuse(error, "ranks", "'%d': the archive has %d", input->ranks,
                                   trace.ranks);
    if (status == NUCE_OK)
        status = tell_ranks(&trace, input, error);
    are_clocks_one = trace.are_clocks_one;
    nuce_otf2_trace_fini(&trace);
    if (status == NUCE_OK)
        status = nuce_traced_merge(input, are_clocks_one, &capture, error);
    if (status == NUCE_OK && mark_sums(&capture, error) != NUCE_OK)
        status = error->status;
    if (status == NUCE_OK)
        *out = capture;
    else
        nuce_capture_fini(&capture);
    return status;
}

/* An anchor file begins with the head of a chunk: 3, a byte that says its byte order, then
 * "OTF2". */
static int otf2_recognises(const char *text, size_t length)
{
    return length > 6 && text[0] == 3 && memcmp(text + 2, "OTF2", 4) == 0;
}

const struct nuce_importer_ops nuce_importer_otf2 = {
    .name = "otf2",
    .summary = "archives of OTF2, as Score-P writes them: NAME.otf2",
    .source = "OTF2 3.0, https://www.vi-hps.org/projects/score-p",
    .recognises = otf2_recognises,
    .import = otf2_import,
};
