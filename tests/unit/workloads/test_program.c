/* Commands as words, and valid settings of a contender. */
#include "points.h"

/* Words are written with '|' between them; NULL: refused, which says so. */
static void test_words(void **state)
{
    static const struct {
        const char *command, *words, *says;
    } cases[] = {
        {"a", "a", NULL},
        {"  mpiexec\t-n  8 ./app\n", "mpiexec|-n|8|./app", NULL},
        {"a 'b  c' \"d  e\"", "a|b  c|d  e", NULL},
        {"a x'y z'\"w v\"", "a|xy zw v", NULL},
        {"a '' \"\"", "a||", NULL},
        {"a '\"' \"'\"", "a|\"|'", NULL},
        {"a b\\ c \\' \\\\ \"\\\"\"", "a|b c|'|\\|\"", NULL},
        {"a '\\' b", "a|\\|b", NULL},
        {"a b\\", "a|b\\", NULL},
        {"a $(id) `id` $HOME * ~ ; | & > f", "a|$(id)|`id`|$HOME|*|~|;|||&|>|f", NULL},
        {"a {n} {ranks} x{n}y{n}", "a|7|4|x7y7", NULL},
        {"a \"{text} {n}\" {text}", "a|two words 7|two words", NULL},
        {"a '{n}' {OMP_NUM_THREADS} {a-b}", "a|{n}|3|hyphen", NULL},
        {"awk '{print $1}' {print $1} {} { n } {1}", "awk|{print $1}|{print|$1}|{}|{|n|}|{1}",
         NULL},
        {"awk \"{ print }\" {n", "awk|{ print }|{n", NULL},
        {"a \\{n}", "a|{n}", NULL},
        {"\xc3\xbc \xe2\x82\xac", "\xc3\xbc|\xe2\x82\xac", NULL},
        {"a 'b", NULL, "the quote ' is not closed"},
        {"a \"b'", NULL, "the quote \" is not closed"},
        {"", NULL, "empty: expected a program and its arguments"},
        {" \t\n", NULL, "empty: expected a program and its arguments"},
        {"a {m}", NULL, "'{m}': expected ranks, nodes, or a variable of 'environment:'"},
        {"a {unset}", NULL, "'{unset}': expected"},
    };
    json_t *values = json_pack("{s:i, s:i, s:s, s:s, s:s, s:n}", "n", 7, "ranks", 4, "text",
                               "two words", "OMP_NUM_THREADS", "3", "a-b", "hyphen", "unset");

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error;
        json_t *words = nuce_program_words(cases[i].command, values, &error), *word;
        char joined[256] = "";
        size_t k;

        assert_int_equal(error.status, cases[i].words != NULL ? NUCE_OK : NUCE_BAD_INPUT);
        assert_int_equal(words != NULL, cases[i].words != NULL);
        if (words == NULL) {
            assert_says(&error, cases[i].says);
            continue;
        }
        json_array_foreach(words, k, word)
        {
            strcat(joined, k > 0 ? "|" : "");
            strcat(joined, json_string_value(word));
        }
        assert_string_equal(joined, cases[i].words);
        json_decref(words);
    }
    json_decref(values);
}

/* Without values a command is only read. */
static void test_without_values(void **state)
{
    json_t *words = nuce_program_words("a {n}", NULL, ANY_ERROR);

    assert_string_equal(json_string_value(json_array_get(words, 1)), "{n}");
    json_decref(words);
}

static void test_units(void **state)
{
    static const struct {
        const char *unit;
        double seconds;
    } cases[] = {{"s", 1},    {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60},
                 {"h", 3600}, {"", 0},      {"S", 0},     {"GB/s", 0},  {"msec", 0}};

    for (size_t i = 0; i < COUNT(cases); i++)
        assert_true(nuce_program_unit_seconds(cases[i].unit) == cases[i].seconds);
}

static void test_settings(void **state)
{
    static const struct {
        const char *settings, *says; /* NULL: they are fine */
    } cases[] = {
        {"command=true", NULL},
        {"command=./a {ranks} metric=t: ([0-9.]+) unit=us", NULL},
        {"command=./a metric=json:/a/b unit=GB/s better=higher", NULL},
        {"command=./a series=2 at=1024 unit=us", NULL},
        {"command=./a expect=^(ok|fine)$", NULL},
        {"command=./a {n}", "command: '{n}': expected ranks, nodes, or a variable"},
        {"command=./a {n} shell=true", NULL},
        {"command=./a variables='{n}", "variables"},
        {"command=./a variables=N", "variables: 'N': expected NAME=VALUE"},
        {"name=x", "command: not given"},
        {"command=a 'b", "the quote ' is not closed"},
        {"command=a 'b shell=true", NULL},
        {"command=./a metric=t: [0-9.]+", "it has 0"},
        {"command=./a metric=(a)(b)", "it has 2"},
        {"command=./a metric=t: ([0-9", "no regular expression"},
        {"command=./a metric=json:a", "expected json:/NAME/NAME"},
        {"command=./a expect=(", "no regular expression"},
        {"command=./a unit=ms", "unit: the metric is the command's time"},
        {"command=./a better=higher", "better: the metric is the command's time"},
        {"command=./a better=sooner", "'sooner'"},
        {"command=./a series=2", "at: not given"},
        {"command=./a at=1024", "series: not given"},
        {"command=./a series=1 at=8", "series"},
        {"command=./a series=2 at=8 metric=t: ([0-9]+)", "metric: expected none beside series"},
        {"command=./a\n./b", "command: expected text without control characters"},
        {"command=./a name=\033[31mred", "name: expected text without control characters"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error;
        struct nuce_point point;
        char text[256];
        nuce_status status;

        snprintf(text, sizeof text, "program 1 %s", cases[i].settings);
        status = point_make(text, &point, &error);
        nuce_point_fini(&point);
        if (cases[i].says != NULL)
            assert_says(&error, cases[i].says);
        assert_int_equal(status, cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
    }
}

RUN(test_words, test_without_values, test_units, test_settings)
