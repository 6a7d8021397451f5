/* best: the choice, what is noted of it, and choices that are none. */
#include "cases.h"

static nuce_status choose(const char *choices, const struct nuce_pattern *pattern,
                          struct nuce_schedule *out, struct nuce_error *error)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 1)};

    strcpy(tuning.choices, choices);
    tuning.depth = 3;
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
static void test_choice(void **state)
{
    static const char *const names[] = {"colouring", "preemptive"};
    static const int64_t units[] = {1, 65536};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct nuce_schedule schedule, expected;
        struct nuce_pattern pattern;
        struct nuce_error error = {0};

        draw_set(1, 3, units[i], &pattern);
        assert_int_equal(choose("", &pattern, &schedule, &error), NUCE_OK);
        assert_int_equal(schedule.candidates, 5);
        assert_string_equal(schedule.candidate[0].name, "colouring");
        assert_string_equal(schedule.candidate[4].name, "preemptive");
        assert_string_equal(schedule.candidate[schedule.chosen].name, names[i]);
        assert_int_equal(schedule.depth, i == 0 ? 1 : 3);
        for (int k = 0; k < 5; k++)
            assert_true(schedule.candidate[k].makespan >=
                        schedule.candidate[schedule.chosen].makespan);
        create_schedule(names[i], &pattern, NULL, &expected);
        assert_int_equal(schedule.candidate[schedule.chosen].phases, expected.phases);
        assert_int_equal(schedule.candidate[schedule.chosen].pieces, expected.pieces);
        check_same(&schedule, &expected);
        nuce_schedule_fini(&schedule);
        nuce_schedule_fini(&expected);
        nuce_pattern_fini(&pattern);
    }
}

/* direct takes the redistribution R(3, 4) and no lone message between two ranks, for which it is
 * passed over unless it was asked for. */
static void test_direct(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 0, 8}, {0, 1, 8}, {0, 2, 8}, {1, 0, 8}, {1, 1, 8}, {1, 3, 8}, {2, 0, 8},
        {2, 2, 8}, {2, 3, 8}, {3, 1, 8}, {3, 2, 8}, {3, 3, 8}, {0, 3, 8}};

    (void)state;
    for (int lone = 0; lone < 2; lone++) {
        struct nuce_schedule schedule;
        struct nuce_pattern pattern;
        struct nuce_error error = {0};

        make_pattern(4, messages + 12 * lone, lone ? 1 : 12, &pattern);
        assert_int_equal(choose("", &pattern, &schedule, &error), NUCE_OK);
        assert_int_equal(schedule.candidates, 6 - lone);
        assert_string_equal(schedule.candidate[0].name, lone ? "colouring" : "direct");
        assert_int_equal(schedule.candidate[0].phases, lone ? 1 : 3);
        nuce_schedule_fini(&schedule);
        assert_int_equal(choose("greedy,direct", &pattern, &schedule, &error),
                         lone ? NUCE_BAD_INPUT : NUCE_OK);
        if (lone)
            assert_non_null(strstr(nuce_error_flatten(&error), "best: direct: this pattern is no"));
        else
            nuce_schedule_fini(&schedule);
        nuce_pattern_fini(&pattern);
    }
}

/* One that notes candidates itself: its own choice is the same as alone, and those of best stay. */
static void test_nested(void **state)
{
    struct nuce_schedule schedule, expected;
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    draw_set(0, 3, 16, &pattern);
    assert_int_equal(choose("ac,rs-nh-fixed", &pattern, &schedule, &error), NUCE_OK);
    create_schedule("rs-nh-fixed", &pattern, NULL, &expected);
    assert_int_equal(schedule.candidates, 2);
    assert_int_equal(schedule.chosen, 1);
    assert_string_equal(schedule.candidate[1].name, "rs-nh-fixed");
    assert_true(expected.chosen > 0); /* else the first would do by chance */
    check_same(&schedule, &expected);
    nuce_schedule_fini(&schedule);
    nuce_schedule_fini(&expected);
    nuce_pattern_fini(&pattern);
}

static void test_bad_choices(void **state)
{
    static const struct {
        const char *choices, *named;
    } cases[] = {
        {"greedy,nonsense", "'nonsense' is no schedule"},
        {"best", "'best' cannot choose itself"},
        {"greedy,alltoallv", "'alltoallv' finds its order while it runs"},
        {"greedy,", "'' is no schedule"},
        {",greedy", "'' is no schedule"},
        {"greedy, lpt", "' lpt' is no schedule"},
        {"greedygreedygreedygreedygreedygreedygreedygreedygreedygreedygreedygreedy",
         "is no schedule"},
    };
    struct nuce_pattern pattern;

    (void)state;
    draw_set(0, 0, 1, &pattern);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        assert_int_equal(choose(cases[i].choices, &pattern, &schedule, &error), NUCE_BAD_INPUT);
        assert_non_null(strstr(nuce_error_flatten(&error), cases[i].named));
        assert_non_null(strstr(nuce_error_flatten(&error), "expected names of schedules"));
    }
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_direct),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_bad_choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
