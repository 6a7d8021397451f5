/* direct: the steps of the paper, both ways, and patterns that are no redistribution. */
#include "cases.h"

enum { MOST_RANKS = 24, MOST_FACTOR = 39 };

/* Blocks begin .. end - 1 of cyclic(x) -> cyclic(Kx), 10 bytes each: block b goes from rank b mod P
 * to rank (b div K) mod P. */
static void make_redistribution(int ranks, int factor, int begin, int end, int is_reverse,
                                struct nuce_pattern *out)
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
    make_pattern(ranks, messages, ranks * ranks, out);
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
    struct nuce_schedule schedule;
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
    nuce_schedule_fini(&schedule);
}

/* R_x(3, 4) of the paper: the receivers of ranks 0 .. 3 in each step. */
static void test_paper(void **state)
{
    static const int receivers[3][4] = {{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    struct nuce_pattern pattern;
    int step[16];

    (void)state;
    make_redistribution(4, 3, 0, 12, 0, &pattern);
    check_direct(&pattern, 3, 3, step);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 4; i++)
            assert_int_equal(step[4 * i + receivers[s][i]], s);
    }
    nuce_pattern_fini(&pattern);
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

static void test_all(void **state)
{
    int forth[MOST_RANKS * MOST_RANKS], back[MOST_RANKS * MOST_RANKS];

    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int factor = 1; factor <= MOST_FACTOR; factor++) {
            int steps = factor < ranks ? factor : ranks;
            struct nuce_pattern pattern, reverse;

            make_redistribution(ranks, factor, 0, ranks * factor, 0, &pattern);
            make_redistribution(ranks, factor, 0, ranks * factor, 1, &reverse);
            check_direct(&pattern, 0, steps, forth);
            check_direct(&pattern, factor, steps, forth);
            check_whole(ranks, factor, forth);
            check_direct(&reverse, 0, steps, back);
            check_direct(&reverse, factor, steps, back);
            check_reverse(ranks, forth, back);
            nuce_pattern_fini(&pattern);
            nuce_pattern_fini(&reverse);
        }
    }
}

/* Arrays that end within a period: what is there keeps its step. */
static void test_partial(void **state)
{
    int whole[MOST_RANKS * MOST_RANKS], part[MOST_RANKS * MOST_RANKS];

    (void)state;
    for (uint64_t instance = 0; instance < 2000; instance++) {
        struct nuce_rng rng = nuce_rng_create(4, instance);
        int ranks = 1 + (int)nuce_rng_below(&rng, MOST_RANKS);
        int factor = 1 + (int)nuce_rng_below(&rng, MOST_FACTOR);
        int blocks = (int)nuce_rng_below(&rng, (uint64_t)(ranks * factor) + 1);
        int steps = factor < ranks ? factor : ranks;
        struct nuce_pattern pattern;

        make_redistribution(ranks, factor, 0, ranks * factor, 0, &pattern);
        check_direct(&pattern, factor, steps, whole);
        nuce_pattern_fini(&pattern);
        make_redistribution(ranks, factor, 0, blocks, 0, &pattern);
        check_direct(&pattern, factor, steps, part);
        for (int k = 0; k < ranks * ranks; k++)
            assert_true(part[k] < 0 || part[k] == whole[k]);
        nuce_pattern_fini(&pattern);
    }
}

static void test_misfits(void **state)
{
    static const struct nuce_message one = {0, 3, 10};
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    make_redistribution(4, 3, 0, 12, 0, &pattern);
    assert_int_equal(build_direct(&pattern, 2, &schedule, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "on 4 ranks with K = 2"));
    assert_non_null(strstr(error.message, "no message from rank 0 to rank 1"));
    assert_non_null(strstr(error.message, "colouring makes contention-free phases of any pattern"));
    nuce_pattern_fini(&pattern);
    make_pattern(4, &one, 1, &pattern);
    assert_int_equal(build_direct(&pattern, 0, &schedule, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "no message from rank 0 to rank 3"));
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_misfits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
