#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/range.h"
#include "base/units.h"

static const struct good {
    const char *text;
    nuce_quantity_read *read;
    double low, high;
} good_inputs[] = {
    {"10e6..200e6", nuce_units_parse_bandwidth, 10e6, 200e6},
    {"10MB..0.2GB", nuce_units_parse_bandwidth, 10e6, 200e6},
    {"1MiB", nuce_units_parse_bandwidth, 1048576, 1048576},
    {"10us..50us", nuce_units_parse_duration, 10e-6, 50e-6},
    {" 0 .. 1ms ", nuce_units_parse_duration, 0, 1e-3},
    {"0", nuce_units_parse_duration, 0, 0},
    {"-2..-1", nuce_units_parse_real, -2, -1},
    {"3..3", nuce_units_parse_real, 3, 3},
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_inputs / sizeof *good_inputs; i++) {
        const struct good *good = &good_inputs[i];
        struct nuce_range range = {-7, -7};
        struct nuce_error error;

        assert_int_equal(nuce_range_parse(good->text, good->read, &range, &error), NUCE_OK);
        assert_true(fabs(range.low - good->low) <= 1e-15 * fabs(good->low));
        assert_true(fabs(range.high - good->high) <= 1e-15 * fabs(good->high));
    }
}

static const struct bad {
    const char *text;
    nuce_quantity_read *read;
    const char *message;
} bad_inputs[] = {
    {"200e6..10e6", nuce_units_parse_bandwidth,
     "'200e6..10e6': the first is above the second: expected LOW..HIGH"},
    {"0..10e6", nuce_units_parse_bandwidth,
     "'0..10e6': '0': expected more than 0 bytes per second, such as 125e6 or 125MB"},
    {"-1", nuce_units_parse_bandwidth,
     "'-1': expected more than 0 bytes per second, such as 125e6 or 125MB"},
    {"1..", nuce_units_parse_real, "'1..': '': expected a number"},
    {"..1", nuce_units_parse_real, "'..1': '': expected a number"},
    {"..", nuce_units_parse_real, "'..': '': expected a number"},
    {"1..2..3", nuce_units_parse_real, "'1..2..3': '2..3': expected a number"},
    {"1-2", nuce_units_parse_real, "'1-2': expected a number"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_inputs / sizeof *bad_inputs; i++) {
        const struct bad *bad = &bad_inputs[i];
        struct nuce_range range = {-7, -7};
        struct nuce_error error;

        assert_int_equal(nuce_range_parse(bad->text, bad->read, &range, &error), NUCE_BAD_INPUT);
        assert_string_equal(error.message, bad->message);
        assert_true(range.low < -6 && range.high < -6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
