/* The benches of schedules: how long an algorithm takes for a uniform pattern, beside itself on a
 * smaller one, rs-n on a matrix, or greedy that looks at all; and what one rank does of it. */
#include <malloc.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench.h"
#include "schedules/network.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"
#include "schedules/share.h"

struct schedule_case {
    struct nuce_pattern pattern;
    struct nuce_pattern smaller; /* growth only, else empty */
    const char *algorithm;       /* what schedule_case_ours builds; NULL until it is set */
};

static void schedule_case_destroy(void *self)
{
    struct schedule_case *freed = self;

    if (freed == NULL)
        return;
    nuce_pattern_fini(&freed->pattern);
    nuce_pattern_fini(&freed->smaller);
    free(freed);
}

/* A uniform pattern (test set 1); NULL with *error. */
static struct schedule_case *schedule_case_create(int ranks, int density, struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct schedule_case *self = nuce_allocate(1, sizeof *self);

    if (nuce_pattern_uniform(ranks, density, &rng, &self->pattern, error) != NUCE_OK) {
        schedule_case_destroy(self);
        return NULL;
    }
    return self;
}

static nuce_status schedule_case_build(const struct nuce_pattern *pattern, const char *name,
                                       struct nuce_error *error)
{
    struct nuce_schedule_input input = {.pattern = pattern, .rng = nuce_rng_create(2, 0)};
    const struct nuce_schedule_ops *ops = nuce_schedule_find(name);
    struct nuce_schedule schedule;

    NUCE_ASSERT(ops != NULL);
    if (nuce_schedule_create(ops, &input, &schedule, error) != NUCE_OK)
        return error->status;
    nuce_schedule_fini(&schedule);
    return NUCE_OK;
}

static nuce_status schedule_case_rs_n(void *self, struct nuce_error *error)
{
    const struct schedule_case *what = self;

    return schedule_case_build(&what->pattern, "rs-n", error);
}

static nuce_status schedule_case_ac(void *self, struct nuce_error *error)
{
    const struct schedule_case *what = self;

    return schedule_case_build(&what->pattern, "ac", error);
}

static nuce_status schedule_case_ours(void *self, struct nuce_error *error)
{
    const struct schedule_case *what = self;

    return schedule_case_build(&what->pattern, what->algorithm, error);
}

static nuce_status schedule_case_smaller(void *self, struct nuce_error *error)
{
    const struct schedule_case *what = self;

    return schedule_case_build(&what->smaller, what->algorithm, error);
}

static nuce_status schedule_case_prepare(const char *algorithm, int ranks, int density,
                                         struct nuce_bench_case *out, struct nuce_error *error)
{
    struct schedule_case *self = schedule_case_create(ranks, density, error);

    if (self == NULL)
        return error->status;
    self->algorithm = algorithm;
    out->self = self;
    return NUCE_OK;
}

static nuce_status schedule_case_prepare_growth(const char *algorithm, int ranks, int density,
                                                int smaller_ranks, int smaller_density,
                                                struct nuce_bench_case *out,
                                                struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct schedule_case *self;

    if (schedule_case_prepare(algorithm, ranks, density, out, error) != NUCE_OK)
        return error->status;
    self = out->self;
    if (nuce_pattern_uniform(smaller_ranks, smaller_density, &rng, &self->smaller, error) !=
        NUCE_OK)
        return error->status;
    out->ours_units = (double)self->pattern.messages;
    out->reference_units = (double)self->smaller.messages;
    return NUCE_OK;
}

struct matrix {
    size_t n;
    int64_t *com; /* n x n bytes */
    int *ccom;    /* n x n: row i holds the destinations that are left, first left[i] */
    int *left;
    int *busy;    /* n: the phase in which the receiver was last taken */
    int *partner; /* n: whom each sends to in this phase, or -1 */
};

static void matrix_fini(struct matrix *matrix)
{
    free(matrix->com);
    free(matrix->ccom);
    free(matrix->left);
    free(matrix->busy);
    free(matrix->partner);
}

static void matrix_init(struct matrix *matrix, const struct nuce_pattern *pattern)
{
    int64_t n = pattern->ranks;

    *matrix = (struct matrix){.n = (size_t)n};
    matrix->com = nuce_allocate(n * n, sizeof *matrix->com);
    matrix->ccom = nuce_allocate(n * n, sizeof *matrix->ccom);
    matrix->left = nuce_allocate(n, sizeof *matrix->left);
    matrix->busy = nuce_allocate(n, sizeof *matrix->busy);
    matrix->partner = nuce_allocate(n, sizeof *matrix->partner);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            matrix->com[i * n + pattern->destination[k]] = pattern->bytes[k];
    }
}

/* COM to CCOM, each row shuffled. */
static void matrix_compress(struct matrix *matrix, struct nuce_rng *rng)
{
    size_t n = matrix->n;

    for (size_t i = 0; i < n; i++) {
        int *row = matrix->ccom + i * n;

        for (size_t j = 0; j < n; j++) {
            if (matrix->com[i * n + j] > 0)
                row[matrix->left[i]++] = (int)j;
        }
        for (int k = matrix->left[i] - 1; k > 0; k--) {
            int other = (int)nuce_rng_below(rng, (uint64_t)k + 1);
            int swapped = row[k];

            row[k] = row[other];
            row[other] = swapped;
        }
    }
}

/* One phase: every row, from a random one on, takes its first entry with a free receiver. Returns
 * how many messages it placed. */
static int64_t place_phase(struct matrix *matrix, int phase, struct nuce_rng *rng)
{
    size_t n = matrix->n, first = (size_t)nuce_rng_below(rng, n);
    int64_t placed = 0;

    for (size_t step = 0; step < n; step++) {
        size_t i = (first + step) % n;
        int *row = matrix->ccom + i * n;
        int k = 0;

        while (k < matrix->left[i] && matrix->busy[row[k]] == phase)
            k++;
        matrix->partner[i] = -1;
        if (k == matrix->left[i])
            continue;
        matrix->partner[i] = row[k];
        matrix->busy[row[k]] = phase;
        row[k] = row[--matrix->left[i]];
        placed++;
    }
    return placed;
}

/* RS_N as the paper's Appendix A writes it: COM as a matrix of ranks x ranks, made from the pattern
 * first, compressed into rows of the same size. */
static nuce_status schedule_case_matrix(void *self, struct nuce_error *error)
{
    const struct schedule_case *what = self;
    struct nuce_rng rng = nuce_rng_create(2, 0);
    int64_t placed = 0;
    struct matrix matrix;

    (void)error;
    matrix_init(&matrix, &what->pattern);

    matrix_compress(&matrix, &rng);
    for (int phase = 1; placed < what->pattern.messages; phase++)
        placed += place_phase(&matrix, phase, &rng);
    matrix_fini(&matrix);
    return NUCE_OK;
}

struct scan {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    double *sender, *receiver; /* ranks: when each is available */
    int64_t *left;             /* ranks: the messages of a row that are left are its first */
    int64_t *order;            /* messages: by row, those that are left first */
};

static void scan_fini(struct scan *scan)
{
    free(scan->sender);
    free(scan->receiver);
    free(scan->left);
    free(scan->order);
}

static void scan_init(struct scan *scan)
{
    const struct nuce_pattern *pattern = scan->pattern;

    scan->sender = nuce_allocate(pattern->ranks, sizeof *scan->sender);
    scan->receiver = nuce_allocate(pattern->ranks, sizeof *scan->receiver);
    scan->left = nuce_allocate(pattern->ranks, sizeof *scan->left);
    scan->order = nuce_allocate(pattern->messages, sizeof *scan->order);
    for (int i = 0; i < pattern->ranks; i++)
        scan->left[i] = pattern->row[i + 1] - pattern->row[i];
    for (int64_t k = 0; k < pattern->messages; k++)
        scan->order[k] = k;
}

/* The sender that is available first, or -1: all is sent. */
static int first_sender(const struct scan *scan)
{
    int best = -1;

    for (int i = 0; i < scan->pattern->ranks; i++) {
        if (scan->left[i] > 0 && (best < 0 || scan->sender[i] < scan->sender[best]))
            best = i;
    }
    return best;
}

/* Takes the message of sender i whose receiver is available first. */
static int64_t take_first(struct scan *scan, int i)
{
    int64_t *row = scan->order + scan->pattern->row[i], best = 0, taken;
    const int *destination = scan->pattern->destination;

    for (int64_t place = 1; place < scan->left[i]; place++) {
        int a = destination[row[place]], b = destination[row[best]];

        if (scan->receiver[a] < scan->receiver[b] ||
            (scan->receiver[a] <= scan->receiver[b] && a < b))
            best = place;
    }
    taken = row[best];
    row[best] = row[--scan->left[i]];
    return taken;
}

static nuce_status run_scan(void *self, struct nuce_error *error)
{
    const struct schedule_case *what = self;
    struct nuce_network network;
    struct scan scan = {.pattern = &what->pattern, .network = &network};

    if (nuce_network_preset("cm5", what->pattern.ranks, &network, error) != NUCE_OK)
        return error->status;
    scan_init(&scan);
    for (int i; (i = first_sender(&scan)) >= 0;) {
        int64_t k = take_first(&scan, i);
        int j = what->pattern.destination[k];
        double start = scan.receiver[j] > scan.sender[i] ? scan.receiver[j] : scan.sender[i];

        scan.sender[i] = scan.receiver[j] =
            start + nuce_network_seconds(&network, i, j, what->pattern.bytes[k]);
    }
    scan_fini(&scan);
    return NUCE_OK;
}

static nuce_status scan_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return schedule_case_prepare("greedy", 1024, 1023, out, error);
}

const struct nuce_bench nuce_bench_greedy_scan = {
    .name = "greedy-scan",
    .summary = "schedule of greedy, 1024 ranks, d = 1023",
    .reference = "its order by plain scans, O(P K^2)",
    .least_turns = 3,
    .create = scan_create,
    .run_ours = schedule_case_ours,
    .run_reference = run_scan,
    .destroy = schedule_case_destroy,
};

/* name of the struct, algorithm, ranks, density, what the reference runs and is, members of struct
 * nuce_bench */
#define ROW(id, algorithm, ranks, density, run, is, ...)                                           \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return schedule_case_prepare(algorithm, ranks, density, out, error);                       \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.name = algorithm "-" #ranks,                       \
                                               .summary = "schedule of " algorithm ", " #ranks     \
                                                          " ranks, d = " #density,                 \
                                               .reference = is,                                    \
                                               .create = create_##id,                              \
                                               .run_ours = schedule_case_ours,                     \
                                               .run_reference = run,                               \
                                               .destroy = schedule_case_destroy,                   \
                                               __VA_ARGS__};

ROW(rs_n_32, "rs-n", 32, 8, schedule_case_matrix, "rs-n on an n x n matrix, as the paper has it",
    .budget_s = 50e-6)
ROW(rs_n_4096, "rs-n", 4096, 16, schedule_case_matrix,
    "rs-n on an n x n matrix, as the paper has it", .budget_s = 50e-3)
ROW(rs_n_65536, "rs-n", 65536, 16, schedule_case_ac,
    "the schedule of ac, which has nothing to decide", .budget_s = 1.5, .budget_bytes = 200000000)
ROW(rs_nh_32, "rs-nh", 32, 16, schedule_case_rs_n,
    "that of rs-n, which neither looks at sizes nor splits", .budget_s = 500e-6)
ROW(rs_nh_65536, "rs-nh", 65536, 16, schedule_case_rs_n,
    "that of rs-n, which neither looks at sizes nor splits", .budget_s = 10,
    .budget_bytes = 250000000)
ROW(colouring_65536, "colouring", 65536, 16, schedule_case_rs_n, "the schedule of rs-n",
    .budget_s = 4, .budget_bytes = 300000000, .least_turns = 3)
ROW(largest_first_65536, "largest-first", 65536, 16, schedule_case_rs_n, "the schedule of rs-n",
    .budget_s = 2, .budget_bytes = 300000000, .least_turns = 3)
ROW(greedy_64, "greedy", 64, 63, schedule_case_rs_n, "the schedule of rs-n", .budget_s = 300e-6)
ROW(greedy_1024, "greedy", 1024, 1023, schedule_case_rs_n, "the schedule of rs-n", .budget_s = 0.5,
    .least_turns = 3)
ROW(greedy_65536, "greedy", 65536, 16, schedule_case_rs_n, "the schedule of rs-n", .budget_s = 2,
    .budget_bytes = 300000000, .least_turns = 3)
ROW(load_list_1024, "load-list", 1024, 1023, schedule_case_rs_n, "the schedule of rs-n",
    .budget_s = 0.5, .least_turns = 3)
ROW(load_list_65536, "load-list", 65536, 16, schedule_case_rs_n, "the schedule of rs-n",
    .budget_s = 5, .budget_bytes = 300000000, .least_turns = 3)
ROW(preemptive_65536, "preemptive", 65536, 16, schedule_case_rs_n, "the schedule of rs-n",
    .budget_s = 8, .budget_bytes = 400000000, .least_turns = 3)

/* How that grows: ROW's parameters, and the smaller pattern's behind its own. */
#define GROWTH(id, algorithm, ranks, density, smaller_ranks, smaller_density, ...)                 \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return schedule_case_prepare_growth(algorithm, ranks, density, smaller_ranks,              \
                                            smaller_density, out, error);                          \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = schedule_case_ours,                     \
                                               .run_reference = schedule_case_smaller,             \
                                               .destroy = schedule_case_destroy,                   \
                                               __VA_ARGS__};

GROWTH(rs_n_growth, "rs-n", 65536, 16, 4096, 16, .name = "rs-n-growth",
       .summary = "schedule of rs-n, per message, 65536 ranks, d = 16",
       .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1")
GROWTH(rs_nh_growth, "rs-nh", 65536, 16, 4096, 16, .name = "rs-nh-growth",
       .summary = "schedule of rs-nh, per message, 65536 ranks, d = 16",
       .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1")
GROWTH(
    greedy_growth, "greedy", 1024, 1023, 64, 63, .name = "greedy-growth",
    .summary = "schedule of greedy, per message, 1024 ranks, d = 1023",
    .reference = "the same, per message, 64 ranks, d = 63: growth as P K has ratio 1, as P K^2 16",
    .least_turns = 3)

/* What one rank makes of its own messages, or of what it is handed, and the bytes that it keeps for
 * that: messages and schedule, as the allocator counts them. What the whole takes is its arrays. */

struct rank_case {
    const struct nuce_schedule_ops *ops;
    int ranks;
    struct schedule_case *whole;   /* NULL: nobody has all messages */
    struct nuce_schedule made;     /* of all, unless nobody has them */
    int64_t *send_of;              /* of what was made */
    int rank;                      /* the one that has the most to do */
    struct nuce_message *messages; /* that it sends or receives */
    int64_t count;
    int64_t held_bytes, reference_bytes;
};

static void rank_case_destroy(void *self)
{
    struct rank_case *one = self;

    if (one == NULL)
        return;
    schedule_case_destroy(one->whole);
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
    one->whole = schedule_case_create(one->ranks, 16, error);
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
    struct nuce_shares share = {0};

    (void)pattern;
    (void)error;
    nuce_share_add(&one->made, one->send_of, one->rank, &share);
    nuce_share_assemble(share.number, one->ops, one->ranks, out);
    free(share.number);
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

#define RANK_ROW(id, shape, algorithm, ...)                                                        \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return create_##shape(algorithm, out, error);                                              \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {                                                    \
        .create = create_##id, .destroy = rank_case_destroy, __VA_ARGS__};

RANK_ROW(own_row, sparse, "ac", .name = "own-row-65536",
         .summary = "pattern and schedule of ac from a rank's own messages, 65536 ranks, d = 16",
         .reference = "the schedule of ac of all messages", .budget_s = 1e-3,
         .budget_bytes = 2000000, .run_ours = rank_case_run_own,
         .run_reference = rank_case_run_whole)
RANK_ROW(own_row_dense_ac, dense, "ac", .name = "own-row-dense-ac",
         .summary = "pattern and schedule of ac from a rank's own messages, 4096 ranks all to all",
         .reference = "the pattern alone", .budget_bytes = 8000000, .run_ours = rank_case_run_own,
         .run_reference = rank_case_run_pattern)
RANK_ROW(own_row_dense_lp, dense, "lp", .name = "own-row-dense-lp", .summary = "the same of lp",
         .reference = "the pattern alone", .budget_bytes = 8000000, .run_ours = rank_case_run_own,
         .run_reference = rank_case_run_pattern)
RANK_ROW(share_rs_n, sparse, "rs-n", .name = "share-rs-n",
         .summary = "a rank's pattern and share of the schedule of rs-n, 65536 ranks, d = 16",
         .reference = "that schedule, of all messages, which one rank of a node makes and keeps",
         .budget_bytes = 2000000, .least_turns = 3, .run_ours = rank_case_run_share,
         .run_reference = rank_case_run_whole)
RANK_ROW(share_preemptive, sparse, "preemptive", .name = "share-preemptive",
         .summary = "a rank's pattern and share of the schedule of preemptive, 65536 ranks, d = 16",
         .reference = "that schedule, of all messages, which one rank of a node makes and keeps",
         .budget_bytes = 2000000, .least_turns = 3, .run_ours = rank_case_run_share,
         .run_reference = rank_case_run_whole)
