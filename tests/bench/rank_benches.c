/* What one rank makes of its own messages, or of what it is handed, and the bytes that it keeps for
 * that: messages and schedule, as the allocator counts them. What the whole takes is its arrays.
 * ROW(name of the struct, shape of the pattern, algorithm, members of struct nuce_bench) */
#include <malloc.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "schedule_case.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"
#include "schedules/share.h"

struct rank_case {
    const struct nuce_schedule_ops *ops;
    int ranks;
    struct nuce_schedule_case *whole; /* NULL: nobody has all messages */
    struct nuce_schedule made;        /* of all, unless nobody has them */
    int64_t *send_of;                 /* of what was made */
    int rank;                         /* the one that has the most to do */
    struct nuce_message *messages;    /* that it sends or receives */
    int64_t count;
    int64_t held_bytes, reference_bytes;
};

static void rank_case_destroy(void *self)
{
    struct rank_case *one = self;

    if (one == NULL)
        return;
    nuce_schedule_case_destroy(one->whole);
    nuce_schedule_fini(&one->made);
    free(one->send_of);
    free(one->messages);
    free(one);
}

static struct rank_case *rank_case_create(const char *algorithm, int ranks)
{
    struct rank_case *one = nuce_allocate(1, sizeof *one);

    one->ops = nuce_schedule_find(algorithm);
    one->ranks = ranks;
    return one;
}

/* Of the messages of all, or of its own. */
static nuce_status rank_case_make(const struct rank_case *one, const struct nuce_pattern *pattern,
                                  struct nuce_schedule *out, struct nuce_error *error)
{
    struct nuce_schedule_input input = {.pattern = pattern, .rng = nuce_rng_create(2, 0)};

    return nuce_schedule_create(one->ops, &input, out, error);
}

static int busiest_rank(const struct nuce_schedule *schedule)
{
    int64_t most = -1;
    int busiest = 0;

    for (int i = 0; i < schedule->ranks; i++) {
        int64_t pieces = schedule->send_start[i + 1] - schedule->send_start[i] +
                         schedule->receive_start[i + 1] - schedule->receive_start[i];

        if (pieces > most) {
            most = pieces;
            busiest = i;
        }
    }
    return busiest;
}

static nuce_status rank_case_collect(struct rank_case *one, struct nuce_error *error)
{
    struct nuce_schedule_input input = {.pattern = &one->whole->pattern};
    struct nuce_pattern concern;

    if (nuce_schedule_concern(nuce_schedule_find("ac"), &input, one->rank, &concern, error) !=
        NUCE_OK)
        return error->status;
    one->messages = nuce_allocate(concern.messages, sizeof *one->messages);
    for (int i = 0; i < concern.ranks; i++) {
        for (int64_t k = concern.row[i]; k < concern.row[i + 1]; k++)
            one->messages[one->count++] =
                (struct nuce_message){i, concern.destination[k], concern.bytes[k]};
    }
    nuce_pattern_fini(&concern);
    return NUCE_OK;
}

/* A uniform pattern of 65 536 ranks, and the schedule of all. */
static nuce_status rank_case_fill_sparse(struct rank_case *one, struct nuce_error *error)
{
    one->whole = nuce_schedule_case_create(one->ranks, 16, error);
    if (one->whole == NULL ||
        rank_case_make(one, &one->whole->pattern, &one->made, error) != NUCE_OK)
        return error->status;
    nuce_share_index(&one->made, &one->send_of);
    one->rank = busiest_rank(&one->made);
    one->reference_bytes =
        nuce_pattern_memory(&one->whole->pattern) + nuce_schedule_memory(&one->made);
    return rank_case_collect(one, error);
}

static nuce_status create_sparse(const char *algorithm, struct nuce_bench_case *out,
                                 struct nuce_error *error)
{
    struct rank_case *one = rank_case_create(algorithm, 65536);

    if (rank_case_fill_sparse(one, error) != NUCE_OK) {
        rank_case_destroy(one);
        return error->status;
    }
    *out = (struct nuce_bench_case){.self = one,
                                    .ours_units = 1,
                                    .reference_units = 1,
                                    .held_bytes = &one->held_bytes,
                                    .reference_bytes = &one->reference_bytes};
    return NUCE_OK;
}

/* To and from every other rank of 4 096: nobody has the 16 773 120 messages of all. */
static nuce_status create_dense(const char *algorithm, struct nuce_bench_case *out,
                                struct nuce_error *error)
{
    struct rank_case *one = rank_case_create(algorithm, 4096);

    (void)error;
    one->rank = 1234;
    one->messages = nuce_allocate(2 * (int64_t)one->ranks, sizeof *one->messages);
    for (int i = 0; i < one->ranks; i++) {
        if (i == one->rank)
            continue;
        one->messages[one->count++] = (struct nuce_message){one->rank, i, 64 + i};
        one->messages[one->count++] = (struct nuce_message){i, one->rank, 65 + i};
    }
    out->self = one;
    out->held_bytes = &one->held_bytes;
    return NUCE_OK;
}

static int64_t allocated_bytes(void)
{
    struct mallinfo2 info = mallinfo2();

    return (int64_t)(info.uordblks + info.hblkhd);
}

/* What is held now and was not at `before`; counted once, so that no later run takes longer for it.
 * Where the allocator is another that does not tell, what the arrays are long. */
static void rank_case_count(struct rank_case *one, int64_t before,
                            const struct nuce_pattern *pattern,
                            const struct nuce_schedule *schedule)
{
    int64_t allocated = allocated_bytes() - before;
    int64_t arrays = nuce_pattern_memory(pattern) + nuce_schedule_memory(schedule);

    one->held_bytes = allocated > arrays ? allocated : arrays;
}

/* Of what was made of all messages. */
static nuce_status rank_case_share(const struct rank_case *one, const struct nuce_pattern *pattern,
                                   struct nuce_schedule *out, struct nuce_error *error)
{
    struct nuce_schedule_share share;

    (void)pattern;
    nuce_share_take(&one->made, one->send_of, one->rank, &share, error);
    nuce_share_assemble(&share, one->ops, one->ranks, out, error);
    nuce_share_fini(&share);
    return NUCE_OK;
}

/* From the messages to the schedule: all that a rank does before it makes its requests. */
static nuce_status rank_case_run(struct rank_case *one,
                                 nuce_status (*make)(const struct rank_case *,
                                                     const struct nuce_pattern *,
                                                     struct nuce_schedule *, struct nuce_error *),
                                 struct nuce_error *error)
{
    int64_t before = one->held_bytes == 0 ? allocated_bytes() : 0;
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
    nuce_status status = nuce_pattern_init(one->ranks, one->messages, one->count, &pattern, error);

    if (status != NUCE_OK)
        return status;
    status = make(one, &pattern, &schedule, error);
    if (status == NUCE_OK) {
        if (one->held_bytes == 0)
            rank_case_count(one, before, &pattern, &schedule);
        nuce_schedule_fini(&schedule);
    }
    nuce_pattern_fini(&pattern);
    return status;
}

static nuce_status rank_case_run_own(void *self, struct nuce_error *error)
{
    return rank_case_run(self, rank_case_make, error);
}

static nuce_status rank_case_run_share(void *self, struct nuce_error *error)
{
    return rank_case_run(self, rank_case_share, error);
}

static nuce_status rank_case_run_whole(void *self, struct nuce_error *error)
{
    struct rank_case *one = self;
    struct nuce_schedule schedule;

    if (rank_case_make(one, &one->whole->pattern, &schedule, error) != NUCE_OK)
        return error->status;
    nuce_schedule_fini(&schedule);
    return NUCE_OK;
}

static nuce_status rank_case_run_pattern(void *self, struct nuce_error *error)
{
    struct rank_case *one = self;
    struct nuce_pattern pattern;
    nuce_status status = nuce_pattern_init(one->ranks, one->messages, one->count, &pattern, error);

    if (status == NUCE_OK)
        nuce_pattern_fini(&pattern);
    return status;
}

#define ROW(id, shape, algorithm, ...)                                                             \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return create_##shape(algorithm, out, error);                                              \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {                                                    \
        .create = create_##id, .destroy = rank_case_destroy, __VA_ARGS__};

ROW(own_row, sparse, "ac", .name = "own-row-65536",
    .summary = "pattern and schedule of ac from a rank's own messages, 65536 ranks, d = 16",
    .reference = "the schedule of ac of all messages", .budget_s = 1e-3, .budget_bytes = 2000000,
    .run_ours = rank_case_run_own, .run_reference = rank_case_run_whole)
ROW(own_row_dense_ac, dense, "ac", .name = "own-row-dense-ac",
    .summary = "pattern and schedule of ac from a rank's own messages, 4096 ranks all to all",
    .reference = "the pattern alone", .budget_bytes = 8000000, .run_ours = rank_case_run_own,
    .run_reference = rank_case_run_pattern)
ROW(own_row_dense_lp, dense, "lp", .name = "own-row-dense-lp", .summary = "the same of lp",
    .reference = "the pattern alone", .budget_bytes = 8000000, .run_ours = rank_case_run_own,
    .run_reference = rank_case_run_pattern)
ROW(share_rs_n, sparse, "rs-n", .name = "share-rs-n",
    .summary = "a rank's pattern and share of the schedule of rs-n, 65536 ranks, d = 16",
    .reference = "that schedule, of all messages, which one rank of a node makes and keeps",
    .budget_bytes = 2000000, .least_turns = 3, .run_ours = rank_case_run_share,
    .run_reference = rank_case_run_whole)
ROW(share_preemptive, sparse, "preemptive", .name = "share-preemptive",
    .summary = "a rank's pattern and share of the schedule of preemptive, 65536 ranks, d = 16",
    .reference = "that schedule, of all messages, which one rank of a node makes and keeps",
    .budget_bytes = 2000000, .least_turns = 3, .run_ours = rank_case_run_share,
    .run_reference = rank_case_run_whole)
