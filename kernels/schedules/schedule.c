/* The builder: collects pieces in their order and makes the lists of all ranks from them. The order
 * counts only within a rank's lists, so pieces are sorted by phase only if the lists of some rank
 * are not in order already. */
#include "schedules/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"

/* A piece as it was added. */
struct nuce_piece {
    int source;
    int destination;
    int phase;
    int64_t offset;
    int64_t bytes;
    struct nuce_load load; /* forward only */
};

const char *nuce_discipline_name(enum nuce_discipline discipline)
{
    static const char *const names[] = {
        [NUCE_POST_ALL] = "post-all", [NUCE_LOCKSTEP] = "lockstep", [NUCE_STREAMS] = "streams",
        [NUCE_BLOCKING] = "blocking", [NUCE_FORWARD] = "forward",   [NUCE_DYNAMIC] = "dynamic",
    };

    return names[discipline];
}

const struct nuce_tuning nuce_tuning_preset = {
    .unit = 1,
    .startup_units = 32,
#define NUCE_TUNING(bit, type, member_, value, ...) .member_ = value,
#include "schedules/tuning.inc"
#undef NUCE_TUNING
};

void nuce_schedule_fini(struct nuce_schedule *schedule)
{
    free(schedule->candidate);
    free(schedule->loads);
    free(schedule->parcels);
    free(schedule->send_start); /* the block of all lists */
    memset(schedule, 0, sizeof *schedule);
}

void nuce_schedule_builder_init(struct nuce_schedule_builder *builder, int ranks,
                                enum nuce_discipline discipline)
{
    *builder = (struct nuce_schedule_builder){
        .ranks = ranks,
        .discipline = discipline,
        .depth = 1,
        .costs = {.heap_s = NAN, .sort_s = NAN},
    };
}

void nuce_schedule_builder_fini(struct nuce_schedule_builder *builder)
{
    free(builder->pieces);
    free(builder->parcels);
    free(builder->candidate);
    nuce_schedule_fini(&builder->expected);
    memset(builder, 0, sizeof *builder);
}

/* All lists are one block that begins with send_start. A schedule then needs one call of the
 * allocator, and lists that are filled completely are not zeroed before. */
void nuce_schedule_make_room(int ranks, int64_t pieces, struct nuce_schedule *out)
{
    const size_t piece = sizeof *out->receive_of + sizeof *out->sends + sizeof *out->receives;
    size_t starts = (size_t)ranks + 1, bytes = 2 * starts * sizeof *out->send_start;
    int64_t *block;

    if (pieces > (INT64_MAX - (int64_t)bytes) / (int64_t)piece)
        nuce_allocate_failed(pieces, piece);
    block = nuce_allocate_unset((int64_t)bytes + pieces * (int64_t)piece);
    memset(block, 0, bytes);
    *out = (struct nuce_schedule){
        .ranks = ranks,
        .pieces = pieces,
        .send_start = block,
        .receive_start = block + starts,
        .receive_of = block + 2 * starts,
        .sends = (struct nuce_transfer *)(block + 2 * starts + pieces),
        .receives = (struct nuce_transfer *)(block + 2 * starts + pieces) + pieces,
    };
}

/* Too many lists alternate for the processor to predict the place of the next piece. So the cache
 * line of a later piece of the same rank, this many ahead, is requested now. Past the end that has
 * no effect. */
#define PIECES_AHEAD 3

/* Appends a piece to the lists of its ranks, which have begun (begin_lists). */
static void schedule_append(struct nuce_schedule *schedule, const struct nuce_piece *piece)
{
    int64_t send = schedule->send_start[piece->source + 1]++;
    int64_t receive = schedule->receive_start[piece->destination + 1]++;

    __builtin_prefetch(&schedule->sends[send + PIECES_AHEAD], 1);
    __builtin_prefetch(&schedule->receives[receive + PIECES_AHEAD], 1);
    __builtin_prefetch(&schedule->receive_of[send + PIECES_AHEAD], 1);
    schedule->sends[send] =
        (struct nuce_transfer){piece->destination, piece->phase, piece->offset, piece->bytes};
    schedule->receives[receive] =
        (struct nuce_transfer){piece->source, piece->phase, piece->offset, piece->bytes};
    schedule->receive_of[send] = receive;
    if (schedule->loads != NULL) {
        __builtin_prefetch(&schedule->loads[send + PIECES_AHEAD], 1);
        schedule->loads[send] = piece->load;
    }
}

void nuce_schedule_expect(struct nuce_schedule_builder *builder, const struct nuce_pattern *pattern)
{
    struct nuce_schedule *lists = &builder->expected;

    NUCE_ASSERT(builder->count == 0);
    nuce_schedule_make_room(builder->ranks, pattern->messages, lists);
    for (int i = 0; i < pattern->ranks; i++)
        lists->send_start[i + 1] = pattern->row[i];
    for (int64_t k = 0; k < pattern->messages; k++)
        lists->receive_start[pattern->destination[k] + 1]++;
    nuce_pattern_begin_rows(lists->receive_start, lists->ranks);
}

void nuce_schedule_expect_pieces(struct nuce_schedule_builder *builder, const int64_t *sends,
                                 const int64_t *receives)
{
    struct nuce_schedule *lists = &builder->expected;
    int64_t pieces = 0;

    NUCE_ASSERT(builder->count == 0);
    for (int i = 0; i < builder->ranks; i++)
        pieces += sends[i];
    nuce_schedule_make_room(builder->ranks, pieces, lists);
    for (int i = 0; i < builder->ranks; i++) {
        lists->send_start[i + 1] = sends[i];
        lists->receive_start[i + 1] = receives[i];
    }
    nuce_pattern_begin_rows(lists->send_start, lists->ranks);
    nuce_pattern_begin_rows(lists->receive_start, lists->ranks);
}

void nuce_schedule_expect_loads(struct nuce_schedule_builder *builder, const int64_t *sends,
                                const int64_t *receives, int64_t parcels)
{
    struct nuce_schedule *lists = &builder->expected;

    NUCE_ASSERT(builder->discipline == NUCE_FORWARD);
    nuce_schedule_expect_pieces(builder, sends, receives);
    lists->loads = nuce_allocate_unset(lists->pieces * (int64_t)sizeof *lists->loads);
    builder->parcels = nuce_allocate_unset(parcels * (int64_t)sizeof *builder->parcels);
    builder->parcel_capacity = parcels;
}

/* Appends to the lists, or to the pieces from which they are made at the end. More pieces than
 * promised would be written past the lists' end: a bug, which is caught before. */
static void builder_append_piece(struct nuce_schedule_builder *builder,
                                 const struct nuce_piece *piece)
{
    NUCE_ASSERT(piece->source >= 0 && piece->source < builder->ranks);
    NUCE_ASSERT(piece->destination >= 0 && piece->destination < builder->ranks);
    NUCE_ASSERT(piece->phase >= 0 && piece->offset >= 0 && piece->bytes > 0);
    if (piece->phase >= builder->phases)
        builder->phases = piece->phase + 1;
    if (builder->expected.send_start != NULL) {
        NUCE_ASSERT(builder->count < builder->expected.pieces);
        builder->count++;
        schedule_append(&builder->expected, piece);
        return;
    }
    if (builder->count == builder->capacity)
        nuce_allocate_more((void **)&builder->pieces, &builder->capacity, builder->count + 1,
                           sizeof *builder->pieces);
    builder->pieces[builder->count++] = *piece;
}

void nuce_schedule_add(struct nuce_schedule_builder *builder, int source, int destination,
                       int phase, int64_t offset, int64_t bytes)
{
    const struct nuce_piece piece = {source, destination, phase, offset, bytes, {0, 0}};

    builder_append_piece(builder, &piece);
}

void nuce_schedule_add_load(struct nuce_schedule_builder *builder, int source, int destination,
                            int phase, int64_t bytes, const struct nuce_parcel *parcels,
                            int64_t count)
{
    const struct nuce_piece piece = {source, destination, phase,
                                     0,      bytes,       {builder->parcel_count, count}};
    int64_t carried = 0;

    if (builder->parcel_count + count > builder->parcel_capacity)
        nuce_allocate_more((void **)&builder->parcels, &builder->parcel_capacity,
                           builder->parcel_count + count, sizeof *builder->parcels);
    /* Mostly one or two: not worth a call of memcpy. */
    for (int64_t k = 0; k < count; k++) {
        carried += parcels[k].bytes;
        builder->parcels[builder->parcel_count++] = parcels[k];
    }
    NUCE_ASSERT(builder->discipline == NUCE_FORWARD && carried <= bytes);
    builder_append_piece(builder, &piece);
}

void nuce_schedule_add_own(struct nuce_schedule_builder *builder,
                           const struct nuce_pattern *pattern)
{
    if (builder->expected.send_start == NULL)
        nuce_allocate_more((void **)&builder->pieces, &builder->capacity,
                           builder->count + pattern->messages, sizeof *builder->pieces);
    for (int i = 0; i < pattern->ranks; i++) {
        int64_t k = nuce_pattern_find(pattern, i, i);
        struct nuce_parcel own = {i, i, k < 0 ? 0 : pattern->bytes[k], 0};

        if (k >= 0 && builder->discipline == NUCE_FORWARD)
            nuce_schedule_add_load(builder, i, i, 0, own.bytes, &own, 1);
        else if (k >= 0)
            nuce_schedule_add(builder, i, i, 0, 0, own.bytes);
    }
}

void nuce_schedule_add_candidate(struct nuce_schedule_builder *builder, const char *name,
                                 const struct nuce_schedule *tried, double makespan)
{
    struct nuce_candidate *candidate;

    nuce_allocate_more((void **)&builder->candidate, &builder->candidate_capacity,
                       builder->candidates + 1, sizeof *builder->candidate);
    candidate = &builder->candidate[builder->candidates++];
    *candidate = (struct nuce_candidate){
        .phases = tried->phases, .pieces = tried->pieces, .makespan = makespan};
    NUCE_ASSERT(nuce_text_copy(candidate->name, sizeof candidate->name, name));
}

/* 2048 counters fit a first level of cache; three passes sort any phase number. */
#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

/* Sorts the pieces by phase, stably, unless the lists are in order already. A radix sort, so that
 * neither memory nor time depends on the size of the phase numbers. */
static void schedule_sort_by_phase(struct nuce_schedule_builder *builder)
{
    int *last = nuce_allocate(2 * (int64_t)builder->ranks, sizeof *last), is_sorted = 1;
    struct nuce_piece *spare, *swap;

    /* If every rank's sends and receives are in the order of their phases already, the order of the
     * other pieces does not matter. */
    for (int64_t k = 0; is_sorted && k < builder->count; k++) {
        const struct nuce_piece *piece = &builder->pieces[k];
        int *sent = &last[piece->source], *received = &last[builder->ranks + piece->destination];

        is_sorted = piece->phase >= *sent && piece->phase >= *received;
        *sent = *received = piece->phase;
    }
    free(last);
    if (is_sorted)
        return;
    spare = nuce_allocate(builder->count, sizeof *spare);
    for (int shift = 0; shift < 31 && (builder->phases - 1) >> shift != 0; shift += DIGIT_BITS) {
        int64_t place[DIGITS + 1] = {0};

        /* A stable counting sort of pieces by one digit of the phase, from -> to. */
        for (int64_t k = 0; k < builder->count; k++)
            place[((builder->pieces[k].phase >> shift) & (DIGITS - 1)) + 1]++;
        for (int digit = 0; digit < DIGITS; digit++)
            place[digit + 1] += place[digit];
        for (int64_t k = 0; k < builder->count; k++)
            spare[place[(builder->pieces[k].phase >> shift) & (DIGITS - 1)]++] = builder->pieces[k];
        swap = builder->pieces;
        builder->pieces = spare;
        spare = swap;
    }
    free(spare);
    builder->capacity = builder->count;
}

/* The arrays that pass to *out are taken from the builder, whose own end then frees only the
 * rest. */
void nuce_schedule_build_end(struct nuce_schedule_builder *builder, struct nuce_schedule *out)
{
    if (builder->expected.send_start != NULL) {
        NUCE_ASSERT(builder->count == builder->expected.pieces);
        *out = builder->expected;
        builder->expected = (struct nuce_schedule){0};
    } else {
        /* From the pieces: counted, then appended in their order. */
        schedule_sort_by_phase(builder);
        nuce_schedule_make_room(builder->ranks, builder->count, out);
        if (builder->discipline == NUCE_FORWARD)
            out->loads = nuce_allocate(builder->count, sizeof *out->loads);
        for (int64_t k = 0; k < builder->count; k++) {
            out->send_start[builder->pieces[k].source + 1]++;
            out->receive_start[builder->pieces[k].destination + 1]++;
        }
        nuce_pattern_begin_rows(out->send_start, out->ranks);
        nuce_pattern_begin_rows(out->receive_start, out->ranks);
        for (int64_t k = 0; k < builder->count; k++)
            schedule_append(out, &builder->pieces[k]);
    }
    out->parcels = builder->parcels;
    builder->parcels = NULL;
    out->phases = builder->phases;
    out->discipline = builder->discipline;
    out->depth = builder->depth;
    out->costs = builder->costs;
    out->candidates = nuce_int(builder->candidates);
    out->chosen = builder->chosen;
    out->candidate = builder->candidate;
    builder->candidate = NULL;
    nuce_schedule_builder_fini(builder);
}
