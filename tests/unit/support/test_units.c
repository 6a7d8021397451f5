/* Sizes, counts, numbers, rates, durations, and ranges of them: read, refused and written. */
#include "../test.h"

#include <stdlib.h>

#include "base/range.h"
#include "base/units.h"

enum kind { BYTES, COUNT_OF, REAL, BANDWIDTH, DURATION };

static nuce_status parse(enum kind kind, const char *text, double *out, struct nuce_error *error)
{
    nuce_quantity_read *const reads[] = {[REAL] = nuce_units_parse_real,
                                         [BANDWIDTH] = nuce_units_parse_bandwidth,
                                         [DURATION] = nuce_units_parse_duration};
    int64_t whole;
    nuce_status status;

    if (kind >= REAL)
        return reads[kind](text, out, error);
    status = kind == BYTES ? nuce_units_parse_bytes(text, &whole, error)
                           : nuce_units_parse_count(text, &whole, error);
    if (status == NUCE_OK)
        *out = (double)whole;
    return status;
}

/* Texts and their values, bars between them. */
static void test_read(void **state)
{
    static const char *const good[] = {
        [BYTES] = "0=0|-0=0|64=64|16B=16| 16 B =16|1kB=1000|1KB=1000|2MB=2000000|3GB=3000000000.0|"
                  "4TB=4000000000000.0|1KiB=1024|4 KiB=4096|2MiB=2097152|2GiB=2147483648.0|"
                  "1TiB=1099511627776.0|64K=65536|64k=65536|64Ki=65536|1M=1048576|1 Mi=1048576|"
                  "2G=2147483648.0|1T=1099511627776.0|64kB=64000|0.5KiB=512|4.35kB=4350|"
                  "1e6=1000000|+7=7|9007199254740991=9007199254740991.0",
        [COUNT_OF] = "1e6=1000000|-12=-12| 3 =3|4M=4000000|2k=2000|2K=2000|1.5 K=1500|"
                     "3G=3000000000.0|4T=4000000000000.0|1Ki=1024|4Mi=4194304|0.5Gi=536870912|"
                     "1Ti=1099511627776.0|-1Ki=-1024",
        [REAL] = "-2.5e-3=-0.0025|.5=0.5|-0=0",
        [BANDWIDTH] = "1.5e6=1.5e6|0.5=0.5|10 MB=1e7|2GiB=2147483648.0",
        [DURATION] = "0=0|30=30|2ns=2e-9|2us=2e-6|250ms=0.25|30s=30|30 sec=30|2m=120|5min=300|"
                     "1.5h=5400|2d=172800|30:00=1800|90:05=5405|01:00:00=3600|100:59:59=363599|"
                     "2-03=183600|2-03:04=183840|2-03:04:05=183845",
    };

    for (int kind = BYTES; kind <= DURATION; kind++) {
        char *copy = strdup(good[kind]), *rest = copy, *text;

        while ((text = strsep(&rest, "|")) != NULL) {
            const char *given = strsep(&text, "=");
            double value = -7, wanted = strtod(text, NULL);

            assert_ok(parse((enum kind)kind, given, &value, ANY_ERROR));
            assert_near(value, wanted, 1e-12 * fabs(wanted));
            assert_false(value == 0 && signbit(value)); /* 0 has one canonical form */
        }
        free(copy);
    }
}

/* Each is refused with its value in the message, and leaves the output alone. */
static void test_refused(void **state)
{
    static const char *const expected[] = {[BYTES] = "expected a whole number of bytes",
                                           [COUNT_OF] = "expected a whole number",
                                           [REAL] = "expected a number",
                                           [BANDWIDTH] = "expected more than 0 bytes per second",
                                           [DURATION] = "expected a duration"};
    static const char *const wrong[] = {
        [BYTES] = "| |B|KiB|-1|1.5|0.3KiB|16b|4Kb|4KIB|4KiBs|0x10|nan|inf|1e400|1e-400|1,5|1 2|"
                  "9007199254740992|9007199254740993|9e15KiB|--1|+-1|4K iB",
        [COUNT_OF] = "|x|1.5|3B|1e-1|0x1f|nan|inf|1e16|-1e300|1e9999|5 6|1..2|M|4m|1KB|4KiB|0.3Ki|"
                     "4MM|9008T|9e9999M",
        [REAL] = "|.|e5|0x1p3|nan|inf|-inf|1e999|1s",
        [BANDWIDTH] = "|0|0MB|-1|-1MB|MB|1m|nan|inf|1e308GB",
        [DURATION] = "|s|-1s|1w|1:60|1:60:00|1:2:3:4|1-|-1:00|1:|:30|1-2:3:4:5|nan|inf|1e308d|"
                     "0x10|1:-5|1: 5|99999999999999999999:00|1:00s",
    };

    for (int kind = BYTES; kind <= DURATION; kind++) {
        char *copy = strdup(wrong[kind]), *rest = copy, *text;

        while ((text = strsep(&rest, "|")) != NULL) {
            struct nuce_error error;
            double value = -7;

            assert_int_equal(parse((enum kind)kind, text, &value, &error), NUCE_BAD_INPUT);
            assert_true(value < -6);
            assert_says(&error, text);
            assert_says(&error, expected[kind]);
        }
        free(copy);
    }
}

/* Parsing reads a formatted size back to the same number. */
static void test_bytes_round_trip(void **state)
{
    static const double sizes[] = {0,    1,       16,      1000,    1023,   1024,      1025,
                                   4096, 3145728, 1048577, 1 << 30, 0x3p40, 0x1p53 - 1};
    char buffer[NUCE_UNITS_BYTES];

    for (size_t i = 0; i < COUNT(sizes); i++) {
        int64_t back = -1;

        assert_ok(nuce_units_parse_bytes(nuce_units_format_bytes((int64_t)sizes[i], buffer), &back,
                                         ANY_ERROR));
        assert_near((double)back, sizes[i], 0);
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

    for (size_t i = 0; i < COUNT(known); i++)
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

    for (size_t i = 0; i < COUNT(known); i++)
        assert_string_equal(nuce_units_format_seconds(known[i].seconds, buffer), known[i].text);
}

/* Ranges: their values, or their error message. */
static void test_range(void **state)
{
    static const struct {
        const char *text;
        nuce_quantity_read *read;
        double low, high;
        const char *message;
    } cases[] = {
        {"10e6..200e6", nuce_units_parse_bandwidth, 10e6, 200e6, NULL},
        {"10MB..0.2GB", nuce_units_parse_bandwidth, 10e6, 200e6, NULL},
        {"1MiB", nuce_units_parse_bandwidth, 1048576, 1048576, NULL},
        {"10us..50us", nuce_units_parse_duration, 10e-6, 50e-6, NULL},
        {" 0 .. 1ms ", nuce_units_parse_duration, 0, 1e-3, NULL},
        {"0", nuce_units_parse_duration, 0, 0, NULL},
        {"-2..-1", nuce_units_parse_real, -2, -1, NULL},
        {"3..3", nuce_units_parse_real, 3, 3, NULL},
        {"200e6..10e6", nuce_units_parse_bandwidth, -7, -7,
         "'200e6..10e6': the first is above the second: expected LOW..HIGH"},
        {"0..10e6", nuce_units_parse_bandwidth, -7, -7,
         "'0..10e6': '0': expected more than 0 bytes per second, such as 125e6 or 125MB"},
        {"-1", nuce_units_parse_bandwidth, -7, -7,
         "'-1': expected more than 0 bytes per second, such as 125e6 or 125MB"},
        {"1..", nuce_units_parse_real, -7, -7, "'1..': '': expected a number"},
        {"..1", nuce_units_parse_real, -7, -7, "'..1': '': expected a number"},
        {"..", nuce_units_parse_real, -7, -7, "'..': '': expected a number"},
        {"1..2..3", nuce_units_parse_real, -7, -7, "'1..2..3': '2..3': expected a number"},
        {"1-2", nuce_units_parse_real, -7, -7, "'1-2': expected a number"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_range range = {-7, -7};
        struct nuce_error error = {0};
        nuce_status status = nuce_range_parse(cases[i].text, cases[i].read, &range, &error);

        assert_int_equal(status, cases[i].message == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        assert_string_equal(error.message, cases[i].message == NULL ? "" : cases[i].message);
        assert_near(range.low, cases[i].low, 1e-15 * fabs(cases[i].low));
        assert_near(range.high, cases[i].high, 1e-15 * fabs(cases[i].high));
    }
}

RUN(test_read, test_refused, test_bytes_round_trip, test_format_size, test_format_seconds,
    test_range)
