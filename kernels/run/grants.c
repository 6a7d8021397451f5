/* Grants: no schedule, messages in pieces. A receiver has `depth` turns. In each turn it grants
 * pieces of one sender's message, PLACES of them at a time, until all of it is granted; then it
 * takes the next sender. A sender sends granted pieces, first to the receiver that must still
 * receive most. They exchange numbers, in messages of 8 and 16 bytes. A sender announces once
 * how many bytes it has to send. A receiver sends with each grant the last granted piece, and
 * its missing bytes.
 *
 * No circular wait is possible. A sender waits for one receiver's next grant only if it has sent
 * all granted pieces, and more of the message remains. The turn is then still the sender's: each
 * piece that ends there frees a place for it, and that grant is on its way or follows the
 * current one. So every granted piece is sent. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/request_set.h"
#include "run/requests.h"

enum { TAG_DATA, TAG_READY, TAG_GRANT };

/* Active pieces in each turn. While some arrive, grants of others are on their way back, which
 * takes as long as a piece if ranks share processors. If messages have fewer pieces, the active
 * pieces are of several senders. */
enum { PLACES = 4 };

/* One message, at its sender or at its receiver. first is the request of its first piece; the
 * others follow. */
struct grants_message {
    int peer, first, pieces;
    int granted, begun; /* pieces of this step, granted and started. A receiver grants receives
                         * that it has started; a sender starts sends that were granted */
    int turn;           /* turn of its receiver */
    int is_ready;       /* its sender has announced it */
    int64_t ready;      /* the sender's announcement: bytes to send in all */
    int64_t grant[2];   /* the receiver's grant: pieces granted, bytes it still has to receive */
    int64_t load;       /* last received grant[1], while the next is received */
};

/* The sender that a receiver currently grants. */
struct grants_turn {
    int message; /* -1: none yet */
    int under_way;
};

/* Messages in the order of the schedule. The set holds blocks of requests: one for each piece,
 * then one for each message. */
struct grants {
    struct nuce_engine_input input;
    struct nuce_request_set set;
    struct grants_message *in, *out;
    int receives, sends;
    int *message_of; /* the message of a piece's request */
    /* The start of each block, except that of pieces to receive, which is the first. */
    int data_out;
    int ready_in;  /* receives: a sender is ready; started with the step, as are the next two */
    int grant_in;  /* sends: a receiver grants */
    int ready_out; /* sends */
    int grant_out; /* receives */
    struct grants_turn *turns;
    int depth;                     /* turns; at most the number of pieces to receive */
    int served;                    /* the message that is sent now; -1: none */
    int64_t to_send, to_get, rest; /* bytes of a step; rest: those not received yet */
    int left;                      /* pieces of this step that have not ended */
    int active;                    /* requests that have not ended */
};

static void grants_destroy(void *self)
{
    struct grants *grants = self;

    nuce_request_set_fini(&grants->set);
    free(grants->in);
    free(grants->out);
    free(grants->message_of);
    free(grants->turns);
}

/* Adds a request for each piece of one direction, except those to itself, and their messages.
 * Consecutive pieces of one peer are one message. Returns the number of messages; adds their
 * bytes to *bytes. */
static int add_pieces(struct grants *grants, enum nuce_direction direction,
                      struct grants_message *messages, int64_t *bytes)
{
    const struct nuce_schedule *schedule = grants->input.schedule;
    int rank = grants->input.world->rank, is_send = direction == NUCE_SEND, found = 0;
    const int64_t *start = is_send ? schedule->send_start : schedule->receive_start;
    const struct nuce_transfer *list = is_send ? schedule->sends : schedule->receives;

    for (int64_t i = start[rank]; i < start[rank + 1]; i++) {
        if (list[i].peer == rank)
            continue;
        if (found == 0 || list[i].peer != messages[found - 1].peer)
            messages[found++] =
                (struct grants_message){.peer = list[i].peer, .first = grants->set.count};
        messages[found - 1].pieces++;
        grants->message_of[grants->set.count] = found - 1;
        *bytes += list[i].bytes;
        nuce_requests_add(&grants->input, direction, TAG_DATA, &list[i], &grants->set);
    }
    return found;
}

/* Adds a request of each message for the numbers from one side to the other. Returns the start
 * of the block. */
static int add_notes(struct grants *grants, struct grants_message *messages, int count,
                     enum nuce_direction direction, int tag)
{
    int first = grants->set.count;

    for (int i = 0; i < count; i++) {
        const struct nuce_transfer about = {.peer = messages[i].peer, .phase = -1};

        nuce_request_set_add(&grants->set, direction,
                             tag == TAG_READY ? &messages[i].ready : messages[i].grant,
                             tag == TAG_READY ? 1 : 2, MPI_INT64_T, tag, &about);
    }
    return first;
}

/* All requests are made here, so a step makes none. They are in the order of struct grants, so
 * the index of a request gives its purpose. */
static nuce_status grants_build(void *self, const struct nuce_engine_input *input,
                                struct nuce_error *error)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    int64_t outs = schedule->send_start[rank + 1] - schedule->send_start[rank];
    int64_t ins = schedule->receive_start[rank + 1] - schedule->receive_start[rank];
    struct grants *grants = self;

    (void)error;
    grants->input = *input;
    grants->depth = schedule->depth < ins ? schedule->depth : (int)ins;
    grants->in = nuce_allocate(ins, sizeof *grants->in);
    grants->out = nuce_allocate(outs, sizeof *grants->out);
    grants->message_of = nuce_allocate(ins + outs, sizeof(int));
    grants->turns = nuce_allocate(grants->depth, sizeof *grants->turns);
    nuce_request_set_init(input->world, 3 * (ins + outs), &grants->set);
    grants->receives = add_pieces(grants, NUCE_RECEIVE, grants->in, &grants->to_get);
    grants->data_out = grants->set.count;
    grants->sends = add_pieces(grants, NUCE_SEND, grants->out, &grants->to_send);
    grants->ready_in = add_notes(grants, grants->in, grants->receives, NUCE_RECEIVE, TAG_READY);
    grants->grant_in = add_notes(grants, grants->out, grants->sends, NUCE_RECEIVE, TAG_GRANT);
    grants->ready_out = add_notes(grants, grants->out, grants->sends, NUCE_SEND, TAG_READY);
    grants->grant_out = add_notes(grants, grants->in, grants->receives, NUCE_SEND, TAG_GRANT);
    return NUCE_OK;
}

static void start_request(struct grants *grants, int index)
{
    nuce_request_set_start(&grants->set, index);
    grants->active++;
}

static void grants_start(void *self)
{
    struct grants *grants = self;

    for (int i = 0; i < grants->receives; i++)
        grants->in[i].granted = grants->in[i].begun = grants->in[i].is_ready = 0;
    for (int i = 0; i < grants->sends; i++) {
        grants->out[i].granted = grants->out[i].begun = 0;
        grants->out[i].ready = grants->to_send;
    }
    for (int i = 0; i < grants->depth; i++)
        grants->turns[i] = (struct grants_turn){.message = -1};
    grants->served = -1;
    grants->rest = grants->to_get;
    grants->left = grants->ready_in;
    grants->active = 0;
    for (int i = grants->ready_in; i < grants->grant_out; i++)
        start_request(grants, i);
    nuce_requests_copy_all(&grants->input);
}

/* Handles the end of a request. A grant repeats all earlier ones, so one request suffices for a
 * message. */
static void grants_take(struct grants *grants, int index)
{
    grants->active--;
    grants->left -= index < grants->ready_in;
    if (index < grants->data_out) {
        struct grants_message *m = &grants->in[grants->message_of[index]];

        grants->turns[m->turn].under_way--;
        grants->rest -= grants->set.about[index].bytes;
    } else if (index >= grants->ready_in && index < grants->grant_in) {
        grants->in[index - grants->ready_in].is_ready = 1;
    } else if (index >= grants->grant_in && index < grants->ready_out) {
        struct grants_message *m = &grants->out[index - grants->grant_in];

        m->granted = nuce_int(m->grant[0]);
        m->load = m->grant[1];
        if (m->granted < m->pieces)
            start_request(grants, index);
    }
}

/* Begins the receives of this turn's pieces. The next message is the ready one with most bytes
 * to send, among those that no turn has had. */
static void grant_turn(struct grants *grants, int turn)
{
    struct grants_turn *t = &grants->turns[turn];

    while (t->under_way < PLACES) {
        struct grants_message *m;

        if (t->message < 0 || grants->in[t->message].begun == grants->in[t->message].pieces) {
            t->message = -1;
            for (int i = 0; i < grants->receives; i++) {
                m = &grants->in[i];
                if (m->is_ready && m->begun == 0 &&
                    (t->message < 0 || m->ready > grants->in[t->message].ready))
                    t->message = i;
            }
        }
        if (t->message < 0)
            return;
        m = &grants->in[t->message];
        m->turn = turn;
        start_request(grants, m->first + m->begun++);
        t->under_way++;
    }
}

/* Sends grants for the receives that began since the last grant. A grant that is still on its
 * way is followed by the next when it has gone. */
static void tell_grants(struct grants *grants)
{
    for (int i = 0; i < grants->receives; i++) {
        struct grants_message *m = &grants->in[i];
        int request = grants->grant_out + i;

        if (m->begun == m->granted ||
            nuce_request_set_pending(&grants->set, request, request + 1) >= 0)
            continue;
        m->granted = m->begun;
        m->grant[0] = m->granted;
        m->grant[1] = grants->rest;
        start_request(grants, request);
    }
}

/* True if its receiver has begun the message, and not all of it is sent. */
static int is_open(const struct grants_message *m)
{
    return m->granted > 0 && m->begun < m->pieces;
}

/* The message to send from: that of the receiver with most bytes missing; -1: none is open. The
 * current one stays, as long as no other has half as much again: two similar receivers would
 * alternate, and each would have half a sender. */
static int choose_receiver(const struct grants *grants)
{
    int best = -1;
    int64_t most = 0;

    if (grants->served >= 0 && is_open(&grants->out[grants->served])) {
        best = grants->served;
        most = grants->out[best].load + grants->out[best].load / 2;
    }
    for (int i = 0; i < grants->sends; i++) {
        const struct grants_message *m = &grants->out[i];

        if (is_open(m) && m->load > most) {
            best = i;
            most = m->load;
        }
    }
    return best;
}

/* Receives are posted before they are granted, so no piece arrives unexpected. All granted
 * pieces of the first message are sent. No piece of another is sent while the first message
 * waits for its next grant. */
static int grants_progress(void *self)
{
    struct grants *grants = self;
    int completed = nuce_request_set_test(&grants->set);

    for (int i = 0; i < completed; i++)
        grants_take(grants, grants->set.completed[i]);
    for (int i = 0; i < grants->depth; i++)
        grant_turn(grants, i);
    tell_grants(grants);
    while ((grants->served = choose_receiver(grants)) >= 0) {
        struct grants_message *m = &grants->out[grants->served];

        if (m->begun == m->granted)
            break;
        while (m->begun < m->granted)
            start_request(grants, m->first + m->begun++);
    }
    return grants->left == 0 && grants->active == 0;
}

/* Names active data first, then a partner that should send, then one that should grant. */
static void grants_diagnose(void *self, int *peer, int *phase)
{
    const struct grants *grants = self;

    if (nuce_requests_wait_for(&grants->set, 0, grants->ready_in, peer) ||
        nuce_requests_wait_for(&grants->set, grants->ready_in, grants->ready_out, peer))
        *phase = 0;
}

const struct nuce_executor_ops nuce_executor_grants = {
    .name = "grants",
    .traces = 1,
    .self_size = sizeof(struct grants),
    .build = grants_build,
    .start = grants_start,
    .progress = grants_progress,
    .diagnose = grants_diagnose,
    .destroy = grants_destroy,
};
