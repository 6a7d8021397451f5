/* Rounds of pieces: those that schedules have, and for queues the longest chain of pieces that end
 * with one, each followed by the next of its sender or of its receiver.
 *
 * O(pieces) for all disciplines: each piece is taken from the head of its queues once. What comes
 * out are hops (store_forward.h), the form in which schedules made of others put parts together. */
#include "schedules/schedule_ways.h"

#include <stdlib.h>

#include "base/allocate.h"

/* Working off the queues of streams. */
struct stream_rounds {
    const struct nuce_schedule *schedule;
    int64_t *next_send, *next_receive; /* ranks: the head of each queue */
    int *send_round, *receive_round;   /* ranks: of the next piece */
    int *round;                        /* pieces, by send */
    int *ready;                        /* ranks, a stack: whose send may be the next */
    int readies;
    char *is_ready; /* ranks: whether it is there */
};

/* A rank stands on the stack once at a time, so ranks entries are enough. */
static void stream_rounds_push(struct stream_rounds *r, int rank)
{
    if (!r->is_ready[rank])
        r->ready[r->readies++] = rank;
    r->is_ready[rank] = 1;
}

/* Ends the first send of rank i, if it is the first receive of its peer too; then *to is that. */
static int end_first_send(struct stream_rounds *r, int i, int *to)
{
    const struct nuce_schedule *s = r->schedule;
    int64_t k = r->next_send[i];

    if (k == s->send_start[i + 1])
        return 0;
    *to = s->sends[k].peer;
    if (s->receive_of[k] != r->next_receive[*to])
        return 0;
    r->next_send[i]++;
    r->next_receive[*to]++;
    r->round[k] =
        r->send_round[i] > r->receive_round[*to] ? r->send_round[i] : r->receive_round[*to];
    if (*to != i)
        r->send_round[i] = r->receive_round[*to] = r->round[k] + 1;
    return 1;
}

/* Where the order is free (nonblocking, without phases) all are in round 0. Pieces of a rank to
 * itself are of no round. */
static void rounds_of(const struct nuce_schedule *s, int *round)
{
    if (s->discipline == NUCE_STREAMS) {
        struct stream_rounds r = {.schedule = s, .round = round};
        int ranks = s->ranks;

        r.next_send = nuce_allocate(ranks, sizeof *r.next_send);
        r.next_receive = nuce_allocate(ranks, sizeof *r.next_receive);
        r.send_round = nuce_allocate(ranks, sizeof *r.send_round);
        r.receive_round = nuce_allocate(ranks, sizeof *r.receive_round);
        r.ready = nuce_allocate(ranks, sizeof *r.ready);
        r.is_ready = nuce_allocate(ranks, sizeof *r.is_ready);
        for (int i = 0; i < ranks; i++) {
            r.next_send[i] = s->send_start[i];
            r.next_receive[i] = s->receive_start[i];
            stream_rounds_push(&r, i);
        }
        /* The queues of a valid schedule come to an end. */
        while (r.readies > 0) {
            int i = r.ready[--r.readies], to;

            r.is_ready[i] = 0;
            /* Then the sender's next may go, and whoever the receiver expects next. */
            while (end_first_send(&r, i, &to)) {
                int64_t next = r.next_receive[to];

                if (next < s->receive_start[to + 1])
                    stream_rounds_push(&r, s->receives[next].peer);
            }
        }
        free(r.next_send);
        free(r.next_receive);
        free(r.send_round);
        free(r.receive_round);
        free(r.ready);
        free(r.is_ready);
        return;
    }
    for (int i = 0; i < s->ranks; i++) {
        int place = 0;

        for (int64_t k = s->send_start[i]; k < s->send_start[i + 1]; k++) {
            if (s->discipline == NUCE_LOCKSTEP || s->discipline == NUCE_FORWARD)
                round[k] = s->sends[k].phase;
            else
                round[k] = s->discipline == NUCE_BLOCKING && s->sends[k].peer != i ? place++ : 0;
        }
    }
}

void nuce_legs_fini(struct nuce_legs *legs)
{
    free(legs->leg);
    *legs = (struct nuce_legs){0};
}

/* What send k of rank i carries. */
static nuce_status add_send_legs(const struct nuce_schedule *s, int64_t k, int i, int round,
                                 struct nuce_legs *legs, struct nuce_error *error)
{
    const struct nuce_transfer *send = &s->sends[k];
    struct nuce_parcel whole = {i, send->peer, send->bytes, send->offset};
    const struct nuce_parcel *parcels = s->loads == NULL ? &whole : s->parcels + s->loads[k].first;
    int64_t count = s->loads == NULL ? 1 : s->loads[k].count, bytes = 0;

    nuce_allocate_more((void **)&legs->leg, &legs->capacity, legs->count + count,
                       sizeof *legs->leg);
    for (int64_t n = 0; n < count; n++) {
        bytes += parcels[n].bytes;
        legs->leg[legs->count++] = (struct nuce_leg){round, i, send->peer, parcels[n]};
    }
    if (bytes != send->bytes)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pads its messages: expected one that sends "
                              "what there is");
    return NUCE_OK;
}

/* Which schedules may be a part of another: their messages must be known in advance, and must not
 * in turn be made of parts or chosen among, so that parts do not nest. */
nuce_status nuce_schedule_check_part(const char *option, const char *name, struct nuce_error *error)
{
    const struct nuce_schedule_ops *ops = nuce_schedule_find(name);

    if (ops == NULL)
        return nuce_error_refuse(error, option,
                                 "'%.80s' is no schedule: expected one of 'nuce "
                                 "list schedules'",
                                 name);
    if (ops->discipline == NUCE_DYNAMIC || ops->needs > NUCE_NEEDS_GROUPS ||
        (ops->uses & (NUCE_USES_PARTS | NUCE_USES_CHOICES)))
        return nuce_error_refuse(
            error, option,
            "'%s': expected a schedule that has an order before it runs, takes "
            "any pattern, and is not made of others",
            name);
    return NUCE_OK;
}

nuce_status nuce_schedule_ways(const struct nuce_schedule *schedule, struct nuce_legs *legs,
                               int *rounds, struct nuce_error *error)
{
    int *round;
    nuce_status status;

    if (schedule->discipline == NUCE_DYNAMIC)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "has no order before it runs: expected a schedule that has one");
    round = nuce_allocate(schedule->pieces, sizeof *round);
    rounds_of(schedule, round);
    status = NUCE_OK;
    *rounds = 0;
    for (int i = 0; status == NUCE_OK && i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i];
             status == NUCE_OK && k < schedule->send_start[i + 1]; k++) {
            if (schedule->sends[k].peer == i)
                continue;
            *rounds = round[k] >= *rounds ? round[k] + 1 : *rounds;
            status = add_send_legs(schedule, k, i, round[k], legs, error);
        }
    }
    free(round);
    return status;
}
