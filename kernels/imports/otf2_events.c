/* The events of an archive of OTF2, as callbacks of its library. They come in the order of time
 * over all locations. What is in one call of MPI (between enter and leave of the outermost region
 * of MPI of a location) is chained by `before`, so that on_leave can set its end. Parameters that
 * are not needed have no use here and are voided.
 *
 * Source: OTF2 3.0's OTF2_Events.h and OTF2_GlobalEvtReaderCallbacks.h. */
#include "imports/otf2_reader.h"

/* More events than these (at 80 bytes each, 20 GiB) take more memory than a login node has. */
#define MOST_EVENTS ((int64_t)1 << 28)

/* Ticks from the clock's first as ns. Seconds and the rest are converted apart: their product with
 * 1e9 would overflow, or lose digits as a double. */
static int64_t otf2_ns(const struct nuce_otf2_reader *reader, OTF2_TimeStamp time)
{
    uint64_t ticks = time > reader->begin ? time - reader->begin : 0;
    uint64_t seconds = ticks / reader->resolution, rest = ticks % reader->resolution;

    if (seconds > INT64_MAX / 2000000000)
        return INT64_MAX / 2;
    return (int64_t)(seconds * 1000000000 +
                     (uint64_t)((double)rest * 1e9 / (double)reader->resolution + 0.5));
}

/* The location's place; NULL: it is of no rank. *now_ns: the event's time, which the span of its
 * rank then includes. */
static struct nuce_otf2_place *otf2_place_of(struct nuce_otf2_reader *reader,
                                             OTF2_LocationRef location, OTF2_TimeStamp time,
                                             int64_t *now_ns)
{
    const struct nuce_otf2_row *row = nuce_otf2_find(&reader->locations, location);
    struct nuce_otf2_place *place =
        row == NULL ? NULL : &reader->places[row - reader->locations.rows];
    struct nuce_otf2_rank *rank;

    if (place == NULL || place->rank < 0)
        return NULL;
    *now_ns = otf2_ns(reader, time);
    rank = &reader->trace->rank[place->rank];
    if (rank->begin_ns < 0)
        rank->begin_ns = *now_ns;
    rank->end_ns = *now_ns > rank->end_ns ? *now_ns : rank->end_ns;
    return place;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct nuce_otf2_reader *reader = data;
    int64_t now_ns;
    struct nuce_otf2_place *place = otf2_place_of(reader, location, time, &now_ns);

    (void)attributes;
    if (place == NULL || nuce_otf2_find(&reader->regions, region) == NULL || place->depth++ > 0)
        return OTF2_CALLBACK_SUCCESS;
    place->begin_ns = now_ns;
    place->call = ++reader->call;
    place->last = -1;
    return OTF2_CALLBACK_SUCCESS;
}

/* The outermost region of MPI is left: the end of its events is now known. */
static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct nuce_otf2_reader *reader = data;
    int64_t now_ns;
    struct nuce_otf2_place *place = otf2_place_of(reader, location, time, &now_ns);
    struct nuce_otf2_rank *rank;

    (void)attributes;
    if (place == NULL || place->depth == 0 || nuce_otf2_find(&reader->regions, region) == NULL ||
        --place->depth > 0)
        return OTF2_CALLBACK_SUCCESS;
    rank = &reader->trace->rank[place->rank];
    for (int64_t i = place->last; i >= 0; i = rank->events[i].before)
        rank->events[i].end_ns = now_ns;
    place->last = -1;
    place->coming_ns = -1;
    return OTF2_CALLBACK_SUCCESS;
}

/* The index of the communicator in the trace, which is marked used; -1, counted: it is not
 * followed. */
static int otf2_comm(struct nuce_otf2_reader *reader, struct nuce_otf2_rank *rank,
                     OTF2_CommRef comm)
{
    const struct nuce_otf2_row *row = nuce_otf2_find(&reader->comms, comm);

    if (row == NULL || row->a < 0) {
        rank->counters[row != NULL && row->a == NUCE_OTF2_BETWEEN ? NUCE_RAW_BETWEEN
                                                                  : NUCE_RAW_OTHER]++;
        return -1;
    }
    reader->trace->comms[row->a].is_used = 1;
    return (int)row->a;
}

/* Notes an event of a rank. comm NULL: the event tells none. Its begin and end are those of the
 * call that it is in; outside of any (a writer without regions) both are its own time, or from
 * MpiCollectiveBegin on. */
static OTF2_CallbackCode add_event(struct nuce_otf2_reader *reader, OTF2_LocationRef location,
                                   OTF2_TimeStamp time, const OTF2_CommRef *comm,
                                   struct nuce_otf2_event event)
{
    int64_t now_ns;
    struct nuce_otf2_place *place = otf2_place_of(reader, location, time, &now_ns);
    struct nuce_otf2_rank *rank;
    struct nuce_otf2_event *added;

    if (place == NULL)
        return OTF2_CALLBACK_SUCCESS;
    if (++reader->event_count > MOST_EVENTS) {
        reader->status = nuce_otf2_refuse(reader, "it has more than 268435456 events of messages");
        return OTF2_CALLBACK_INTERRUPT;
    }
    rank = &reader->trace->rank[place->rank];
    added = nuce_otf2_append(reader, &rank->events, &rank->capacity, rank->count, sizeof *added);
    if (added == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    event.comm = comm == NULL ? -1 : otf2_comm(reader, rank, *comm);
    event.begin_ns = event.end_ns = now_ns;
    event.before = -1;
    if (place->depth > 0) {
        event.begin_ns = place->begin_ns;
        event.call = place->call;
        event.before = place->last;
        place->last = rank->count;
    } else if (event.type == NUCE_OTF2_COLLECTIVE && place->coming_ns >= 0) {
        event.begin_ns = place->coming_ns;
    }
    place->coming_ns = -1;
    *added = event;
    rank->count++;
    return OTF2_CALLBACK_SUCCESS;
}

/* A number of the archive where it can be one here, else -1, which is refused when it is told
 * (otf2.c): here nobody knows which rank and event it is. */
static int otf2_rank_number(uint32_t number)
{
    return number > INT32_MAX ? -1 : (int)number;
}

static int64_t otf2_bytes(uint64_t bytes)
{
    return bytes > INT64_MAX ? -1 : (int64_t)bytes;
}

static OTF2_CallbackCode add_otf2_message(void *data, OTF2_LocationRef location,
                                          OTF2_TimeStamp time, enum nuce_otf2_type type,
                                          uint32_t peer, OTF2_CommRef comm, uint32_t tag,
                                          uint64_t bytes, uint64_t request)
{
    return add_event(data, location, time, &comm,
                     (struct nuce_otf2_event){.type = type,
                                              .peer = otf2_rank_number(peer),
                                              .tag = (int)(tag & INT32_MAX),
                                              .bytes = otf2_bytes(bytes),
                                              .request = request});
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                 OTF2_AttributeList *attributes, uint32_t peer, OTF2_CommRef comm,
                                 uint32_t tag, uint64_t bytes)
{
    (void)attributes;
    return add_otf2_message(data, location, time, NUCE_OTF2_SEND, peer, comm, tag, bytes, 0);
}

static OTF2_CallbackCode on_receive(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                    OTF2_AttributeList *attributes, uint32_t peer,
                                    OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    (void)attributes;
    return add_otf2_message(data, location, time, NUCE_OTF2_RECEIVE, peer, comm, tag, bytes, 0);
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, uint32_t peer, OTF2_CommRef comm,
                                  uint32_t tag, uint64_t bytes, uint64_t request)
{
    (void)attributes;
    return add_otf2_message(data, location, time, NUCE_OTF2_SEND_POSTED, peer, comm, tag, bytes,
                            request);
}

static OTF2_CallbackCode on_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                  OTF2_AttributeList *attributes, uint32_t peer, OTF2_CommRef comm,
                                  uint32_t tag, uint64_t bytes, uint64_t request)
{
    (void)attributes;
    return add_otf2_message(data, location, time, NUCE_OTF2_RECEIVE_DONE, peer, comm, tag, bytes,
                            request);
}

static OTF2_CallbackCode on_isend_done(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                       OTF2_AttributeList *attributes, uint64_t request)
{
    (void)attributes;
    return add_event(data, location, time, NULL,
                     (struct nuce_otf2_event){.type = NUCE_OTF2_SEND_DONE, .request = request});
}

static OTF2_CallbackCode on_irecv_posted(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                         OTF2_AttributeList *attributes, uint64_t request)
{
    (void)attributes;
    return add_event(
        data, location, time, NULL,
        (struct nuce_otf2_event){.type = NUCE_OTF2_RECEIVE_POSTED, .request = request});
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                      OTF2_AttributeList *attributes, uint64_t request)
{
    (void)attributes;
    return add_event(data, location, time, NULL,
                     (struct nuce_otf2_event){.type = NUCE_OTF2_CANCELLED, .request = request});
}

/* Kinds by OTF2_CollectiveOp; those behind the last one make and free things, and are passed over.
 */
static const int otf2_kinds[] = {
    [OTF2_COLLECTIVE_OP_BARRIER] = NUCE_RAW_KIND_barrier,
    [OTF2_COLLECTIVE_OP_BCAST] = NUCE_RAW_KIND_bcast,
    [OTF2_COLLECTIVE_OP_GATHER] = NUCE_RAW_KIND_gather,
    [OTF2_COLLECTIVE_OP_GATHERV] = NUCE_RAW_KIND_gatherv,
    [OTF2_COLLECTIVE_OP_SCATTER] = NUCE_RAW_KIND_scatter,
    [OTF2_COLLECTIVE_OP_SCATTERV] = NUCE_RAW_KIND_scatterv,
    [OTF2_COLLECTIVE_OP_ALLGATHER] = NUCE_RAW_KIND_allgather,
    [OTF2_COLLECTIVE_OP_ALLGATHERV] = NUCE_RAW_KIND_allgatherv,
    [OTF2_COLLECTIVE_OP_ALLTOALL] = NUCE_RAW_KIND_alltoall,
    [OTF2_COLLECTIVE_OP_ALLTOALLV] = NUCE_RAW_KIND_alltoallv,
    [OTF2_COLLECTIVE_OP_ALLTOALLW] = NUCE_RAW_KIND_alltoallw,
    [OTF2_COLLECTIVE_OP_ALLREDUCE] = NUCE_RAW_KIND_allreduce,
    [OTF2_COLLECTIVE_OP_REDUCE] = NUCE_RAW_KIND_reduce,
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = NUCE_RAW_KIND_reduce_scatter,
    [OTF2_COLLECTIVE_OP_SCAN] = NUCE_RAW_KIND_scan,
    [OTF2_COLLECTIVE_OP_EXSCAN] = NUCE_RAW_KIND_exscan,
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = NUCE_RAW_KIND_reduce_scatter_block,
};

/* Tells a collective call by what this rank sent. Operations that are not in otf2_kinds have no
 * data. */
static OTF2_CallbackCode add_collective(void *data, OTF2_LocationRef location, OTF2_TimeStamp time,
                                        enum nuce_otf2_type type, OTF2_CollectiveOp operation,
                                        OTF2_CommRef comm, uint64_t bytes, uint64_t request)
{
    struct nuce_otf2_event event = {.type = type, .bytes = otf2_bytes(bytes), .request = request};

    if (operation >= sizeof otf2_kinds / sizeof *otf2_kinds)
        return OTF2_CALLBACK_SUCCESS;
    event.kind = otf2_kinds[operation];
    return add_event(data, location, time, &comm, event);
}

/* Kept for a writer without regions, to know when the call began. */
static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
                                             void *data, OTF2_AttributeList *attributes)
{
    int64_t now_ns;
    struct nuce_otf2_place *place = otf2_place_of(data, location, time, &now_ns);

    (void)attributes;
    if (place != NULL)
        place->coming_ns = now_ns;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                       OTF2_AttributeList *attributes, OTF2_CollectiveOp operation,
                                       OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                       uint64_t received)
{
    (void)attributes;
    (void)root;
    (void)received;
    return add_collective(data, location, time, NUCE_OTF2_COLLECTIVE, operation, comm, sent, 0);
}

static OTF2_CallbackCode on_collective_posted(OTF2_LocationRef location, OTF2_TimeStamp time,
                                              void *data, OTF2_AttributeList *attributes,
                                              uint64_t request)
{
    (void)attributes;
    return add_event(
        data, location, time, NULL,
        (struct nuce_otf2_event){.type = NUCE_OTF2_COLLECTIVE_POSTED, .request = request});
}

static OTF2_CallbackCode on_collective_done(OTF2_LocationRef location, OTF2_TimeStamp time,
                                            void *data, OTF2_AttributeList *attributes,
                                            OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                            uint32_t root, uint64_t sent, uint64_t received,
                                            uint64_t request)
{
    (void)attributes;
    (void)root;
    (void)received;
    return add_collective(data, location, time, NUCE_OTF2_COLLECTIVE_DONE, operation, comm, sent,
                          request);
}

/* Counted as not captured. */
static OTF2_CallbackCode count_one_sided(struct nuce_otf2_reader *reader, OTF2_LocationRef location,
                                         OTF2_TimeStamp time)
{
    int64_t now_ns;
    const struct nuce_otf2_place *place = otf2_place_of(reader, location, time, &now_ns);

    if (place != NULL)
        reader->trace->rank[place->rank].counters[NUCE_RAW_ONE_SIDED]++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_put(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                OTF2_AttributeList *attributes, OTF2_RmaWinRef window,
                                uint32_t remote, uint64_t bytes, uint64_t id)
{
    (void)attributes;
    (void)window;
    (void)remote;
    (void)bytes;
    (void)id;
    return count_one_sided(data, location, time);
}

static OTF2_CallbackCode on_atomic(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
                                   OTF2_AttributeList *attributes, OTF2_RmaWinRef window,
                                   uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent,
                                   uint64_t received, uint64_t id)
{
    (void)attributes;
    (void)window;
    (void)remote;
    (void)type;
    (void)sent;
    (void)received;
    (void)id;
    return count_one_sided(data, location, time);
}

nuce_status nuce_otf2_read_events(struct nuce_otf2_reader *reader, OTF2_Reader *archive)
{
    OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(archive);
    OTF2_GlobalEvtReaderCallbacks *calls = OTF2_GlobalEvtReaderCallbacks_New();
    uint64_t count = 0;
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;

    if (events != NULL && calls != NULL) {
        OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(calls, on_enter);
        OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(calls, on_leave);
        OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(calls, on_send);
        OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(calls, on_receive);
        OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(calls, on_isend);
        OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(calls, on_isend_done);
        OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, on_irecv_posted);
        OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(calls, on_irecv);
        OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback(calls, on_cancelled);
        OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, on_collective_begin);
        OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, on_collective);
        OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(calls,
                                                                              on_collective_posted);
        OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls,
                                                                               on_collective_done);
        OTF2_GlobalEvtReaderCallbacks_SetRmaPutCallback(calls, on_put);
        OTF2_GlobalEvtReaderCallbacks_SetRmaGetCallback(calls, on_put);
        OTF2_GlobalEvtReaderCallbacks_SetRmaAtomicCallback(calls, on_atomic);
        OTF2_Reader_RegisterGlobalEvtCallbacks(archive, events, calls, reader);
        code = OTF2_Reader_ReadAllGlobalEvents(archive, events, &count);
    }
    OTF2_GlobalEvtReaderCallbacks_Delete(calls);
    if (events != NULL)
        OTF2_Reader_CloseGlobalEvtReader(archive, events);
    return code == OTF2_SUCCESS && reader->status == NUCE_OK ? NUCE_OK : nuce_otf2_fail(reader);
}
