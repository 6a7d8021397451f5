/* Two passes over the pieces, one that counts and one that fills, by the same loop over the
 * messages of a pair. A message is found by a binary search of its pair, O(log splits) per piece.
 * Memory: the lists of the result in addition to those of the schedule. They are exchanged at the
 * end, so that a failure leaves the schedule unchanged.
 * Limits: each rank searches all splits for those without bytes that it receives, O(ranks x
 * splits). That is small compared with the pieces as long as few pairs are split. */
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
    /* For a pair with one message that has bytes, the pattern's entry is enough: no split. */
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

/* NULL: the transfer between the two is one message, and its pieces stay unchanged. */
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

/* Writes the parts of one piece, in their order, to out unless it is NULL; returns their number.
 * split NULL: the piece is one part. */
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
        /* A message without bytes belongs to the piece that contains its place. At the very end no
         * piece begins there, so the last one takes it. */
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

/* A schedule during its cutting. */
struct splitting {
    const struct nuce_schedule *from;
    const struct nuce_splits *splits;
    struct nuce_schedule to;
    int *phase; /* of each split without bytes, after all other phases; -1: the split has bytes */
    /* the first part of each receive of `from`, followed by that of each split without bytes */
    int64_t *receive_at;
};

/* Fills phase and to.phases: a message without bytes gets the first phase in which neither of its
 * ranks has others. Post-all schedules have no order. */
static void choose_phases(struct splitting *s)
{
    const struct nuce_schedule *from = s->from;
    int *busy = nuce_allocate(2 * (int64_t)from->ranks, sizeof *busy);

    for (int64_t k = 0; k < s->splits->count; k++) {
        const struct nuce_split *split = &s->splits->split[k];
        int *sent = &busy[split->source], *received = &busy[from->ranks + split->destination];
        int first = *sent > *received ? *sent : *received;

        s->phase[k] = -1;
        if (split_total(s->splits, split) > 0)
            continue;
        *sent = *received = first + 1;
        s->phase[k] = from->discipline == NUCE_POST_ALL ? 0 : from->phases + first;
        if (s->phase[k] >= s->to.phases)
            s->to.phases = s->phase[k] + 1;
    }
    free(busy);
}

/* Stores that the parts from `at` on belong to a receive, or to its send. That of split k has the
 * number pieces + k. */
static int64_t note_parts(struct splitting *s, int is_send, int64_t receive, int64_t at,
                          int64_t parts)
{
    if (!is_send)
        s->receive_at[receive] = at;
    for (int64_t i = 0; is_send && i < parts; i++)
        s->to.receive_of[at + i] = s->receive_at[receive] + i;
    return at + parts;
}

/* Cuts the sends of all ranks, or their receives. Receives are cut first, because sends are tied to
 * them. */
static void split_lists(struct splitting *s, int is_send)
{
    const struct nuce_schedule *from = s->from;
    const int64_t *start = is_send ? from->send_start : from->receive_start;
    const struct nuce_transfer *list = is_send ? from->sends : from->receives;
    struct nuce_transfer *out = is_send ? s->to.sends : s->to.receives;
    int64_t at = 0;

    for (int rank = 0; rank < from->ranks; rank++) {
        for (int64_t k = start[rank]; k < start[rank + 1]; k++) {
            const struct nuce_split *split = is_send ? find_split(s->splits, rank, list[k].peer)
                                                     : find_split(s->splits, list[k].peer, rank);

            at = note_parts(s, is_send, is_send ? from->receive_of[k] : k, at,
                            split_piece(s->splits, split, &list[k], &out[at]));
        }
        for (int64_t k = 0; k < s->splits->count; k++) {
            const struct nuce_split *split = &s->splits->split[k];
            int peer = is_send ? split->destination : split->source;

            if (s->phase[k] < 0 || rank != (is_send ? split->source : split->destination))
                continue;
            for (int64_t i = 0; i < split->count; i++)
                out[at + i] = (struct nuce_transfer){.peer = peer, .phase = s->phase[k]};
            at = note_parts(s, is_send, from->pieces + k, at, split->count);
        }
        (is_send ? s->to.send_start : s->to.receive_start)[rank + 1] = at;
    }
}

void nuce_schedule_split(struct nuce_schedule *schedule, const struct nuce_splits *splits)
{
    struct splitting s = {.from = schedule, .splits = splits};
    int64_t pieces = 0, *block;
    int phases;

    NUCE_ASSERT(nuce_splits_apply(schedule));
    if (splits->count == 0)
        return;
    s.phase = nuce_allocate(splits->count, sizeof *s.phase);
    s.receive_at = nuce_allocate(schedule->pieces + splits->count, sizeof *s.receive_at);
    s.to.phases = schedule->phases;
    choose_phases(&s);
    phases = s.to.phases;
    /* Counts the new pieces. */
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            pieces += split_piece(splits, find_split(splits, i, schedule->sends[k].peer),
                                  &schedule->sends[k], NULL);
    }
    for (int64_t k = 0; k < splits->count; k++)
        pieces += s.phase[k] < 0 ? 0 : splits->split[k].count;
    nuce_schedule_make_room(schedule->ranks, pieces, &s.to);
    split_lists(&s, 0);
    split_lists(&s, 1);
    /* schedule gets the lists of s.to, and s.to the old lists, which are then freed. */
    block = schedule->send_start; /* the block of all lists */
    schedule->phases = phases;
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
