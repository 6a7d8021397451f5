/* Streams: the queue of sends and the queue of receives advance independently, each with up to
 * `depth` pieces in flight. Depth 1 is the papers' single port (Bhat, Prasanna and Raghavendra,
 * section 2); a deeper pipe hides handshakes and ramp-up. Invariant: the slots of a queue hold
 * its pieces in flight, and pieces start in the order of the schedule; a free slot takes the
 * next piece at once. One MPI_Testsome tests both queues. */
#include "run/streams.h"

#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"

void nuce_streams_destroy(void *self)
{
    struct nuce_streams *streams = self;

    nuce_request_set_fini(&streams->set);
    free(streams->active);
    free(streams->piece);
    free(streams->indices);
}

/* The requests of one direction as a queue, with slots after the existing ones. */
static void add_stream(struct nuce_streams *streams, enum nuce_direction direction, int depth,
                       struct nuce_stream *stream)
{
    stream->first = streams->set.count;
    nuce_requests_add_all(&streams->input, direction, &streams->set);
    stream->end = streams->set.count;
    stream->slot = streams->slots;
    stream->depth = depth < stream->end - stream->first ? depth : stream->end - stream->first;
    streams->slots += stream->depth;
}

/* All requests are made here; the slots only borrow their handles. */
nuce_status nuce_streams_build(void *self, const struct nuce_engine_input *input,
                               struct nuce_error *error)
{
    struct nuce_streams *streams = self;
    int depth = input->schedule->depth;

    (void)error;
    streams->input = *input;
    nuce_request_set_init(input->world, nuce_requests_most(input), &streams->set);
    streams->set.is_synchronous = 1;
    add_stream(streams, NUCE_RECEIVE,
               input->schedule->discipline == NUCE_BLOCKING ? INT_MAX : depth, &streams->receive);
    add_stream(streams, NUCE_SEND, depth, &streams->send);
    streams->active = nuce_allocate(streams->slots, sizeof *streams->active);
    streams->piece = nuce_allocate(streams->slots, sizeof *streams->piece);
    streams->indices = nuce_allocate(streams->slots, sizeof *streams->indices);
    return NUCE_OK;
}

/* Puts the next piece of the queue into slot; returns 0 if there is none. */
static int start_next(struct nuce_streams *streams, struct nuce_stream *stream, int slot)
{
    struct nuce_request_set *set = &streams->set;
    int index = stream->next;

    streams->active[slot] = MPI_REQUEST_NULL;
    if (index == stream->end)
        return 0;
    stream->next++;
    streams->active[slot] = set->request[index];
    streams->piece[slot] = index;
    nuce_trace_start(set->world->trace, (enum nuce_direction)set->direction[index],
                     &set->about[index], set->request[index]);
    NUCE_MPI(MPI_Start(&streams->active[slot]));
    return 1;
}

/* Starts `depth` pieces, or as many as there are. */
static void start_stream(struct nuce_streams *streams, struct nuce_stream *stream)
{
    stream->next = stream->first;
    for (int i = 0; i < stream->depth; i++)
        streams->running += start_next(streams, stream, stream->slot + i);
}

/* Receives come before sends, so they are posted when messages come; copies come last, during
 * the transfers. */
void nuce_streams_start(void *self)
{
    struct nuce_streams *streams = self;

    streams->running = 0;
    start_stream(streams, &streams->receive);
    start_stream(streams, &streams->send);
    nuce_requests_copy_all(&streams->input);
}

/* A free slot takes the next piece of its own queue: the two queues do not wait for each other. */
int nuce_streams_progress(void *self)
{
    struct nuce_streams *streams = self;
    const struct nuce_world *world = streams->input.world;
    int completed;

    if (streams->running == 0)
        return 1;
    completed = nuce_wait_some(&world->wait, streams->slots, streams->active, streams->indices);
    for (int i = 0; i < completed; i++) {
        int slot = streams->indices[i];

        nuce_trace_end(world->trace, streams->active[slot]);
        streams->running +=
            start_next(streams, slot < streams->send.slot ? &streams->receive : &streams->send,
                       slot) -
            1;
    }
    return streams->running == 0;
}

/* Names a receive among the pieces in flight, if there is one. */
void nuce_streams_diagnose(void *self, int *peer, int *phase)
{
    const struct nuce_streams *streams = self;

    for (int slot = streams->slots - 1; slot >= 0; slot--) {
        if (streams->active[slot] != MPI_REQUEST_NULL) {
            *peer = streams->set.about[streams->piece[slot]].peer;
            *phase = streams->set.about[streams->piece[slot]].phase;
        }
    }
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
