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

void nuce_streams_destroy(void *self)
{
    struct nuce_streams *streams = self;

    nuce_requests_fini(&streams->requests);
    free(streams->active);
    free(streams->piece);
    free(streams->indices);
}

/* All requests are made here; the slots only borrow handles of them. */
nuce_status nuce_streams_build(void *self, const struct nuce_engine_input *input,
                               struct nuce_error *error)
{
    struct nuce_streams *streams = self;
    struct nuce_requests *r = &streams->requests;
    struct nuce_stream *receive = &streams->receive, *send = &streams->send;
    int depth = input->schedule->depth;

    (void)error;
    nuce_requests_init(input, r);
    *receive = (struct nuce_stream){.all = r->receive,
                                    .about = r->receive_piece,
                                    .world = input->world,
                                    .direction = NUCE_RECEIVE,
                                    .total = r->receives};
    *send = (struct nuce_stream){.all = r->send,
                                 .about = r->send_piece,
                                 .world = input->world,
                                 .direction = NUCE_SEND,
                                 .total = r->sends};
    receive->depth = input->schedule->discipline != NUCE_BLOCKING && depth < receive->total
                         ? depth
                         : receive->total;
    send->depth = depth < send->total ? depth : send->total;
    streams->slots = receive->depth + send->depth;
    streams->active = nuce_allocate(streams->slots, sizeof *streams->active);
    streams->piece = nuce_allocate(streams->slots, sizeof *streams->piece);
    streams->indices = nuce_allocate(streams->slots, sizeof *streams->indices);
    receive->active = streams->active;
    receive->piece = streams->piece;
    send->active = streams->active + receive->depth;
    send->piece = streams->piece + receive->depth;
    return NUCE_OK;
}

/* Puts the next piece into slot; 0 if there is none. */
static int start_next(struct nuce_stream *stream, int slot)
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
static int start_stream(struct nuce_stream *stream)
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
    struct nuce_streams *streams = self;
    int next = 0;

    streams->running = start_stream(&streams->receive);
    streams->running += start_stream(&streams->send);
    nuce_requests_copy(&streams->requests, INT_MAX, &next);
}

/* A slot that gets free takes the next piece of its own queue: the two queues do not wait for each
 * other. */
int nuce_streams_progress(void *self)
{
    struct nuce_streams *streams = self;
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
static void diagnose_stream(const struct nuce_stream *stream, int *peer, int *phase)
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
    const struct nuce_streams *streams = self;

    diagnose_stream(&streams->send, peer, phase);
    diagnose_stream(&streams->receive, peer, phase);
}

const struct nuce_executor_ops nuce_executor_streams = {
    .name = "streams",
    .traces = 1,
    .self_size = sizeof(struct nuce_streams),
    .build = nuce_streams_build,
    .start = nuce_streams_start,
    .progress = nuce_streams_progress,
    .diagnose = nuce_streams_diagnose,
    .destroy = nuce_streams_destroy,
};
