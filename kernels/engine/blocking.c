/* Blocking: every receive is posted at once; sends go one at a time, and the next one starts when
 * the receiver has the one before (AC of Ranka, Wang and Kumar, Figure 6, where sends wait). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/requests.h"
#include "support/allocate.h"
#include "world/check.h"

struct blocking {
    struct nuce_requests requests;
    MPI_Request *active;     /* receives, then the send under way: handles of `requests` */
    unsigned char *complete; /* each receive: 1 if it is */
    int *indices;            /* scratch of nuce_wait_some */
    int receives_left;       /* not complete yet */
    int current;             /* the send under way; as many as there are: none is left */
};

static void blocking_destroy(void *self)
{
    struct blocking *blocking = self;

    if (blocking == NULL)
        return;
    nuce_requests_fini(&blocking->requests);
    free(blocking->active);
    free(blocking->complete);
    free(blocking->indices);
    free(blocking);
}

static nuce_status blocking_create(const struct nuce_engine_input *input, void **self,
                                   struct nuce_error *error)
{
    struct blocking *blocking = nuce_allocate(1, sizeof *blocking, error);
    int receives;

    if (blocking == NULL)
        return error->status;
    if (nuce_requests_init(input, &blocking->requests, error) != NUCE_OK)
        goto fail;
    receives = blocking->requests.receives;
    blocking->active = nuce_allocate(receives + 1, sizeof *blocking->active, error);
    blocking->complete = nuce_allocate(receives, sizeof *blocking->complete, error);
    blocking->indices = nuce_allocate(receives + 1, sizeof *blocking->indices, error);
    if (blocking->active == NULL || blocking->complete == NULL || blocking->indices == NULL)
        goto fail;
    memcpy(blocking->active, blocking->requests.receive, (size_t)receives * sizeof(MPI_Request));
    *self = blocking;
    return NUCE_OK;
fail:
    blocking_destroy(blocking);
    return error->status;
}

/* Starts the current send, if there is one. */
static void start_current_send(struct blocking *blocking)
{
    const struct nuce_requests *requests = &blocking->requests;
    MPI_Request *slot = &blocking->active[requests->receives];

    *slot = MPI_REQUEST_NULL;
    if (blocking->current == requests->sends)
        return;
    *slot = requests->send[blocking->current];
    nuce_requests_note_send(requests, blocking->current);
    NUCE_MPI(MPI_Start(slot));
}

static void blocking_start(void *self)
{
    struct blocking *blocking = self;
    const struct nuce_requests *requests = &blocking->requests;
    int next_copy = 0;

    for (int i = 0; requests->world->trace != NULL && i < requests->receives; i++)
        nuce_requests_note_receive(requests, i);
    blocking->receives_left = requests->receives;
    memset(blocking->complete, 0, (size_t)requests->receives);
    NUCE_MPI(MPI_Startall(requests->receives, blocking->active));
    blocking->current = 0;
    start_current_send(blocking);
    nuce_requests_copy(requests, INT_MAX, &next_copy);
}

static int blocking_is_done(const struct blocking *blocking)
{
    return blocking->receives_left == 0 && blocking->current == blocking->requests.sends;
}

static int blocking_progress(void *self)
{
    struct blocking *blocking = self;
    const struct nuce_world *world = blocking->requests.world;
    int receives = blocking->requests.receives, completed, is_sent = 0;

    if (blocking_is_done(blocking))
        return 1;
    completed = nuce_wait_some(&world->wait, receives + 1, blocking->active, blocking->indices);
    for (int i = 0; i < completed; i++) {
        int index = blocking->indices[i];

        nuce_trace_end(world->trace, blocking->active[index]);
        if (index == receives) {
            is_sent = 1;
            continue;
        }
        blocking->complete[index] = 1;
        blocking->receives_left--;
    }
    if (is_sent) {
        blocking->current++;
        start_current_send(blocking);
    }
    return blocking_is_done(blocking);
}

/* The send that waits, or else the first receive. */
static void blocking_diagnose(void *self, int *peer, int *phase)
{
    const struct blocking *blocking = self;
    const struct nuce_requests *requests = &blocking->requests;

    *phase = 0;
    if (blocking->current < requests->sends)
        *peer = requests->send_piece[blocking->current]->peer;
    for (int i = 0; blocking->current == requests->sends && i < requests->receives; i++) {
        if (blocking->complete[i])
            continue;
        *peer = requests->receive_piece[i]->peer;
        return;
    }
}

const struct nuce_executor_ops nuce_executor_blocking = {
    .name = "blocking",
    .traces = 1,
    .create = blocking_create,
    .start = blocking_start,
    .progress = blocking_progress,
    .diagnose = blocking_diagnose,
    .destroy = blocking_destroy,
};
