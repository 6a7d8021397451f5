/* The random schedules of Ranka, Wang and Kumar against the numbers of an independent
 * implementation, and phase by phase against a slow reading of their rules. */
#include "cases.h"

#define RANKS 32
#define MOST_RANKS 64 /* of the slow reading */

enum { UNIFORM_8, UNIFORM_16, SKEWED }; /* draw_set */

static struct nuce_schedule create(const char *name, const struct nuce_pattern *pattern,
                                   uint64_t seed, const struct nuce_tuning *tuning)
{
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = tuning, .rng = nuce_rng_create(seed, 1)};

    return build(name, &input);
}

static struct nuce_tuning make_tuning(double unit, double lambda)
{
    struct nuce_tuning tuning = nuce_tuning_preset;

    tuning.unit = unit;
    tuning.lambda = lambda;
    return tuning;
}

static double mean_phases(const char *name, int set, int64_t unit)
{
    struct nuce_tuning tuning = make_tuning((double)unit, 0);
    int phases = 0;

    for (uint64_t instance = 0; instance < 50; instance++) {
        OWNED(pattern) pattern = draw_set(set, instance, unit);
        OWNED(schedule) schedule = create(name, &pattern, instance, &tuning);

        phases += schedule.phases;
    }
    return (double)phases / 50;
}

static void assert_close(double value, double expected)
{
    if (fabs(value - expected) > 0.03 * expected)
        fail_msg("%g phases, expected %g within 3 %%", value, expected);
}

/* An independent implementation's means, each on 50 matrices of its own; the paper's are beside. */
static void test_phases(void **state)
{
    static const struct {
        const char *name;
        double of_sets[3];
    } expected[] = {
        {"rs-n", {10.22, 18.70, 18.04}},          /* 10.1, 18.56, 20.1 */
        {"rs-n-sort", {10.18, 18.56, 18.00}},     /* 10.22, 18.52, 20.2 */
        {"rs-nh", {11.14, 20.68, 18.46}},         /* 11.2, 19.8, 31.7 */
        {"rs-nh-lambda1", {10.36, 18.66, 17.90}}, /* 10.14, 18.8, 20.4 */
    };

    for (size_t i = 0; i < COUNT(expected); i++) {
        for (int set = 0; set < 3; set++)
            assert_close(mean_phases(expected[i].name, set, 1), expected[i].of_sets[set]);
    }
}

/* Which lambda is best depends on the item-bytes: over those of the paper's table 6. */
static void test_fixed_phases(void **state)
{
    static const int64_t units[] = {16, 64, 256, 1024, 4096, 16384};
    double sum = 0;

    for (int i = 0; i < 6; i++)
        sum += mean_phases("rs-nh-fixed", SKEWED, units[i]);
    assert_close(sum / 6, 19.14);
}

/* The bytes left to send, as a full matrix. */
struct matrix {
    int ranks;
    int64_t left[MOST_RANKS][MOST_RANKS];
    int64_t messages; /* that are not 0 */
    int whole;        /* the second of the paper's two phases */
};

/* One phase of a schedule. */
struct step {
    int receiver[MOST_RANKS]; /* of each rank, or -1 */
    int is_taken[MOST_RANKS];
    int64_t bytes[MOST_RANKS];
    int64_t sorted[MOST_RANKS]; /* rest of the messages of the phase, idle ranks 0, ascending */
    int64_t senders;
};

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static void read_step(const struct nuce_schedule *schedule, const struct matrix *matrix, int phase,
                      struct step *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < matrix->ranks; i++) {
        out->receiver[i] = -1;
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &schedule->sends[k];

            if (send->phase != phase || send->peer == i)
                continue;
            out->receiver[i] = send->peer;
            out->is_taken[send->peer] = 1;
            out->bytes[i] = send->bytes;
            out->senders++;
            out->sorted[i] = matrix->left[i][send->peer];
        }
    }
    qsort(out->sorted, (size_t)matrix->ranks, sizeof out->sorted[0], compare);
}

/* Decide_Size as the paper has it, lambda in hundredths; 0: no limit. */
static int64_t decide(const struct matrix *matrix, const struct step *step,
                      const struct nuce_tuning *tuning)
{
    int n = matrix->ranks, least = (int)ceil(0.75 * n), chosen = least;
    double sum = 0, best = 0;

    if (tuning->lambda > 0)
        return step->sorted[((int)lround(100 * tuning->lambda) * n + 99) / 100 - 1];
    if (step->sorted[least - 1] == 0)
        return 0;
    for (int k = 0; least + k < n; k++) {
        double increase = (double)(step->sorted[least + k] - step->sorted[least + k - 1]);

        sum += (1.0 / n) / (0.75 + (double)k / n) * tuning->startup_units - increase / tuning->unit;
        if (sum > best) {
            best = sum;
            chosen = least + k + 1;
        }
    }
    return step->sorted[chosen - 1];
}

static void check_step(struct matrix *matrix, const struct step *step, int64_t all,
                       const struct nuce_tuning *tuning)
{
    int64_t after = matrix->messages - step->senders, threshold;

    /* A row passes over a message only if its receiver is taken, and tries the larger ones first.
     */
    for (int i = 0; i < matrix->ranks; i++) {
        int64_t sent = step->receiver[i] < 0 ? 0 : matrix->left[i][step->receiver[i]];

        for (int j = 0; j < matrix->ranks; j++)
            assert_true(matrix->left[i][j] <= sent || step->is_taken[j]);
    }
    if ((double)after / matrix->ranks <= fmax(2, (double)all / matrix->ranks / 16))
        matrix->whole = 1;
    threshold = matrix->whole ? 0 : decide(matrix, step, tuning);
    for (int i = 0; i < matrix->ranks; i++) {
        int j = step->receiver[i];

        if (j < 0)
            continue;
        if (threshold > 0 && matrix->left[i][j] > threshold)
            assert_int_equal(step->bytes[i], threshold);
        else
            assert_int_equal(step->bytes[i], matrix->left[i][j]);
        matrix->left[i][j] -= step->bytes[i];
        matrix->messages -= matrix->left[i][j] == 0;
    }
}

static void check_steps(const struct nuce_pattern *pattern, const struct nuce_schedule *schedule,
                        const struct nuce_tuning *tuning)
{
    struct matrix matrix = {.ranks = pattern->ranks};
    int64_t all = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (pattern->destination[k] == i)
                continue; /* no wire */
            matrix.left[i][pattern->destination[k]] = pattern->bytes[k];
            all++;
        }
    }
    matrix.messages = all;
    for (int phase = 0; phase < schedule->phases; phase++) {
        struct step step;

        read_step(schedule, &matrix, phase, &step);
        check_step(&matrix, &step, all, tuning);
    }
    assert_int_equal(matrix.messages, 0);
}

/* Random sizes and degrees, messages to oneself too; every third has few rows that send. */
static void draw_any(int ranks, uint64_t number, struct nuce_pattern *out)
{
    struct nuce_rng rng = nuce_rng_create(77, number);
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    double share = 0.3 + 0.7 * nuce_rng_uniform(&rng);
    uint64_t most = number % 2 ? 6 : 1000;
    int64_t count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if (number % 3 == 0 && k / ranks > ranks / 3)
            break;
        if (nuce_rng_uniform(&rng) < share)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks,
                                                      1 + (int64_t)nuce_rng_below(&rng, most)};
    }
    *out = make_pattern(ranks, messages, count);
}

static void test_rules(void **state)
{
    for (uint64_t number = 0; number < 120; number++) {
        static const int hundredths[] = {0, 0, 25, 56, 75, 85, 100};
        struct nuce_tuning tuning =
            make_tuning(1 + (double)(number % 5), hundredths[number % 7] / 100.0);
        OWNED(pattern) pattern;
        OWNED(schedule) schedule;

        draw_any(number < 20 ? 25 : 3 + (int)(number * 7 % 62), number, &pattern);
        schedule = create("rs-nh", &pattern, number, &tuning);
        check_steps(&pattern, &schedule, &tuning);
        nuce_schedule_fini(&schedule);
        tuning.lambda = 1;
        schedule = create("rs-nh-lambda1", &pattern, number, NULL);
        check_steps(&pattern, &schedule, &tuning);
        assert_int_equal(schedule.pieces, pattern.messages);
    }
}

static void assert_same(const struct nuce_schedule *a, const struct nuce_schedule *b, int64_t unit)
{
    assert_int_equal(a->phases, b->phases);
    assert_int_equal(a->pieces, b->pieces);
    for (int64_t k = 0; k < a->pieces; k++) {
        assert_int_equal(a->sends[k].peer, b->sends[k].peer);
        assert_int_equal(a->sends[k].phase, b->sends[k].phase);
        assert_int_equal(a->sends[k].offset * unit, b->sends[k].offset);
        assert_int_equal(a->sends[k].bytes * unit, b->sends[k].bytes);
    }
}

/* Sizes in another unit give the same schedule in that unit. */
static void test_units(void **state)
{
    static const int64_t units[] = {3, 10, 4096, INT64_C(1) << 40};

    for (int i = 0; i < 4; i++) {
        struct nuce_tuning tuning = make_tuning((double)units[i], 0);
        OWNED(pattern) pattern = draw_set(UNIFORM_16, (uint64_t)i, 1);
        OWNED(pattern) scaled = draw_set(UNIFORM_16, (uint64_t)i, units[i]);
        OWNED(schedule) a = create("rs-nh", &pattern, 5, NULL);
        OWNED(schedule) b = create("rs-nh", &scaled, 5, &tuning);

        assert_true(a.pieces > pattern.messages);
        assert_same(&a, &b, units[i]);
    }
}

/* rs-nh-fixed is the best of the fractions that it notes; a given lambda is rs-nh's. */
static void test_fixed(void **state)
{
    static const char *const names[] = {"lambda 0.75", "lambda 0.875", "lambda 0.9375",
                                        "lambda 0.96875", "lambda 1"};
    static const double lambdas[] = {0.75, 0.875, 0.9375, 0.96875, 1};
    struct nuce_tuning tuning = make_tuning(4096, 0);
    OWNED(schedule) best;
    struct nuce_schedule one, other;
    struct nuce_network network;
    double makespan;
    OWNED(pattern) pattern = draw_set(UNIFORM_8, 3, 4096);

    assert_ok(nuce_network_preset("cm5", RANKS, &network, ANY_ERROR));
    best = create("rs-nh-fixed", &pattern, 9, &tuning);
    assert_int_equal(best.candidates, 5);
    for (int i = 0; i < 5; i++) {
        tuning.lambda = lambdas[i];
        one = create("rs-nh", &pattern, 9, &tuning);
        other = create("rs-nh-fixed", &pattern, 9, &tuning);
        assert_same(&one, &other, 1);
        assert_int_equal(other.candidates, 1);
        assert_string_equal(other.candidate[0].name, names[i]);
        assert_string_equal(best.candidate[i].name, names[i]);
        assert_int_equal(best.candidate[i].phases, one.phases);
        assert_int_equal(best.candidate[i].pieces, one.pieces);
        makespan = makespan_of(&one, &network, NUCE_LOOSE);
        assert_float_equal(best.candidate[i].makespan, makespan, 0);
        assert_true(best.candidate[best.chosen].makespan <= makespan);
        if (i == best.chosen)
            assert_same(&one, &best, 1);
        nuce_schedule_fini(&one);
        nuce_schedule_fini(&other);
    }
}

/* With nothing to split all lambdas tie; the largest is chosen. */
static void test_fixed_tie(void **state)
{
    OWNED(pattern) pattern = pattern_of(3, "0>1:5 1>2:5 2>0:5");
    OWNED(schedule) schedule = create("rs-nh-fixed", &pattern, 1, NULL);

    assert_int_equal(schedule.phases, 1);
    assert_int_equal(schedule.chosen, 4);
}

/* One row of four: sorted once, a taken entry is replaced by the last; a heap keeps the order. */
static void test_order(void **state)
{
    static const int64_t sorted[] = {40, 10, 20, 30}, heap[] = {40, 30, 20, 10};
    OWNED(pattern) pattern = pattern_of(5, "0>1:20 0>2:40 0>3:10 0>4:30");
    OWNED(schedule) a = create("rs-n-sort", &pattern, 1, NULL);
    OWNED(schedule) b = create("rs-nh-lambda1", &pattern, 1, NULL);

    for (int k = 0; k < 4; k++) {
        assert_int_equal(a.sends[k].bytes, sorted[k]);
        assert_int_equal(b.sends[k].bytes, heap[k]);
    }
    assert_true(a.costs.sort_s >= 0 && isnan(a.costs.heap_s));
    assert_true(b.costs.heap_s >= 0 && isnan(b.costs.sort_s));
    assert_int_equal(a.costs.heap_operations, 0);
    assert_int_equal(b.costs.heap_operations, 4);
}

/* Heap operations a rank at lambda = 1: about 1.3 to 1.5 d ln d (the paper's figure 10). */
static void test_heap_operations(void **state)
{
    double operations = 0;

    for (uint64_t instance = 0; instance < 10; instance++) {
        OWNED(pattern) pattern = draw_set(UNIFORM_16, instance, 1);
        OWNED(schedule) schedule = create("rs-nh-lambda1", &pattern, instance, NULL);

        operations += (double)schedule.costs.heap_operations / RANKS / 10;
    }
    assert_true(operations > 1.2 * 16 * log(16) && operations < 1.6 * 16 * log(16));
}

/* A small lambda and one row of small messages would cut the others ever finer: ten pieces a
 * message here, more with more ranks. */
static void test_pieces_are_bounded(void **state)
{
    struct nuce_message messages[128 * 128];
    struct nuce_tuning tuning = make_tuning(1, 0.01);
    OWNED(pattern) pattern;
    OWNED(schedule) schedule;
    int64_t count = 0;

    for (int k = 0; k < 128 * 128; k++) {
        if (k / 128 != k % 128)
            messages[count++] = (struct nuce_message){
                k / 128, k % 128, (k < 128 ? 1 : INT64_C(1) << 40) + k * 7919 % 1000};
    }
    pattern = make_pattern(128, messages, count);
    schedule = create("rs-nh", &pattern, 1, &tuning);
    assert_true(schedule.pieces > 8 * count);
    assert_true(schedule.pieces <= 9 * count + 128);
}

/* Sizes up to 2^62 bytes do not overflow. */
static void test_huge(void **state)
{
    static const char *const names[] = {"rs-n-sort", "rs-nh", "rs-nh-fixed", "rs-nh-lambda1"};
    struct nuce_message messages[64];
    OWNED(pattern) pattern;

    for (int k = 0; k < 64; k++)
        messages[k] = (struct nuce_message){k / 8, k % 8, k == 9 ? INT64_C(1) << 62 : 1 + k};
    pattern = make_pattern(8, messages, 64);
    for (int i = 0; i < 4; i++) {
        OWNED(schedule) schedule = create(names[i], &pattern, 3, NULL);
    }
}

/* Another seed is another schedule. */
static void test_rs_n_seed(void **state)
{
    OWNED(pattern) pattern = draw_set(UNIFORM_16, 1, 1);
    OWNED(schedule) a = create("rs-n", &pattern, 1, NULL);
    OWNED(schedule) b = create("rs-n", &pattern, 2, NULL);

    assert_memory_not_equal(a.sends, b.sends, (size_t)a.pieces * sizeof *a.sends);
}

/* Where all send to rank 0 the first row from the random start on goes first: row 1 for a start at
 * 0 or 1, row i for a start at i. */
static void test_rs_n_start(void **state)
{
    struct nuce_message incast[7];
    OWNED(pattern) pattern;
    int first[8] = {0};

    for (int i = 1; i < 8; i++)
        incast[i - 1] = (struct nuce_message){i, 0, 1};
    pattern = make_pattern(8, incast, 7);
    for (uint64_t seed = 0; seed < 8000; seed++) {
        OWNED(schedule) schedule = create("rs-n", &pattern, seed, NULL);

        assert_int_equal(schedule.phases, 7);
        first[schedule.receives[0].peer]++;
    }
    assert_in_range(first[1], 1850, 2150);
    for (int i = 2; i < 8; i++)
        assert_in_range(first[i], 850, 1150);
}

RUN(test_phases, test_fixed_phases, test_rules, test_units, test_fixed, test_fixed_tie, test_order,
    test_heap_operations, test_pieces_are_bounded, test_huge, test_rs_n_seed, test_rs_n_start)
