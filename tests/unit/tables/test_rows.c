/* Rows of results as text, JSON lines and CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rows.h"

static const struct nuce_row_column columns[] = {
    {"name", NULL, "name", NUCE_LOOK_PLAIN, 0},
    {"time", NULL, "time", NUCE_LOOK_SECONDS, 0},
    {"step_s", NULL, "95 % interval", NUCE_LOOK_INTERVAL, 0},
    {"bytes", NULL, "bytes", NUCE_LOOK_BYTES, 0},
    {"gain", NULL, "gain", NUCE_LOOK_RATIO, 0},
    {"rate", NULL, "rate", NUCE_LOOK_RATE, 0},
    {"cases", "10", "case_10", NUCE_LOOK_PLAIN, 0},
    {"cases", "20", "case_20", NUCE_LOOK_PLAIN, 1},
    {"none", NULL, "none", NUCE_LOOK_PLAIN, 0},
};

static const char lines[] =
    "[{\"name\":\"a,\\\"b\\\"\",\"time\":0.0015,\"step_low_s\":0.001,\"step_high_s\":0.002,"
    "\"bytes\":2048,\"gain\":1.5,\"gain_low\":1.25,\"gain_high\":1.75,\"rate\":2e9,"
    "\"cases\":{\"10\":10.5,\"20\":20},\"none\":null},"
    "{\"name\":\"c\",\"time\":0.1,\"gain\":2.0,\"rate\":5e6,\"list\":[1,2],\"good\":true},"
    "{\"name\":\"d\",\"gain\":1}]";

static void assert_prints(enum nuce_grid_format format, int csv_has_all, int digits,
                          const char *expected)
{
    const struct nuce_row_layout layout = {.columns = columns,
                                           .count = sizeof columns / sizeof *columns,
                                           .csv_has_all = csv_has_all,
                                           .digits = digits};
    json_t *rows = json_loads(lines, 0, NULL);
    struct nuce_error error;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(rows);
    assert_int_equal(nuce_rows_print(rows, &layout, format, stream, &error), NUCE_OK);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
    json_decref(rows);
}

/* Units for people, a dash for what a row has not, and no column that is empty or wide. */
static void test_text(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_TEXT, 0, 0,
                  "name    time    95 % interval bytes             gain   rate case_10\n"
                  "a,\"b\" 1.50ms 1.00ms .. 2.00ms  2KiB 1.50 [1.25 1.75] 2 GB/s    10.5\n"
                  "c      100ms                -     -             2.00 5 MB/s       -\n"
                  "d          -                -     -                1      -       -\n");
}

/* The columns, in full, quoted as RFC 4180 has it. */
static void test_csv_of_columns(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_CSV, 0, 0,
                  "name,time,95 % interval,bytes,gain,rate,case_10,case_20,none\n"
                  "\"a,\"\"b\"\"\",0.0015,,2048,1.5,2000000000,10.5,20,\n"
                  "c,0.1,,,2,5000000,,,\n"
                  "d,,,,1,,,,\n");
}

/* Every key of any row; lists as JSON. */
static void test_csv_of_all_keys(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_CSV, 1, 0,
                  "name,time,step_low_s,step_high_s,bytes,gain,gain_low,gain_high,rate,cases,none,"
                  "list,good\n"
                  "\"a,\"\"b\"\"\",0.0015,0.001,0.002,2048,1.5,1.25,1.75,2000000000,"
                  "\"{\"\"10\"\":10.5,\"\"20\"\":20}\",,,\n"
                  "c,0.1,,,,2,,,5000000,,,\"[1,2]\",true\n"
                  "d,,,,,1,,,,,,,\n");
}

static void test_json(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_JSON, 0, 15,
                  "{\"name\":\"a,\\\"b\\\"\",\"time\":0.0015,\"step_low_s\":0.001,"
                  "\"step_high_s\":0.002,\"bytes\":2048,\"gain\":1.5,\"gain_low\":1.25,"
                  "\"gain_high\":1.75,\"rate\":2000000000.0,\"cases\":{\"10\":10.5,\"20\":20},"
                  "\"none\":null}\n"
                  "{\"name\":\"c\",\"time\":0.1,\"gain\":2.0,\"rate\":5000000.0,\"list\":[1,2],"
                  "\"good\":true}\n"
                  "{\"name\":\"d\",\"gain\":1}\n");
}

/* Which formats every program has, and which all. */
static void test_formats(void **state)
{
    (void)state;
    assert_string_equal(nuce_grid_format_name(NUCE_GRID_CSV), "csv");
    assert_null(nuce_grid_format_name(NUCE_GRID_MARKDOWN));
    assert_string_equal(nuce_grid_format_any(NUCE_GRID_LATEX), "latex");
    assert_null(nuce_grid_format_any(NUCE_GRID_LATEX + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_csv_of_columns),
        cmocka_unit_test(test_csv_of_all_keys),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_formats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
