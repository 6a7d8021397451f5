/* The fluid execution, event by event.
 *
 * A rank's window on its queue of sends, and on that of receives, holds the first entries, up to
 * the depth. When one of them ends the next of the queue enters (kernels/run/streams.c). In a
 * schedule in phases both windows hold the rank's phase, and when all of that has ended, the next
 * (lockstep.c, forward.c). For blocking sends the window of sends holds one, that of receives all
 * (blocking.c).
 *
 * A piece in the windows of both its sender and its receiver takes its startup, then moves. With a
 * gap, a rank begins no two sends within it, and no two arrivals begin at a rank within it. Pieces
 * move at max-min fair rates of the ports, rails and nodes on their path (fair_rates.h), each at
 * most at its pair's bandwidth, which the pieces of one pair share. Rates change only when a piece
 * starts or ends to move. A piece without a limit on its path and without other pieces of its pair
 * in flight is alone: it ends after nuce_network_seconds, and costs a heap operation.
 * Cost: O(pieces log pieces), and for pieces that share O(those that move at once) and one round
 * each.
 * Source: for the gap, Culler and others, "LogP: towards a realistic model of parallel
 * computation", 1993. */
#include "schedules/execution.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/fair_rates.h"
#include "schedules/queues.h"

/* A piece that moves at a variable rate. */
struct motion {
    int64_t piece;
    double bytes; /* left at the time `since` */
    double since, end;
};

/* The state of a rank, in both directions: sends and receives. */
struct fluid_rank {
    int64_t next[2]; /* the first of the queue that is not in the window yet */
    double turn[2];  /* with a gap: earliest start of the next one */
    int64_t open;    /* pieces of its phase in flight */
};

/* Indexed as sends. */
struct fluid_piece {
    unsigned char windows;   /* number of windows that it is in; then 3: its arrival has had its
                                turn */
    unsigned char is_shared; /* other pieces may slow it down */
    unsigned char is_split;  /* and they may be of its pair */
};

struct fluid {
    const struct nuce_schedule *schedule;
    const struct nuce_network *network;
    const int *source; /* pieces */
    struct nuce_timing *timing;
    const int64_t *start[2]; /* for both directions: start of each rank's list */
    const struct nuce_transfer *list[2];
    int64_t depth[2]; /* of the windows */
    int in_phases;    /* windows hold phases instead */
    double now;
    struct fluid_rank *ranks;
    struct fluid_piece *pieces;
    int64_t *send_of;        /* pieces, as receives: the send of each */
    struct nuce_heap events; /* pieces that end, or start to move if they are shared */
    double *capacity;        /* for each place of the network */
    struct nuce_fair_rates rates;
    int moving;              /* number of moving pieces */
    int *slots;              /* the first `moving` are taken, the others free */
    struct nuce_flow *flows; /* by slot */
    struct motion *motions;  /* by slot */
    double next_end;         /* earliest end of a moving piece */
    int has_changed;         /* moving pieces, since the rates were computed */
};

/* Finds the pieces that may be in flight together with another of their pair (is_split), and those
 * that need rates (is_shared). Rates are for the split ones, those through known limits, and with a
 * gap for all. Returns the number of pieces that need rates; a rank's messages to itself do not. */
static int64_t find_shared(struct fluid *f)
{
    const struct nuce_schedule *s = f->schedule;
    int *count = nuce_allocate(s->ranks, sizeof *count); /* of each pair; all 0 between ranks */
    int64_t shared = 0;

    for (int i = 0; i < s->ranks; i++) {
        for (int64_t k = s->send_start[i]; k < s->send_start[i + 1]; k++)
            count[s->sends[k].peer]++;
        for (int64_t k = s->send_start[i]; k < s->send_start[i + 1]; k++) {
            int peer = s->sends[k].peer;
            struct fluid_piece *piece = &f->pieces[k];
            struct nuce_way way;

            if (peer == i)
                continue;
            nuce_network_way(f->network, i, peer, &way);
            piece->is_split =
                !f->in_phases && f->depth[0] > 1 && f->depth[1] > 1 && count[peer] > 1;
            piece->is_shared = piece->is_split || f->network->gap > 0 || way.count > 2 ||
                               isfinite(nuce_network_capacity(f->network, way.place[0])) ||
                               isfinite(nuce_network_capacity(f->network, way.place[1]));
            shared += piece->is_shared;
        }
        for (int64_t k = s->send_start[i]; k < s->send_start[i + 1]; k++)
            count[s->sends[k].peer] = 0;
    }
    free(count);
    return shared;
}

/* The time when a rank may begin to send (0) or to receive (1); the next one is a gap later. */
static double next_turn(struct fluid *f, int rank, int side)
{
    double time = fmax(f->now, f->ranks[rank].turn[side]);

    if (f->network->gap > 0)
        f->ranks[rank].turn[side] = time + f->network->gap;
    return time;
}

/* Send k has entered one more window. In both, it begins: after its startup it moves. If it is
 * alone on its path, it ends at the network's time. */
static void fluid_enter(struct fluid *f, int64_t k)
{
    const struct nuce_transfer *send = &f->schedule->sends[k];
    double seconds, begin;

    if (++f->pieces[k].windows < 2)
        return;
    begin = send->peer == f->source[k] ? f->now : next_turn(f, f->source[k], 0);
    f->timing->send_start[k] = f->timing->receive_start[f->schedule->receive_of[k]] = begin;
    seconds = f->pieces[k].is_shared
                  ? nuce_network_startup(f->network, f->source[k], send->peer)
                  : nuce_network_seconds(f->network, f->source[k], send->peer, send->bytes);
    nuce_heap_push(&f->events, (struct nuce_heap_entry){.key = begin + seconds, .value = k});
}

/* Lets the next of a rank's sends (0), or receives (1), into its window, if there is one. */
static void next_in(struct fluid *f, int rank, int side)
{
    int64_t k = f->ranks[rank].next[side];

    if (k == f->start[side][rank + 1])
        return;
    f->ranks[rank].next[side]++;
    fluid_enter(f, side == 0 ? k : f->send_of[k]);
}

/* The phase of the next entry of a queue; INT_MAX: it is at its end. */
static int next_phase(const struct fluid *f, int rank, int side)
{
    int64_t k = f->ranks[rank].next[side];

    return k < f->start[side][rank + 1] ? f->list[side][k].phase : INT_MAX;
}

/* Fills the windows of rank with its next phase. */
static void open_phase(struct fluid *f, int rank)
{
    int phase = next_phase(f, rank, 0);

    if (next_phase(f, rank, 1) < phase)
        phase = next_phase(f, rank, 1);
    for (int side = 0; phase < INT_MAX && side < 2; side++) {
        while (next_phase(f, rank, side) == phase) {
            f->ranks[rank].open++;
            next_in(f, rank, side);
        }
    }
}

/* Frees a place of the window; in phases, only after the rank's last piece of the phase. */
static void make_place(struct fluid *f, int rank, int side)
{
    if (!f->in_phases)
        next_in(f, rank, side);
    else if (!(--f->ranks[rank].open > 0))
        open_phase(f, rank);
}

/* Ends piece k: frees a place in its sender's window and one in its receiver's. */
static void end_piece(struct fluid *f, int64_t k)
{
    int from = f->source[k], to = f->schedule->sends[k].peer;

    f->timing->send_end[k] = f->timing->receive_end[f->schedule->receive_of[k]] = f->now;
    f->timing->makespan = f->now; /* events come in the order of time */
    make_place(f, from, 0);
    make_place(f, to, 1);
}

/* Limits the pieces of a pair to equal parts of the pair's bandwidth. They have the same ports, so
 * fair shares are equal among them anyway. */
static void share_pair(struct fluid *f, int source, int destination)
{
    double bandwidth = nuce_network_bandwidth(f->network, source, destination);
    int count = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < f->moving; k++) {
            struct nuce_flow *flow = &f->flows[f->slots[k]];

            if (flow->way.place[0] != source ||
                flow->way.place[1] != f->schedule->ranks + destination)
                continue;
            if (pass == 0)
                count++;
            else
                flow->limit = bandwidth / count;
        }
    }
}

/* Subtracts the bytes moved at the old rates, and computes the new rates and the resulting end of
 * each piece. */
static void update_rates(struct fluid *f)
{
    f->has_changed = 0;
    f->next_end = INFINITY;
    for (int k = 0; k < f->moving; k++) {
        struct motion *motion = &f->motions[f->slots[k]];

        motion->bytes -= f->flows[f->slots[k]].rate * (f->now - motion->since);
        motion->since = f->now;
    }
    nuce_fair_rates_share(&f->rates, f->flows, f->slots, f->moving);
    for (int k = 0; k < f->moving; k++) {
        struct motion *motion = &f->motions[f->slots[k]];

        motion->end = f->now + fmax(motion->bytes, 0) / f->flows[f->slots[k]].rate;
        f->next_end = fmin(f->next_end, motion->end);
    }
}

/* Ends the moving pieces that are complete. Slots are sorted into moving and ending ones first,
 * because an end lets others begin, which take slots. */
static void end_motions(struct fluid *f)
{
    int kept = 0, moving = f->moving;

    for (int k = 0; k < moving; k++) {
        int slot = f->slots[k];

        if (f->motions[slot].end > f->now) {
            f->slots[k] = f->slots[kept];
            f->slots[kept++] = slot;
        }
    }
    f->moving = kept;
    for (int k = kept; k < moving; k++) {
        int64_t piece = f->motions[f->slots[k]].piece;

        if (f->pieces[piece].is_split)
            share_pair(f, f->source[piece], f->schedule->sends[piece].peer);
        f->has_changed = 1;
        end_piece(f, piece);
    }
}

/* The startup of piece k is over: it moves when it is its receiver's turn. */
static void fluid_arrive(struct fluid *f, int64_t k)
{
    const struct nuce_transfer *send = &f->schedule->sends[k];
    int slot;

    if (f->network->gap > 0 && f->pieces[k].windows == 2) {
        double time = next_turn(f, send->peer, 1);

        f->pieces[k].windows++;
        if (time > f->now) {
            nuce_heap_push(&f->events, (struct nuce_heap_entry){.key = time, .value = k});
            return;
        }
    }
    slot = f->slots[f->moving++];
    f->motions[slot] =
        (struct motion){.piece = k, .bytes = (double)send->bytes, .since = f->now, .end = INFINITY};
    nuce_network_way(f->network, f->source[k], send->peer, &f->flows[slot].way);
    f->flows[slot].limit = nuce_network_bandwidth(f->network, f->source[k], send->peer);
    if (f->pieces[k].is_split)
        share_pair(f, f->source[k], send->peer);
    f->has_changed = 1;
}

void nuce_fluid_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                    const int *source, struct nuce_timing *timing)
{
    struct fluid f = {.schedule = schedule,
                      .network = network,
                      .source = source,
                      .timing = timing,
                      .start = {schedule->send_start, schedule->receive_start},
                      .list = {schedule->sends, schedule->receives},
                      .depth = {schedule->discipline == NUCE_POST_ALL ? INT_MAX : schedule->depth,
                                schedule->discipline == NUCE_STREAMS ? schedule->depth : INT_MAX},
                      .in_phases = schedule->discipline == NUCE_LOCKSTEP ||
                                   schedule->discipline == NUCE_FORWARD,
                      .next_end = INFINITY};
    int64_t depth = f.depth[0] < f.depth[1] ? f.depth[0] : f.depth[1];
    int64_t shared, most = schedule->pieces; /* pieces that move at once */
    int places = nuce_network_places(network);

    f.ranks = nuce_allocate(schedule->ranks, sizeof *f.ranks);
    f.pieces = nuce_allocate(schedule->pieces, sizeof *f.pieces);
    f.send_of = nuce_allocate(schedule->pieces, sizeof *f.send_of);
    for (int64_t k = 0; k < schedule->pieces; k++)
        f.send_of[schedule->receive_of[k]] = k;
    shared = find_shared(&f);
    if (!f.in_phases && depth < most && depth * schedule->ranks < most)
        most = depth * schedule->ranks;
    most = shared < most ? shared : most;
    f.capacity = nuce_allocate(places, sizeof *f.capacity);
    f.slots = nuce_allocate(most, sizeof *f.slots);
    f.flows = nuce_allocate(most, sizeof *f.flows);
    f.motions = nuce_allocate(most, sizeof *f.motions);
    for (int k = 0; k < places; k++)
        f.capacity[k] = nuce_network_capacity(network, k);
    for (int k = 0; k < most; k++)
        f.slots[k] = k;
    nuce_fair_rates_init(places, f.capacity, nuce_int(most), &f.rates);

    for (int i = 0; i < schedule->ranks; i++) {
        f.ranks[i].next[0] = schedule->send_start[i];
        f.ranks[i].next[1] = schedule->receive_start[i];
    }
    /* At time 0 windows hold the first phase, or the first entries of each queue up to the
     * depth. */
    for (int i = 0; i < schedule->ranks; i++) {
        if (f.in_phases)
            open_phase(&f, i);
        for (int side = 0; !f.in_phases && side < 2; side++) {
            int64_t length = f.start[side][i + 1] - f.start[side][i];

            for (int64_t k = 0; k < f.depth[side] && k < length; k++)
                next_in(&f, i, side);
        }
    }
    /* From event to event; the next is the first of the heap or of the motions' ends. */
    while (f.events.count > 0 || f.moving > 0) {
        f.now = f.events.count > 0 ? fmin(f.events.entries[0].key, f.next_end) : f.next_end;
        /* All events of this time, in any order: windows only open. */
        if (f.next_end <= f.now)
            end_motions(&f);
        while (f.events.count > 0 && f.events.entries[0].key <= f.now) {
            int64_t k = f.events.entries[0].value;

            nuce_heap_pop(&f.events);
            if (f.pieces[k].is_shared)
                fluid_arrive(&f, k);
            else
                end_piece(&f, k);
        }
        if (f.has_changed)
            update_rates(&f);
    }
    free(f.ranks);
    free(f.pieces);
    free(f.send_of);
    free(f.capacity);
    free(f.slots);
    free(f.flows);
    free(f.motions);
    nuce_heap_fini(&f.events);
    nuce_fair_rates_fini(&f.rates);
}
