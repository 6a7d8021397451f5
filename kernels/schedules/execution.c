/* The papers' executions of a schedule. In all of them a piece takes T + bytes / B and occupies its
 * sender's and its receiver's port. They differ in what a piece also waits for: the rank's phase
 * before (loose), all ranks' phase before (barrier), the piece before in both queues (ports), or
 * the receiver's turn (fifo). A rank's message to itself takes no time, and nothing waits for it
 * except in streams. Times are seconds from a common start at 0. */
#include "schedules/execution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/queues.h"

const char *nuce_execution_name(enum nuce_execution execution)
{
    static const char *const names[] = {
        [NUCE_LOOSE] = "loose", [NUCE_PORTS] = "ports", [NUCE_BARRIER] = "barrier",
        [NUCE_FIFO] = "fifo",   [NUCE_FLUID] = "fluid",
    };

    return names[execution];
}

int nuce_execution_find(const char *name, enum nuce_execution *out)
{
    for (enum nuce_execution execution = NUCE_LOOSE; execution <= NUCE_FLUID; execution++) {
        if (strcmp(nuce_execution_name(execution), name) == 0) {
            *out = execution;
            return 1;
        }
    }
    return 0;
}

/* The mean number of transfers of one queue of a rank that move through its port at once. It is the
 * whole queue if the port needs longer for their bytes than the gaps between them. */
static double queue_moving(const struct nuce_transfer *list, const int64_t *start, double capacity,
                           double gap)
{
    double bytes = 0, count = (double)(start[1] - start[0]);

    for (int64_t k = start[0]; k < start[1]; k++)
        bytes += (double)list[k].bytes;
    return bytes / capacity < gap * count ? bytes / capacity / (gap * count) : count;
}

/* The number of pieces that move at once, of in_flight that may. It is smaller with a gap, because
 * a rank then starts no two within it, if the rank's port is known. */
static double moving_at_once(const struct nuce_schedule *s, const struct nuce_network *network,
                             double in_flight)
{
    double out = 0, in = 0;

    if (!(network->gap > 0) || network->tiers.nodes > 0)
        return in_flight;
    for (int i = 0; i < s->ranks; i++) {
        out += queue_moving(s->sends, s->send_start + i, nuce_network_port_out(network, i),
                            network->gap);
        in += queue_moving(s->receives, s->receive_start + i, nuce_network_port_in(network, i),
                           network->gap);
    }
    return fmin(fmax(fmax(out, in), 1), in_flight);
}

/* True if fluid takes seconds at most. Without known limits pieces do not affect each other. */
static int is_affordable(const struct nuce_schedule *schedule, const struct nuce_network *network)
{
    double in_flight = (double)schedule->pieces, ranks = schedule->ranks;

    if (network->out == NULL && network->in == NULL && !nuce_network_has_tiers(network))
        return 1;
    if (schedule->discipline == NUCE_STREAMS || schedule->discipline == NUCE_BLOCKING)
        in_flight = fmin(in_flight, ranks * schedule->depth);
    else if (schedule->discipline != NUCE_POST_ALL)
        in_flight = fmin(in_flight, ranks);
    if ((double)schedule->pieces * in_flight <= NUCE_FLUID_MOST)
        return 1;
    return (double)schedule->pieces * moving_at_once(schedule, network, in_flight) <=
           NUCE_FLUID_MOST;
}

/* The execution on networks with nodes or with startups that can't all overlap. Only fluid models
 * these, and it models every discipline. */
static enum nuce_execution execution_of_tiers(const struct nuce_schedule *schedule,
                                              const struct nuce_network *network)
{
    return schedule->discipline == NUCE_DYNAMIC ||
                   (schedule->discipline == NUCE_POST_ALL && !is_affordable(schedule, network))
               ? NUCE_FIFO
               : NUCE_FLUID;
}

/* The execution on networks of pairs, and of ports if that is affordable. */
static enum nuce_execution execution_of_pairs(const struct nuce_schedule *schedule,
                                              const struct nuce_network *network)
{
    switch (schedule->discipline) {
    case NUCE_LOCKSTEP:
    case NUCE_FORWARD:
        return NUCE_LOOSE;
    case NUCE_STREAMS:
        return schedule->depth == 1 ? NUCE_PORTS : NUCE_FLUID;
    case NUCE_POST_ALL:
        return nuce_network_has_ports(network) && is_affordable(schedule, network) ? NUCE_FLUID
                                                                                   : NUCE_FIFO;
    case NUCE_BLOCKING:
        return schedule->depth == 1 ? NUCE_FIFO : NUCE_FLUID;
    case NUCE_DYNAMIC:
        break;
    }
    return NUCE_FIFO;
}

enum nuce_execution nuce_execution_of(const struct nuce_schedule *schedule,
                                      const struct nuce_network *network)
{
    return nuce_network_has_tiers(network) ? execution_of_tiers(schedule, network)
                                           : execution_of_pairs(schedule, network);
}

enum nuce_execution nuce_execution_to_compare(const struct nuce_schedule *schedule,
                                              const struct nuce_network *network)
{
    return nuce_network_has_tiers(network) && is_affordable(schedule, network)
               ? execution_of_tiers(schedule, network)
               : execution_of_pairs(schedule, network);
}

int nuce_execution_predicts(const struct nuce_schedule *schedule, enum nuce_execution execution)
{
    return execution != NUCE_FIFO ||
           (schedule->discipline == NUCE_BLOCKING && schedule->depth == 1);
}

int nuce_execution_is_modelled(const struct nuce_schedule *schedule,
                               const struct nuce_network *network)
{
    return schedule->discipline != NUCE_DYNAMIC &&
           (nuce_execution_of(schedule, network) != NUCE_FLUID || is_affordable(schedule, network));
}

void nuce_timing_fini(struct nuce_timing *timing)
{
    free(timing->send_start); /* the block of all arrays */
    memset(timing, 0, sizeof *timing);
}

/* The progress of a rank, in seconds. */
struct rank_state {
    double send_free;    /* end of its last send */
    double receive_free; /* end of its last receive */
    double ready;        /* end of all of its phases before `phase` */
    double pending;      /* end of these and of its work in `phase` so far */
    int phase;
};

/* An execution in progress. */
struct execution {
    const struct nuce_schedule *schedule;
    const struct nuce_network *network;
    struct nuce_timing timing;
    struct rank_state *states; /* ranks */
    int *source;               /* pieces: the rank of each send */
    int64_t *order;            /* pieces: scratch, sends in the order of execution */
    /* Ports only: the next entry of both queues of each rank, and the send of each receive. */
    int64_t *next_send, *next_receive, *sender_of;
};

static double execution_later(double a, double b)
{
    return a > b ? a : b;
}

/* Executes send number k: it begins when both of its ports are free, but not before the time
 * earliest. */
static void execution_execute_send(struct execution *e, int64_t k, double earliest)
{
    const struct nuce_transfer *send = &e->schedule->sends[k];
    struct rank_state *from = &e->states[e->source[k]], *to = &e->states[send->peer];
    double start = execution_later(earliest, execution_later(from->send_free, to->receive_free));
    double end = start + nuce_network_seconds(e->network, e->source[k], send->peer, send->bytes);
    int64_t receive = e->schedule->receive_of[k];

    from->send_free = end;
    to->receive_free = end;
    e->timing.send_start[k] = e->timing.receive_start[receive] = start;
    e->timing.send_end[k] = e->timing.receive_end[receive] = end;
    e->timing.makespan = execution_later(e->timing.makespan, end);
}

static int execution_is_own(const struct execution *e, int64_t k)
{
    return e->schedule->sends[k].peer == e->source[k];
}

/* Executes a message to oneself at the time when its rank reaches it. It uses no port. */
static void execution_copy_own(struct execution *e, int64_t k, double time)
{
    int64_t receive = e->schedule->receive_of[k];

    e->timing.send_start[k] = e->timing.send_end[k] = time;
    e->timing.receive_start[receive] = e->timing.receive_end[receive] = time;
}

/* qsort_r: sends by phase, then in their order. */
static int compare_phases(const void *left, const void *right, void *context)
{
    const struct nuce_schedule *schedule = context;
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return NUCE_INT_ORDER({schedule->sends[a].phase, schedule->sends[b].phase}, {a, b});
}

/* Fills e->order with all sends by phase. */
static void execution_sort_by_phase(struct execution *e)
{
    for (int64_t k = 0; k < e->schedule->pieces; k++)
        e->order[k] = k;
    qsort_r(e->order, (size_t)e->schedule->pieces, sizeof *e->order, compare_phases,
            (void *)e->schedule);
}

/* A rank enters phase: all that it has done so far must have ended first. */
static void enter_phase(struct rank_state *state, int phase)
{
    if (phase == state->phase)
        return;
    state->ready = state->pending;
    state->phase = phase;
}

/* All phases in one list: a rank's pieces come in the order of their phases. Pieces of one phase
 * wait for one another only if they share a port. */
static void run_loose(struct execution *e)
{
    execution_sort_by_phase(e);
    for (int64_t i = 0; i < e->schedule->pieces; i++) {
        int64_t k = e->order[i];
        const struct nuce_transfer *send = &e->schedule->sends[k];
        struct rank_state *from = &e->states[e->source[k]], *to = &e->states[send->peer];

        enter_phase(from, send->phase);
        if (execution_is_own(e, k)) {
            execution_copy_own(e, k, from->ready);
            continue;
        }
        enter_phase(to, send->phase);
        execution_execute_send(e, k, execution_later(from->ready, to->ready));
        from->pending = execution_later(from->pending, e->timing.send_end[k]);
        to->pending = execution_later(to->pending, e->timing.send_end[k]);
    }
}

/* As loose, but each phase begins for all when the last piece of the one before has ended. */
static void run_barrier(struct execution *e)
{
    double begin = 0;
    int phase = 0;

    execution_sort_by_phase(e);
    for (int64_t i = 0; i < e->schedule->pieces; i++) {
        if (e->schedule->sends[e->order[i]].phase != phase) {
            phase = e->schedule->sends[e->order[i]].phase;
            begin = e->timing.makespan;
        }
        if (execution_is_own(e, e->order[i]))
            execution_copy_own(e, e->order[i], begin);
        else
            execution_execute_send(e, e->order[i], begin);
    }
}

/* A rank's messages to itself are done as soon as its sends reach them. In streams they keep their
 * places in both queues, as fluid models them at any depth. */
static void pass_own(struct execution *e, int rank)
{
    int64_t *send = &e->next_send[rank], *receive = &e->next_receive[rank];

    if (e->schedule->discipline == NUCE_STREAMS)
        return;
    while (*send < e->schedule->send_start[rank + 1] && execution_is_own(e, *send))
        execution_copy_own(e, (*send)++, e->states[rank].send_free);
    while (*receive < e->schedule->receive_start[rank + 1] &&
           execution_is_own(e, e->sender_of[*receive]))
        (*receive)++;
}

/* Pushes the next send of rank if both queues have reached it. */
static void push_next(struct execution *e, int rank, int64_t *height)
{
    int64_t k = e->next_send[rank];

    if (k < e->schedule->send_start[rank + 1] &&
        e->next_receive[e->schedule->sends[k].peer] == e->schedule->receive_of[k])
        e->order[(*height)++] = k;
}

/* A piece starts when it is the next in both of its queues. The stack holds such pieces. The later
 * of its two ports pushes each piece once, and in a valid schedule all are pushed. The order of
 * removal does not change their times. */
static void run_ports(struct execution *e)
{
    const struct nuce_schedule *s = e->schedule;
    int64_t height = 0;

    e->next_send = nuce_allocate(2 * (int64_t)s->ranks, sizeof *e->next_send);
    e->next_receive = e->next_send + s->ranks;
    e->sender_of = nuce_allocate(s->pieces, sizeof *e->sender_of);
    for (int64_t k = 0; k < s->pieces; k++)
        e->sender_of[s->receive_of[k]] = k;
    for (int i = 0; i < s->ranks; i++) {
        e->next_send[i] = s->send_start[i];
        e->next_receive[i] = s->receive_start[i];
        pass_own(e, i);
    }
    for (int i = 0; i < s->ranks; i++)
        push_next(e, i, &height);
    while (height > 0) {
        int64_t k = e->order[--height];
        int from = e->source[k], to = s->sends[k].peer;

        execution_execute_send(e, k, 0);
        e->next_send[from]++;
        e->next_receive[to]++;
        pass_own(e, from);
        pass_own(e, to);
        push_next(e, from, &height);
        if (e->next_receive[to] < s->receive_start[to + 1]) {
            int64_t other = e->sender_of[e->next_receive[to]];

            /* The next send of this rank itself was checked before. */
            if (e->source[other] != from && e->next_send[e->source[other]] == other)
                e->order[height++] = other;
        }
    }
    free(e->next_send);
    free(e->sender_of);
}

/* Blocking senders: each rank continues when its last message is complete, and receivers serve in
 * the order of arrival. The heap orders ranks by the arrival of their next message. */
static void run_fifo(struct execution *e)
{
    const struct nuce_schedule *s = e->schedule;
    struct nuce_heap arrivals = {0};
    int64_t *next = nuce_allocate(s->ranks, sizeof *next);

    for (int i = 0; i < s->ranks; i++) {
        next[i] = s->send_start[i];
        if (next[i] < s->send_start[i + 1])
            nuce_heap_push(&arrivals, (struct nuce_heap_entry){.value = i});
    }
    while (arrivals.count > 0) {
        struct nuce_heap_entry arrival = arrivals.entries[0];
        int64_t rank = arrival.value, k = next[rank]++;

        if (execution_is_own(e, k))
            execution_copy_own(e, k, arrival.key);
        else
            execution_execute_send(e, k, arrival.key);
        arrival.key = e->timing.send_end[k];
        if (next[rank] < s->send_start[rank + 1])
            nuce_heap_replace(&arrivals, arrival);
        else
            nuce_heap_pop(&arrivals);
    }
    nuce_heap_fini(&arrivals);
    free(next);
}

static void run_fluid(struct execution *e)
{
    nuce_fluid_run(e->schedule, e->network, e->source, &e->timing);
}

void nuce_execution_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                        enum nuce_execution execution, struct nuce_timing *out)
{
    static void (*const runs[])(struct execution *) = {
        [NUCE_LOOSE] = run_loose, [NUCE_PORTS] = run_ports, [NUCE_BARRIER] = run_barrier,
        [NUCE_FIFO] = run_fifo,   [NUCE_FLUID] = run_fluid,
    };
    struct execution e = {.schedule = schedule, .network = network};
    int64_t pieces = schedule->pieces;

    e.timing.send_start = nuce_allocate(4 * pieces, sizeof(double));
    e.timing.send_end = e.timing.send_start + pieces;
    e.timing.receive_start = e.timing.send_end + pieces;
    e.timing.receive_end = e.timing.receive_start + pieces;
    e.states = nuce_allocate(schedule->ranks, sizeof *e.states);
    e.source = nuce_allocate(pieces, sizeof *e.source);
    e.order = nuce_allocate(pieces, sizeof *e.order);
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            e.source[k] = i;
    }
    runs[execution](&e);
    free(e.states);
    free(e.source);
    free(e.order);
    *out = e.timing;
}

double nuce_execution_makespan(const struct nuce_schedule *schedule,
                               const struct nuce_network *network, enum nuce_execution execution)
{
    struct nuce_timing timing;
    double makespan;

    nuce_execution_run(schedule, network, execution, &timing);
    makespan = timing.makespan;
    nuce_timing_fini(&timing);
    return makespan;
}
