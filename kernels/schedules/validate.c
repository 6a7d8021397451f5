/* The rules that every schedule keeps, each checked from the lists alone, without trusting the
 * builder. O(pieces log pieces).
 *
 * Steps: the conditions for going through a list (its starts, ranks, phases); both ends of all
 * pieces, sorted, against each other; the pieces against the pattern, or the parcels if it
 * forwards; and for streams, the completion of all pieces. Each step relies on those before it.
 * Memory: 48 bytes a piece, and 16 more for streams. A violation is NUCE_CORRUPT: a bug of the
 * schedule's maker, so the message names rank, peer and phase. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/schedule.h"

/* The place of each part of a message, phase after phase, from the parcels alone: all its hops in a
 * row must lead from its source to its destination.
 *
 * O(parcels log parcels), 32 bytes a parcel. */

/* One parcel of one send. */
struct forward_hop {
    int64_t message; /* of the pattern */
    const struct nuce_parcel *parcel;
    int from, to, phase;
};

struct forward_hops {
    int64_t count;
    struct forward_hop *hop;
};

/* By message, place in it and phase. */
static int compare_hops(const void *left, const void *right)
{
    const struct forward_hop *a = left, *b = right;

    return NUCE_INT_ORDER({a->message, b->message}, {a->parcel->offset, b->parcel->offset},
                          {a->phase, b->phase});
}

/* The hop must leave from the place that the hop before reached; NULL: it is the first. */
static nuce_status check_hop(const struct forward_hop *hop, const struct forward_hop *before,
                             struct nuce_error *error)
{
    int at = before == NULL ? hop->parcel->source : before->to;
    int since = before == NULL ? -1 : before->phase;

    if (hop->from != at || hop->phase <= since)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d the message from rank %d to rank "
                              "%d, which is with rank %d since phase %d",
                              hop->from, hop->to, hop->phase, hop->parcel->source,
                              hop->parcel->destination, at, since);
    if (before != NULL && hop->parcel->bytes != before->parcel->bytes)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d %lld bytes of the message from "
                              "rank %d to rank %d, which came to it as %lld",
                              hop->from, hop->to, hop->phase, (long long)hop->parcel->bytes,
                              hop->parcel->source, hop->parcel->destination,
                              (long long)before->parcel->bytes);
    return NUCE_OK;
}

/* Each message of the pattern, in the order of both lists. */
static nuce_status check_ways(const struct nuce_pattern *pattern, const struct forward_hops *hops,
                              struct nuce_error *error)
{
    const struct forward_hop *hop = hops->hop, *last = hops->hop + hops->count;

    NUCE_EACH_MESSAGE (pattern, i, k) {
        int64_t end = 0;
        int to = i;

        while (hop < last && hop->message == k) {
            const struct forward_hop *before = NULL;
            const struct nuce_parcel *part = hop->parcel;

            /* The hops of a part, which begins where the parts before it end. */
            if (part->offset != end)
                return nuce_error_set(
                    error, NUCE_CORRUPT,
                    "rank %d to rank %d: a part of the message begins with byte %lld: "
                    "expected %lld",
                    part->source, part->destination, (long long)part->offset, (long long)end);
            for (; hop < last && hop->message == k && hop->parcel->offset == part->offset; hop++) {
                if (check_hop(hop, before, error) != NUCE_OK)
                    return error->status;
                before = hop;
                to = hop->to;
            }
            if (to != part->destination)
                return nuce_error_set(error, NUCE_CORRUPT,
                                      "rank %d to rank %d: the message ends at rank %d",
                                      part->source, part->destination, to);
            end += part->bytes;
        }
        if (end == 0)
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "rank %d to rank %d: the message ends at rank %d, which "
                                  "never sends it",
                                  i, pattern->destination[k], i);
        if (end != pattern->bytes[k])
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "rank %d to rank %d: the parts of the message end with byte "
                                  "%lld: expected %lld",
                                  i, pattern->destination[k], (long long)end,
                                  (long long)pattern->bytes[k]);
    }
    return NUCE_OK;
}

/* The bytes of a send beyond its parcels are padding. */
static nuce_status validate_forwarding(const struct nuce_schedule *schedule,
                                       const struct nuce_pattern *pattern, struct nuce_error *error)
{
    struct forward_hops hops = {0};
    nuce_status status = NUCE_OK;
    int64_t most = 0, index = 0;

    for (int64_t k = 0; k < schedule->pieces; k++)
        most += schedule->loads[k].count;
    hops.hop = nuce_allocate(most, sizeof *hops.hop);
    for (int rank = 0; rank < schedule->ranks; rank++) {
        for (; status == NUCE_OK && index < schedule->send_start[rank + 1]; index++) {
            const struct nuce_transfer *send = &schedule->sends[index];
            const struct nuce_parcel *parcel = schedule->parcels + schedule->loads[index].first;
            const struct nuce_parcel *last = parcel + schedule->loads[index].count;
            int64_t left = send->bytes;

            for (; status == NUCE_OK && parcel < last; parcel++) {
                int64_t k = -1;

                left -= parcel->bytes;
                if (parcel->source >= 0 && parcel->source < pattern->ranks)
                    k = nuce_pattern_find(pattern, parcel->source, parcel->destination);
                if (k < 0 || parcel->bytes <= 0 || parcel->offset < 0 ||
                    parcel->bytes > pattern->bytes[k] - parcel->offset)
                    status = nuce_error_set(
                        error, NUCE_CORRUPT,
                        "rank %d sends rank %d in phase %d %lld bytes from rank %d for rank "
                        "%d: there is no such message",
                        rank, send->peer, send->phase, (long long)parcel->bytes, parcel->source,
                        parcel->destination);
                else if (left < 0)
                    status =
                        nuce_error_set(error, NUCE_CORRUPT,
                                       "rank %d sends rank %d in phase %d %lld bytes: its parcels "
                                       "are more",
                                       rank, send->peer, send->phase, (long long)send->bytes);
                hops.hop[hops.count++] =
                    (struct forward_hop){k, parcel, rank, send->peer, send->phase};
            }
        }
    }
    if (status == NUCE_OK) {
        qsort(hops.hop, (size_t)hops.count, sizeof *hops.hop, compare_hops);
        status = check_ways(pattern, &hops, error);
    }
    free(hops.hop);
    return status;
}

/* One end of a piece. */
struct validate_end {
    int source, destination;
    int64_t index; /* in sends or receives */
    const struct nuce_transfer *transfer;
};

/* All lists of one direction. In a valid schedule ends[k] of both are the ends of one piece. */
struct validate_side {
    const char *lists, *verb; /* in messages */
    const int64_t *start;
    const struct nuce_transfer *list;
    struct validate_end *ends; /* sorted by source, destination, offset and phase */
    int64_t *mate;             /* index of each one's other end; streams only */
};

/* Checks the starts of the lists before any look-up by them. */
static nuce_status check_starts(const struct nuce_schedule *schedule,
                                const struct validate_side *side, struct nuce_error *error)
{
    const int64_t *start = side->start;

    if (start[0] != 0 || start[schedule->ranks] != schedule->pieces)
        return nuce_error_set(
            error, NUCE_CORRUPT, "the lists of %s hold %lld .. %lld, not 0 .. %lld", side->lists,
            (long long)start[0], (long long)start[schedule->ranks], (long long)schedule->pieces);
    for (int i = 0; i < schedule->ranks; i++) {
        if (start[i] > start[i + 1])
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "the list of %s of rank %d ends before it "
                                  "begins",
                                  side->lists, i);
    }
    return NUCE_OK;
}

/* Checks the rules of one rank's list. */
static nuce_status check_list(const struct nuce_schedule *schedule,
                              const struct validate_side *side, int rank, struct nuce_error *error)
{
    const struct nuce_transfer *list = side->list + side->start[rank];
    int64_t count = side->start[rank + 1] - side->start[rank], same;
    const char *verb = side->verb;
    const struct nuce_transfer *before = NULL; /* the last one that needs a wire */

    for (int64_t k = 0; k < count; k++) {
        const struct nuce_transfer *t = &list[k];

        if (t->peer < 0 || t->peer >= schedule->ranks)
            return nuce_error_set(error, NUCE_CORRUPT, "rank %d %s rank %d, which is not one of %d",
                                  rank, verb, t->peer, schedule->ranks);
        if (t->bytes <= 0 || t->offset < 0)
            return nuce_error_set(error, NUCE_CORRUPT, "rank %d %s rank %d %lld bytes from %lld on",
                                  rank, verb, t->peer, (long long)t->bytes, (long long)t->offset);
        if (t->phase < 0 || t->phase >= schedule->phases)
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "rank %d %s rank %d in phase %d, outside 0 .. %d", rank, verb,
                                  t->peer, t->phase, schedule->phases - 1);
        if (k > 0 && t->phase < list[k - 1].phase)
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "rank %d %s rank %d in phase %d, after phase %d", rank, verb,
                                  t->peer, t->phase, list[k - 1].phase);
        if (t->peer == rank)
            continue;
        if (before != NULL && schedule->discipline == NUCE_LOCKSTEP && t->phase == before->phase)
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "lockstep: rank %d %s both rank %d and rank %d in phase %d", rank,
                                  verb, before->peer, t->peer, t->phase);
        same = k - 1; /* an earlier entry with its phase and peer */
        while (same >= 0 && list[same].phase == t->phase && list[same].peer != t->peer)
            same--;
        if (schedule->discipline == NUCE_FORWARD && same >= 0 && list[same].phase == t->phase)
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "forward: rank %d %s rank %d twice in phase %d", rank, verb,
                                  t->peer, t->phase);
        before = t;
    }
    return NUCE_OK;
}

/* By message, then by place in it, then by phase. */
static int compare_ends(const void *left, const void *right)
{
    const struct validate_end *a = left, *b = right;

    return NUCE_INT_ORDER({a->source, b->source}, {a->destination, b->destination},
                          {a->transfer->offset, b->transfer->offset},
                          {a->transfer->phase, b->transfer->phase});
}

static nuce_status report_unmatched(const struct validate_end *end, const char *missing,
                                    struct nuce_error *error)
{
    return nuce_error_set(error, NUCE_CORRUPT,
                          "rank %d to rank %d, phase %d, %lld bytes from %lld on: there is no %s",
                          end->source, end->destination, end->transfer->phase,
                          (long long)end->transfer->bytes, (long long)end->transfer->offset,
                          missing);
}

/* Each send has its receive and the reverse: the sorted ends agree pairwise in all members but the
 * index. */
static nuce_status check_matches(const struct nuce_schedule *schedule,
                                 const struct validate_side *sides, struct nuce_error *error)
{
    for (int64_t k = 0; k < schedule->pieces; k++) {
        const struct validate_end *send = &sides[0].ends[k], *receive = &sides[1].ends[k];
        int difference = compare_ends(send, receive);

        if (difference == 0)
            difference = NUCE_INT_ORDER({send->transfer->bytes, receive->transfer->bytes});
        /* The lists are sorted, so the smaller end has no partner later either. */
        if (difference < 0)
            return report_unmatched(send, "receive of this send", error);
        if (difference > 0)
            return report_unmatched(receive, "send of this receive", error);
    }
    return NUCE_OK;
}

/* Goes through pattern and pieces together; both are sorted by source and destination. */
static nuce_status check_coverage(const struct nuce_schedule *schedule,
                                  const struct validate_end *ends,
                                  const struct nuce_pattern *pattern, struct nuce_error *error)
{
    int64_t next = 0;

    NUCE_EACH_MESSAGE (pattern, i, k) {
        const struct validate_end *end = &ends[next];

        /* Pieces that sort before the next message belong to none. */
        if (next < schedule->pieces &&
            (end->source < i || (end->source == i && end->destination < pattern->destination[k])))
            return report_unmatched(end, "such message", error);

        /* The pieces of the message of `bytes` from source to destination, from *next on, follow
         * one another from its first byte to its last. */
        int64_t covered = 0;

        for (; next < schedule->pieces && ends[next].source == i &&
               ends[next].destination == pattern->destination[k];
             ++next) {
            const struct nuce_transfer *t = ends[next].transfer;

            if (t->offset < covered || t->bytes > pattern->bytes[k] - covered)
                return nuce_error_set(
                    error, NUCE_CORRUPT,
                    "rank %d to rank %d: %lld bytes from %lld on are sent twice or "
                    "are not in the message of %lld bytes",
                    i, pattern->destination[k], (long long)t->bytes, (long long)t->offset,
                    (long long)pattern->bytes[k]);
            /* A gap; it is reported below, with the first byte that no piece sends. */
            if (t->offset > covered)
                break;
            covered += t->bytes;
        }
        if (covered < pattern->bytes[k])
            return nuce_error_set(
                error, NUCE_CORRUPT, "rank %d to rank %d: byte %lld of %lld is never sent", i,
                pattern->destination[k], (long long)covered, (long long)pattern->bytes[k]);
    }
    if (next < schedule->pieces)
        return report_unmatched(&ends[next], "such message", error);
    return NUCE_OK;
}

/* The queues of one rank, sends and receives: entries before next that are not done are in
 * flight. */
struct validate_port {
    int64_t next[2];
    int in_flight[2];
    int waiting; /* it is on the stack */
};

/* An execution of streams by the rules alone, without times: a deadlock does not depend on
 * times. */
struct simulation {
    const struct nuce_schedule *schedule;
    const struct validate_side *sides;
    struct validate_port *ports;
    int *stack; /* ranks that may be able to start a piece: each at most once */
    int height;
    int64_t done;
};

/* Marks a rank that may be able to start a piece. */
static void validate_look_at(struct simulation *simulation, int rank)
{
    if (!simulation->ports[rank].waiting)
        simulation->stack[simulation->height++] = rank;
    simulation->ports[rank].waiting = 1;
}

/* Starts the pieces that depth allows. A piece is done as soon as both of its ends are started. Any
 * order completes the same pieces, because no piece can block another from it. */
static void validate_advance(struct simulation *simulation, int rank)
{
    struct validate_port *port = &simulation->ports[rank];

    for (int d = 0; d < 2; d++) {
        const struct validate_side *side = &simulation->sides[d];

        while (port->in_flight[d] < simulation->schedule->depth &&
               port->next[d] < side->start[rank + 1]) {
            int64_t k = port->next[d]++;
            int peer = side->list[k].peer;

            port->in_flight[d]++;
            if (side->mate[k] >= simulation->ports[peer].next[!d])
                continue;
            port->in_flight[d]--;
            simulation->ports[peer].in_flight[!d]--;
            simulation->done++;
            validate_look_at(simulation, rank);
            validate_look_at(simulation, peer);
        }
    }
}

/* O(ranks + pieces): a rank is checked once at first, then once for each of its pieces that is
 * done. The pairs of ends come from the sorted ends and not from receive_of of the schedule, which
 * is not trusted either. */
static nuce_status check_streams(const struct nuce_schedule *schedule, struct validate_side *sides,
                                 struct nuce_error *error)
{
    struct simulation simulation = {.schedule = schedule, .sides = sides};
    nuce_status status = NUCE_OK;
    int rank = 0;

    simulation.ports = nuce_allocate(schedule->ranks, sizeof *simulation.ports);
    simulation.stack = nuce_allocate(schedule->ranks, sizeof *simulation.stack);
    for (int d = 0; d < 2; d++) {
        sides[d].mate = nuce_allocate(schedule->pieces, sizeof *sides[d].mate);
        for (int64_t k = 0; k < schedule->pieces; k++)
            sides[d].mate[sides[d].ends[k].index] = sides[!d].ends[k].index;
    }
    for (int i = 0; i < schedule->ranks; i++) {
        simulation.ports[i].next[0] = schedule->send_start[i];
        simulation.ports[i].next[1] = schedule->receive_start[i];
        validate_look_at(&simulation, i);
    }
    while (simulation.height > 0) {
        int next = simulation.stack[--simulation.height];

        simulation.ports[next].waiting = 0;
        validate_advance(&simulation, next);
    }
    if (simulation.done < schedule->pieces) {
        /* The loop ends: a piece that is not done has a sender that has begun it, or another send
         * before it, as depth is at least 1. */
        while (simulation.ports[rank].in_flight[0] == 0 && simulation.ports[rank].in_flight[1] == 0)
            rank++;
        status = nuce_error_set(
            error, NUCE_CORRUPT,
            "streams with %d in flight: %lld of %lld pieces are never done; rank %d waits "
            "with %d sends and %d receives in flight",
            schedule->depth, (long long)(schedule->pieces - simulation.done),
            (long long)schedule->pieces, rank, simulation.ports[rank].in_flight[0],
            simulation.ports[rank].in_flight[1]);
    }
    free(simulation.ports);
    free(simulation.stack);
    free(sides[0].mate);
    free(sides[1].mate);
    return status;
}

nuce_status nuce_schedule_validate(const struct nuce_schedule *schedule,
                                   const struct nuce_pattern *pattern, struct nuce_error *error)
{
    struct validate_side sides[2] = {
        {"sends", "sends to", schedule->send_start, schedule->sends, NULL, NULL},
        {"receives", "receives from", schedule->receive_start, schedule->receives, NULL, NULL}};
    nuce_status status;

    /* The conditions for going through the lists at all. */
    if (schedule->ranks != pattern->ranks)
        return nuce_error_set(error, NUCE_CORRUPT, "a schedule of %d ranks for a pattern of %d",
                              schedule->ranks, pattern->ranks);
    if (schedule->discipline == NUCE_STREAMS && schedule->depth < 1)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "streams with %d in flight: at least 1 is needed", schedule->depth);
    if (check_starts(schedule, &sides[0], error) != NUCE_OK ||
        check_starts(schedule, &sides[1], error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < schedule->ranks; i++) {
        if (check_list(schedule, &sides[0], i, error) != NUCE_OK ||
            check_list(schedule, &sides[1], i, error) != NUCE_OK)
            return error->status;
    }
    /* Ends keep their places in the lists, which sorting would lose. */
    for (int d = 0; d < 2; d++) {
        struct validate_side *side = &sides[d];

        side->ends = nuce_allocate(schedule->pieces, sizeof *side->ends);
        for (int i = 0; i < schedule->ranks; i++) {
            for (int64_t k = side->start[i]; k < side->start[i + 1]; k++) {
                int peer = side->list[k].peer;

                side->ends[k] =
                    (struct validate_end){d == 0 ? i : peer, d == 0 ? peer : i, k, &side->list[k]};
            }
        }
        qsort(side->ends, (size_t)schedule->pieces, sizeof *side->ends, compare_ends);
    }
    status = check_matches(schedule, sides, error);
    if (status == NUCE_OK)
        status = schedule->discipline == NUCE_FORWARD
                     ? validate_forwarding(schedule, pattern, error)
                     : check_coverage(schedule, sides[0].ends, pattern, error);
    /* The other disciplines cannot wait for ever. In lockstep the ranks in the lowest phase have
     * partners that are in it or reach it. Post-all messages just arrive. */
    if (status == NUCE_OK && schedule->discipline == NUCE_STREAMS)
        status = check_streams(schedule, sides, error);
    free(sides[0].ends);
    free(sides[1].ends);
    return status;
}
