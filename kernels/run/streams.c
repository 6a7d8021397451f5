/* Streams: the queue of sends and the queue of receives advance on their own, each with up to
 * `depth` pieces in flight. Depth 1 is the papers' single port (Bhat, Prasanna and Raghavendra,
 * section 2); a deeper pipe hides handshakes and ramp-up. Invariant: the slots of a queue hold
 * pieces that are in flight, and pieces start in the order of the schedule; a slot that gets free
 * takes the next piece at once. One MPI_Testsome looks at both queues. */
#include "run/streams.h"

#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/requests.h"

/* One of the two queues. */
struct stream {
    MPI_Request *all; /* borrowed from requests, in order, as is */
    const struct nuce_transfer **about;
    const struct nuce_world *world;
    enum nuce_direction direction;
    int total;
    int next;            /* the next to start */
    MPI_Request *active; /* depth slots of the streams' own; unused ones are MPI_REQUEST_NULL */
    int *piece;          /* which piece is in each slot */
    int depth;
};

/* The executor: both queues, whose slots lie side by side. */
struct streams {
    struct nuce_requests requests;
    struct stream receive, send;
    MPI_Request *active; /* the slots of receive, then those of send */
    int *piece;
    int *indices; /* scratch of nuce_wait_some */
    int slots;
    int running; /* pieces in flight, in both queues */
};

void nuce_streams_destroy(void *self)
{
    struct streams *streams = self;

    if (streams == NULL)
        return;
    nuce_requests_fini(&streams->requests);
    free(streams->active);
    free(streams->piece);
    free(streams->indices);
    free(streams);
}

/* Room for the slots of both queues. */
static void create_slots(struct streams *streams, int receives, int sends)
{
    struct stream *receive = &streams->receive, *send = &streams->send;

    receive->depth = receives < receive->total ? receives : receive->total;
    send->depth = sends < send->total ? sends : send->total;
    streams->slots = receive->depth + send->depth;
    streams->active = nuce_allocate(streams->slots, sizeof *streams->active);
    streams->piece = nuce_allocate(streams->slots, sizeof *streams->piece);
    streams->indices = nuce_allocate(streams->slots, sizeof *streams->indices);
    receive->active = streams->active;
    receive->piece = streams->piece;
    send->active = streams->active + receive->depth;
    send->piece = streams->piece + receive->depth;
}

/* All requests are made here; the slots only borrow handles of them. */
void nuce_streams_create(const struct nuce_engine_input *input, int receives, int sends,
                         void **self)
{
    struct streams *streams = nuce_allocate(1, sizeof *streams);
    struct nuce_requests *r;

    r = &streams->requests;
    nuce_requests_init(input, r);
    streams->receive = (struct stream){.all = r->receive,
                                       .about = r->receive_piece,
                                       .world = input->world,
                                       .direction = NUCE_RECEIVE,
                                       .total = r->receives};
    streams->send = (struct stream){.all = r->send,
                                    .about = r->send_piece,
                                    .world = input->world,
                                    .direction = NUCE_SEND,
                                    .total = r->sends};
    create_slots(streams, receives, sends);
    *self = streams;
    return;
}

/* Puts the next piece into slot; 0 if there is none. */
static int start_next(struct stream *stream, int slot)
{
    stream->active[slot] = MPI_REQUEST_NULL;
    if (stream->next == stream->total)
        return 0;
    stream->active[slot] = stream->all[stream->next];
    stream->piece[slot] = stream->next++;
    nuce_trace_start(stream->world->trace, stream->direction, stream->about[stream->piece[slot]],
                     stream->active[slot]);
    NUCE_MPI(MPI_Start(&stream->active[slot]));
    return 1;
}

/* Returns how many pieces are in flight: `depth`, or as many as there are. */
static int start_stream(struct stream *stream)
{
    int running = 0;

    stream->next = 0;
    for (int slot = 0; slot < stream->depth; slot++)
        running += start_next(stream, slot);
    return running;
}

/* Receives before sends, so that they are there when messages come; copies at last, while messages
 * are under way. */
void nuce_streams_start(void *self)
{
    struct streams *streams = self;
    int next = 0;

    streams->running = start_stream(&streams->receive);
    streams->running += start_stream(&streams->send);
    nuce_requests_copy(&streams->requests, INT_MAX, &next);
}

/* A slot that gets free takes the next piece of its own queue: the two queues do not wait for each
 * other. */
int nuce_streams_progress(void *self)
{
    struct streams *streams = self;
    const struct nuce_world *world = streams->requests.world;
    int completed;

    if (streams->running == 0)
        return 1;
    completed = nuce_wait_some(&world->wait, streams->slots, streams->active, streams->indices);
    for (int i = 0; i < completed; i++) {
        int slot = streams->indices[i];

        nuce_trace_end(world->trace, streams->active[slot]);
        if (slot < streams->receive.depth)
            streams->running += start_next(&streams->receive, slot) - 1;
        else
            streams->running += start_next(&streams->send, slot - streams->receive.depth) - 1;
    }
    return streams->running == 0;
}

/* Sets peer and phase to those of a piece that is in flight, if one is. */
static void diagnose_stream(const struct stream *stream, int *peer, int *phase)
{
    for (int slot = 0; slot < stream->depth; slot++) {
        if (stream->active[slot] != MPI_REQUEST_NULL) {
            *peer = stream->about[stream->piece[slot]]->peer;
            *phase = stream->about[stream->piece[slot]]->phase;
            return;
        }
    }
}

void nuce_streams_diagnose(void *self, int *peer, int *phase)
{
    const struct streams *streams = self;

    diagnose_stream(&streams->send, peer, phase);
    diagnose_stream(&streams->receive, peer, phase);
}

static nuce_status streams_create(const struct nuce_engine_input *input, void **self,
                                  struct nuce_error *error)
{
    (void)error;
    nuce_streams_create(input, input->schedule->depth, input->schedule->depth, self);
    return NUCE_OK;
}

const struct nuce_executor_ops nuce_executor_streams = {
    .name = "streams",
    .traces = 1,
    .create = streams_create,
    .start = nuce_streams_start,
    .progress = nuce_streams_progress,
    .diagnose = nuce_streams_diagnose,
    .destroy = nuce_streams_destroy,
};
