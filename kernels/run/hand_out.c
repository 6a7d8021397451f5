/* One scatter of sizes, one of all there is: what a rank is handed is a row of numbers of 8 bytes,
 * in which a head, messages, pieces and parcels lie as they are in memory, since all ranks run one
 * program. Only a leader has the whole; what each of its ranks gets is put together there, one
 * behind the other, and scattered. Cost: O(messages + pieces) on the leader, and of each rank what
 * it gets. Limits: all that one leader hands out is at most INT_MAX numbers, 16 GiB. */
#include "run/gathering.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/check.h"
#include "run/control.h"
#include "run/world.h"
#include "schedules/share.h"

/* Begins what a rank is handed. */
struct handed_head {
    int64_t messages, pieces, parcels;
    int64_t discipline, phases, depth; /* of the schedule */
};

#define NUMBERS(type) ((int64_t)(sizeof(type) / sizeof(int64_t)))

_Static_assert(sizeof(struct nuce_share_piece) % sizeof(int64_t) == 0, "pieces are numbers");
_Static_assert(sizeof(struct nuce_parcel) % sizeof(int64_t) == 0, "parcels are numbers");

void nuce_whole_fini(struct nuce_whole *whole)
{
    nuce_pattern_fini(&whole->pattern);
    nuce_schedule_fini(&whole->schedule);
}

/* What a leader hands out, what it looks that up in, and what is ready to go. */
struct hand_out {
    const struct nuce_pattern *pattern;
    const struct nuce_schedule *schedule; /* NULL: messages alone */
    struct nuce_pattern columns;          /* the whole pattern, by destination */
    int64_t *send_of;
    int size;   /* ranks of the group */
    int *rank;  /* size: their numbers in the world */
    int *count; /* size: numbers for each */
    int *at;
    int64_t numbers, capacity;
    int64_t *number;
};

static void hand_out_fini(struct hand_out *out)
{
    nuce_pattern_fini(&out->columns);
    free(out->send_of);
    free(out->rank);
    free(out->count);
    free(out->at);
    free(out->number);
}

/* Room for so many numbers more. */
static int64_t *hand_out_more(struct hand_out *out, int64_t numbers)
{
    int64_t at = out->numbers;

    nuce_allocate_more((void **)&out->number, &out->capacity, at + numbers, sizeof *out->number);
    out->numbers += numbers;
    return out->number + at;
}

static void hand_out_copy(struct hand_out *out, const void *data, int64_t numbers)
{
    int64_t *to = hand_out_more(out, numbers);

    if (numbers > 0)
        memcpy(to, data, (size_t)numbers * sizeof *to);
}

/* All that the rank at place of the group is handed, behind what those before it are: its row and
 * its column, what it sends to itself in the row alone, and its share of the schedule. The head
 * goes first and is filled last: its counts are known only behind what it counts, and the memory
 * may have moved until then. */
static nuce_status hand_out_add(struct hand_out *out, int place, struct nuce_error *error)
{
    const struct nuce_pattern *rows = out->pattern, *columns = &out->columns;
    struct handed_head head = {0};
    int64_t begin = out->numbers;
    int rank = out->rank[place];

    hand_out_copy(out, &head, NUMBERS(struct handed_head));
    for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++)
        nuce_gathering_put(hand_out_more(out, NUCE_TRIPLE), rows, rank, k);
    for (int64_t k = columns->row[rank]; k < columns->row[rank + 1]; k++) {
        const int64_t triple[NUCE_TRIPLE] = {columns->destination[k], rank, columns->bytes[k]};

        if (columns->destination[k] != rank)
            hand_out_copy(out, triple, NUCE_TRIPLE);
    }
    head.messages = (out->numbers - begin - NUMBERS(struct handed_head)) / NUCE_TRIPLE;
    if (out->schedule != NULL) {
        struct nuce_schedule_share share;

        if (nuce_share_take(out->schedule, out->send_of, rank, &share, error) != NUCE_OK)
            return error->status;
        head.pieces = share.pieces;
        head.parcels = share.parcels;
        head.discipline = (int64_t)share.discipline;
        head.phases = share.phases;
        head.depth = share.depth;
        hand_out_copy(out, share.piece, share.pieces * NUMBERS(struct nuce_share_piece));
        hand_out_copy(out, share.parcel, share.parcels * NUMBERS(struct nuce_parcel));
        nuce_share_fini(&share);
    }
    if (out->numbers > INT_MAX)
        return nuce_error_set(error, NUCE_FAILED,
                              "more than %lld bytes of schedules for the ranks of a node",
                              (long long)INT_MAX * (long long)sizeof *out->number);
    memcpy(out->number + begin, &head, sizeof head);
    out->at[place] = (int)begin;
    out->count[place] = (int)(out->numbers - begin);
    return NUCE_OK;
}

/* *numbers: what this rank is handed, freed by the caller. Collective; the same status on all
 * ranks. */
static nuce_status hand_out_scatter(struct nuce_world *world, struct hand_out *out,
                                    int64_t **numbers, struct nuce_error *error)
{
    MPI_Comm group = nuce_gathering_group(world);
    int leads = nuce_gathering_leads(world), count = 0;
    nuce_status status = NUCE_OK;

    if (leads) {
        nuce_gathering_members(world, &out->rank, &out->size);
        out->count = nuce_allocate(out->size, sizeof *out->count);
        out->at = nuce_allocate(out->size, sizeof *out->at);
        status = nuce_pattern_transpose(out->pattern, &out->columns, error);
        if (status == NUCE_OK && out->schedule != NULL)
            nuce_share_index(out->schedule, &out->send_of);
        for (int place = 0; status == NUCE_OK && place < out->size; place++)
            status = hand_out_add(out, place, error);
    }
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    nuce_control_scatter(world, out->count, 1, MPI_INT, &count, group);
    *numbers = nuce_allocate(count, sizeof **numbers);
    nuce_control_scatterv(world, out->number, out->count, out->at, MPI_INT64_T, *numbers, count,
                          group);
    return NUCE_OK;
}

/* Local. schedule NULL: messages alone. The share's lists stay in `numbers`, which the caller
 * frees; assembling copies what it takes. */
static nuce_status take_handed(const int64_t *numbers, const struct nuce_schedule_ops *ops,
                               int ranks, struct nuce_pattern *pattern,
                               struct nuce_schedule *schedule, struct nuce_error *error)
{
    struct handed_head head;
    struct nuce_schedule_share share;

    memcpy(&head, numbers, sizeof head);
    numbers += NUMBERS(struct handed_head);
    if (nuce_gathering_pattern(numbers, head.messages, ranks, pattern, error) != NUCE_OK)
        return error->status;
    if (schedule == NULL)
        return NUCE_OK;
    numbers += NUCE_TRIPLE * head.messages;
    share = (struct nuce_schedule_share){
        .discipline = (enum nuce_discipline)head.discipline,
        .phases = (int)head.phases,
        .depth = (int)head.depth,
        .pieces = head.pieces,
        .piece = (struct nuce_share_piece *)numbers,
        .parcels = head.parcels,
        .parcel = (struct nuce_parcel *)(numbers + head.pieces * NUMBERS(struct nuce_share_piece)),
    };
    return nuce_share_assemble(&share, ops, ranks, schedule, error);
}

nuce_status nuce_hand_out_messages(struct nuce_world *world, const struct nuce_pattern *whole,
                                   struct nuce_pattern *out, struct nuce_error *error)
{
    struct hand_out hand_out = {.pattern = whole};
    int64_t *numbers = NULL;
    nuce_status status = hand_out_scatter(world, &hand_out, &numbers, error);

    if (status == NUCE_OK)
        status = nuce_world_agree(world, take_handed(numbers, NULL, world->size, out, NULL, error),
                                  error);
    free(numbers);
    hand_out_fini(&hand_out);
    return status;
}

nuce_status nuce_hand_out_shares(struct nuce_world *world, const struct nuce_whole *whole,
                                 const struct nuce_schedule_ops *ops, struct nuce_pattern *pattern,
                                 struct nuce_schedule *schedule, struct nuce_error *error)
{
    struct hand_out out = {.pattern = &whole->pattern, .schedule = &whole->schedule};
    int64_t *numbers = NULL;
    nuce_status status = hand_out_scatter(world, &out, &numbers, error);

    if (status == NUCE_OK)
        status = nuce_world_agree(
            world, take_handed(numbers, ops, world->size, pattern, schedule, error), error);
    free(numbers);
    hand_out_fini(&out);
    return status;
}
