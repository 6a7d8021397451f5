/* Forward: phase by phase as lockstep, but a rank may receive data for other ranks, which it
 * sends on in a later phase (schedules/store_forward.h). All receives are posted at the start. A
 * phase ends when its sends and its receives have ended. Its data for this rank is then copied
 * to its place, unless it arrived there. The exchange includes these copies. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/control.h"
#include "run/fault.h"
#include "run/request_set.h"
#include "run/requests.h"
#include "run/world.h"

/* A copy within this rank's memory; both ends are borrowed. */
struct nuce_forward_copy {
    unsigned char *to;
    const unsigned char *from;
    int64_t bytes;
};

/* A message, or a part of one, that arrives at this rank in a transfer, for it or for another.
 * `at` is borrowed: a place in the receive buffer, or in the plan's memory. */
struct nuce_forward_arrival {
    struct nuce_parcel parcel;
    int phase, from; /* phase and sender of the transfer */
    unsigned char *at;
};

/* One phase of this rank. Phases without a send or a receive are omitted. */
struct nuce_forward_step {
    int phase;
    int first_request, end_receive;     /* receive requests */
    int end_request;                    /* send requests are end_receive .. end_request - 1 */
    int64_t first_pack, end_pack;       /* copies into its sends */
    int64_t first_unpack, end_unpack;   /* copies of this rank's own messages to their places */
    int64_t first_arrival, end_arrival; /* arrivals of its receives */
};

/* All of it is made before the first step, and owned, except the payload behind copies. */
struct nuce_forward_plan {
    int rank;
    struct nuce_request_set set;
    int steps;
    struct nuce_forward_step *step;
    int64_t copies, copy_capacity;
    struct nuce_forward_copy *copy;
    int64_t arrivals;
    struct nuce_forward_arrival *arrival;           /* by phase */
    const struct nuce_forward_arrival **by_message; /* the same, by source, destination,
                                                       offset, phase */
    unsigned char *memory;                          /* for transfers without a place of their own */
};

/* A transfer with contiguous data is sent from where the data is. A transfer that is only for
 * this rank, with contiguous places, arrives at its place, as in a direct exchange. Every other
 * transfer has memory of its own, and is copied to and from it. So all receives can be posted
 * from the start, and forwarded data stays until it is sent on and can be checked afterwards.
 * Cost: O(transfers + parcels log parcels) once; memory of at most all bytes that this rank
 * sends and receives from other ranks, including forwarded ones. */

/* This rank's lists of the schedule. A receive has the load of the send that it belongs to. */
struct forward_lists {
    const struct nuce_engine_input *input;
    /* the next send of this rank in the schedule, and the end of its sends */
    int64_t send, end_send;
    int64_t receive, end_receive;
    int64_t arrival;            /* the next arrival of this rank in the plan */
    int64_t *send_of;           /* the send of each receive of this rank */
    unsigned char **arrives_at; /* the address of each receive of this rank */
    unsigned char *next;        /* unused memory */
};

/* The index of a receive of the schedule among those of this rank. */
static int64_t number_of(const struct forward_lists *lists, int64_t receive)
{
    return receive - lists->input->schedule->receive_start[lists->input->world->rank];
}

/* The contents of the receive: the load of its send. */
static const struct nuce_load *load_of_receive(const struct forward_lists *lists, int64_t receive)
{
    return &lists->input->schedule->loads[lists->send_of[number_of(lists, receive)]];
}

/* Adds a copy to those from number `first` on, which are made together. Copies that are adjacent
 * on both sides become one copy. */
static void forward_add_copy(struct nuce_forward_plan *plan, int64_t first, unsigned char *to,
                             const unsigned char *from, int64_t bytes)
{
    struct nuce_forward_copy *last = plan->copies > first ? &plan->copy[plan->copies - 1] : NULL;

    if (last != NULL && last->to + last->bytes == to && last->from + last->bytes == from) {
        last->bytes += bytes;
        return;
    }
    nuce_allocate_more((void **)&plan->copy, &plan->copy_capacity, plan->copies + 1,
                       sizeof *plan->copy);
    plan->copy[plan->copies++] = (struct nuce_forward_copy){to, from, bytes};
}

/* By source, destination, offset and phase. */
static int compare_arrivals(const void *left, const void *right)
{
    const struct nuce_forward_arrival *a = *(const struct nuce_forward_arrival *const *)left;
    const struct nuce_forward_arrival *b = *(const struct nuce_forward_arrival *const *)right;

    return NUCE_INT_ORDER({a->parcel.source, b->parcel.source},
                          {a->parcel.destination, b->parcel.destination},
                          {a->parcel.offset, b->parcel.offset}, {a->phase, b->phase});
}

/* The place of another rank's parcel that this rank sends on in `phase`: its latest arrival
 * before. by_message is sorted. A valid schedule (validate.c) never asks for a missing parcel. */
static unsigned char *find_arrival(const struct nuce_forward_plan *plan,
                                   const struct nuce_parcel *parcel, int phase)
{
    struct nuce_forward_arrival wanted = {.parcel = *parcel, .phase = phase};
    const struct nuce_forward_arrival *key = &wanted;
    int64_t low = 0, high = plan->arrivals;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (compare_arrivals(&plan->by_message[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    NUCE_ASSERT(low > 0 && plan->by_message[low - 1]->parcel.source == parcel->source &&
                plan->by_message[low - 1]->parcel.destination == parcel->destination &&
                plan->by_message[low - 1]->parcel.offset == parcel->offset);
    return plan->by_message[low - 1]->at;
}

/* The place of a parcel that this rank sends in `phase`: in the payload, or at its arrival. For
 * a received parcel, its final place, or NULL if it is for another rank. */
static unsigned char *place_of(const struct forward_lists *lists,
                               const struct nuce_forward_plan *plan,
                               const struct nuce_parcel *parcel, int is_send, int phase)
{
    const struct nuce_payload *payload = lists->input->payload;
    const struct nuce_transfer whole = {.peer = is_send ? parcel->destination : parcel->source,
                                        .offset = parcel->offset,
                                        .bytes = parcel->bytes};

    if ((is_send ? parcel->source : parcel->destination) == plan->rank)
        return nuce_payload_at(is_send ? &payload->send : &payload->receive, &whole);
    return is_send ? find_arrival(plan, parcel, phase) : NULL;
}

/* The place of all parcels of a transfer, if they are contiguous; NULL: they are not, or it has
 * more bytes than they have (padding). */
static unsigned char *place_of_load(const struct forward_lists *lists,
                                    const struct nuce_forward_plan *plan,
                                    const struct nuce_transfer *transfer,
                                    const struct nuce_load *load, int is_send)
{
    unsigned char *begin = NULL;
    int64_t bytes = 0;

    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &lists->input->schedule->parcels[k];
        unsigned char *at = place_of(lists, plan, parcel, is_send, transfer->phase);

        if (k == load->first)
            begin = at;
        if (at == NULL || at != begin + bytes)
            return NULL;
        bytes += parcel->bytes;
    }
    return bytes == transfer->bytes ? begin : NULL;
}

/* Memory for a transfer without a place. */
static unsigned char *take_memory(struct forward_lists *lists, const struct nuce_transfer *transfer)
{
    unsigned char *memory = lists->next;

    lists->next += transfer->bytes;
    return memory;
}

/* The places of everything that this rank receives, sorted by message. */
static void add_arrivals(struct forward_lists *lists, struct nuce_forward_plan *plan)
{
    const struct nuce_schedule *schedule = lists->input->schedule;

    for (int64_t i = lists->receive; i < lists->end_receive; i++) {
        const struct nuce_transfer *receive = &schedule->receives[i];
        const struct nuce_load *load = load_of_receive(lists, i);
        unsigned char *at;

        if (receive->peer == plan->rank)
            continue;
        at = place_of_load(lists, plan, receive, load, 0);
        if (at == NULL)
            at = take_memory(lists, receive);
        lists->arrives_at[number_of(lists, i)] = at;
        for (int64_t k = load->first; k < load->first + load->count; k++) {
            const struct nuce_parcel *parcel = &schedule->parcels[k];

            plan->by_message[plan->arrivals] = &plan->arrival[plan->arrivals];
            plan->arrival[plan->arrivals++] =
                (struct nuce_forward_arrival){*parcel, receive->phase, receive->peer, at};
            at += parcel->bytes;
        }
    }
    qsort(plan->by_message, (size_t)plan->arrivals, sizeof *plan->by_message, compare_arrivals);
}

/* The phase of list[first], the next remaining transfer; INT_MAX: none. */
static int phase_of(const struct nuce_transfer *list, int64_t first, int64_t end)
{
    return first < end ? list[first].phase : INT_MAX;
}

/* The next send: its request, and the copies of its parcels from the payload or their arrivals,
 * if it is packed. */
static void add_forward_send(struct forward_lists *lists, const struct nuce_forward_step *step,
                             struct nuce_forward_plan *plan)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    const struct nuce_transfer *send = &schedule->sends[lists->send];
    const struct nuce_load *load = &schedule->loads[lists->send];
    unsigned char *at = place_of_load(lists, plan, send, load, 1), *to;

    if (at == NULL) {
        at = to = take_memory(lists, send);
        for (int64_t k = load->first; k < load->first + load->count; k++) {
            const struct nuce_parcel *parcel = &schedule->parcels[k];

            forward_add_copy(plan, step->first_pack, to,
                             place_of(lists, plan, parcel, 1, send->phase), parcel->bytes);
            to += parcel->bytes;
        }
    }
    nuce_request_set_add_bytes(&plan->set, NUCE_SEND, at, 0, send);
}

/* The receives of a phase, then its sends, with the copies before and after. A phase without
 * transfers between ranks becomes no step. */
static void add_step(struct forward_lists *lists, int phase, struct nuce_forward_plan *plan)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    struct nuce_forward_step *step = &plan->step[plan->steps];

    *step = (struct nuce_forward_step){.phase = phase,
                                       .first_request = plan->set.count,
                                       .first_arrival = lists->arrival,
                                       .first_pack = plan->copies};
    for (; phase_of(schedule->receives, lists->receive, lists->end_receive) == phase;
         lists->receive++) {
        const struct nuce_transfer *receive = &schedule->receives[lists->receive];

        if (receive->peer == plan->rank)
            continue;
        nuce_request_set_add_bytes(&plan->set, NUCE_RECEIVE,
                                   lists->arrives_at[number_of(lists, lists->receive)], 0, receive);
        lists->arrival += load_of_receive(lists, lists->receive)->count;
    }
    step->end_receive = plan->set.count;
    step->end_arrival = lists->arrival;
    for (; phase_of(schedule->sends, lists->send, lists->end_send) == phase; lists->send++) {
        if (schedule->sends[lists->send].peer != plan->rank)
            add_forward_send(lists, step, plan);
    }
    step->end_request = plan->set.count;
    step->end_pack = step->first_unpack = plan->copies;
    for (int64_t k = step->first_arrival; k < step->end_arrival; k++) {
        const struct nuce_forward_arrival *arrival = &plan->arrival[k];
        unsigned char *to = place_of(lists, plan, &arrival->parcel, 0, arrival->phase);

        /* for this rank, and not in its place */
        if (to != NULL && to != arrival->at)
            forward_add_copy(plan, step->first_unpack, to, arrival->at, arrival->parcel.bytes);
    }
    step->end_unpack = plan->copies;
    plan->steps += step->end_request > step->first_request;
}

/* An active exchange: `current` is the step that is waited for. */
struct forward {
    struct nuce_engine_input input;
    struct nuce_forward_plan plan;
    int current; /* index of the step */
    int ended;   /* its ended requests */
};

static void forward_destroy(void *self)
{
    struct nuce_forward_plan *plan = &((struct forward *)self)->plan;

    nuce_request_set_fini(&plan->set);
    free(plan->step);
    free(plan->copy);
    free(plan->arrival);
    free(plan->by_message);
    free(plan->memory);
}

/* The schedule gives the receive of each send; the lists give the reverse. */
static nuce_status forward_build(void *self, const struct nuce_engine_input *input,
                                 struct nuce_error *error)
{
    struct forward *forward = self;
    struct nuce_forward_plan *plan = &forward->plan;
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    struct forward_lists lists = {.input = input,
                                  .send = schedule->send_start[rank],
                                  .end_send = schedule->send_start[rank + 1],
                                  .receive = schedule->receive_start[rank],
                                  .end_receive = schedule->receive_start[rank + 1]};
    int64_t receives = lists.end_receive - lists.receive, bytes = 0, arrivals = 0;

    (void)error;
    forward->input = *input;
    plan->rank = rank;
    lists.send_of = nuce_allocate(receives, sizeof *lists.send_of);
    lists.arrives_at = nuce_allocate(receives, sizeof *lists.arrives_at);
    for (int64_t k = 0; k < schedule->pieces; k++) {
        if (schedule->receive_of[k] >= lists.receive && schedule->receive_of[k] < lists.end_receive)
            lists.send_of[schedule->receive_of[k] - lists.receive] = k;
    }
    /* Memory for all transfers between ranks, and room for their arrivals. Untouched memory
     * costs nothing. */
    for (int64_t k = lists.send; k < lists.end_send; k++)
        bytes += schedule->sends[k].peer != rank ? schedule->sends[k].bytes : 0;
    for (int64_t k = lists.receive; k < lists.end_receive; k++) {
        if (schedule->receives[k].peer == rank)
            continue;
        bytes += schedule->receives[k].bytes;
        arrivals += load_of_receive(&lists, k)->count;
    }
    lists.next = plan->memory = nuce_allocate(bytes, 1);
    plan->step = nuce_allocate(nuce_requests_most(input), sizeof *plan->step);
    plan->arrival = nuce_allocate(arrivals, sizeof *plan->arrival);
    plan->by_message = nuce_allocate(arrivals, sizeof *plan->by_message);
    nuce_request_set_init(input->world, nuce_requests_most(input), &plan->set);
    add_arrivals(&lists, plan);
    while (lists.send < lists.end_send || lists.receive < lists.end_receive) {
        int send_phase = phase_of(schedule->sends, lists.send, lists.end_send);
        int receive_phase = phase_of(schedule->receives, lists.receive, lists.end_receive);

        add_step(&lists, send_phase < receive_phase ? send_phase : receive_phase, plan);
    }
    free(lists.send_of);
    free(lists.arrives_at);
    return NUCE_OK;
}

/* Copies number first to end - 1, in order. */
static void forward_copy(const struct nuce_forward_plan *plan, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        memcpy(plan->copy[i].to, plan->copy[i].from, (size_t)plan->copy[i].bytes);
}

/* Packs and sends the sends of the current step. */
static void start_forward_step(struct forward *forward)
{
    struct nuce_forward_plan *plan = &forward->plan;
    const struct nuce_forward_step *step = &plan->step[forward->current];

    if (forward->current == plan->steps)
        return;
    forward_copy(plan, step->first_pack, step->end_pack);
    nuce_request_set_start_some(&plan->set, step->end_receive, step->end_request);
}

static void forward_start(void *self)
{
    struct forward *forward = self;
    struct nuce_forward_plan *plan = &forward->plan;

    forward->current = forward->ended = 0;
    for (int i = 0; i < plan->steps; i++)
        nuce_request_set_start_some(&plan->set, plan->step[i].first_request,
                                    plan->step[i].end_receive);
    start_forward_step(forward);
    nuce_requests_copy_all(&forward->input);
}

/* Goes through all steps that have ended, so a late rank catches up in one call. Only the
 * current step's requests are tested: later ones can wait, and testing all takes longer than a
 * short message. For tests with faults, changes the last message of a step that is for another
 * rank. */
static int forward_progress(void *self)
{
    struct forward *forward = self;
    struct nuce_forward_plan *plan = &forward->plan;

    while (forward->current < plan->steps) {
        const struct nuce_forward_step *step = &plan->step[forward->current];

        forward->ended +=
            nuce_request_set_test_some(&plan->set, step->first_request, step->end_request);
        if (forward->ended != step->end_request - step->first_request)
            return 0;
        forward->current++;
        forward->ended = 0;
        for (int64_t k = step->end_arrival - 1; k >= step->first_arrival; k--) {
            const struct nuce_forward_arrival *arrival = &plan->arrival[k];

            if (arrival->parcel.destination != plan->rank) {
                nuce_fault_in_transit(plan->rank, arrival->at, arrival->parcel.bytes);
                break;
            }
        }
        forward_copy(plan, step->first_unpack, step->end_unpack);
        start_forward_step(forward);
    }
    return 1;
}

static void forward_diagnose(void *self, int *peer, int *phase)
{
    const struct forward *forward = self;
    const struct nuce_forward_plan *plan = &forward->plan;
    const struct nuce_forward_step *step = &plan->step[forward->current];

    if (forward->current == plan->steps)
        return;
    *phase = step->phase;
    nuce_requests_wait_for(&plan->set, step->first_request, step->end_request, peer);
}

/* All ranks compare. The ranks with the lowest phase report, because later errors follow from
 * that. Arrivals are ordered by phase, so the first wrong one shows the origin of the error.
 * Collective over the world. */
static nuce_status forward_check(void *self, uint64_t salt, struct nuce_error *error)
{
    struct forward *forward = self;
    int64_t offset = 0; /* of the wrong byte in the message */
    const struct nuce_forward_arrival *wrong = NULL;
    int first;

    for (int64_t k = 0; k < forward->plan.arrivals && wrong == NULL; k++) {
        const struct nuce_forward_arrival *arrival = &forward->plan.arrival[k];

        if (nuce_payload_compare(arrival->at, arrival->parcel.offset, arrival->parcel.bytes,
                                 arrival->parcel.source, arrival->parcel.destination, salt,
                                 &offset) > 0)
            wrong = arrival;
    }
    first = wrong == NULL ? INT_MAX : wrong->phase;
    nuce_control_allreduce(forward->input.world, &first, 1, MPI_INT, MPI_MIN,
                           forward->input.world->control);
    if (wrong == NULL || wrong->phase != first)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_CORRUPT,
                          "byte %lld of the message from rank %d to rank %d is wrong at rank %d, "
                          "which had it from rank %d in phase %d",
                          (long long)offset, wrong->parcel.source, wrong->parcel.destination,
                          forward->plan.rank, wrong->from, wrong->phase);
}

const struct nuce_executor_ops nuce_executor_forward = {
    .name = "forward",
    .traces = 1,
    .self_size = sizeof(struct forward),
    .build = forward_build,
    .start = forward_start,
    .progress = forward_progress,
    .diagnose = forward_diagnose,
    .check = forward_check,
    .destroy = forward_destroy,
};
