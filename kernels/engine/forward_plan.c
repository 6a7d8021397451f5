/* Every transfer has memory of its own, so that all receives can be posted from the start, what is
 * for others stays where it came until it is sent on, and can be looked at afterwards. Own messages
 * are copied from and to the payload's buffers. Cost: O(transfers + parcels log parcels) once;
 * memory of all bytes that this rank sends and receives over wires, also for others. */
#include "engine/forward_plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/requests.h"
#include "support/allocate.h"

/* This rank's lists of the schedule; the load of a receive is that of the send it belongs to. */
struct forward_lists {
    const struct nuce_engine_input *input;
    /* the next send of this rank in the schedule, and the end of its sends */
    int64_t send, end_send;
    int64_t receive, end_receive;
    int64_t *send_of;    /* receives of this rank: their sends */
    unsigned char *next; /* memory that is not given away */
};

void nuce_forward_plan_fini(struct nuce_forward_plan *plan)
{
    nuce_request_set_fini(&plan->set);
    free(plan->step);
    free(plan->copy);
    free(plan->arrival);
    free(plan->by_message);
    free(plan->memory);
    memset(plan, 0, sizeof *plan);
}

/* The lists of this rank, from their beginning. Freed with free(send_of), also after failure. The
 * schedule says of each send which receive it is; here that is turned round. */
static nuce_status open_lists(const struct nuce_engine_input *input, struct forward_lists *out,
                              struct nuce_error *error)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    int64_t receives = schedule->receive_start[rank + 1] - schedule->receive_start[rank];

    *out = (struct forward_lists){.input = input,
                                  .send = schedule->send_start[rank],
                                  .end_send = schedule->send_start[rank + 1],
                                  .receive = schedule->receive_start[rank],
                                  .end_receive = schedule->receive_start[rank + 1]};
    out->send_of = nuce_allocate(receives, sizeof *out->send_of, error);
    if (out->send_of == NULL)
        return error->status;
    for (int64_t k = 0; k < schedule->pieces; k++) {
        if (schedule->receive_of[k] >= out->receive && schedule->receive_of[k] < out->end_receive)
            out->send_of[schedule->receive_of[k] - out->receive] = k;
    }
    return NUCE_OK;
}

/* What the receive brings: the load of its send. */
static const struct nuce_load *load_of_receive(const struct forward_lists *lists, int64_t receive)
{
    return &lists->input->schedule
                ->loads[lists->send_of[receive - lists->input->schedule
                                                     ->receive_start[lists->input->world->rank]]];
}

/* Memory for all transfers that need a wire, and room for what they bring. */
static nuce_status allocate_plan(const struct forward_lists *lists, struct nuce_forward_plan *plan,
                                 struct nuce_error *error)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    int64_t transfers = lists->end_send - lists->send + lists->end_receive - lists->receive;
    int64_t bytes = 0, arrivals = 0;

    for (int64_t k = lists->send; k < lists->end_send; k++)
        bytes += schedule->sends[k].peer != plan->rank ? schedule->sends[k].bytes : 0;
    for (int64_t k = lists->receive; k < lists->end_receive; k++) {
        if (schedule->receives[k].peer == plan->rank)
            continue;
        bytes += schedule->receives[k].bytes;
        arrivals += load_of_receive(lists, k)->count;
    }
    plan->memory = nuce_allocate(bytes, 1, error);
    plan->step = nuce_allocate(transfers, sizeof *plan->step, error);
    plan->arrival = nuce_allocate(arrivals, sizeof *plan->arrival, error);
    plan->by_message = nuce_allocate(arrivals, sizeof *plan->by_message, error);
    if (plan->memory == NULL || plan->step == NULL || plan->arrival == NULL ||
        plan->by_message == NULL)
        return error->status;
    return nuce_request_set_init(lists->input->world, transfers, &plan->set, error);
}

/* Adds a copy to those from number first on, which are made together; what lies side by side on
 * both sides becomes one copy. */
static nuce_status forward_add_copy(struct nuce_forward_plan *plan, int64_t first,
                                    unsigned char *to, const unsigned char *from, int64_t bytes,
                                    struct nuce_error *error)
{
    struct nuce_forward_copy *last = plan->copies > first ? &plan->copy[plan->copies - 1] : NULL;

    /* What lies side by side on both sides is one copy. */
    if (last != NULL && last->to + last->bytes == to && last->from + last->bytes == from) {
        last->bytes += bytes;
        return NUCE_OK;
    }
    if (nuce_allocate_more((void **)&plan->copy, &plan->copy_capacity, plan->copies + 1,
                           sizeof *plan->copy, error) != NUCE_OK)
        return error->status;
    plan->copy[plan->copies++] = (struct nuce_forward_copy){to, from, bytes};
    return NUCE_OK;
}

/* By source, destination, offset and phase. */
static int compare_arrivals(const void *left, const void *right)
{
    const struct nuce_forward_arrival *a = *(const struct nuce_forward_arrival *const *)left;
    const struct nuce_forward_arrival *b = *(const struct nuce_forward_arrival *const *)right;

    if (a->parcel.source != b->parcel.source)
        return a->parcel.source < b->parcel.source ? -1 : 1;
    if (a->parcel.destination != b->parcel.destination)
        return a->parcel.destination < b->parcel.destination ? -1 : 1;
    if (a->parcel.offset != b->parcel.offset)
        return a->parcel.offset < b->parcel.offset ? -1 : 1;
    return (a->phase > b->phase) - (a->phase < b->phase);
}

/* Where a parcel of another rank lies that this rank sends on in `phase`: where it came to last
 * before. by_message is sorted. A valid schedule (validate_forward.c) never asks for what is not
 * there. */
static const unsigned char *find_arrival(const struct nuce_forward_plan *plan,
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

/* The next receive: its request, and what it brings, one behind the other in the memory given to
 * it. */
static void add_arrivals(struct forward_lists *lists, struct nuce_forward_plan *plan)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    const struct nuce_transfer *receive = &schedule->receives[lists->receive];
    const struct nuce_load *load = load_of_receive(lists, lists->receive);
    unsigned char *at = lists->next;

    (void)nuce_request_set_add_bytes(&plan->set, NUCE_RECEIVE, at, 0, receive);
    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &schedule->parcels[k];

        plan->by_message[plan->arrivals] = &plan->arrival[plan->arrivals];
        plan->arrival[plan->arrivals++] =
            (struct nuce_forward_arrival){*parcel, receive->phase, receive->peer, at};
        at += parcel->bytes;
    }
    lists->next += receive->bytes;
}

/* The phase of list[first], the next transfer that is left; INT_MAX: none is. */
static int phase_of(const struct nuce_transfer *list, int64_t first, int64_t end)
{
    return first < end ? list[first].phase : INT_MAX;
}

/* The receives of a phase, then its sends: those that need a wire, each with its request. A phase
 * without any becomes no step. */
static void add_step(struct forward_lists *lists, int phase, struct nuce_forward_plan *plan)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    struct nuce_forward_step *step = &plan->step[plan->steps];

    *step = (struct nuce_forward_step){
        .phase = phase, .first_request = plan->set.count, .first_arrival = plan->arrivals};
    for (; phase_of(schedule->receives, lists->receive, lists->end_receive) == phase;
         lists->receive++) {
        if (schedule->receives[lists->receive].peer != plan->rank)
            add_arrivals(lists, plan);
    }
    step->end_receive = plan->set.count;
    step->end_arrival = plan->arrivals;
    for (; phase_of(schedule->sends, lists->send, lists->end_send) == phase; lists->send++) {
        const struct nuce_transfer *send = &schedule->sends[lists->send];

        if (send->peer == plan->rank) {
            plan->own = send;
            continue;
        }
        (void)nuce_request_set_add_bytes(&plan->set, NUCE_SEND, lists->next, 0, send);
        lists->next += send->bytes;
    }
    step->end_request = plan->set.count;
    plan->steps += step->end_request > step->first_request;
}

/* All steps with their requests; what is copied for them comes later, when all arrivals are known.
 */
static void add_steps(struct forward_lists *lists, struct nuce_forward_plan *plan)
{
    const struct nuce_schedule *schedule = lists->input->schedule;

    while (lists->send < lists->end_send || lists->receive < lists->end_receive) {
        int send_phase = phase_of(schedule->sends, lists->send, lists->end_send);
        int receive_phase = phase_of(schedule->receives, lists->receive, lists->end_receive);

        add_step(lists, send_phase < receive_phase ? send_phase : receive_phase, plan);
    }
}

/* Copies for one send: each of its parcels from the payload, if this rank is its source, or from
 * where it came. memory: the send's. */
static nuce_status add_packing(const struct forward_lists *lists,
                               const struct nuce_forward_step *step, int64_t send,
                               unsigned char *memory, struct nuce_forward_plan *plan,
                               struct nuce_error *error)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    const struct nuce_load *load = &schedule->loads[send];

    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &schedule->parcels[k];
        const struct nuce_transfer whole = {
            .peer = parcel->destination, .offset = parcel->offset, .bytes = parcel->bytes};
        const unsigned char *from = parcel->source == plan->rank
                                        ? nuce_payload_from(lists->input->payload, &whole)
                                        : find_arrival(plan, parcel, schedule->sends[send].phase);

        if (forward_add_copy(plan, step->first_pack, memory, from, parcel->bytes, error) != NUCE_OK)
            return error->status;
        memory += parcel->bytes;
    }
    return NUCE_OK;
}

/* What is copied out of the receives: the messages that are this rank's. */
static nuce_status add_unpacking(const struct forward_lists *lists,
                                 const struct nuce_forward_step *step,
                                 struct nuce_forward_plan *plan, struct nuce_error *error)
{
    for (int64_t k = step->first_arrival; k < step->end_arrival; k++) {
        const struct nuce_forward_arrival *arrival = &plan->arrival[k];
        const struct nuce_transfer whole = {.peer = arrival->parcel.source,
                                            .offset = arrival->parcel.offset,
                                            .bytes = arrival->parcel.bytes};

        if (arrival->parcel.destination == plan->rank &&
            forward_add_copy(plan, step->first_unpack,
                             nuce_payload_to(lists->input->payload, &whole), arrival->at,
                             arrival->parcel.bytes, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Copies of all steps. Memory is given to a step's receives, then to its sends, in the order of
 * add_step, which is gone through again here. */
static nuce_status add_copies(const struct forward_lists *lists, struct nuce_forward_plan *plan,
                              struct nuce_error *error)
{
    const struct nuce_schedule *schedule = lists->input->schedule;
    unsigned char *memory = plan->memory;
    int64_t send = schedule->send_start[plan->rank];

    for (int i = 0; i < plan->steps; i++) {
        struct nuce_forward_step *step = &plan->step[i];

        for (int request = step->first_request; request < step->end_receive; request++)
            memory += plan->set.about[request].bytes;
        step->first_pack = plan->copies;
        for (int request = step->end_receive; request < step->end_request; request++) {
            while (schedule->sends[send].peer == plan->rank)
                send++;
            if (add_packing(lists, step, send, memory, plan, error) != NUCE_OK)
                return error->status;
            memory += schedule->sends[send++].bytes;
        }
        step->end_pack = step->first_unpack = plan->copies;
        if (add_unpacking(lists, step, plan, error) != NUCE_OK)
            return error->status;
        step->end_unpack = plan->copies;
    }
    return NUCE_OK;
}

nuce_status nuce_forward_plan_init(const struct nuce_engine_input *input,
                                   struct nuce_forward_plan *out, struct nuce_error *error)
{
    struct nuce_forward_plan plan = {.rank = input->world->rank};
    struct forward_lists lists = {0};
    nuce_status status = open_lists(input, &lists, error);

    if (status == NUCE_OK)
        status = allocate_plan(&lists, &plan, error);
    if (status == NUCE_OK) {
        lists.next = plan.memory;
        add_steps(&lists, &plan);
        qsort(plan.by_message, (size_t)plan.arrivals, sizeof *plan.by_message, compare_arrivals);
        status = add_copies(&lists, &plan, error);
    }
    free(lists.send_of);
    if (status == NUCE_OK)
        *out = plan;
    else
        nuce_forward_plan_fini(&plan);
    return status;
}
