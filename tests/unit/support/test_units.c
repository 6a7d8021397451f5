#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"

static void test_bytes(void **state)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } known[] = {
        {"0", 0},
        {"-0", 0},
        {"64", 64},
        {"16B", 16},
        {" 16 B ", 16},
        {"1kB", 1000},
        {"1KB", 1000},
        {"2MB", 2000000},
        {"3GB", INT64_C(3000000000)},
        {"4TB", INT64_C(4000000000000)},
        {"1KiB", 1024},
        {"4 KiB", 4096},
        {"2MiB", 2097152},
        {"2GiB", INT64_C(2147483648)},
        {"1TiB", INT64_C(1099511627776)},
        {"64K", 65536},
        {"64k", 65536},
        {"64Ki", 65536},
        {"1M", 1048576},
        {"1 Mi", 1048576},
        {"2G", INT64_C(2147483648)},
        {"1T", INT64_C(1099511627776)},
        {"64kB", 64000},
        {"0.5KiB", 512},
        {"4.35kB", 4350},
        {"1e6", 1000000},
        {"+7", 7},
        {"9007199254740991", INT64_C(9007199254740991)},
    };
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t bytes = -1;

        assert_int_equal(nuce_units_parse_bytes(known[i].text, &bytes, &error), NUCE_OK);
        assert_true(bytes == known[i].bytes);
    }
}

/* Each is refused with its value in the message, and leaves the output alone. */
static void test_bytes_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        " ",
        "B",
        "KiB",
        "-1",
        "1.5",
        "0.3KiB",
        "16b",
        "4Kb",
        "4KIB",
        "4KiBs",
        "0x10",
        "nan",
        "inf",
        "1e400",
        "1e-400",
        "1,5",
        "1 2",
        "9007199254740992",
        "9007199254740993",
        "9e15KiB",
        "--1",
        "+-1",
        "4K iB",
    };
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t bytes = -7;

        assert_int_equal(nuce_units_parse_bytes(wrong[i], &bytes, &error), NUCE_BAD_INPUT);
        assert_true(bytes == -7);
        assert_non_null(strstr(error.message, wrong[i]));
        assert_non_null(strstr(error.message, "expected a whole number of bytes"));
    }
}

static void test_count(void **state)
{
    static const struct {
        const char *text;
        int64_t count;
    } known[] = {
        {"1e6", 1000000},
        {"-12", -12},
        {" 3 ", 3},
        {"4M", 4000000},
        {"2k", 2000},
        {"2K", 2000},
        {"1.5 K", 1500},
        {"3G", INT64_C(3000000000)},
        {"4T", INT64_C(4000000000000)},
        {"1Ki", 1024},
        {"4Mi", 4194304},
        {"0.5Gi", 536870912},
        {"1Ti", INT64_C(1099511627776)},
        {"-1Ki", -1024},
    };
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t count = -7;

        assert_int_equal(nuce_units_parse_count(known[i].text, &count, &error), NUCE_OK);
        assert_true(count == known[i].count);
    }
}

static void test_count_refused(void **state)
{
    static const char *const wrong[] = {
        "",    "x",    "1.5", "3B", "1e-1", "0x1f", "nan",   "inf", "1e16",  "-1e300", "1e9999",
        "5 6", "1..2", "M",   "4m", "1KB",  "4KiB", "0.3Ki", "4MM", "9008T", "9e9999M"};
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t count = -7;

        assert_int_equal(nuce_units_parse_count(wrong[i], &count, &error), NUCE_BAD_INPUT);
        assert_true(count == -7);
        assert_non_null(strstr(error.message, wrong[i]));
        assert_non_null(strstr(error.message, "expected a whole number"));
    }
}

static void test_real(void **state)
{
    static const char *const wrong[] = {"",    ".",    "e5",    "0x1p3", "nan",
                                        "inf", "-inf", "1e999", "1s"};
    double real = 5;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_units_parse_real("-2.5e-3", &real, &error), NUCE_OK);
    assert_true(fabs(real + 0.0025) < 1e-18);
    assert_int_equal(nuce_units_parse_real(".5", &real, &error), NUCE_OK);
    assert_true(fabs(real - 0.5) < 1e-18);
    assert_int_equal(nuce_units_parse_real("-0", &real, &error), NUCE_OK);
    assert_true(!signbit(real)); /* 0 has one canonical form */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(nuce_units_parse_real(wrong[i], &real, &error), NUCE_BAD_INPUT);
        assert_non_null(strstr(error.message, "expected a number"));
    }
}

static void test_bandwidth(void **state)
{
    static const char *const wrong[] = {"",   "0",  "0MB", "-1",  "-1MB",
                                        "MB", "1m", "nan", "inf", "1e308GB"};
    double bandwidth = -7;
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(nuce_units_parse_bandwidth(wrong[i], &bandwidth, &error), NUCE_BAD_INPUT);
        assert_true(bandwidth < -6);
        assert_non_null(strstr(error.message, wrong[i]));
        assert_non_null(strstr(error.message, "expected more than 0 bytes per second"));
    }
    assert_int_equal(nuce_units_parse_bandwidth("1.5e6", &bandwidth, &error), NUCE_OK);
    assert_true(bandwidth == 1.5e6);
    assert_int_equal(nuce_units_parse_bandwidth("0.5", &bandwidth, &error), NUCE_OK);
    assert_true(bandwidth == 0.5);
    assert_int_equal(nuce_units_parse_bandwidth("10 MB", &bandwidth, &error), NUCE_OK);
    assert_true(bandwidth == 1e7);
    assert_int_equal(nuce_units_parse_bandwidth("2GiB", &bandwidth, &error), NUCE_OK);
    assert_true(bandwidth == 2147483648.0);
}

static void test_duration(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } known[] = {
        {"0", 0},         {"30", 30},          {"2ns", 2e-9},
        {"2us", 2e-6},    {"250ms", 0.25},     {"30s", 30},
        {"30 sec", 30},   {"2m", 120},         {"5min", 300},
        {"1.5h", 5400},   {"2d", 172800},      {"30:00", 1800},
        {"90:05", 5405},  {"01:00:00", 3600},  {"100:59:59", 363599},
        {"2-03", 183600}, {"2-03:04", 183840}, {"2-03:04:05", 183845},
    };
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double seconds = -1;

        assert_int_equal(nuce_units_parse_duration(known[i].text, &seconds, &error), NUCE_OK);
        assert_true(fabs(seconds - known[i].seconds) <= 1e-12 * known[i].seconds);
    }
}

static void test_duration_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        "s",
        "-1s",
        "1w",
        "1:60",
        "1:60:00",
        "1:2:3:4",
        "1-",
        "-1:00",
        "1:",
        ":30",
        "1-2:3:4:5",
        "nan",
        "inf",
        "1e308d",
        "0x10",
        "1:-5",
        "1: 5",
        "99999999999999999999:00",
        "1:00s",
    };
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double seconds = -7;

        assert_int_equal(nuce_units_parse_duration(wrong[i], &seconds, &error), NUCE_BAD_INPUT);
        assert_true(seconds < -6);
        assert_non_null(strstr(error.message, wrong[i]));
    }
}

/* What format writes, parse reads back to the same number. */
static void test_bytes_round_trip(void **state)
{
    static const int64_t sizes[] = {0,
                                    1,
                                    16,
                                    1000,
                                    1023,
                                    1024,
                                    1025,
                                    4096,
                                    3145728,
                                    1048577,
                                    1 << 30,
                                    INT64_C(3) << 40,
                                    INT64_C(9007199254740991)};
    char buffer[NUCE_UNITS_BYTES];
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t back = -1;

        assert_int_equal(
            nuce_units_parse_bytes(nuce_units_format_bytes(sizes[i], buffer), &back, &error),
            NUCE_OK);
        assert_true(back == sizes[i]);
    }
    assert_string_equal(nuce_units_format_bytes(4096, buffer), "4KiB");
    assert_string_equal(nuce_units_format_bytes(1000, buffer), "1000B");
    assert_string_equal(nuce_units_format_bytes(INT64_MAX, buffer), "9223372036854775807B");
}

static void test_format_size(void **state)
{
    static const struct {
        double bytes;
        const char *text;
    } known[] = {
        {0, "0B"},           {16, "16B"},        {2130.5, "2.08KiB"}, {1023.4, "1023B"},
        {1023.6, "1.00KiB"}, {25500, "24.9KiB"}, {3145728, "3MiB"},   {-1536, "-1.50KiB"},
        {0x1p50, "1024TiB"}, {NAN, "-"},
    };
    char buffer[NUCE_UNITS_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(nuce_units_format_size(known[i].bytes, buffer), known[i].text);
}

static void test_format_seconds(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } known[] = {
        {0, "0.00ns"},      {1.234e-9, "1.23ns"}, {1.234e-6, "1.23us"}, {45.64e-3, "45.6ms"},
        {0.9996, "1.00s"},  {9.996, "10.0s"},     {99.96, "100s"},      {7.89, "7.89s"},
        {7380, "2h03m"},    {-0.002, "-2.00ms"},  {-7380, "-2h03m"},    {NAN, "-"},
        {1e300, "1e+300s"}, {INFINITY, "infs"},
    };
    char buffer[NUCE_UNITS_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(nuce_units_format_seconds(known[i].seconds, buffer), known[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bytes_refused),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_count_refused),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_bandwidth),
        cmocka_unit_test(test_duration),
        cmocka_unit_test(test_duration_refused),
        cmocka_unit_test(test_bytes_round_trip),
        cmocka_unit_test(test_format_size),
        cmocka_unit_test(test_format_seconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
