/* Options as texts, JSON and command lines; and results, which are set by the names that tables
 * declare and by no others. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command_line.h"
#include "base/option.h"
#include "base/result.h"

struct values {
    char schedule[NUCE_NAME_BYTES];
    char mesh[NUCE_PATH_BYTES];
    char papi[NUCE_PATH_BYTES];
    int64_t ranks;
    int64_t item_bytes;
    int64_t in_flight;
    double ratio;
    double limit;
    int overlap;
};

static const char *schedule_name(size_t index)
{
    static const char *const names[] = {"ac", "lp", "rs-n", "alltoallv", NULL};

    return names[index];
}

#define AT(member) offsetof(struct values, member)

static const struct nuce_option rows_of_all[] = {
    NUCE_OPTION(CHOICE, "schedule", AT(schedule), "rs-n", "NAME", "", .choices = schedule_name),
    NUCE_OPTION(FILE, "mesh", AT(mesh), NULL, "MESH", "", .flags = NUCE_OPTION_COSTLY),
    NUCE_OPTION(LIST, "papi", AT(papi), NULL, "EVENTS", ""),
    NUCE_OPTION(COUNT, "ranks", AT(ranks), NULL, "N", "", .minimum = 1),
    NUCE_OPTION(BYTES, "item-bytes", AT(item_bytes), "16B", "BYTES", "", .minimum = 1),
    NUCE_OPTION(REAL, "ratio", AT(ratio), "0.05", "R", ""),
    NUCE_OPTION(COUNT, "in-flight", AT(in_flight), "1", "N", "", .flags = NUCE_OPTION_AUTO,
                .minimum = 1),
    NUCE_OPTION(DURATION, "limit", AT(limit), "30s", "TIME", "", .minimum = 0.001),
    NUCE_OPTION(FLAG, "overlap", AT(overlap), "false", NULL, ""),
    {.name = NULL},
};

static const struct nuce_option *option(const char *name)
{
    const struct nuce_option *found = nuce_option_find(rows_of_all, name);

    assert_non_null(found);
    return found;
}

static void test_presets(void **state)
{
    struct values values = {.ranks = 5};

    nuce_option_presets(rows_of_all, &values);
    assert_string_equal(values.schedule, "rs-n");
    assert_string_equal(values.mesh, "");
    assert_int_equal(values.ranks, 5);
    assert_int_equal(values.item_bytes, 16);
    assert_near(values.ratio, 0.05, 1e-15);
    assert_near(values.limit, 30, 1e-15);
    assert_int_equal(values.overlap, 0);
    for (const struct nuce_option *row = rows_of_all; row->name != NULL; row++)
        assert_int_equal(nuce_option_is_set(row, &values), strcmp(row->name, "ranks") == 0);
}

static const struct {
    const char *name, *text, *json;
} good[] = {
    {"schedule", "ac", "\"ac\""},    {"mesh", "wing-2800", "\"wing-2800\""},
    {"papi", "L1,L2", "\"L1,L2\""},  {"ranks", "1e3", "1000"},
    {"item-bytes", "4KiB", "4096"},  {"ratio", "0.1", "0.1"},
    {"limit", "01:00:00", "3600.0"}, {"limit", "1ms", "0.001"},
    {"overlap", "yes", "true"},      {"overlap", "on", "true"},
    {"overlap", "1", "true"},        {"overlap", "true", "true"},
};

static void assert_json(const struct nuce_option *row, const struct values *values,
                        const char *expected)
{
    json_t *value = nuce_option_json(row, values);
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
    for (size_t i = 0; i < COUNT(good); i++) {
        const struct nuce_option *row = option(good[i].name);
        struct values values = {.item_bytes = 0}, copy = {.item_bytes = 0},
                      third = {.item_bytes = 0};
        json_t *value, *text = json_string(good[i].text);

        nuce_option_presets(rows_of_all, &values);
        assert_int_equal(nuce_option_is_set(row, &values), 0);
        assert_ok(nuce_option_set(row, &values, good[i].text, ANY_ERROR));
        assert_int_equal(nuce_option_is_set(row, &values), 1);
        assert_json(row, &values, good[i].json);
        value = nuce_option_json(row, &values);
        assert_ok(nuce_option_set_json(row, &copy, value, ANY_ERROR));
        assert_json(row, &copy, good[i].json);
        assert_ok(nuce_option_set_json(row, &third, text, ANY_ERROR));
        assert_json(row, &third, good[i].json);
        json_decref(value);
        json_decref(text);
    }
}

/* Refused values change nothing; the message has the option, the value and the expected value. */
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
        {"item-bytes", "4Kib", "item-bytes: '4Kib': expected a whole number of bytes"},
        {"item-bytes", "0", "item-bytes: '0': expected at least 1"},
        {"in-flight", "aut",
         "in-flight: 'aut': expected a whole number, such as 64, 1e6 or 4M, or auto"},
        {"in-flight", "0", "in-flight: '0': expected at least 1"},
        {"ratio", "x", "ratio: 'x': expected a number"},
        {"ratio", "-0.1", "ratio: '-0.1': expected at least 0"},
        {"limit", "1us", "limit: '1us': expected at least 0.001"},
        {"limit", "soon", "limit: 'soon': expected a duration"},
        {"overlap", "maybe", "overlap: 'maybe': expected true or false"},
        {"overlap", "2", "overlap: '2': expected true or false"},
    };
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct values values = {.item_bytes = 0}, before;

        nuce_option_presets(rows_of_all, &values);
        before = values;
        assert_int_equal(nuce_option_set(option(bad[i].name), &values, bad[i].text, &error),
                         NUCE_BAD_INPUT);
        assert_memory_equal(nuce_error_flatten(&error), bad[i].message, strlen(bad[i].message));
        assert_memory_equal(&values, &before, sizeof values);
    }
}

static void test_too_long(void **state)
{
    struct values values = {.item_bytes = 0};
    char text[NUCE_PATH_BYTES + 1];
    struct nuce_error error;

    memset(text, 'x', sizeof text - 1);
    text[NUCE_PATH_BYTES] = '\0';
    assert_int_equal(nuce_option_set(option("mesh"), &values, text, &error), NUCE_BAD_INPUT);
    assert_says(&error, "mesh: longer than 1023 bytes");
    text[NUCE_PATH_BYTES - 1] = '\0';
    assert_ok(nuce_option_set(option("mesh"), &values, text, &error));
    assert_int_equal(nuce_option_set(option("schedule"), &values, text, &error), NUCE_BAD_INPUT);
}

/* A list, a mapping or nothing where a single value belongs. */
static void test_json_refused(void **state)
{
    static const char *const wrong[] = {"[1]", "{\"a\":1}", "null"};
    struct values values = {.item_bytes = 7};
    struct nuce_error error;

    for (int i = 0; i < 3; i++) {
        json_t *value = json_loads(wrong[i], JSON_DECODE_ANY, NULL);

        assert_int_equal(nuce_option_set_json(option("item-bytes"), &values, value, &error),
                         NUCE_BAD_INPUT);
        assert_string_equal(nuce_error_flatten(&error), "item-bytes: expected a single value");
        assert_int_equal(values.item_bytes, 7);
        json_decref(value);
    }
}

struct params {
    int64_t count;
    int flag, format;
    const char *text, *operands[2];
    char words[256]; /* of the line, which text and operands point into */
};

static const char *format_name(size_t index)
{
    static const char *const names[] = {"text", "json", "csv", NULL};

    return names[index];
}

#define IN(member) offsetof(struct params, member)

static const struct nuce_option rows[] = {
    NUCE_OPTION(COUNT, "count", IN(count), "7", "N", "how many", .minimum = 1, .letter = 'n'),
    NUCE_OPTION(FLAG, "flag", IN(flag), NULL, NULL, "whether"),
    NUCE_OPTION(WORD, "format", IN(format), "json", "FORMAT", "which", .choices = format_name),
    NUCE_OPTION(TEXT, "text", IN(text), NULL, "TEXT", "any"),
    NUCE_OPTION(FLAG, "hidden", IN(flag), NULL, NULL, "not here", .flags = NUCE_OPTION_RUN),
    {.name = NULL},
};

#define MOST_WORDS 8

/* Parses the words, blank between them, behind the program's name. */
static nuce_status parse(const char *words, struct params *params, struct nuce_error *error)
{
    char *argv[MOST_WORDS + 2] = {(char *)"program"}, *rest = params->words, *word;
    struct nuce_command_line line = {
        .about = "For tests.",
        .operands = {.usage = "A [B]",
                     .least = 1,
                     .most = 2,
                     .expected = "A, and perhaps B",
                     .into = params->operands},
        .groups = {{.rows = rows, .params = params, .hidden = NUCE_OPTION_RUN}}};
    nuce_status status;
    int argc = 1;

    strcpy(params->words, words);
    while ((word = strsep(&rest, " ")) != NULL && argc <= MOST_WORDS)
        argv[argc++] = word;
    status = nuce_command_line_read(&line, argc, argv, error);
    if (status == NUCE_OK)
        assert_int_equal(line.operands.count, params->operands[1] == NULL ? 1 : 2);
    return status;
}

/* Presets where nothing is given; operands anywhere on the line; short and long forms. */
static void test_sets(void **state)
{
    struct params params = {0};

    assert_ok(parse("x", &params, ANY_ERROR));
    assert_int_equal(params.count, 7);
    assert_int_equal(params.format, 1);
    assert_int_equal(params.flag, 0);
    assert_null(params.text);
    assert_string_equal(params.operands[0], "x");

    params = (struct params){0};
    assert_ok(parse("x -n 3 --format=csv --flag y --text t", &params, ANY_ERROR));
    assert_int_equal(params.count, 3);
    assert_int_equal(params.format, 2);
    assert_int_equal(params.flag, 1);
    assert_string_equal(params.text, "t");
    assert_string_equal(params.operands[1], "y");
    params = (struct params){0};
    assert_ok(parse("x --coun 3 --count=4 -- --flag", &params, ANY_ERROR));
    assert_int_equal(params.count, 4);
    assert_string_equal(params.operands[1], "--flag");
}

static void test_refuses(void **state)
{
    static const char *const cases[][2] = {
        {"x --count 0", "--count: '0': expected at least 1"},
        {"x --format xml", "--format: 'xml': expected text, json or csv"},
        {"x --cuont 3", "'--cuont': unknown option (did you mean '--count'?)"},
        {"x --hidden", "'--hidden': unknown option"},
        {"x -q", "'-q': unknown option"},
        {"x --text", "--text: expected a value, TEXT"},
        {"x --te", "--text: expected a value, TEXT"},
        {"x -n", "--count: expected a value, N"},
        {"x --flag=1", "--flag: expected no value"},
        {"x --f", "'--f': short for several options"},
        {"--flag", "expected A, and perhaps B"},
        {"x y z", "'z': expected A, and perhaps B"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct params params = {0};
        char text[NUCE_ERROR_TEXT_BYTES];
        struct nuce_error error;

        assert_int_equal(parse(cases[i][0], &params, &error), NUCE_BAD_INPUT);
        assert_string_equal(nuce_error_text(&error, NUCE_ERROR_OPTIONS, text), cases[i][1]);
    }
}

/* Texts by name instead, as several ranks need them before they agree. */
static void test_given(void **state)
{
    char *argv[] = {(char *)"program", (char *)"--count", (char *)"1,2", (char *)"--flag", NULL};
    json_t *given = json_object();
    struct nuce_command_line line = {.about = "For tests.",
                                     .groups = {{.rows = rows, .given = given}}};

    assert_ok(nuce_command_line_read(&line, 4, argv, ANY_ERROR));
    assert_string_equal(json_string_value(json_object_get(given, "count")), "1,2");
    assert_string_equal(json_string_value(json_object_get(given, "flag")), "true");
    assert_int_equal(json_object_size(given), 2);
    json_decref(given);
}

/* clang-format off */
static const struct nuce_result of_one[] = {
    {"sorting_s", NUCE_REAL, NUCE_UNIT_SECONDS, "sorting", NULL, NUCE_RESULT_COMPUTATION},
    {"edges", NUCE_INTEGER, "edges", "edges between parts", "edges", 0},
    {.name = NULL},
};
static const struct nuce_result of_another[] = {
    {"choice", NUCE_TEXT, "", "what was chosen", NULL, 0},
    {"ratio", NUCE_REAL, NUCE_UNIT_RATIO, "worked out later", "ratio", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */
static const struct nuce_result *const tables[] = {of_one, of_another, NULL};

static struct nuce_metrics init(void)
{
    struct nuce_metrics found;

    nuce_metrics_init(tables, &found);
    return found;
}

/* The values as compact text, keys ascending, are those expected. */
static void assert_values(const struct nuce_metrics *found, const char *expected)
{
    struct nuce_error error;
    json_t *values = nuce_metrics_values(found, &error);
    char *text = json_dumps(values, JSON_COMPACT | JSON_SORT_KEYS);

    assert_string_equal(text, expected);
    free(text);
    json_decref(values);
}

/* An unknown value is not there, and does not undo a known one. */
static void test_found(void **state)
{
    OWNED(metrics) found = init();
    json_t *others = json_pack("{s:i}", "edges", 3);

    nuce_metrics_real(&found, "sorting_s", NAN);
    nuce_metrics_real(&found, "sorting_s", INFINITY);
    nuce_metrics_text(&found, "choice", NULL);
    nuce_metrics_text(&found, "choice", "");
    nuce_metrics_forget(&found, NUCE_RESULT_COMPUTATION);
    assert_values(&found, "{}");
    nuce_metrics_real(&found, "sorting_s", 0);
    nuce_metrics_real(&found, "sorting_s", NAN);
    assert_values(&found, "{\"sorting_s\":0.0}");
    nuce_metrics_integer(&found, "edges", 7);
    nuce_metrics_integer(&found, "edges", -1);
    nuce_metrics_real(&found, "sorting_s", 0.5);
    nuce_metrics_text(&found, "choice", "lp");
    assert_values(&found, "{\"choice\":\"lp\",\"edges\":-1,\"sorting_s\":0.5}");
    nuce_metrics_forget(&found, NUCE_RESULT_COMPUTATION);
    nuce_metrics_merge(&found, others);
    json_decref(others);
    assert_values(&found, "{\"choice\":\"lp\",\"edges\":3}");
}

/* A value that no table declares, or declares otherwise, is a bug: the process ends. */
static void test_undeclared(void **state)
{
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        int status = 0;

        assert_true(child >= 0);
        if (child == 0) {
            struct nuce_metrics found = init();

            if (freopen("/dev/null", "w", stderr) == NULL)
                _exit(0);
            if (i == 0)
                nuce_metrics_integer(&found, "edge", 1);
            else if (i == 1)
                nuce_metrics_real(&found, "edges", 1);
            else if (i == 2)
                nuce_metrics_text(&found, "sorting_s", "1");
            else
                nuce_metrics_real(&found, "ratio", 1);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

RUN(test_presets, test_set_every_type, test_refused, test_too_long, test_json_refused, test_sets,
    test_refuses, test_given, test_found, test_undeclared)
