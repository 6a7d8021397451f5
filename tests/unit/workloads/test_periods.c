/* Lists of numbers, and speeds that change during a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"

static void test_read(void **state)
{
    static const double wanted[] = {0.5, 1, 2e-3, 4e20};
    double numbers[5] = {0, 0, 0, 0, 7};
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_stencil_list_read("weights", "0.5,1,2e-3,4e20", 4, numbers, &error),
                     NUCE_OK);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(numbers[i] / wanted[i] - 1) < 1e-15);
    assert_true(fabs(numbers[4] - 7) <= 0);
    assert_int_equal(nuce_stencil_list_read("weights", "3", 1, NULL, &error), NUCE_OK);
}

static void test_bad_lists(void **state)
{
    static const struct {
        const char *list, *says;
    } cases[] = {
        {"1,2,3", "'1,2,3': 3 numbers: expected one for each of 4 ranks"},
        {"1", "'1': 1 number: expected one for each of 4 ranks"},
        {"1,2,3,4,5", "5 numbers"},
        {"1,2,0,4", "number 3 of 4: '0': expected a number above 0"},
        {"1,-2,3,4", "number 2 of 4: '-2': expected a number above 0"},
        {"1,2,3,inf", "number 4 of 4"},
        {"nan,2,3,4", "number 1 of 4"},
        {"1,2,,4", "number 3 of 4"},
        {"1,2,3,", "number 4 of 4"},
        {"", "number 1 of 1"},
        {"1,2,3x,4", "number 3 of 4"},
    };
    struct nuce_error error = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(nuce_stencil_list_read("speeds", cases[i].list, 4, NULL, &error),
                         NUCE_BAD_INPUT);
        assert_string_equal(error.subject, "speeds");
        if (strstr(error.message, cases[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", error.message, cases[i].says);
    }
}

static void check_normal(const char *given, const char *wanted)
{
    char list[NUCE_PATH_BYTES];
    struct nuce_error error;

    strcpy(list, given);
    assert_int_equal(nuce_stencil_list_normalise("weights", list, sizeof list, &error), NUCE_OK);
    assert_string_equal(list, wanted);
}

static void test_normalise(void **state)
{
    (void)state;
    check_normal("1", "1");
    check_normal("0.50,1.0, 2,4e0", "0.5,1,2,4");
    check_normal("0.1,1e3,1e-7,123456789012345", "0.1,1000,1e-07,123456789012345");
    check_normal(".3333333333333333", "0.33333333333333331");
}

/* Any number survives, however briefly it is written; and a list once normal stays so. */
static void test_numbers_survive(void **state)
{
    struct nuce_rng rng = nuce_rng_create(8, 0);

    (void)state;
    for (int draw = 0; draw < 2000; draw++) {
        char list[NUCE_PATH_BYTES], again[NUCE_PATH_BYTES];
        double given = ldexp(0.5 + nuce_rng_uniform(&rng), (int)nuce_rng_below(&rng, 200) - 100);
        struct nuce_error error;
        double read;

        snprintf(list, sizeof list, "%.17g", given);
        assert_int_equal(nuce_stencil_list_normalise("weights", list, sizeof list, &error),
                         NUCE_OK);
        assert_int_equal(nuce_stencil_list_read("weights", list, 1, &read, &error), NUCE_OK);
        assert_true(fabs(read - given) <= 0);
        strcpy(again, list);
        assert_int_equal(nuce_stencil_list_normalise("weights", again, sizeof again, &error),
                         NUCE_OK);
        assert_string_equal(again, list);
    }
}

/* A list that is short as given, and has no room once its numbers are written in full. */
static void test_no_room(void **state)
{
    char list[NUCE_PATH_BYTES] = "";
    struct nuce_error error;

    (void)state;
    for (int i = 0; strlen(list) + 20 < sizeof list; i++)
        strcat(list, i == 0 ? ".3333333333333333" : ",.3333333333333333");
    assert_int_equal(nuce_stencil_list_normalise("weights", list, sizeof list, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "weights");
    assert_non_null(strstr(error.message, "longer than 1023 bytes"));
}

/* A run of 100 iterations on two ranks. */
static struct nuce_stencil_params params_of(const char *speeds, const char *after)
{
    struct nuce_stencil_params params = {
        .iterations = 100, .look_every = 10, .rebalance = NUCE_REBALANCE_NEVER};

    strcpy(params.emulate_speeds, speeds);
    strcpy(params.speeds_after, after);
    return params;
}

/* The fastest of all times does no extra work; others repeat theirs so often that they are as slow
 * as they are to be. */
static void test_extra(void **state)
{
    static const double wanted[3][2] = {{3, 1}, {0, 7}, {7, 0}};
    struct nuce_stencil_params params = params_of("2,4", "10:8,1/99:1,8");
    struct nuce_speed_periods periods;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_speed_periods_init(&params, 2, &periods, &error), NUCE_OK);
    assert_int_equal(periods.count, 3);
    assert_int_equal(periods.from[0], 0);
    assert_int_equal(periods.from[1], 10);
    assert_int_equal(periods.from[2], 99);
    for (int period = 0; period < 3; period++) {
        for (int rank = 0; rank < 2; rank++)
            assert_true(fabs(nuce_speed_periods_extra(&periods, period, rank, 2) -
                             wanted[period][rank]) < 1e-12);
    }
    nuce_speed_periods_fini(&periods);
    nuce_speed_periods_fini(&periods);
}

static void test_one_period(void **state)
{
    struct nuce_stencil_params params = params_of("", "");
    struct nuce_speed_periods periods;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_speed_periods_init(&params, 3, &periods, &error), NUCE_OK);
    assert_int_equal(periods.count, 1);
    for (int rank = 0; rank < 3; rank++)
        assert_true(fabs(nuce_speed_periods_extra(&periods, 0, rank, 3)) <= 0);
    nuce_speed_periods_fini(&periods);
}

/* Written as briefly as can be; speeds that change begin equal where nothing else is said. */
static void test_complete(void **state)
{
    struct nuce_stencil_params params = params_of("", "1e1: 2.0,1/0.05K:1,2e0");
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_stencil_periods_complete(&params, 2, &error), NUCE_OK);
    assert_string_equal(params.emulate_speeds, "1,1");
    assert_string_equal(params.speeds_after, "10:2,1/50:1,2");
}

static void check_refused(struct nuce_stencil_params params, const char *subject, const char *says)
{
    struct nuce_error error = {0};

    assert_int_equal(nuce_stencil_periods_complete(&params, 2, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, subject);
    if (strstr(error.message, says) == NULL)
        fail_msg("'%s' does not say '%s'", error.message, says);
}

static void test_bad_periods(void **state)
{
    (void)state;
    check_refused(params_of("", "10"), "speeds-after", "'10': expected ITERATION:LIST");
    check_refused(params_of("", "x:1,2"), "speeds-after", "x");
    check_refused(params_of("", "10:1"), "speeds-after", "'1': 1 number");
    check_refused(params_of("", "10:1,2,3"), "speeds-after", "3 numbers");
    check_refused(params_of("", "0:1,2"), "speeds-after", "'0': expected iterations that ascend");
    check_refused(params_of("", "10:1,2/10:2,1"), "speeds-after", "'10': expected iterations that");
    check_refused(params_of("", "100:1,2"), "speeds-after",
                  "'100': expected iterations that ascend, from 1 to one less than the 100");
    check_refused(params_of("1,2,3", ""), "emulate-speeds", "3 numbers");
}

static struct nuce_stencil_params rebalanced(const char *when, const char *after, int64_t every)
{
    struct nuce_stencil_params params = params_of("", after);

    strcpy(params.rebalance, when);
    params.look_every = every;
    return params;
}

/* After a change at iteration 41 the first look that sees nothing of before is at 60: the one at
 * 50 still measures nine old iterations. */
static void test_rebalance(void **state)
{
    struct nuce_stencil_params params = rebalanced(NUCE_REBALANCE_AFTER_CHANGE, "41:1,2", 10);
    struct nuce_error error;

    (void)state;
    params.iterations = 61;
    assert_int_equal(nuce_stencil_periods_complete(&params, 2, &error), NUCE_OK);
    params.iterations = 60;
    check_refused(params, "iterations", "'60': expected more than 60");
    check_refused(rebalanced(NUCE_REBALANCE_AFTER_CHANGE, "", 10), "rebalance",
                  "expected speeds that change: speeds-after");
    check_refused(rebalanced(NUCE_REBALANCE_EVERY_LOOK, "", 100), "look-every",
                  "'100': expected less than the 100 iterations");
    params = rebalanced(NUCE_REBALANCE_WHEN_IT_PAYS, "", 10);
    assert_int_equal(nuce_stencil_periods_complete(&params, 2, &error), NUCE_OK);
    params.allow_empty = 1;
    check_refused(params, "allow-empty", "not with rebalance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),        cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_normalise),   cmocka_unit_test(test_numbers_survive),
        cmocka_unit_test(test_no_room),     cmocka_unit_test(test_extra),
        cmocka_unit_test(test_one_period),  cmocka_unit_test(test_complete),
        cmocka_unit_test(test_bad_periods), cmocka_unit_test(test_rebalance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
