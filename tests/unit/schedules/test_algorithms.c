/* Schedules that order whole messages: lp, those that leave the order to others, direct with its
 * steps both ways, phases by edge colouring and by size, and best, which chooses among all. */
#include "base/text.h"
#include "cases.h"

/* Everyone to everyone, with or without messages to oneself. */
static struct nuce_pattern make_full(int ranks, int self)
{
    struct nuce_message messages[33 * 33];
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j || self)
                messages[count++] = (struct nuce_message){i, j, 1 + i};
        }
    }
    return make_pattern(ranks, messages, count);
}

static void test_registry(void **state)
{
    static const char *const names[] = {"ac",   "lp",        "lp-xor",   "lp-cyclic",
                                        "rs-n", "alltoallv", "neighbor", NULL};
    size_t count = 0;

    for (size_t i = 0; names[i] != NULL; i++)
        assert_non_null(nuce_schedule_find(names[i]));
    for (; nuce_schedules[count] != NULL; count++) {
        const struct nuce_schedule_ops *ops = nuce_schedules[count];

        assert_true(nuce_text_is_name(ops->name));
        assert_ptr_equal(nuce_schedule_find(ops->name), ops); /* no name twice */
        assert_true(strlen(ops->summary) > 0 && strlen(ops->source) > 0);
        assert_int_equal(ops->executor != NULL, ops->discipline == NUCE_DYNAMIC);
    }
    assert_true(count >= 7);
    assert_null(nuce_schedule_find("lp_xor"));
    assert_null(nuce_schedule_find(""));
}

/* Step k = 1 .. n - 1 is phase k - 1; messages to oneself are in phase 0. */
static void check_lp(int ranks, int self)
{
    OWNED(schedule) xor, cyclic;
    OWNED(pattern) pattern;
    int steps = 1;

    while (steps < ranks)
        steps *= 2;
    pattern = make_full(ranks, self);
    xor = create_schedule("lp-xor", &pattern, NULL);
    cyclic = create_schedule("lp-cyclic", &pattern, NULL);
    assert_int_equal(xor.phases, ranks > 1 ? steps - 1 : self);
    assert_int_equal(cyclic.phases, ranks > 1 ? ranks - 1 : self);
    for (int i = 0; i < ranks; i++) {
        for (int64_t k = xor.send_start[i]; k < xor.send_start[i + 1]; k++) {
            const struct nuce_transfer *a = &xor.sends[k], *b = &cyclic.sends[k];

            assert_int_equal(a->phase, a->peer == i ? 0 : (a->peer ^ i) - 1);
            assert_int_equal(b->phase, b->peer == i ? 0 : (b->peer - i + ranks) % ranks - 1);
        }
    }
}

static void test_lp(void **state)
{
    for (int ranks = 1; ranks <= 33; ranks++) {
        check_lp(ranks, 0);
        check_lp(ranks, 1);
    }
}

/* lp is xor at powers of two, which gets from 3 to 1 in step 2, else cyclic, which takes step 4 of
 * 6; the phases of the paper count though almost all are empty. */
static void test_lp_choice(void **state)
{
    static const struct choice {
        struct nuce_message one;
        int ranks, phases, phase;
    } choices[] = {{{0, 3, 1}, 32, 31, 2}, {{0, 3, 1}, 33, 32, 2}, {{0, 3, 1}, 4, 3, 2},
                   {{0, 3, 1}, 6, 5, 2},   {{3, 1, 1}, 8, 7, 1},   {{3, 1, 1}, 6, 5, 3}};

    for (size_t i = 0; i < COUNT(choices); i++) {
        OWNED(pattern) pattern = make_pattern(choices[i].ranks, &choices[i].one, 1);
        OWNED(schedule) schedule = create_schedule("lp", &pattern, NULL);

        assert_int_equal(schedule.phases, choices[i].phases);
        assert_int_equal(schedule.sends[0].phase, choices[i].phase);
    }
}

/* A schedule that leaves the order to others is one phase, whole messages, in the order of the
 * pattern. */
static void test_all_at_once(void **state)
{
    static const char *const names[] = {"ac", "alltoallv", "neighbor"};
    OWNED(pattern) pattern = make_full(5, 1);

    for (int i = 0; i < 3; i++) {
        OWNED(schedule) schedule = create_schedule(names[i], &pattern, NULL);

        assert_int_equal(schedule.phases, 1);
        assert_int_equal(schedule.pieces, 25);
        for (int k = 0; k < 25; k++) {
            assert_int_equal(schedule.sends[k].peer, k % 5);
            assert_int_equal(schedule.receives[k].peer, k % 5);
            assert_int_equal(schedule.receives[k].bytes, 1 + k % 5);
        }
    }
}

/* Most messages that a rank sends or receives without its message to itself; 1 where there are only
 * such. */
static int degree_of(const struct nuce_pattern *pattern)
{
    int received[CASE_RANKS] = {0}, degree = pattern->messages > 0;

    for (int i = 0; i < pattern->ranks; i++) {
        int sent = 0;

        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            sent += pattern->destination[k] != i;
            received[pattern->destination[k]] += pattern->destination[k] != i;
        }
        degree = sent > degree ? sent : degree;
    }
    for (int j = 0; j < pattern->ranks; j++)
        degree = received[j] > degree ? received[j] : degree;
    return degree;
}

static void test_colouring_phases(void **state)
{
    for (uint64_t instance = 0; instance < 500; instance++) {
        OWNED(pattern) pattern = draw_pattern(instance, 100);
        OWNED(schedule) schedule = create_schedule("colouring", &pattern, NULL);

        assert_int_equal(schedule.phases, degree_of(&pattern));
        assert_int_equal(schedule.pieces, pattern.messages);
    }
}

/* Messages of ranks to themselves need no wire: with two other messages per rank two phases do,
 * under each schedule that finds the two shifts. */
static void test_own_phases(void **state)
{
    static const char *const names[] = {"colouring", "lp", "lp-cyclic", "preemptive"};
    struct nuce_schedule schedule;
    OWNED(pattern) pattern = pattern_of(3, "0>0:5 0>1:5 0>2:5 1>0:5 1>1:5 1>2:5 2>0:5 2>1:5 2>2:5");

    for (size_t i = 0; i < COUNT(names); i++) {
        schedule = create_schedule(names[i], &pattern, NULL);
        assert_int_equal(schedule.phases, 2);
        nuce_schedule_fini(&schedule);
    }
}

/* The two long messages share a phase: the rest fills the others. */
static void test_colouring_sizes(void **state)
{
    OWNED(pattern) pattern = pattern_of(3, "0>1:1 0>2:100 1>0:100 1>2:1");
    OWNED(schedule) schedule = create_schedule("colouring", &pattern, NULL);

    assert_moves(&schedule, "0>2:100 1>0:100 | 0>1:1 1>2:1");
}

/* Rank 0 sends to all and receives from all, the others have two messages: a table of ranks x
 * phases would take gigabytes. */
static void test_hub(void **state)
{
    static const char *const names[] = {"colouring", "largest-first"};
    enum { RANKS = 20000 };
    struct nuce_message *messages = calloc(2 * RANKS, sizeof *messages);
    OWNED(pattern) pattern;

    assert_non_null(messages);
    for (int i = 1; i < RANKS; i++) {
        messages[2 * i - 2] = (struct nuce_message){0, i, i};
        messages[2 * i - 1] = (struct nuce_message){i, 0, RANKS - i};
    }
    pattern = make_pattern(RANKS, messages, 2 * (RANKS - 1));
    for (int i = 0; i < 2; i++) {
        OWNED(schedule) schedule = create_schedule(names[i], &pattern, NULL);

        assert_int_equal(schedule.phases, RANKS - 1);
    }
    free(messages);
}

static void test_largest_first(void **state)
{
    OWNED(pattern) pattern = pattern_of(3, "0>1:8 0>2:3 1>0:8 1>2:5 2>1:7");
    OWNED(schedule) schedule = create_schedule("largest-first", &pattern, NULL);

    assert_moves(&schedule, "0>1:8 1>0:8 | 1>2:5 2>1:7 | 0>2:3");
}

/* An independent implementation has 1.05, 1.08 and 1.02 with small messages (colouring), and
 * phases shorter than those of rs-nh with large ones but on the skewed set (largest-first). */
static void test_makespans(void **state)
{
    static const double at_most[] = {1.06, 1.08, 1.03};

    for (int set = 0; set < 3; set++) {
        double found = mean_ratio("colouring", set, 16);

        assert_in_range((int)(found * 1000), 1010, (int)(at_most[set] * 1000));
    }
    for (int set = 0; set < 2; set++)
        assert_true(mean_ratio("largest-first", set, 4096) < mean_ratio("rs-nh", set, 4096));
}

enum { MOST_RANKS = 24, MOST_FACTOR = 39 };

/* Blocks begin .. end - 1 of cyclic(x) -> cyclic(Kx), 10 bytes each: block b goes from rank b mod P
 * to rank (b div K) mod P. */
static struct nuce_pattern make_redistribution(int ranks, int factor, int begin, int end,
                                               int is_reverse)
{
    static int64_t bytes[MOST_RANKS * MOST_RANKS];
    static struct nuce_message messages[MOST_RANKS * MOST_RANKS];

    memset(bytes, 0, sizeof bytes);
    for (int b = begin; b < end; b++) {
        int from = b % ranks, to = b / factor % ranks;

        bytes[is_reverse ? to * ranks + from : from * ranks + to] += 10;
    }
    for (int k = 0; k < ranks * ranks; k++)
        messages[k] = (struct nuce_message){k / ranks, k % ranks, bytes[k]};
    return make_pattern(ranks, messages, ranks * ranks);
}

static nuce_status build_direct(const struct nuce_pattern *pattern, int64_t factor,
                                struct nuce_schedule *out, struct nuce_error *error)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 1)};

    tuning.factor = factor;
    return nuce_schedule_create(nuce_schedule_find("direct"), &input, out, error);
}

/* Builds it, valid (so each step is a partial permutation), with that many steps; step[s P + d] is
 * that of a message, or -1. */
static void check_direct(const struct nuce_pattern *pattern, int64_t factor, int steps, int *step)
{
    OWNED(schedule) schedule;
    struct nuce_error error = {0};

    if (build_direct(pattern, factor, &schedule, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    if (nuce_schedule_validate(&schedule, pattern, &error) != NUCE_OK)
        fail_msg("%d ranks, factor %d: %s", pattern->ranks, (int)factor, error.message);
    assert_int_equal(schedule.discipline, NUCE_LOCKSTEP);
    assert_int_equal(schedule.phases, steps);
    assert_int_equal(schedule.pieces, pattern->messages);
    for (int k = 0; k < pattern->ranks * pattern->ranks; k++)
        step[k] = -1;
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = schedule.send_start[i]; k < schedule.send_start[i + 1]; k++)
            step[i * pattern->ranks + schedule.sends[k].peer] = schedule.sends[k].phase;
    }
}

/* R_x(3, 4) of the paper: the receivers of ranks 0 .. 3 in each step. */
static void test_direct_paper(void **state)
{
    static const int receivers[3][4] = {{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    int step[16];
    OWNED(pattern) pattern = make_redistribution(4, 3, 0, 12, 0);

    check_direct(&pattern, 3, 3, step);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 4; i++)
            assert_int_equal(step[4 * i + receivers[s][i]], s);
    }
}

/* A rank of a whole period has a message in each of its steps. */
static void check_whole(int ranks, int factor, const int *step)
{
    for (int b = 0; b < ranks * factor && factor <= ranks; b++) {
        int period = ranks;

        while (period % factor != 0)
            period += ranks;
        assert_int_equal(step[b % ranks * ranks + b / factor % ranks], (b + b / period) % factor);
    }
    for (int k = 0; k < ranks * ranks && factor > ranks; k++)
        assert_true(step[k] >= 0);
}

/* The reverse has the same steps, where it is not a redistribution itself. */
static void check_reverse(int ranks, const int *forth, const int *back)
{
    int is_same = 1;

    for (int k = 0; k < ranks * ranks; k++)
        is_same &= forth[k] == back[k];
    for (int k = 0; k < ranks * ranks && !is_same; k++)
        assert_int_equal(forth[k], back[k % ranks * ranks + k / ranks]);
}

static void test_direct_all(void **state)
{
    int forth[MOST_RANKS * MOST_RANKS], back[MOST_RANKS * MOST_RANKS];

    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int factor = 1; factor <= MOST_FACTOR; factor++) {
            int steps = factor < ranks ? factor : ranks;
            OWNED(pattern) pattern = make_redistribution(ranks, factor, 0, ranks * factor, 0);
            OWNED(pattern) reverse = make_redistribution(ranks, factor, 0, ranks * factor, 1);

            check_direct(&pattern, 0, steps, forth);
            check_direct(&pattern, factor, steps, forth);
            check_whole(ranks, factor, forth);
            check_direct(&reverse, 0, steps, back);
            check_direct(&reverse, factor, steps, back);
            check_reverse(ranks, forth, back);
        }
    }
}

/* Arrays that end within a period: the remaining blocks keep their step. */
static void test_direct_partial(void **state)
{
    int whole[MOST_RANKS * MOST_RANKS], part[MOST_RANKS * MOST_RANKS];

    for (uint64_t instance = 0; instance < 2000; instance++) {
        struct nuce_rng rng = nuce_rng_create(4, instance);
        int ranks = 1 + (int)nuce_rng_below(&rng, MOST_RANKS);
        int factor = 1 + (int)nuce_rng_below(&rng, MOST_FACTOR);
        int blocks = (int)nuce_rng_below(&rng, (uint64_t)(ranks * factor) + 1);
        int steps = factor < ranks ? factor : ranks;
        OWNED(pattern) pattern = make_redistribution(ranks, factor, 0, ranks * factor, 0);

        check_direct(&pattern, factor, steps, whole);
        nuce_pattern_fini(&pattern);
        pattern = make_redistribution(ranks, factor, 0, blocks, 0);
        check_direct(&pattern, factor, steps, part);
        for (int k = 0; k < ranks * ranks; k++)
            assert_true(part[k] < 0 || part[k] == whole[k]);
    }
}

static void test_direct_misfits(void **state)
{
    struct nuce_schedule schedule;
    OWNED(pattern) pattern, lone = pattern_of(4, "0>3:10");
    struct nuce_error error = {0};

    pattern = make_redistribution(4, 3, 0, 12, 0);
    assert_int_equal(build_direct(&pattern, 2, &schedule, &error), NUCE_BAD_INPUT);
    assert_says(&error, "on 4 ranks with K = 2");
    assert_says(&error, "no message from rank 0 to rank 1");
    assert_says(&error, "colouring makes contention-free phases of any pattern");
    assert_int_equal(build_direct(&lone, 0, &schedule, &error), NUCE_BAD_INPUT);
    assert_says(&error, "no message from rank 0 to rank 3");
}

static nuce_status choose(const char *choices, int in_flight, const struct nuce_pattern *pattern,
                          struct nuce_schedule *out, struct nuce_error *error)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 1)};

    strcpy(tuning.choices, choices);
    tuning.in_flight = in_flight;
    return nuce_schedule_create(nuce_schedule_find("best"), &input, out, error);
}

static void check_same(const struct nuce_schedule *a, const struct nuce_schedule *b)
{
    assert_int_equal(a->pieces, b->pieces);
    assert_int_equal(a->phases, b->phases);
    assert_int_equal(a->discipline, b->discipline);
    assert_memory_equal(a->sends, b->sends, (size_t)a->pieces * sizeof *a->sends);
    assert_memory_equal(a->receives, b->receives, (size_t)a->pieces * sizeof *a->receives);
}

/* Small messages: colouring, in lockstep; large ones: preemptive, in streams. */
static void test_best_choice(void **state)
{
    static const char *const names[] = {"colouring", "preemptive"};
    static const int64_t units[] = {1, 65536};

    for (int i = 0; i < 2; i++) {
        OWNED(schedule) schedule, expected;
        OWNED(pattern) pattern = draw_set(1, 3, units[i]);

        assert_ok(choose("", 3, &pattern, &schedule, ANY_ERROR));
        assert_int_equal(schedule.candidates, 5);
        assert_string_equal(schedule.candidate[0].name, "colouring");
        assert_string_equal(schedule.candidate[4].name, "preemptive");
        assert_string_equal(schedule.candidate[schedule.chosen].name, names[i]);
        assert_int_equal(schedule.depth, i == 0 ? 1 : 3);
        for (int k = 0; k < 5; k++)
            assert_true(schedule.candidate[k].makespan >=
                        schedule.candidate[schedule.chosen].makespan);
        expected = create_schedule(names[i], &pattern, NULL);
        assert_int_equal(schedule.candidate[schedule.chosen].phases, expected.phases);
        assert_int_equal(schedule.candidate[schedule.chosen].pieces, expected.pieces);
        check_same(&schedule, &expected);
    }
}

/* direct takes the redistribution R(3, 4) and no lone message between two ranks, for which it is
 * passed over unless it was asked for. */
static void test_best_direct(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 0, 8}, {0, 1, 8}, {0, 2, 8}, {1, 0, 8}, {1, 1, 8}, {1, 3, 8}, {2, 0, 8},
        {2, 2, 8}, {2, 3, 8}, {3, 1, 8}, {3, 2, 8}, {3, 3, 8}, {0, 3, 8}};

    for (int lone = 0; lone < 2; lone++) {
        struct nuce_schedule schedule;
        struct nuce_error error = {0};
        OWNED(pattern) pattern = make_pattern(4, messages + 12 * lone, lone ? 1 : 12);

        assert_ok(choose("", 3, &pattern, &schedule, &error));
        assert_int_equal(schedule.candidates, 6 - lone);
        assert_string_equal(schedule.candidate[0].name, lone ? "colouring" : "direct");
        assert_int_equal(schedule.candidate[0].phases, lone ? 1 : 3);
        nuce_schedule_fini(&schedule);
        assert_int_equal(choose("greedy,direct", 3, &pattern, &schedule, &error),
                         lone ? NUCE_BAD_INPUT : NUCE_OK);
        if (lone)
            assert_says(&error, "best: direct: this pattern is no");
        else
            nuce_schedule_fini(&schedule);
    }
}

/* One that notes candidates itself: its own choice is the same as alone, and those of best stay. */
static void test_best_nested(void **state)
{
    OWNED(schedule) schedule, expected;
    OWNED(pattern) pattern = draw_set(0, 3, 16);

    assert_ok(choose("ac,rs-nh-fixed", 0, &pattern, &schedule, ANY_ERROR));
    expected = create_schedule("rs-nh-fixed", &pattern, NULL);
    assert_int_equal(schedule.candidates, 2);
    assert_int_equal(schedule.chosen, 1);
    assert_string_equal(schedule.candidate[1].name, "rs-nh-fixed");
    assert_true(expected.chosen > 0); /* else the first would do by chance */
    check_same(&schedule, &expected);
}

static void test_best_bad(void **state)
{
    static const struct {
        const char *choices, *named;
    } cases[] = {
        {"greedy,nonsense", "'nonsense' is not a schedule"},
        {"best", "'best' cannot choose itself"},
        {"greedy,alltoallv", "'alltoallv' finds its order while it runs"},
        {"greedy,", "'' is not a schedule"},
        {",greedy", "'' is not a schedule"},
        {"greedy, lpt", "' lpt' is not a schedule"},
        {"greedygreedygreedygreedygreedygreedygreedygreedygreedygreedygreedygreedy",
         "is not a schedule"},
    };
    OWNED(pattern) pattern = draw_set(0, 0, 1);

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        assert_int_equal(choose(cases[i].choices, 3, &pattern, &schedule, &error), NUCE_BAD_INPUT);
        assert_says(&error, cases[i].named);
        assert_says(&error, "expected names of schedules");
    }
}

RUN(test_registry, test_lp, test_lp_choice, test_all_at_once, test_colouring_phases,
    test_colouring_sizes, test_own_phases, test_hub, test_largest_first, test_makespans,
    test_direct_paper, test_direct_all, test_direct_partial, test_direct_misfits, test_best_choice,
    test_best_direct, test_best_nested, test_best_bad)
