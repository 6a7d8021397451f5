/* Credits: no schedule. A sender announces to its receivers that it is ready. Each receiver
 * grants `depth` senders at a time, in order of arrival, as soon as the receive is posted. A
 * sender sends on a grant, up to `depth` messages at a time. Readiness alone decides the order.
 *
 * No circular wait is possible. A sender is ready at once for all its receivers, and a receiver
 * with a free place grants at once. A granted message finds its receive posted, so every send
 * ends and frees both its places. Ready messages and grants carry no bytes, because all ranks
 * know the sizes. Cost: three messages for each one, two of them empty; three persistent
 * requests each. Benefit: no order must be known in advance. With `depth` 1 no receiver has two
 * messages at a time, whatever other ranks do. */
#include <stdlib.h>

#include "base/allocate.h"
#include "run/request_set.h"
#include "run/requests.h"

enum { TAG_DATA, TAG_READY, TAG_GRANT };

/* The places of one direction, and the partners that wait for them. */
struct credits_port {
    int *queue;         /* partners in order of arrival; each comes once per step */
    int arrived, begun; /* of queue */
    int in_flight;      /* messages that have begun and not ended */
};

/* Partner i of n in one direction is its i-th in the order of the schedule. The set holds blocks
 * of requests for r receives and s sends, one request for each partner. */
struct credits {
    struct nuce_engine_input input;
    struct nuce_request_set set;
    int sends, receives;
    /* The start of each block. The first three are started with the step. */
    int ready_in;  /* receives: a sender is ready */
    int grant_in;  /* sends: a receiver has a place */
    int ready_out; /* sends */
    int data_in;   /* receives */
    int data_out;  /* sends */
    int grant_out; /* receives */
    struct credits_port in, out;
    int depth;
    int ended; /* ended requests of this step */
};

static void credits_destroy(void *self)
{
    struct credits *credits = self;

    nuce_request_set_fini(&credits->set);
    free(credits->in.queue);
    free(credits->out.queue);
}

/* Adds a block of requests for this rank's sends (outgoing) or receives, in their order, except
 * those to itself. direction is that of the request. Requests without data carry no bytes.
 * Returns the start of the block. */
static int credits_add_block(struct credits *credits, int outgoing, enum nuce_direction direction,
                             int tag)
{
    const struct nuce_schedule *schedule = credits->input.schedule;
    int rank = credits->input.world->rank, first = credits->set.count;
    const int64_t *start = outgoing ? schedule->send_start : schedule->receive_start;
    const struct nuce_transfer *list = outgoing ? schedule->sends : schedule->receives;

    for (int64_t i = start[rank]; i < start[rank + 1]; i++) {
        const struct nuce_transfer note = {.peer = list[i].peer, .phase = -1};

        if (note.peer == rank)
            continue;
        if (tag == TAG_DATA)
            nuce_requests_add(&credits->input, direction, tag, &list[i], &credits->set);
        else
            nuce_request_set_add_bytes(&credits->set, direction, NULL, tag, &note);
    }
    return first;
}

/* Three requests for each message: announced, granted and sent. All are made here, so a step
 * makes none. They are in the order of struct credits, so the index of a request gives its
 * purpose. */
static nuce_status credits_build(void *self, const struct nuce_engine_input *input,
                                 struct nuce_error *error)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    int64_t sends = schedule->send_start[rank + 1] - schedule->send_start[rank];
    int64_t receives = schedule->receive_start[rank + 1] - schedule->receive_start[rank];
    struct credits *credits = self;

    (void)error;
    credits->input = *input;
    credits->depth = schedule->depth;
    credits->in.queue = nuce_allocate(receives, sizeof(int));
    credits->out.queue = nuce_allocate(sends, sizeof(int));
    nuce_request_set_init(input->world, 3 * (sends + receives), &credits->set);
    credits->ready_in = credits_add_block(credits, 0, NUCE_RECEIVE, TAG_READY);
    credits->grant_in = credits_add_block(credits, 1, NUCE_RECEIVE, TAG_GRANT);
    credits->ready_out = credits_add_block(credits, 1, NUCE_SEND, TAG_READY);
    credits->data_in = credits_add_block(credits, 0, NUCE_RECEIVE, TAG_DATA);
    credits->data_out = credits_add_block(credits, 1, NUCE_SEND, TAG_DATA);
    credits->grant_out = credits_add_block(credits, 0, NUCE_SEND, TAG_GRANT);
    credits->receives = credits->grant_in - credits->ready_in;
    credits->sends = credits->ready_out - credits->grant_in;
    return NUCE_OK;
}

/* Messages that other ranks begin are awaited from the start: ready messages and grants are
 * received before any is sent. The data's receives and sends follow from these. */
static void credits_start(void *self)
{
    struct credits *credits = self;

    credits->in.arrived = credits->in.begun = credits->in.in_flight = 0;
    credits->out.arrived = credits->out.begun = credits->out.in_flight = 0;
    credits->ended = 0;
    nuce_request_set_start_some(&credits->set, 0, credits->data_in);
    nuce_requests_copy_all(&credits->input);
}

/* Handles the end of a request. */
static void credits_take(struct credits *credits, int index)
{
    credits->ended++;
    if (index < credits->grant_in)
        credits->in.queue[credits->in.arrived++] = index - credits->ready_in;
    else if (index < credits->ready_out)
        credits->out.queue[credits->out.arrived++] = index - credits->grant_in;
    else if (index >= credits->data_in && index < credits->data_out)
        credits->in.in_flight--;
    else if (index >= credits->data_out && index < credits->grant_out)
        credits->out.in_flight--;
}

/* The next partner to begin with, or -1 if none waits or no place is free. */
static int credits_next(struct credits_port *port, int depth)
{
    if (port->begun == port->arrived || port->in_flight == depth)
        return -1;
    port->in_flight++;
    return port->queue[port->begun++];
}

/* Receives are posted before they are granted, so no message arrives unexpected. */
static int credits_progress(void *self)
{
    struct credits *credits = self;
    int completed = nuce_request_set_test(&credits->set);
    int partner;

    for (int i = 0; i < completed; i++)
        credits_take(credits, credits->set.completed[i]);
    while ((partner = credits_next(&credits->in, credits->depth)) >= 0) {
        nuce_request_set_start(&credits->set, credits->data_in + partner);
        nuce_request_set_start(&credits->set, credits->grant_out + partner);
    }
    while ((partner = credits_next(&credits->out, credits->depth)) >= 0)
        nuce_request_set_start(&credits->set, credits->data_out + partner);
    return credits->ended == credits->set.count;
}

/* Names active data first, then a partner that should send, then one that should grant. */
static void credits_diagnose(void *self, int *peer, int *phase)
{
    const struct credits *credits = self;
    const struct nuce_request_set *set = &credits->set;

    if (nuce_requests_wait_for(set, credits->data_in, credits->grant_out, peer) ||
        nuce_requests_wait_for(set, credits->ready_in, credits->ready_out, peer))
        *phase = 0;
}

const struct nuce_executor_ops nuce_executor_credits = {
    .name = "credits",
    .traces = 1,
    .self_size = sizeof(struct credits),
    .build = credits_build,
    .start = credits_start,
    .progress = credits_progress,
    .diagnose = credits_diagnose,
    .destroy = credits_destroy,
};
