/* Command lines from tables of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/command_line.h"

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

static const struct nuce_option rows[] = {
    {.name = "count",
     .type = NUCE_OPTION_COUNT,
     .offset = offsetof(struct params, count),
     .preset = "7",
     .argument = "N",
     .help = "how many",
     .minimum = 1,
     .letter = 'n'},
    {.name = "flag",
     .type = NUCE_OPTION_FLAG,
     .offset = offsetof(struct params, flag),
     .help = "whether"},
    {.name = "format",
     .type = NUCE_OPTION_WORD,
     .offset = offsetof(struct params, format),
     .preset = "json",
     .argument = "FORMAT",
     .help = "which",
     .choices = format_name},
    {.name = "text",
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct params, text),
     .argument = "TEXT",
     .help = "any"},
    {.name = "hidden",
     .type = NUCE_OPTION_FLAG,
     .offset = offsetof(struct params, flag),
     .help = "not here",
     .flags = NUCE_OPTION_RUN},
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
    struct nuce_error error;

    (void)state;
    assert_int_equal(parse("x", &params, &error), NUCE_OK);
    assert_int_equal(params.count, 7);
    assert_int_equal(params.format, 1);
    assert_int_equal(params.flag, 0);
    assert_null(params.text);
    assert_string_equal(params.operands[0], "x");

    params = (struct params){0};
    assert_int_equal(parse("x -n 3 --format=csv --flag y --text t", &params, &error), NUCE_OK);
    assert_int_equal(params.count, 3);
    assert_int_equal(params.format, 2);
    assert_int_equal(params.flag, 1);
    assert_string_equal(params.text, "t");
    assert_string_equal(params.operands[1], "y");
    params = (struct params){0};
    assert_int_equal(parse("x --coun 3 --count=4 -- --flag", &params, &error), NUCE_OK);
    assert_int_equal(params.count, 4);
    assert_string_equal(params.operands[1], "--flag");
}

static void assert_refused(const char *words, const char *expected)
{
    struct params params = {0};
    char text[NUCE_ERROR_TEXT_BYTES];
    struct nuce_error error;

    assert_int_equal(parse(words, &params, &error), NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_text(&error, NUCE_ERROR_OPTIONS, text), expected);
}

static void test_refuses(void **state)
{
    (void)state;
    assert_refused("x --count 0", "--count: '0': expected at least 1");
    assert_refused("x --format xml", "--format: 'xml': expected text, json or csv");
    assert_refused("x --cuont 3", "'--cuont': unknown option (did you mean '--count'?)");
    assert_refused("x --hidden", "'--hidden': unknown option");
    assert_refused("x -q", "'-q': unknown option");
    assert_refused("x --text", "--text: expected a value, TEXT");
    assert_refused("x --te", "--text: expected a value, TEXT");
    assert_refused("x -n", "--count: expected a value, N");
    assert_refused("x --flag=1", "--flag: expected no value");
    assert_refused("x --f", "'--f': short for several options");
    assert_refused("--flag", "expected A, and perhaps B");
    assert_refused("x y z", "'z': expected A, and perhaps B");
}

/* Texts by name instead, as several ranks need them before they agree. */
static void test_given(void **state)
{
    char *argv[] = {(char *)"program", (char *)"--count", (char *)"1,2", (char *)"--flag", NULL};
    json_t *given = json_object();
    struct nuce_command_line line = {.about = "For tests.",
                                     .groups = {{.rows = rows, .given = given}}};
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_command_line_read(&line, 4, argv, &error), NUCE_OK);
    assert_string_equal(json_string_value(json_object_get(given, "count")), "1,2");
    assert_string_equal(json_string_value(json_object_get(given, "flag")), "true");
    assert_int_equal(json_object_size(given), 2);
    json_decref(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
