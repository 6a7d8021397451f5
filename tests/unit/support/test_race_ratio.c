/* What launches say together, by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/race_ratio.h"

static void test_launches(void **state)
{
    static const double logarithms[] = {0.1, 0.2, 0.4};
    struct nuce_launches_mean found = nuce_race_over_launches(logarithms, 3);
    double error = sqrt(0.14 / 3 / 2 / 3);
    (void)state;

    assert_true(fabs(found.mean - 0.7 / 3) < 1e-12);
    assert_true(fabs(found.error - error) < 1e-12);
    assert_true(fabs(found.reach - 4.30265273 * error) < 1e-7);
}

static void test_one(void **state)
{
    static const double logarithm = 0.25;
    struct nuce_launches_mean found = nuce_race_over_launches(&logarithm, 1);

    (void)state;
    assert_true(found.mean == 0.25 && isnan(found.error) && isnan(found.reach));
}

/* Rounds without a time on one side, or with none, do not count. */
static void test_rounds(void **state)
{
    static const double reference[] = {1, 0, 2, 4, 5};
    double own[] = {2, 1, 6, NAN, 5};
    struct nuce_race_ratio found = nuce_race_ratio(own, reference, 5);

    (void)state;
    assert_int_equal(found.rounds, 3);
    assert_true(found.ratio == 2 && isnan(found.low));
}

/* Its whole interval to one side, and further off than the control reaches. */
static void test_side(void **state)
{
    (void)state;
    assert_int_equal(nuce_race_side(0.1, 0.09, 0), 1);
    assert_int_equal(nuce_race_side(-0.1, 0.09, 0), -1);
    assert_int_equal(nuce_race_side(0.1, 0.1, 0), 0);
    assert_int_equal(nuce_race_side(0.1, 0.02, 0.11), 0);
    assert_int_equal(nuce_race_side(-0.1, 0.02, 0.09), -1);
    assert_int_equal(nuce_race_side(0, 0, 0), 0);
}

/* 2.776 standard errors with one rival, 4.604 (99 %) with five. */
static void test_slower(void **state)
{
    (void)state;
    assert_true(nuce_race_is_slower(5, 0.278, 0.1, 1, 0));
    assert_false(nuce_race_is_slower(5, 0.277, 0.1, 1, 0));
    assert_true(nuce_race_is_slower(5, 0.461, 0.1, 5, 0));
    assert_false(nuce_race_is_slower(5, 0.460, 0.1, 5, 0));
    assert_false(nuce_race_is_slower(5, -0.9, 0.1, 1, 0));
    assert_false(nuce_race_is_slower(5, 0, 0, 1, 0));
    /* Beyond its own error, but not beyond the control's. */
    assert_true(nuce_race_is_slower(5, 0.03, 0.001, 1, 0.029));
    assert_false(nuce_race_is_slower(5, 0.03, 0.001, 1, 0.031));
}

/* As tables of the paired t test have it: an effect of 0.894 deviations takes 12 for a power of
 * 0.8. With less of a difference than the control reaches it takes until that has shrunk. */
static void test_needed(void **state)
{
    (void)state;
    assert_int_equal(nuce_race_launches_needed(5, 0.2, 0.1, 1, 0), 12);
    assert_int_equal(nuce_race_launches_needed(5, 2, 0.1, 1, 0), 5);
    assert_int_equal(nuce_race_launches_needed(5, 0.2, 0.001, 1, 0.4), 21);
    assert_true(nuce_race_launches_needed(5, 0.2, 0.1, 6, 0) > 12);
    assert_int_equal(nuce_race_launches_needed(5, 0.001, 0.1, 1, 0), 0);
    assert_int_equal(nuce_race_launches_needed(5, -0.2, 0.1, 1, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches), cmocka_unit_test(test_one),
        cmocka_unit_test(test_rounds),   cmocka_unit_test(test_slower),
        cmocka_unit_test(test_needed),   cmocka_unit_test(test_side),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
