#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct nuce_piece {
    int source;
    int destination;
    int phase;
    int64_t offset;
    int64_t bytes;
};

const char *nuce_discipline_name(enum nuce_discipline discipline)
{
    static const char *const names[] = {
        [NUCE_POST_ALL] = "post-all",
        [NUCE_LOCKSTEP] = "lockstep",
        [NUCE_STREAMS] = "streams",
        [NUCE_DYNAMIC] = "dynamic",
    };

    return names[discipline];
}

const struct nuce_tuning nuce_tuning_preset = {
    .unit = 1, .startup_units = 32, .lambda = 0, .depth = 1, .choices = ""};

void nuce_schedule_fini(struct nuce_schedule *schedule)
{
    free(schedule->candidate);
    free(schedule->send_start);
    free(schedule->receive_start);
    free(schedule->sends);
    free(schedule->receives);
    free(schedule->receive_of);
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
    free(builder->candidate);
    memset(builder, 0, sizeof *builder);
}

nuce_status nuce_schedule_reserve(struct nuce_schedule_builder *builder, int64_t count,
                                  struct nuce_error *error)
{
    struct nuce_piece *pieces;

    if (count <= builder->capacity)
        return NUCE_OK;
    /* Exactly what is asked for, where nuce_grow would take up to twice as much. */
    pieces = reallocarray(builder->pieces, (size_t)count, sizeof *pieces);
    if (pieces == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for %lld pieces of a schedule",
                              (long long)count);
    builder->pieces = pieces;
    builder->capacity = count;
    return NUCE_OK;
}

nuce_status nuce_schedule_add(struct nuce_schedule_builder *builder, int source, int destination,
                              int phase, int64_t offset, int64_t bytes, struct nuce_error *error)
{
    NUCE_ASSERT(source >= 0 && source < builder->ranks);
    NUCE_ASSERT(destination >= 0 && destination < builder->ranks);
    NUCE_ASSERT(phase >= 0 && offset >= 0 && bytes > 0);
    if (nuce_grow((void **)&builder->pieces, &builder->capacity, builder->count + 1,
                  sizeof *builder->pieces, error) != NUCE_OK)
        return error->status;
    builder->pieces[builder->count++] =
        (struct nuce_piece){source, destination, phase, offset, bytes};
    if (phase >= builder->phases)
        builder->phases = phase + 1;
    return NUCE_OK;
}

nuce_status nuce_schedule_add_candidate(struct nuce_schedule_builder *builder,
                                        const struct nuce_candidate *candidate,
                                        struct nuce_error *error)
{
    if (nuce_grow((void **)&builder->candidate, &builder->candidate_capacity,
                  builder->candidates + 1, sizeof *builder->candidate, error) != NUCE_OK)
        return error->status;
    builder->candidate[builder->candidates++] = *candidate;
    return NUCE_OK;
}

static int phases_ascend(const struct nuce_schedule_builder *builder)
{
    for (int64_t k = 1; k < builder->count; k++) {
        if (builder->pieces[k].phase < builder->pieces[k - 1].phase)
            return 0;
    }
    return 1;
}

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

/* A stable counting sort of pieces by one digit of the phase, from -> to. */
static void sort_by_digit(const struct nuce_piece *from, struct nuce_piece *to, int64_t count,
                          int shift)
{
    int64_t place[DIGITS + 1] = {0};

    for (int64_t k = 0; k < count; k++)
        place[((from[k].phase >> shift) & (DIGITS - 1)) + 1]++;
    for (int digit = 0; digit < DIGITS; digit++)
        place[digit + 1] += place[digit];
    for (int64_t k = 0; k < count; k++)
        to[place[(from[k].phase >> shift) & (DIGITS - 1)]++] = from[k];
}

/* A radix sort, so that neither memory nor time depends on how large the phase numbers are. */
static nuce_status sort_by_phase(struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct nuce_piece *spare, *swap;

    if (phases_ascend(builder))
        return NUCE_OK;
    spare = nuce_allocate(builder->count, sizeof *spare, error);
    if (spare == NULL)
        return error->status;
    for (int shift = 0; shift < 31 && (builder->phases - 1) >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(builder->pieces, spare, builder->count, shift);
        swap = builder->pieces;
        builder->pieces = spare;
        spare = swap;
    }
    free(spare);
    builder->capacity = builder->count;
    return NUCE_OK;
}

static nuce_status allocate(const struct nuce_schedule_builder *builder, struct nuce_schedule *out,
                            struct nuce_error *error)
{
    struct nuce_schedule schedule = {
        .ranks = builder->ranks,
        .phases = builder->phases,
        .discipline = builder->discipline,
        .depth = builder->depth,
        .pieces = builder->count,
    };

    schedule.send_start =
        nuce_allocate((int64_t)schedule.ranks + 1, sizeof *schedule.send_start, error);
    if (schedule.send_start == NULL)
        goto fail;
    schedule.receive_start =
        nuce_allocate((int64_t)schedule.ranks + 1, sizeof *schedule.receive_start, error);
    if (schedule.receive_start == NULL)
        goto fail;
    schedule.sends = nuce_allocate(schedule.pieces, sizeof *schedule.sends, error);
    if (schedule.sends == NULL)
        goto fail;
    schedule.receives = nuce_allocate(schedule.pieces, sizeof *schedule.receives, error);
    if (schedule.receives == NULL)
        goto fail;
    schedule.receive_of = nuce_allocate(schedule.pieces, sizeof *schedule.receive_of, error);
    if (schedule.receive_of == NULL)
        goto fail;
    *out = schedule;
    return NUCE_OK;
fail:
    nuce_schedule_fini(&schedule);
    return error->status;
}

/* From counts of list i in start[i + 1] to where it begins; filling the list moves that to its
 * end, which is where list i + 1 begins. */
static void begin_lists(int64_t *start, int lists)
{
    int64_t sum = 0;

    for (int i = 1; i <= lists; i++) {
        int64_t count = start[i];

        start[i] = sum;
        sum += count;
    }
}

static void fill(const struct nuce_schedule_builder *builder, struct nuce_schedule *schedule)
{
    for (int64_t k = 0; k < builder->count; k++) {
        schedule->send_start[builder->pieces[k].source + 1]++;
        schedule->receive_start[builder->pieces[k].destination + 1]++;
    }
    begin_lists(schedule->send_start, schedule->ranks);
    begin_lists(schedule->receive_start, schedule->ranks);
    for (int64_t k = 0; k < builder->count; k++) {
        const struct nuce_piece *piece = &builder->pieces[k];
        int64_t send = schedule->send_start[piece->source + 1]++;
        int64_t receive = schedule->receive_start[piece->destination + 1]++;

        schedule->sends[send] =
            (struct nuce_transfer){piece->destination, piece->phase, piece->offset, piece->bytes};
        schedule->receives[receive] =
            (struct nuce_transfer){piece->source, piece->phase, piece->offset, piece->bytes};
        schedule->receive_of[send] = receive;
    }
}

nuce_status nuce_schedule_build_end(struct nuce_schedule_builder *builder,
                                    struct nuce_schedule *out, struct nuce_error *error)
{
    nuce_status status = sort_by_phase(builder, error);

    if (status == NUCE_OK)
        status = allocate(builder, out, error);
    if (status == NUCE_OK) {
        fill(builder, out);
        out->costs = builder->costs;
        out->candidates = nuce_int(builder->candidates);
        out->chosen = builder->chosen;
        out->candidate = builder->candidate;
        builder->candidate = NULL;
    }
    nuce_schedule_builder_fini(builder);
    return status;
}
