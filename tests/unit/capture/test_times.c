#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "capture/capture.h"
#include "capture/content.h"

static void test_none(void **state)
{
    struct nuce_capture_times times = {0};

    (void)state;
    assert_true(isnan(nuce_capture_times_mean(&times)));
    assert_true(isnan(nuce_capture_times_quantile(&times, 0.5)));
}

/* Quantiles of 1 .. 100 000 are within the width of a class, extremes and mean are exact. */
static void test_quantiles(void **state)
{
    struct nuce_capture_times times = {0};

    (void)state;
    for (int64_t ns = 1; ns <= 100000; ns++)
        nuce_capture_times_add(&times, ns);
    assert_true(nuce_capture_times_mean(&times) == 50000.5);
    assert_int_equal(times.least, 1);
    assert_int_equal(times.most, 100000);
    for (int percent = 5; percent <= 100; percent += 5) {
        double got = nuce_capture_times_quantile(&times, percent / 100.0);

        assert_true(fabs(got / (1000.0 * percent) - 1) < 0.14);
    }
    free(times.classes);
}

static void test_extremes(void **state)
{
    static const int64_t values[] = {-5, 0, 3, 4, 5, INT64_MAX};
    struct nuce_capture_times times = {0};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        nuce_capture_times_add(&times, values[i]);
    assert_int_equal(times.least, 0);
    assert_true(times.most == INT64_MAX);
    assert_true(nuce_capture_times_quantile(&times, 0.01) == 0);
    free(times.classes);
}

/* Codes ascend with times, without a gap, and give back what has as many digits. */
static void test_rounded(void **state)
{
    (void)state;
    for (int digits = 2; digits <= 3; digits++) {
        for (int64_t code = 0; code < 9000; code++) {
            double ns = nuce_capture_rounded_time(code, digits);

            assert_true(code == 0 || ns > nuce_capture_rounded_time(code - 1, digits));
            assert_int_equal(nuce_capture_rounded_code(ns, digits), code);
        }
    }
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(999.4, 3), 3) == 999);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(999.5, 3), 3) == 1000);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(123456, 3), 3) == 123000);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(123456, 2), 2) == 120000);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(-5, 3), 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_rounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
