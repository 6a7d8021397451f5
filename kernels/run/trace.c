/* Notes events in memory that was allocated before the step; events without room count as lost.
 * The search for an open event starts at the first one, O(transfers in flight) an end. It
 * disturbs no sample: the traced step comes after them. */
#include "run/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/clock.h"

void nuce_trace_init(int rank, int64_t capacity, struct nuce_trace *out)
{
    struct nuce_trace trace = {.rank = rank, .capacity = capacity};

    trace.events = nuce_allocate(capacity, sizeof *trace.events);
    trace.open = nuce_allocate(capacity, sizeof *trace.open);
    *out = trace;
}

void nuce_trace_fini(struct nuce_trace *trace)
{
    free(trace->events);
    free(trace->open);
    memset(trace, 0, sizeof *trace);
}

/* The next free event, or NULL with one more lost: a step never allocates. */
static struct nuce_trace_event *next_event(struct nuce_trace *trace)
{
    if (trace->count == trace->capacity) {
        trace->lost++;
        return NULL;
    }
    return &trace->events[trace->count++];
}

void nuce_trace_start(struct nuce_trace *trace, enum nuce_direction direction,
                      const struct nuce_transfer *transfer, MPI_Request request)
{
    struct nuce_trace_event *event = trace == NULL ? NULL : next_event(trace);

    if (event == NULL)
        return;
    /* There is room, because each open transfer has an event, and there are at most capacity
     * events. */
    trace->open[trace->pending++] =
        (struct nuce_trace_open){.request = request, .event = trace->count - 1};
    *event = (struct nuce_trace_event){.bytes = transfer->bytes,
                                       .start_s = nuce_clock(),
                                       .peer = transfer->peer,
                                       .phase = transfer->phase,
                                       .direction = (int)direction,
                                       .rank = trace->rank};
}

void nuce_trace_end(struct nuce_trace *trace, MPI_Request request)
{
    for (int64_t i = 0; trace != NULL && i < trace->pending; i++) {
        if (trace->open[i].request == request) {
            trace->events[trace->open[i].event].end_s = nuce_clock();
            trace->open[i] = trace->open[--trace->pending];
            return;
        }
    }
}

void nuce_trace_note_copy(struct nuce_trace *trace, int phase, int64_t bytes, double start_s)
{
    double end_s = trace == NULL ? 0 : nuce_clock();

    for (int direction = NUCE_SEND; trace != NULL && direction <= NUCE_RECEIVE; direction++) {
        struct nuce_trace_event *event = next_event(trace);

        if (event != NULL)
            *event = (struct nuce_trace_event){.bytes = bytes,
                                               .start_s = start_s,
                                               .end_s = end_s,
                                               .peer = trace->rank,
                                               .phase = phase,
                                               .direction = direction,
                                               .rank = trace->rank};
    }
}
