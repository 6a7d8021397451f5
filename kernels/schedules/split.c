/* Two passes over the pieces, one that counts and one that fills, through the same walk over the
 * messages of a pair. A message is found by a binary search of its pair, O(log splits) a piece.
 * Memory: the lists of the result beside those of the schedule, which are swapped at the end, so
 * that a failure leaves it as it was.
 *
 * Limits: each rank looks through all splits for those without bytes that it receives, O(ranks x
 * splits), which is small beside the pieces as long as few pairs are split. */
#include "schedules/split.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

static int compare_splits(const void *left, const void *right)
{
    const struct nuce_split *a = left, *b = right;

    return NUCE_INT_ORDER({a->source, b->source}, {a->destination, b->destination});
}

void nuce_splits_init(const struct nuce_message *messages, int64_t count, struct nuce_splits *out)
{
    struct nuce_splits splits = {0};
    int64_t kept = 0;

    splits.split = nuce_allocate(count, sizeof *splits.split);
    splits.bytes = nuce_allocate(count, sizeof *splits.bytes);
    /* A pair with one message that has bytes is what the pattern says of it already: no split. */
    for (int64_t first = 0, end; first < count; first = end) {
        const struct nuce_message *of = &messages[first];

        for (end = first + 1; end < count && messages[end].source == of->source &&
                              messages[end].destination == of->destination;)
            end++;
        if (of->source == of->destination || (end == first + 1 && of->bytes > 0))
            continue;
        splits.split[splits.count++] =
            (struct nuce_split){of->source, of->destination, kept, end - first};
        for (int64_t i = first; i < end; i++)
            splits.bytes[kept++] = messages[i].bytes;
    }
    qsort(splits.split, (size_t)splits.count, sizeof *splits.split, compare_splits);
    *out = splits;
}

void nuce_splits_fini(struct nuce_splits *splits)
{
    free(splits->split);
    free(splits->bytes);
    *splits = (struct nuce_splits){0};
}

int nuce_splits_apply(const struct nuce_schedule *schedule)
{
    return schedule->discipline != NUCE_FORWARD && schedule->discipline != NUCE_DYNAMIC;
}

/* NULL: what is sent between the two is one message, and its pieces stay as they are. */
static const struct nuce_split *find_split(const struct nuce_splits *splits, int source,
                                           int destination)
{
    struct nuce_split wanted = {.source = source, .destination = destination};

    if (splits->count == 0)
        return NULL;
    return bsearch(&wanted, splits->split, (size_t)splits->count, sizeof wanted, compare_splits);
}

static int64_t split_total(const struct nuce_splits *splits, const struct nuce_split *split)
{
    int64_t total = 0;

    for (int64_t i = 0; i < split->count; i++)
        total += splits->bytes[split->first + i];
    return total;
}

/* The parts of one piece, in their order, to out, where that is not NULL; returns how many. split
 * NULL: it is one. */
static int64_t split_piece(const struct nuce_splits *splits, const struct nuce_split *split,
                           const struct nuce_transfer *piece, struct nuce_transfer *out)
{
    int64_t begin = 0, end = piece->offset + piece->bytes, count = 0;
    int is_last = split != NULL && end == split_total(splits, split);

    if (split == NULL) {
        if (out != NULL)
            *out = *piece;
        return 1;
    }
    for (int64_t i = 0; i < split->count; i++) {
        int64_t bytes = splits->bytes[split->first + i];
        int64_t from = begin > piece->offset ? begin : piece->offset;
        int64_t to = begin + bytes < end ? begin + bytes : end;
        /* A message without bytes belongs to the piece in which its place lies; at the very end of
         * all no piece begins there, so the last one takes it. */
        int is_empty = bytes == 0 && begin >= piece->offset && (begin < end || is_last);

        begin += bytes;
        if (from >= to && !is_empty)
            continue;
        if (out != NULL)
            out[count] = (struct nuce_transfer){
                .peer = piece->peer, .phase = piece->phase, .offset = from, .bytes = to - from};
        count++;
    }
    return count;
}

/* A schedule that is being cut. */
struct splitting {
    const struct nuce_schedule *from;
    const struct nuce_splits *splits;
    struct nuce_schedule to;
    int phases;
    int *phase; /* of each split that has no bytes, behind all others; -1: it has some */
    /* where the parts of each receive of `from` begin, and behind them those of each split that has
     * no bytes */
    int64_t *receive_at;
};

/* Fills phase and phases: messages without bytes go in the first one in which neither of their
 * ranks has others. busy: 2 ranks, zeroed. What is posted all at once has no order. */
static void choose_phases(struct splitting *s, int *busy)
{
    const struct nuce_schedule *from = s->from;

    s->phases = from->phases;
    for (int64_t k = 0; k < s->splits->count; k++) {
        const struct nuce_split *split = &s->splits->split[k];
        int *sent = &busy[split->source], *received = &busy[from->ranks + split->destination];
        int first = *sent > *received ? *sent : *received;

        s->phase[k] = -1;
        if (split_total(s->splits, split) > 0)
            continue;
        *sent = *received = first + 1;
        s->phase[k] = from->discipline == NUCE_POST_ALL ? 0 : from->phases + first;
        if (s->phase[k] >= s->phases)
            s->phases = s->phase[k] + 1;
    }
}

/* Adds the messages of split k, which has no bytes, to list; returns how many. */
static int64_t add_empty(const struct splitting *s, int64_t k, int peer, struct nuce_transfer *list)
{
    for (int64_t i = 0; i < s->splits->split[k].count; i++)
        list[i] = (struct nuce_transfer){.peer = peer, .phase = s->phase[k]};
    return s->splits->split[k].count;
}

/* Fills receive_at by the way, by which split_sends finds the receive of each part: so receives are
 * cut first. */
static void split_receives(struct splitting *s)
{
    const struct nuce_schedule *from = s->from;
    int64_t count = 0;

    for (int rank = 0; rank < from->ranks; rank++) {
        for (int64_t k = from->receive_start[rank]; k < from->receive_start[rank + 1]; k++) {
            const struct nuce_transfer *piece = &from->receives[k];

            s->receive_at[k] = count;
            count += split_piece(s->splits, find_split(s->splits, piece->peer, rank), piece,
                                 &s->to.receives[count]);
        }
        for (int64_t k = 0; k < s->splits->count; k++) {
            const struct nuce_split *split = &s->splits->split[k];

            if (split->destination != rank || s->phase[k] < 0)
                continue;
            s->receive_at[from->pieces + k] = count;
            count += add_empty(s, k, split->source, &s->to.receives[count]);
        }
        s->to.receive_start[rank + 1] = count;
    }
}

/* After split_receives: each part belongs to that of the receive of its piece. */
static void split_sends(struct splitting *s)
{
    const struct nuce_schedule *from = s->from;
    int64_t count = 0, next = 0;

    for (int rank = 0; rank < from->ranks; rank++) {
        for (int64_t k = from->send_start[rank]; k < from->send_start[rank + 1]; k++) {
            const struct nuce_transfer *piece = &from->sends[k];
            int64_t receive = s->receive_at[from->receive_of[k]];
            int64_t end = count + split_piece(s->splits, find_split(s->splits, rank, piece->peer),
                                              piece, &s->to.sends[count]);

            while (count < end)
                s->to.receive_of[count++] = receive++;
        }
        for (; next < s->splits->count && s->splits->split[next].source == rank; next++) {
            const struct nuce_split *split = &s->splits->split[next];
            int64_t receive = s->receive_at[from->pieces + next], end = count;

            if (s->phase[next] >= 0)
                end += add_empty(s, next, split->destination, &s->to.sends[count]);
            while (count < end)
                s->to.receive_of[count++] = receive++;
        }
        s->to.send_start[rank + 1] = count;
    }
}

void nuce_schedule_split(struct nuce_schedule *schedule, const struct nuce_splits *splits)
{
    struct splitting s = {.from = schedule, .splits = splits};
    int64_t pieces = 0, *block;
    int *busy;

    NUCE_ASSERT(nuce_splits_apply(schedule));
    if (splits->count == 0)
        return;
    busy = nuce_allocate(2 * (int64_t)schedule->ranks, sizeof *busy);

    s.phase = nuce_allocate(splits->count, sizeof *s.phase);
    s.receive_at = nuce_allocate(schedule->pieces + splits->count, sizeof *s.receive_at);
    choose_phases(&s, busy);
    /* How many pieces there will be. */
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            pieces += split_piece(splits, find_split(splits, i, schedule->sends[k].peer),
                                  &schedule->sends[k], NULL);
    }
    for (int64_t k = 0; k < splits->count; k++)
        pieces += s.phase[k] < 0 ? 0 : splits->split[k].count;
    nuce_schedule_make_room(schedule->ranks, pieces, &s.to);
    free(busy);
    split_receives(&s);
    split_sends(&s);
    /* schedule gets the lists of s.to, which gets its own to be freed. */
    block = schedule->send_start; /* of all of them */
    schedule->phases = s.phases;
    schedule->pieces = s.to.pieces;
    schedule->send_start = s.to.send_start;
    schedule->receive_start = s.to.receive_start;
    schedule->sends = s.to.sends;
    schedule->receives = s.to.receives;
    schedule->receive_of = s.to.receive_of;
    s.to.send_start = block;
    nuce_schedule_fini(&s.to);
    free(s.phase);
    free(s.receive_at);
}
