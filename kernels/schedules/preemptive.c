/* preemptive: the load list, interrupted only if a port would otherwise end too late.
 *
 * Problem: end the whole exchange at the lower bound, the most work of a port, with as few
 * interrupted messages as possible.
 * Steps: let D be the bound. A port whose remaining load is D minus the time is critical: it must
 * not idle again.
 *   1. Whenever ports are idle, start messages as load-list does.
 *   2. If a critical port is idle then, find the shortest path of messages from it. The path goes
 *      to a peer, to the port that this peer is busy with, if that port is critical too to another
 *      peer of it, and so on. It ends at a peer that is idle or busy with a port that is not
 *      critical. The running messages along the path are interrupted, its other messages start.
 *   3. An interrupted message keeps its remaining bytes and may continue at any time.
 * Such a path exists: some set of messages without a port in common covers all critical ports
 * (Gonzalez and Sahni), and the current messages cover all critical ports but one.
 *
 * On a network of equal pairs without startups all times are whole bytes. Elsewhere a message is
 * cut at the last whole byte, which costs its ports less than a byte's time each. So ports count as
 * critical a few bytes early, and a cut between ports without even that spare time waits for the
 * end of the byte. A cut adds a startup, so a rest that is shorter than a startup is not cut. If D
 * cannot be kept, it grows by the difference.
 *
 * Cost: to build, that of load-list and a search for each port that becomes critical and for each
 * message after which a critical port finds no idle peer. To run, D; most often with far fewer than
 * m + 2 n pieces for m messages (about 1.01 m on random patterns).
 * Limits: that number of pieces is not a bound. Up to m + 7 n were seen with nearly all pairs and
 * loads within a few percent, where all ports become critical early. If a message has few bytes and
 * pairs differ, whole bytes cannot meet D. It is optimal in the model: ports that are slower than
 * in the network file end later.
 * Source: Gonzalez and Sahni, "Open shop scheduling to minimize finish time", J. ACM 23, 1976
 * (preemptive open shops); papers/ALGORITHMS.md, redistribution ("lazy preemptive"). */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/list_schedule.h"
#include "schedules/open_shop.h"

/* As a share of the bound: times that differ by less differ only by rounding. */
#define ROUNDING 1e-13

/* If bytes are not the unit of time, a port counts as critical this many bytes' time early, but at
 * most this part of the bound. */
#define SPARE_BYTES 16
#define SPARE_MOST 1e-3

/* A part of a message that is sent without interruption. */
struct piece {
    int64_t message, offset, bytes;
    int source, destination;
};

/* The work of a port. */
struct preemptive_work {
    int64_t message; /* the running one, or -1 */
    int64_t piece;   /* the last one that it began, or -1 */
    double start;    /* of the message, or of its idle time */
    double end;      /* of the message */
    int64_t before;  /* bytes of the piece sent before start */
    int64_t seen;    /* the last search that reached it */
    int from;        /* the port on the other side from which the search came, */
    int64_t via;     /* and the message of that step */
    int listed;      /* true if it is among the changed ports */
    int rescued;     /* true if it has been handled at this time */
    int critical;    /* true if it has been found critical */
    double due;      /* time at which it may become critical */
    double wake; /* time of its event, at most due; INFINITY: has none. Its other events are void */
};

struct preemptive_state {
    struct nuce_shop shop;
    struct nuce_chain chain;
    struct preemptive_work *works; /* 2 ranks */
    unsigned char *is_cut;         /* messages: true if pieces of it have ended; their bytes are in
                                      sent */
    int64_t *sent;                 /* messages: these bytes; few messages have any: seldom in a
                                      cache */
    struct piece *pieces;          /* all so far, in the order in which they began; grows */
    int64_t count, capacity;
    struct nuce_heap events; /* key: the time; value: the message that ends, or -1 - port: it may
                                have become critical */
    double bound, now;
    double rounding; /* smaller differences of time are rounding errors */
    double spare;    /* ports with less slack are critical */
    int *changed;    /* 2 ranks: ports that became idle at this time */
    int changes;
    int *queue; /* 2 ranks: the queue of a search */
    int64_t searches;
};

/* The bytes of message k in pieces that have ended. */
static int64_t bytes_sent(const struct preemptive_state *state, int64_t k)
{
    return state->is_cut[k] ? state->sent[k] : 0;
}

/* The time that a port can still idle. */
static double preemptive_slack(const struct preemptive_state *state, int port)
{
    const struct preemptive_work *work = &state->works[port];
    double since = work->message >= 0 ? work->start : state->now;

    return state->bound - since - state->shop.ports[port].load;
}

/* A critical port stays critical. Otherwise two ports that need the same peer would alternate, byte
 * by byte. */
static int is_critical(const struct preemptive_state *state, int port)
{
    return state->shop.ports[port].left > 0 &&
           (state->works[port].critical ||
            preemptive_slack(state, port) <= state->spare + 2 * state->rounding);
}

/* Lists the port as changed, to be handled at this time. */
static void list_changed(struct preemptive_state *state, int port)
{
    if (!state->works[port].listed)
        state->changed[state->changes++] = port;
    state->works[port].listed = 1;
}

/* Ends the work of the port at this time and lists it as changed. */
static void set_idle(struct preemptive_state *state, int port)
{
    struct preemptive_work *work = &state->works[port];

    work->message = -1;
    work->start = state->now;
    nuce_shop_release(&state->shop, port);
    list_changed(state, port);
}

/* Raises a bound that cannot be kept. Every port gets the difference as slack. */
static void raise_bound(struct preemptive_state *state, double bound)
{
    if (bound > state->bound)
        state->bound = bound;
}

/* Starts the rest of message k; its ports are already busy in the shop. If the last piece of both
 * ports is of this message, that piece continues, and its startup is not paid twice. */
static void preemptive_start(struct preemptive_state *state, int64_t k)
{
    struct nuce_shop *shop = &state->shop;
    int ports[] = {nuce_shop_sender(shop, k), nuce_shop_receiver(shop, k)};
    int64_t left = shop->pattern->bytes[k] - bytes_sent(state, k), before = 0;
    int64_t piece = state->works[ports[0]].piece;

    if (piece >= 0 && piece == state->works[ports[1]].piece && state->pieces[piece].message == k &&
        state->pieces[piece].bytes > 0) {
        double saved =
            shop->messages[k].cost - (nuce_shop_cost(shop, k, left) - nuce_shop_cost(shop, k, 0));

        before = state->pieces[piece].bytes;
        state->pieces[piece].bytes += left;
        shop->messages[k].cost -= saved;
        shop->ports[ports[0]].load -= saved;
        shop->ports[ports[1]].load -= saved;
    } else {
        nuce_allocate_more((void **)&state->pieces, &state->capacity, state->count + 1,
                           sizeof *state->pieces);
        piece = state->count++;
        state->pieces[piece] = (struct piece){
            k, bytes_sent(state, k), left, shop->messages[k].source, shop->messages[k].destination};
    }
    for (int i = 0; i < 2; i++) {
        struct preemptive_work *work = &state->works[ports[i]];

        raise_bound(state, state->now + shop->ports[ports[i]].load);
        work->message = k;
        work->piece = piece;
        work->start = state->now;
        work->end = state->now + shop->messages[k].cost;
        work->before = before;
    }
    nuce_heap_push(&state->events, (struct nuce_heap_entry){state->works[ports[0]].end, 0, k});
}

/* Whole bytes of the running message that are through; a byte that is complete within rounding
 * counts. */
static int64_t bytes_through(const struct preemptive_state *state, int64_t k)
{
    const struct preemptive_work *work = &state->works[nuce_shop_sender(&state->shop, k)];
    double time = state->now - work->start + 2 * state->rounding, bytes;
    int64_t left = state->shop.pattern->bytes[k] - bytes_sent(state, k);

    if (work->before > 0) /* no startup again */
        time += nuce_shop_cost(&state->shop, k, 0);
    bytes = floor(nuce_shop_bytes(&state->shop, k, time));
    if (bytes <= 0)
        return 0;
    return bytes < (double)left ? (int64_t)bytes : left - 1;
}

/* Ends message k at this time: all of it or, if it is cut, the bytes that are through; the rest
 * costs another startup. */
static void preemptive_stop(struct preemptive_state *state, int64_t k, int is_cut)
{
    struct nuce_shop *shop = &state->shop;
    int ports[] = {nuce_shop_sender(shop, k), nuce_shop_receiver(shop, k)};
    double cost = 0;

    if (is_cut) {
        const struct preemptive_work *work = &state->works[ports[0]];
        int64_t through = bytes_through(state, k);

        state->pieces[work->piece].bytes = work->before + through;
        state->sent[k] += through;
        state->is_cut[k] = 1;
        cost = nuce_shop_cost(shop, k, shop->pattern->bytes[k] - state->sent[k]);
    } else {
        nuce_shop_finish(shop, k);
    }
    for (int i = 0; i < 2; i++) {
        shop->ports[ports[i]].load += cost - shop->messages[k].cost;
        set_idle(state, ports[i]);
    }
    shop->messages[k].cost = cost;
}

/* True if cutting saves time: a message that has hardly begun, or nearly ended, is not worth
 * another startup. */
static int is_cuttable(const struct preemptive_state *state, int64_t k)
{
    const struct preemptive_work *work = &state->works[nuce_shop_sender(&state->shop, k)];
    double startup = nuce_shop_cost(&state->shop, k, 0);

    if (startup <= 0 || state->now <= work->start)
        return 1;
    return work->end - state->now > startup &&
           (work->before > 0 || state->now - work->start > startup);
}

/* Breadth-first search for a shortest path from the idle critical port to a peer that is idle or
 * busy with a port that is not critical. Returns that end, or -1. Each port in the queue is
 * critical and could continue with another peer, so its messages are checked. A peer seen for the
 * first time stores how it was reached, and the port that it is busy with enters the queue. */
static int preemptive_search(struct preemptive_state *state, int start)
{
    struct nuce_shop *shop = &state->shop;
    int queued = 0;

    state->searches++;
    state->queue[queued++] = start;
    for (int at = 0; at < queued; at++) {
        int port = state->queue[at];
        struct nuce_shop_port *self = &shop->ports[port];
        int64_t *list = shop->list + self->first;

        for (int i = 0; i < self->count;) {
            int64_t k = list[i];
            int peer = nuce_shop_peer(shop, port, k);
            struct preemptive_work *work = &state->works[peer];

            if (shop->done[k]) {
                list[i] = list[--self->count];
                continue;
            }
            i++;
            if (work->seen == state->searches)
                continue;
            work->seen = state->searches;
            work->from = port;
            work->via = k;
            if (work->message < 0)
                return peer;
            if (!is_cuttable(state, work->message))
                continue;
            if (!is_critical(state, nuce_shop_peer(shop, peer, work->message)))
                return peer;
            state->queue[queued++] = nuce_shop_peer(shop, peer, work->message);
        }
    }
    return -1;
}

/* The time that the running message at peer, which will be cut, should continue: to the end of a
 * byte, if one of its ports has no time to lose. */
static double wait_for_byte(const struct preemptive_state *state, int peer)
{
    int64_t k = state->works[peer].message;
    const struct preemptive_work *work;
    double startup, byte, lost;

    if (k < 0 || state->spare <= 0)
        return 0;
    work = &state->works[nuce_shop_sender(&state->shop, k)];
    startup = nuce_shop_cost(&state->shop, k, 0);
    byte = nuce_shop_cost(&state->shop, k, 1) - startup;
    /* The time that a cut of message k now would lose: the part of the current byte that is
     * through. */
    lost = state->now - work->start - (work->before > 0 ? 0 : startup);
    lost -= (double)bytes_through(state, k) * byte;
    if (lost <= 2 * state->rounding || byte - lost <= state->rounding ||
        (lost <= preemptive_slack(state, peer) &&
         lost <= preemptive_slack(state, nuce_shop_peer(&state->shop, peer, k))))
        return 0;
    return byte - lost;
}

/* The longest such time along the path. */
static double wait_for_path(const struct preemptive_state *state, int port, int end)
{
    double wait = wait_for_byte(state, end);

    for (int from = state->works[end].from; from != port; from = state->works[end].from) {
        end = nuce_shop_peer(&state->shop, from, state->works[from].message);
        wait = fmax(wait, wait_for_byte(state, end));
    }
    return wait;
}

/* Moves the event of a port. Mostly the port gets work long before, so an event that is too early
 * is moved only when it fires. So the heap holds one event for each port. */
static void preemptive_look_again(struct preemptive_state *state, int port, double time)
{
    state->works[port].due = time;
    if (state->works[port].wake <= time)
        return;
    state->works[port].wake = time;
    nuce_heap_push(&state->events, (struct nuce_heap_entry){time, 0, -1 - (int64_t)port});
}

/* Sets the event for the time when a waiting port becomes critical. */
static void look_when_critical(struct preemptive_state *state, int port)
{
    preemptive_look_again(state, port, state->bound - state->shop.ports[port].load - state->spare);
}

/* The time when the first peer of a port is idle: now, or at the end of its work. */
static double next_idle(const struct preemptive_state *state, int port)
{
    const struct nuce_shop *shop = &state->shop;
    const struct nuce_shop_port *self = &shop->ports[port];
    double next = INFINITY;

    for (int i = 0; i < self->count; i++) {
        int64_t k = shop->list[self->first + i];
        const struct preemptive_work *peer = &state->works[nuce_shop_peer(shop, port, k)];

        if (!shop->done[k])
            next = fmin(next, peer->message < 0 ? state->now : peer->end);
    }
    return next;
}

/* Finds work for the idle critical port, unless it can wait for some without being late. */
static void preemptive_rescue(struct preemptive_state *state, int port)
{
    double spare = preemptive_slack(state, port), load = state->shop.ports[port].load, next, wait;
    int end, has_spare = spare > 2 * state->rounding;

    if (has_spare) {
        next = next_idle(state, port);
        if (next > state->now && next < state->now + spare) {
            preemptive_look_again(state, port, next);
            return;
        }
    }
    end = preemptive_search(state, port);
    if (end < 0) {
        /* No message can start before one of its peers is idle. If that is too late, the bound
         * cannot be kept. */
        next = has_spare ? state->bound - load : next_idle(state, port);
        raise_bound(state, next + load);
        preemptive_look_again(state, port, next);
        return;
    }
    wait = wait_for_path(state, port, end);
    if (wait > 0 && wait <= spare) {
        preemptive_look_again(state, port, state->now + wait);
        return;
    }
    /* Interrupts the running messages along the path, and starts its other ones, from its end
     * on. */
    if (state->works[end].message >= 0)
        preemptive_stop(state, state->works[end].message, 1);
    for (;;) {
        int from = state->works[end].from, before = end;
        int64_t k = state->works[end].via;

        if (from != port) {
            before = nuce_shop_peer(&state->shop, from, state->works[from].message);
            preemptive_stop(state, state->works[from].message, 1);
        }
        nuce_shop_occupy(&state->shop, from);
        nuce_shop_occupy(&state->shop, end);
        preemptive_start(state, k);
        if (from == port)
            return;
        end = before;
    }
}

/* True if the port idles although it has messages left. */
static int is_waiting(const struct preemptive_state *state, int port)
{
    return state->works[port].message < 0 && state->shop.ports[port].left > 0;
}

/* Gives work to all ports that can have it, and first to the critical ones. */
static void preemptive_settle(struct preemptive_state *state)
{
    int again = 1;

    while (again) {
        again = 0;
        /* Starts the messages that load-list would start now. */
        for (int64_t k = nuce_shop_next(&state->shop); k >= 0; k = nuce_shop_next(&state->shop))
            preemptive_start(state, k);
        for (int i = 0; i < state->changes; i++) {
            int port = state->changed[i];

            if (state->works[port].rescued || !is_waiting(state, port) || !is_critical(state, port))
                continue;
            state->works[port].rescued = state->works[port].critical = 1;
            preemptive_rescue(state, port);
            again = 1;
        }
    }
    for (int i = 0; i < state->changes; i++) {
        int port = state->changed[i];
        int rescued = state->works[port].rescued;

        state->works[port].listed = state->works[port].rescued = 0;
        if (is_waiting(state, port) && !rescued)
            look_when_critical(state, port);
    }
    state->changes = 0;
}

/* Handles all events of this time, within rounding. */
static void handle_events(struct preemptive_state *state)
{
    while (state->events.count > 0 &&
           state->events.entries[0].key <= state->now + state->rounding) {
        struct nuce_heap_entry event = state->events.entries[0];
        int port =
            event.value < 0 ? (int)(-1 - event.value) : nuce_shop_sender(&state->shop, event.value);
        struct preemptive_work *work = &state->works[port];
        double when = event.value < 0 ? work->wake : work->end;

        nuce_heap_pop(&state->events);
        /* Otherwise the event was postponed, or the message was cut: this is not its time, or its
         * end. */
        if (when < event.key || when > event.key)
            continue;
        if (event.value >= 0) {
            if (work->message == event.value)
                preemptive_stop(state, event.value, 0);
            continue;
        }
        /* A port that may have become critical. The bound may have grown since. */
        work->wake = INFINITY;
        if (!is_waiting(state, port))
            continue;
        if (work->due > event.key)
            preemptive_look_again(state, port, work->due);
        else if (!is_critical(state, port))
            look_when_critical(state, port);
        else
            list_changed(state, port);
    }
}

/* The bound begins as the largest load; rounding and spare follow from it. */
static void preemptive_run(struct preemptive_state *state)
{
    const struct nuce_shop *shop = &state->shop;
    const struct nuce_network *network = shop->network;
    double longest = 0; /* longest time of a byte of a message */

    for (int p = 0; p < 2 * state->shop.pattern->ranks; p++) {
        raise_bound(state, state->shop.ports[p].load);
        state->works[p].piece = -1;
        state->works[p].wake = INFINITY;
    }
    /* Times may be whole bytes, and small enough to be exact. */
    state->rounding = ROUNDING * state->bound;
    if (network->pair_bandwidth == NULL && network->startup <= 0 && state->bound < 1 / DBL_EPSILON)
        state->rounding = 0;
    for (int64_t k = 0; network->pair_bandwidth != NULL && k < shop->pattern->messages; k++) {
        if (!shop->done[k])
            longest = fmax(longest, nuce_shop_cost(shop, k, 1) - nuce_shop_cost(shop, k, 0));
    }
    state->spare = fmin(SPARE_MOST * state->bound, SPARE_BYTES * longest);
    for (int p = 0; p < 2 * state->shop.pattern->ranks; p++)
        set_idle(state, p);
    for (;;) {
        preemptive_settle(state);
        if (state->events.count == 0)
            return;
        state->now = fmax(state->now, state->events.entries[0].key);
        handle_events(state);
    }
}

/* Adds messages to oneself, then the pieces in the order in which they began, which is valid. */
static void add_pieces(struct preemptive_state *state)
{
    const struct nuce_pattern *pattern = state->shop.pattern;
    int64_t *of_port = nuce_allocate(2 * (int64_t)pattern->ranks, sizeof *of_port);

    for (int i = 0; i < pattern->ranks; i++)
        of_port[i] = of_port[pattern->ranks + i] = nuce_pattern_find(pattern, i, i) >= 0;
    for (int64_t i = 0; i < state->count; i++) {
        of_port[state->pieces[i].source] += state->pieces[i].bytes > 0;
        of_port[pattern->ranks + state->pieces[i].destination] += state->pieces[i].bytes > 0;
    }
    nuce_schedule_expect_pieces(state->chain.builder, of_port, of_port + pattern->ranks);
    free(of_port);
    nuce_schedule_add_own(state->chain.builder, pattern);
    for (int64_t i = 0; i < state->count; i++) {
        const struct piece *piece = &state->pieces[i];

        if (piece->bytes > 0)
            nuce_chain_add(&state->chain, piece->source, piece->destination, piece->offset,
                           piece->bytes);
    }
}

static void preemptive_fill(const struct nuce_schedule_input *input,
                            struct nuce_schedule_builder *builder)
{
    struct preemptive_state state = {0};
    int64_t ports = 2 * (int64_t)input->pattern->ranks;

    nuce_shop_init(input, NUCE_SHOP_LOAD, &state.shop);
    nuce_chain_init(builder, &state.chain);
    state.works = nuce_allocate(ports, sizeof *state.works);
    state.is_cut = nuce_allocate(input->pattern->messages, sizeof *state.is_cut);
    state.sent = nuce_allocate(input->pattern->messages, sizeof *state.sent);
    state.changed = nuce_allocate(ports, sizeof *state.changed);
    state.queue = nuce_allocate(ports, sizeof *state.queue);

    builder->depth = nuce_int(input->tuning->in_flight);
    preemptive_run(&state);
    add_pieces(&state);
    nuce_shop_fini(&state.shop);
    nuce_chain_fini(&state.chain);
    nuce_heap_fini(&state.events);
    free(state.works);
    free(state.is_cut);
    free(state.sent);
    free(state.pieces);
    free(state.changed);
    free(state.queue);
}

const struct nuce_schedule_ops nuce_schedule_preemptive = {
    .name = "preemptive",
    .label = "largest load first, split",
    .summary =
        "the load list, with messages cut only where the lower bound would be missed, startups not "
        "counted",
    .source = "Gonzalez and Sahni 1976, preemptive open shop",
    .discipline = NUCE_STREAMS,
    .uses = NUCE_USES_IN_FLIGHT,
    .in_flight = 1,
    .fill = preemptive_fill,
};
