#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/option.h"

struct params {
    char schedule[NUCE_NAME_BYTES];
    char mesh[NUCE_PATH_BYTES];
    char papi[NUCE_PATH_BYTES];
    int64_t ranks;
    int64_t unit;
    int64_t depth;
    double ratio;
    double limit;
    int overlap;
};

static const char *schedule_name(size_t index)
{
    static const char *const names[] = {"ac", "lp", "rs-n", "alltoallv", NULL};

    return names[index];
}

#define AT(member) offsetof(struct params, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(CHOICE, "schedule", AT(schedule), "rs-n", "NAME", "", .choices = schedule_name),
    NUCE_OPTION(FILE, "mesh", AT(mesh), NULL, "MESH", "", .flags = NUCE_OPTION_COSTLY),
    NUCE_OPTION(LIST, "papi", AT(papi), NULL, "EVENTS", ""),
    NUCE_OPTION(COUNT, "ranks", AT(ranks), NULL, "N", "", .minimum = 1),
    NUCE_OPTION(BYTES, "unit", AT(unit), "16B", "BYTES", "", .minimum = 1),
    NUCE_OPTION(REAL, "ratio", AT(ratio), "0.05", "R", ""),
    NUCE_OPTION(COUNT, "depth", AT(depth), "1", "N", "", .flags = NUCE_OPTION_AUTO, .minimum = 1),
    NUCE_OPTION(DURATION, "limit", AT(limit), "30s", "TIME", "", .minimum = 0.001),
    NUCE_OPTION(FLAG, "overlap", AT(overlap), "false", NULL, ""),
    {.name = NULL},
};

static const struct nuce_option *option(const char *name)
{
    const struct nuce_option *found = nuce_option_find(options, name);

    assert_non_null(found);
    return found;
}

static void test_find(void **state)
{
    (void)state;
    for (const struct nuce_option *row = options; row->name != NULL; row++)
        assert_ptr_equal(nuce_option_find(options, row->name), row);
    assert_null(nuce_option_find(options, "rank"));
    assert_null(nuce_option_find(options, ""));
}

static void test_presets(void **state)
{
    struct params params = {.ranks = 5};

    (void)state;
    nuce_option_presets(options, &params);
    assert_string_equal(params.schedule, "rs-n");
    assert_string_equal(params.mesh, "");
    assert_int_equal(params.ranks, 5);
    assert_int_equal(params.unit, 16);
    assert_true(fabs(params.ratio - 0.05) < 1e-15);
    assert_true(fabs(params.limit - 30) < 1e-15);
    assert_int_equal(params.overlap, 0);
    for (const struct nuce_option *row = options; row->name != NULL; row++)
        assert_int_equal(nuce_option_is_set(row, &params), strcmp(row->name, "ranks") == 0);
}

static const struct {
    const char *name, *text, *json;
} good[] = {
    {"schedule", "ac", "\"ac\""},    {"mesh", "wing-2800", "\"wing-2800\""},
    {"papi", "L1,L2", "\"L1,L2\""},  {"ranks", "1e3", "1000"},
    {"unit", "4KiB", "4096"},        {"ratio", "0.1", "0.1"},
    {"limit", "01:00:00", "3600.0"}, {"limit", "1ms", "0.001"},
    {"overlap", "yes", "true"},      {"overlap", "on", "true"},
    {"overlap", "1", "true"},        {"overlap", "true", "true"},
};

static void assert_json(const struct nuce_option *row, const struct params *params,
                        const char *expected)
{
    json_t *value = nuce_option_json(row, params);
    json_t *wanted = json_loads(expected, JSON_DECODE_ANY, NULL);

    assert_non_null(value);
    assert_non_null(wanted);
    assert_true(json_equal(value, wanted));
    json_decref(value);
    json_decref(wanted);
}

/* Text to member to JSON and back, through both ways in. */
static void test_set_every_type(void **state)
{
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct nuce_option *row = option(good[i].name);
        struct params params = {.unit = 0}, copy = {.unit = 0}, third = {.unit = 0};
        json_t *value, *text = json_string(good[i].text);

        nuce_option_presets(options, &params);
        assert_int_equal(nuce_option_is_set(row, &params), 0);
        assert_int_equal(nuce_option_set(row, &params, good[i].text, &error), NUCE_OK);
        assert_int_equal(nuce_option_is_set(row, &params), 1);
        assert_json(row, &params, good[i].json);
        value = nuce_option_json(row, &params);
        assert_int_equal(nuce_option_set_json(row, &copy, value, &error), NUCE_OK);
        assert_json(row, &copy, good[i].json);
        assert_int_equal(nuce_option_set_json(row, &third, text, &error), NUCE_OK);
        assert_json(row, &third, good[i].json);
        json_decref(value);
        json_decref(text);
    }
}

/* Every double survives the way through JSON text. */
static void test_real_round_trip(void **state)
{
    static const double values[] = {0.1, 1.0 / 3, 1e-300, 123456789.123456789, 0};
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct params params = {.ratio = values[i]}, back = {.ratio = -1};
        json_t *value = nuce_option_json(option("ratio"), &params);
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        json_t *read = json_loads(text, JSON_DECODE_ANY, NULL);

        assert_int_equal(nuce_option_set_json(option("ratio"), &back, read, &error), NUCE_OK);
        assert_memory_equal(&back.ratio, &params.ratio, sizeof back.ratio);
        json_decref(value);
        json_decref(read);
        free(text);
    }
}

/* Refused values change nothing; the message has the option, the value and what was expected. */
static void test_refused(void **state)
{
    static const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"schedule", "rsn",
         "unknown schedule 'rsn' (did you mean 'rs-n'?); expected one of: ac, "
         "lp, rs-n, alltoallv"},
        {"schedule", "zzzzz", "unknown schedule 'zzzzz'; expected one of: ac, lp, rs-n, alltoallv"},
        {"schedule", "", "unknown schedule ''"},
        {"mesh", "", "mesh: expected MESH, got nothing"},
        {"ranks", "0", "ranks: '0': expected at least 1"},
        {"ranks", "-3", "ranks: '-3': expected at least 1"},
        {"ranks", "1.5", "ranks: '1.5': expected a whole number"},
        {"unit", "4Kib", "unit: '4Kib': expected a whole number of bytes"},
        {"unit", "0", "unit: '0': expected at least 1"},
        {"depth", "aut", "depth: 'aut': expected a whole number, such as 64, 1e6 or 4M, or auto"},
        {"depth", "0", "depth: '0': expected at least 1"},
        {"ratio", "x", "ratio: 'x': expected a number"},
        {"ratio", "-0.1", "ratio: '-0.1': expected at least 0"},
        {"limit", "1us", "limit: '1us': expected at least 0.001"},
        {"limit", "soon", "limit: 'soon': expected a duration"},
        {"overlap", "maybe", "overlap: 'maybe': expected true or false"},
        {"overlap", "2", "overlap: '2': expected true or false"},
    };
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct params params = {.unit = 0}, before;

        nuce_option_presets(options, &params);
        before = params;
        assert_int_equal(nuce_option_set(option(bad[i].name), &params, bad[i].text, &error),
                         NUCE_BAD_INPUT);
        assert_memory_equal(nuce_error_flatten(&error), bad[i].message, strlen(bad[i].message));
        assert_memory_equal(&params, &before, sizeof params);
    }
}

static void test_too_long(void **state)
{
    struct params params = {.unit = 0};
    char text[NUCE_PATH_BYTES + 1];
    struct nuce_error error;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[NUCE_PATH_BYTES] = '\0';
    assert_int_equal(nuce_option_set(option("mesh"), &params, text, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "mesh: longer than 1023 bytes"));
    text[NUCE_PATH_BYTES - 1] = '\0';
    assert_int_equal(nuce_option_set(option("mesh"), &params, text, &error), NUCE_OK);
    assert_int_equal(nuce_option_set(option("schedule"), &params, text, &error), NUCE_BAD_INPUT);
}

/* A list, a mapping or nothing where a single value belongs. */
static void test_json_refused(void **state)
{
    static const char *const wrong[] = {"[1]", "{\"a\":1}", "null"};
    struct params params = {.unit = 7};
    struct nuce_error error;

    (void)state;
    for (int i = 0; i < 3; i++) {
        json_t *value = json_loads(wrong[i], JSON_DECODE_ANY, NULL);

        assert_int_equal(nuce_option_set_json(option("unit"), &params, value, &error),
                         NUCE_BAD_INPUT);
        assert_string_equal(nuce_error_flatten(&error), "unit: expected a single value");
        assert_int_equal(params.unit, 7);
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),           cmocka_unit_test(test_presets),
        cmocka_unit_test(test_set_every_type), cmocka_unit_test(test_real_round_trip),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_json_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
