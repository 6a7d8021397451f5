/* Streams: the queue of sends and the queue of receives advance on their own, each with up to
 * `depth` pieces in flight. Depth 1 is the papers' single port (Bhat, Prasanna and Raghavendra,
 * section 2); a deeper pipe hides handshakes and ramp-up. */
#include <limits.h>
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "requests.h"

/* One of the two queues. */
struct stream {
    MPI_Request *all; /* borrowed from requests, in order, as is */
    const struct nuce_transfer **about;
    const struct nuce_world *world;
    enum nuce_direction direction;
    int total;
    int next;            /* the next to start */
    MPI_Request *active; /* depth slots; inactive ones are MPI_REQUEST_NULL */
    int *piece;          /* which piece is in each slot */
    int *indices;        /* scratch of MPI_Testsome */
    int running;
    int depth;
};

struct streams {
    struct nuce_requests requests;
    struct stream send, receive;
};

static void destroy_stream(struct stream *stream)
{
    free(stream->active);
    free(stream->piece);
    free(stream->indices);
}

static void destroy(void *self)
{
    struct streams *streams = self;

    if (streams == NULL)
        return;
    destroy_stream(&streams->send);
    destroy_stream(&streams->receive);
    nuce_requests_fini(&streams->requests);
    free(streams);
}

static nuce_status create_stream(struct stream *stream, int depth, struct nuce_error *error)
{
    stream->depth = depth < stream->total ? depth : stream->total;
    stream->active = nuce_allocate(stream->depth, sizeof *stream->active, error);
    stream->piece = nuce_allocate(stream->depth, sizeof *stream->piece, error);
    stream->indices = nuce_allocate(stream->depth, sizeof *stream->indices, error);
    if (stream->active == NULL || stream->piece == NULL || stream->indices == NULL)
        return error->status;
    return NUCE_OK;
}

static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    struct streams *streams = nuce_allocate(1, sizeof *streams, error);
    struct nuce_requests *r;

    if (streams == NULL)
        return error->status;
    r = &streams->requests;
    if (nuce_requests_init(input, r, error) != NUCE_OK)
        goto fail;
    streams->send = (struct stream){.all = r->send,
                                    .about = r->send_piece,
                                    .world = input->world,
                                    .direction = NUCE_SEND,
                                    .total = r->sends};
    streams->receive = (struct stream){.all = r->receive,
                                       .about = r->receive_piece,
                                       .world = input->world,
                                       .direction = NUCE_RECEIVE,
                                       .total = r->receives};
    if (create_stream(&streams->send, input->schedule->depth, error) != NUCE_OK ||
        create_stream(&streams->receive, input->schedule->depth, error) != NUCE_OK)
        goto fail;
    *self = streams;
    return NUCE_OK;
fail:
    destroy(streams);
    return error->status;
}

/* Puts the next piece into slot, if there is one. */
static void start_next(struct stream *stream, int slot)
{
    stream->active[slot] = MPI_REQUEST_NULL;
    if (stream->next == stream->total)
        return;
    stream->active[slot] = stream->all[stream->next];
    stream->piece[slot] = stream->next++;
    nuce_trace_start(stream->world->trace, stream->direction, stream->about[stream->piece[slot]],
                     stream->active[slot]);
    NUCE_MPI(MPI_Start(&stream->active[slot]));
    stream->running++;
}

static void start_stream(struct stream *stream)
{
    stream->next = 0;
    stream->running = 0;
    for (int slot = 0; slot < stream->depth; slot++)
        start_next(stream, slot);
}

static void start(void *self)
{
    struct streams *streams = self;
    int next = 0;

    start_stream(&streams->receive);
    start_stream(&streams->send);
    nuce_requests_copy(&streams->requests, INT_MAX, &next);
}

static void progress_stream(struct stream *stream)
{
    int completed = 0;

    if (stream->running == 0)
        return;
    NUCE_MPI(MPI_Testsome(stream->depth, stream->active, &completed, stream->indices,
                          MPI_STATUSES_IGNORE));
    if (completed == MPI_UNDEFINED)
        return;
    stream->running -= completed;
    for (int i = 0; i < completed; i++) {
        nuce_trace_end(stream->world->trace, stream->active[stream->indices[i]]);
        start_next(stream, stream->indices[i]);
    }
}

static int progress(void *self)
{
    struct streams *streams = self;

    progress_stream(&streams->receive);
    progress_stream(&streams->send);
    return streams->receive.running == 0 && streams->send.running == 0;
}

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

static void diagnose(void *self, int *peer, int *phase)
{
    const struct streams *streams = self;

    diagnose_stream(&streams->send, peer, phase);
    diagnose_stream(&streams->receive, peer, phase);
}

const struct nuce_executor_ops nuce_executor_streams = {
    .name = "streams",
    .traces = 1,
    .create = create,
    .start = start,
    .progress = progress,
    .diagnose = diagnose,
    .destroy = destroy,
};
