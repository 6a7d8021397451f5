/* The benches of schedules: the time of an algorithm for a uniform pattern, beside itself on a
 * smaller one, rs-n on a matrix, or a greedy that searches all pairs; and one rank's share of it.
 */
#include <malloc.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench.h"
#include "schedules/network.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"
#include "schedules/share.h"

/* A bench: an algorithm for a uniform pattern (test set 1), and its reference. */
struct schedules {
    const char *algorithm;
    int ranks, degree;
    int smaller_ranks, smaller_degree; /* growth only, else 0 */
};

struct schedule_case {
    const char *algorithm;
    struct nuce_pattern pattern, smaller; /* growth only, else empty */
};

static void schedule_case_create(const void *of, struct nuce_bench_case *out)
{
    const struct schedules *schedules = of;
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct schedule_case *self = nuce_allocate(1, sizeof *self);

    self->algorithm = schedules->algorithm;
    MUST(nuce_pattern_uniform(schedules->ranks, schedules->degree, &rng, &self->pattern, &error));
    out->self = self;
    if (schedules->smaller_ranks == 0)
        return;
    rng = nuce_rng_create(1, 0);
    MUST(nuce_pattern_uniform(schedules->smaller_ranks, schedules->smaller_degree, &rng,
                              &self->smaller, &error));
    out->ours_units = (double)self->pattern.messages;
    out->reference_units = (double)self->smaller.messages;
}

static void schedule_case_destroy(void *self)
{
    struct schedule_case *freed = self;

    nuce_pattern_fini(&freed->pattern);
    nuce_pattern_fini(&freed->smaller);
    free(freed);
}

static struct nuce_schedule build(const struct nuce_pattern *pattern, const char *name)
{
    struct nuce_schedule_input input = {.pattern = pattern, .rng = nuce_rng_create(2, 0)};
    struct nuce_schedule schedule;

    MUST(nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, &error));
    return schedule;
}

static void build_once(const struct nuce_pattern *pattern, const char *name)
{
    struct nuce_schedule schedule = build(pattern, name);

    nuce_schedule_fini(&schedule);
}

static void schedule_case_rs_n(void *self)
{
    build_once(&((struct schedule_case *)self)->pattern, "rs-n");
}

static void schedule_case_ac(void *self)
{
    build_once(&((struct schedule_case *)self)->pattern, "ac");
}

static void schedule_case_ours(void *self)
{
    const struct schedule_case *what = self;

    build_once(&what->pattern, what->algorithm);
}

static void schedule_case_smaller(void *self)
{
    const struct schedule_case *what = self;

    build_once(&what->smaller, what->algorithm);
}

struct matrix {
    size_t n;
    int64_t *com; /* n x n bytes */
    int *ccom;    /* n x n: row i holds the destinations that are left, first left[i] */
    int *left;
    int *busy;    /* n: the phase in which the receiver was last taken */
    int *partner; /* n: destination of each in this phase, or -1 */
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
static void schedule_case_matrix(void *self)
{
    const struct schedule_case *what = self;
    struct nuce_rng rng = nuce_rng_create(2, 0);
    int64_t placed = 0;
    struct matrix matrix;

    matrix_init(&matrix, &what->pattern);
    matrix_compress(&matrix, &rng);
    for (int phase = 1; placed < what->pattern.messages; phase++)
        placed += place_phase(&matrix, phase, &rng);
    matrix_fini(&matrix);
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

/* The sender that is available first; -1: everything is sent. */
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

static void run_scan(void *self)
{
    const struct schedule_case *what = self;
    struct nuce_network network;
    struct scan scan = {.pattern = &what->pattern, .network = &network};

    MUST(nuce_network_preset("cm5", what->pattern.ranks, &network, &error));
    scan_init(&scan);
    for (int i; (i = first_sender(&scan)) >= 0;) {
        int64_t k = take_first(&scan, i);
        int j = what->pattern.destination[k];
        double start = scan.receiver[j] > scan.sender[i] ? scan.receiver[j] : scan.sender[i];

        scan.sender[i] = scan.receiver[j] =
            start + nuce_network_seconds(&network, i, j, what->pattern.bytes[k]);
    }
    scan_fini(&scan);
}

/* The cost of one rank's work on its own messages, or on the share that it gets, and the bytes that
 * it keeps for that: messages and schedule, as the allocator counts them. For all messages, the
 * bytes are those of the arrays. */
struct rank_case {
    const char *algorithm;
    int ranks;
    struct nuce_pattern whole;     /* of all messages; empty if no rank has them */
    struct nuce_schedule made;     /* of all, unless no rank has them */
    int64_t *send_of;              /* of the result */
    int rank;                      /* the one that has the most to do */
    struct nuce_message *messages; /* that it sends or receives */
    int64_t count;
    int64_t held_bytes, reference_bytes;
};

static void rank_case_destroy(void *self)
{
    struct rank_case *one = self;

    nuce_pattern_fini(&one->whole);
    nuce_schedule_fini(&one->made);
    free(one->send_of);
    free(one->messages);
    free(one);
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

/* A uniform pattern of 65 536 ranks, and the schedule of all. */
static void create_sparse(const void *of, struct nuce_bench_case *out)
{
    struct rank_case *one = nuce_allocate(1, sizeof *one);
    struct nuce_schedule_input input = {.pattern = &one->whole};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_pattern concern;

    one->algorithm = of;
    one->ranks = 65536;
    MUST(nuce_pattern_uniform(one->ranks, 16, &rng, &one->whole, &error));
    one->made = build(&one->whole, one->algorithm);
    nuce_share_index(&one->made, &one->send_of);
    one->rank = busiest_rank(&one->made);
    one->reference_bytes = nuce_pattern_memory(&one->whole) + nuce_schedule_memory(&one->made);
    MUST(nuce_schedule_concern(nuce_schedule_find("ac"), &input, one->rank, &concern, &error));
    one->messages = nuce_allocate(concern.messages, sizeof *one->messages);
    for (int i = 0; i < concern.ranks; i++) {
        for (int64_t k = concern.row[i]; k < concern.row[i + 1]; k++)
            one->messages[one->count++] =
                (struct nuce_message){i, concern.destination[k], concern.bytes[k]};
    }
    nuce_pattern_fini(&concern);
    out->self = one;
    out->held_bytes = &one->held_bytes;
    out->reference_bytes = &one->reference_bytes;
}

/* To and from every other rank of 4 096: no rank has the 16 773 120 messages of all. */
static void create_dense(const void *of, struct nuce_bench_case *out)
{
    struct rank_case *one = nuce_allocate(1, sizeof *one);

    one->algorithm = of;
    one->ranks = 4096;
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
}

static int64_t allocated_bytes(void)
{
    struct mallinfo2 info = mallinfo2();

    return (int64_t)(info.uordblks + info.hblkhd);
}

/* From the messages to the schedule: all that a rank does before it makes its requests. is_share:
 * its part of the schedule that was made of all messages. The first run counts the bytes held, so
 * that no later one takes longer for it; an allocator that does not tell has those of the arrays.
 */
static void rank_case_run(struct rank_case *one, int is_share)
{
    int64_t before = one->held_bytes == 0 ? allocated_bytes() : 0;
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;

    MUST(nuce_pattern_init(one->ranks, one->messages, one->count, &pattern, &error));
    if (is_share) {
        struct nuce_shares share = {0};

        nuce_share_add(&one->made, one->send_of, one->rank, &share);
        nuce_share_assemble(share.number, nuce_schedule_find(one->algorithm), one->ranks,
                            &schedule);
        free(share.number);
    } else {
        schedule = build(&pattern, one->algorithm);
    }
    if (one->held_bytes == 0) {
        int64_t arrays = nuce_pattern_memory(&pattern) + nuce_schedule_memory(&schedule);

        one->held_bytes = allocated_bytes() - before;
        one->held_bytes = one->held_bytes > arrays ? one->held_bytes : arrays;
    }
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

static void rank_case_run_own(void *self)
{
    rank_case_run(self, 0);
}

static void rank_case_run_share(void *self)
{
    rank_case_run(self, 1);
}

static void rank_case_run_whole(void *self)
{
    const struct rank_case *one = self;

    build_once(&one->whole, one->algorithm);
}

static void rank_case_run_pattern(void *self)
{
    const struct rank_case *one = self;
    struct nuce_pattern pattern;

    MUST(nuce_pattern_init(one->ranks, one->messages, one->count, &pattern, &error));
    nuce_pattern_fini(&pattern);
}

#define OF(...)                                                                                    \
    .of = &(const struct schedules){__VA_ARGS__}, .create = schedule_case_create,                  \
    .run_ours = schedule_case_ours, .destroy = schedule_case_destroy
#define SCHEDULE(algorithm, ranks, degree)                                                         \
    .name = algorithm "-" #ranks,                                                                  \
    .summary = "schedule of " algorithm ", " #ranks " ranks, d = " #degree,                        \
    OF(algorithm, ranks, degree, 0, 0)
#define BESIDE_MATRIX                                                                              \
    .run_reference = schedule_case_matrix,                                                         \
    .reference = "rs-n on an n x n matrix, as the paper has it"
#define BESIDE_RS_N .run_reference = schedule_case_rs_n, .reference = "the schedule of rs-n"
#define GROWTH(algorithm, ranks, degree, smaller_ranks, smaller_degree)                            \
    .name = algorithm "-growth",                                                                   \
    .summary = "schedule of " algorithm ", per message, " #ranks " ranks, d = " #degree,           \
    OF(algorithm, ranks, degree, smaller_ranks, smaller_degree),                                   \
    .run_reference = schedule_case_smaller
#define OWN(algorithm, shape)                                                                      \
    .of = algorithm, .create = create_##shape, .run_ours = rank_case_run_own,                      \
    .destroy = rank_case_destroy
#define SHARE(algorithm)                                                                           \
    .name = "share-" algorithm,                                                                    \
    .summary = "a rank's pattern and share of the schedule of " algorithm ", 65536 ranks, d = 16", \
    .reference = "that schedule, of all messages, which one rank of a node makes and keeps",       \
    .of = algorithm, .create = create_sparse, .run_ours = rank_case_run_share,                     \
    .run_reference = rank_case_run_whole, .destroy = rank_case_destroy, .budget_bytes = 2000000,   \
    .least_turns = 3

const struct nuce_bench nuce_bench_schedules[] = {
    {SCHEDULE("rs-n", 32, 8), BESIDE_MATRIX, .budget_s = 50e-6},
    {SCHEDULE("rs-n", 4096, 16), BESIDE_MATRIX, .budget_s = 50e-3},
    {SCHEDULE("rs-n", 65536, 16), .run_reference = schedule_case_ac,
     .reference = "the schedule of ac, which has nothing to decide", .budget_s = 1.5,
     .budget_bytes = 200000000},
    {GROWTH("rs-n", 65536, 16, 4096, 16),
     .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1"},
    {SCHEDULE("rs-nh", 32, 16), .run_reference = schedule_case_rs_n,
     .reference = "that of rs-n, which neither looks at sizes nor splits", .budget_s = 500e-6},
    {SCHEDULE("rs-nh", 65536, 16), .run_reference = schedule_case_rs_n,
     .reference = "that of rs-n, which neither looks at sizes nor splits", .budget_s = 10,
     .budget_bytes = 250000000},
    {GROWTH("rs-nh", 65536, 16, 4096, 16),
     .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1"},
    {SCHEDULE("colouring", 65536, 16), BESIDE_RS_N, .budget_s = 4, .budget_bytes = 300000000,
     .least_turns = 3},
    {SCHEDULE("largest-first", 65536, 16), BESIDE_RS_N, .budget_s = 2, .budget_bytes = 300000000,
     .least_turns = 3},
    {SCHEDULE("greedy", 64, 63), BESIDE_RS_N, .budget_s = 300e-6},
    {SCHEDULE("greedy", 1024, 1023), BESIDE_RS_N, .budget_s = 0.5, .least_turns = 3},
    {SCHEDULE("greedy", 65536, 16), BESIDE_RS_N, .budget_s = 2, .budget_bytes = 300000000,
     .least_turns = 3},
    {OF("greedy", 1024, 1023, 0, 0), .name = "greedy-scan",
     .summary = "schedule of greedy, 1024 ranks, d = 1023", .run_reference = run_scan,
     .reference = "its order by plain scans, O(P K^2)", .least_turns = 3},
    {GROWTH("greedy", 1024, 1023, 64, 63),
     .reference = "the same, per message, 64 ranks, d = 63: growth as P K has ratio 1, as P K^2 16",
     .least_turns = 3},
    {SCHEDULE("load-list", 1024, 1023), BESIDE_RS_N, .budget_s = 0.5, .least_turns = 3},
    {SCHEDULE("load-list", 65536, 16), BESIDE_RS_N, .budget_s = 5, .budget_bytes = 300000000,
     .least_turns = 3},
    {SCHEDULE("preemptive", 65536, 16), BESIDE_RS_N, .budget_s = 8, .budget_bytes = 400000000,
     .least_turns = 3},
    {OWN("ac", sparse), .name = "own-row-65536",
     .summary = "pattern and schedule of ac from a rank's own messages, 65536 ranks, d = 16",
     .reference = "the schedule of ac of all messages", .budget_s = 1e-3, .budget_bytes = 2000000,
     .run_reference = rank_case_run_whole},
    {OWN("ac", dense), .name = "own-row-dense-ac",
     .summary = "pattern and schedule of ac from a rank's own messages, 4096 ranks all to all",
     .reference = "the pattern alone", .budget_bytes = 8000000,
     .run_reference = rank_case_run_pattern},
    {OWN("lp", dense), .name = "own-row-dense-lp", .summary = "the same of lp",
     .reference = "the pattern alone", .budget_bytes = 8000000,
     .run_reference = rank_case_run_pattern},
    {SHARE("rs-n")},
    {SHARE("preemptive")},
    {.name = NULL},
};
