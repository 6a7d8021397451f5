/* From a command line to points: lists combined, files of plan lines, and what is refused. */
#include "../test.h"

#include "../folder.h"
#include "points/point.h"
#include "run/arguments.h"

#define MOST_WORDS 16

/* What a command line gives; the words after the program's name, up to NULL. */
static nuce_status parse(const struct nuce_workload_ops *workload, const char *const *words,
                         struct nuce_arguments *out, struct nuce_error *error)
{
    char text[MOST_WORDS][4096], program[] = "nuce-test", *argv[MOST_WORDS + 2] = {program};
    int argc = 1;

    for (; words[argc - 1] != NULL; argc++) {
        snprintf(text[argc - 1], sizeof text[0], "%s", words[argc - 1]);
        argv[argc] = text[argc - 1];
    }
    return nuce_arguments_parse(workload, argc, argv, out, error);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The points of a command line; NULL with *error. */
static json_t *points_of(const struct nuce_workload_ops *workload, int ranks,
                         const char *const *words, struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create();
    struct nuce_arguments arguments;
    json_t *points;

    if (parse(workload, words, &arguments, error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(error));
    points = nuce_arguments_points(&arguments, ranks, facts, error);
    nuce_arguments_fini(&arguments);
    nuce_facts_destroy(facts);
    return points;
}

/* The values of some keys of each point, "a b, a b, ...". */
static void check_points(json_t *points, const char *const *keys, const char *wanted)
{
    char found[4096] = "";
    const json_t *point;
    size_t index;

    assert_non_null(points);
    json_array_foreach(points, index, point)
    {
        for (int k = 0; keys[k] != NULL; k++) {
            char *value = json_dumps(json_object_get(json_object_get(point, "params"), keys[k]),
                                     JSON_ENCODE_ANY);

            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                     k > 0 ? " " : (index > 0 ? ", " : ""), value);
            free(value);
        }
    }
    assert_string_equal(found, wanted);
    json_decref(points);
}

/* The last list runs fastest, what is not given by hand is a list of its own. */
static void test_by_hand(void **state)
{
    struct nuce_error error;

    check_points(points_of(&nuce_workload_contention, 4, WORDS("--size=1KiB,3B"), &error),
                 WORDS("direction", "size", "partners"),
                 "\"to-one\" 1024 1, \"to-one\" 1024 2, \"to-one\" 1024 3, "
                 "\"to-one\" 3 1, \"to-one\" 3 2, \"to-one\" 3 3, "
                 "\"from-one\" 1024 1, \"from-one\" 1024 2, \"from-one\" 1024 3, "
                 "\"from-one\" 3 1, \"from-one\" 3 2, \"from-one\" 3 3");
    check_points(points_of(&nuce_workload_contention, 4,
                           WORDS("--size=1KiB", "--direction", "to-one", "--partners=2"), &error),
                 WORDS("direction", "size", "partners"), "\"to-one\" 1024 2");
}

/* What is compared runs fastest, wherever it stands in the table and on the command line. */
static void test_compared(void **state)
{
    struct nuce_error error;

    check_points(
        points_of(&nuce_workload_exchange, 4,
                  WORDS("--schedule=lp,ac", "--pattern=uniform", "--density=1,3", "--seed=7,8"),
                  &error),
        WORDS("density", "seed", "schedule"),
        "1 7 \"lp\", 1 7 \"ac\", 1 8 \"lp\", 1 8 \"ac\", "
        "3 7 \"lp\", 3 7 \"ac\", 3 8 \"lp\", 3 8 \"ac\"");
}

/* A list of a point is one value, with its commas. */
static void test_lists_are_values(void **state)
{
    struct nuce_error error;

    check_points(
        points_of(&nuce_workload_speeds, 2, WORDS("--emulate-speeds=1,2", "--side=9,8"), &error),
        WORDS("emulate-speeds", "side"), "\"1,2\" 9, \"1,2\" 8");
}

static void test_measure(void **state)
{
    struct nuce_error error;
    json_t *points = points_of(&nuce_workload_links, 2, WORDS("--min=3", "--limit=2min"), &error);
    const json_t *measure = json_object_get(json_array_get(points, 0), "measure");

    assert_int_equal(json_array_size(points), 1);
    assert_int_equal(json_integer_value(json_object_get(measure, "min")), 3);
    assert_int_equal(json_integer_value(json_object_get(measure, "max")), 50);
    assert_true(json_number_value(json_object_get(measure, "limit")) > 119.9);
    json_decref(points);
}

static void check_no_points(const struct nuce_workload_ops *workload, int ranks,
                            const char *const *words, const char *subject, const char *says)
{
    struct nuce_error error = {0};

    assert_null(points_of(workload, ranks, words, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.subject, subject);
    if (strstr(error.message, says) == NULL)
        fail_msg("'%s' does not say '%s'", error.message, says);
}

/* The option is named, but for the ranks, which are no option. */
static void test_bad_values(void **state)
{
    check_no_points(&nuce_workload_contention, 4, WORDS("--size=1KiB,0"), "size", "'0'");
    check_no_points(&nuce_workload_contention, 4, WORDS("--size=1KiB,"), "size", "''");
    check_no_points(&nuce_workload_contention, 4, WORDS("--partners=3,4"), "partners",
                    "'4': expected 1 .. 3");
    check_no_points(&nuce_workload_contention, 1, WORDS("--partners=1"), "",
                    "ranks: '1': contention is between one rank and others");
    check_no_points(&nuce_workload_contention, 4, WORDS("--min=0"), "min", "'0'");
    check_no_points(&nuce_workload_contention, 4, WORDS("--min=300"), "max",
                    "50 samples are less than min, 300");
}

/* 400 x 400. */
static void test_too_many(void **state)
{
    char sizes[4096] = "--size=1", partners[4096] = "--partners=1";

    for (int i = 2; i <= 400; i++) {
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), ",%d", i);
        snprintf(partners + strlen(partners), sizeof partners - strlen(partners), ",%d", i);
    }
    check_no_points(&nuce_workload_contention, 500, WORDS(sizes, partners), "",
                    "the lists make more than 100000 points");
}

static void test_bad_words(void **state)
{
    static const struct {
        const char *words[3], *says;
    } cases[] = {
        {{"--points=x"}, "--points and --records go together"},
        {{"--records=x"}, "--points and --records go together"},
        {{"--algorithm=ac"}, "ended: say schedule, decomposition or placement"},
        {{"--format=xml"}, "xml"},
    };
    struct nuce_arguments arguments;
    struct nuce_error error = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(parse(&nuce_workload_exchange, cases[i].words, &arguments, &error),
                         NUCE_BAD_INPUT);
        assert_says(&error, cases[i].says);
    }
}

/* A plan: points of contention for these numbers of ranks, a line each. */
static void write_plan(const struct folder *folder, const char *name, const int *ranks, int count)
{
    char text[8192] = "";

    for (int i = 0; i < count; i++) {
        struct nuce_error error;
        struct nuce_facts *facts = nuce_facts_create();
        json_t *partners = json_integer(1);
        struct nuce_point point;
        json_t *line;
        char *written;

        nuce_point_init(&nuce_workload_contention, ranks[i], &point);
        assert_ok(nuce_point_set(&point, "partners", partners, &error));
        assert_ok(nuce_point_complete(&point, facts, &error));
        line = nuce_point_to_json(&point, &error);
        written = json_dumps(line, JSON_COMPACT);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", written);
        free(written);
        json_decref(line);
        json_decref(partners);
        nuce_point_fini(&point);
        nuce_facts_destroy(facts);
    }
    folder_add(folder, name, text);
}

/* Of a plan, the points for as many ranks as there are. */
static void test_plan(void **state)
{
    static const int ranks[] = {2, 4, 2, 3};
    struct folder folder = folder_make();
    char path[160], records[160];
    struct nuce_error error;
    json_t *points;

    write_plan(&folder, "plan.jsonl", ranks, 4);
    snprintf(path, sizeof path, "--points=%s/plan.jsonl", folder.path);
    snprintf(records, sizeof records, "--records=%s/new.jsonl", folder.path);
    points = points_of(&nuce_workload_contention, 2, WORDS(path, records), &error);
    assert_int_equal(json_array_size(points), 2);
    json_decref(points);
    points = points_of(&nuce_workload_contention, 3, WORDS(path, records), &error);
    assert_int_equal(json_array_size(points), 1);
    json_decref(points);
    check_no_points(&nuce_workload_contention, 7, WORDS(path, records), "",
                    "plan.jsonl: has no point for 7 ranks");
    folder_remove(&folder);
}

/* Where in the plan it stands is told. */
static void test_bad_plan(void **state)
{
    static const int ranks[] = {2, 4};
    struct folder folder = folder_make();
    char path[160], records[160];
    struct nuce_error error = {0};

    write_plan(&folder, "plan.jsonl", ranks, 2);
    snprintf(path, sizeof path, "--points=%s/plan.jsonl", folder.path);
    snprintf(records, sizeof records, "--records=%s/new.jsonl", folder.path);
    assert_null(points_of(&nuce_workload_exchange, 4, WORDS(path, records), &error));
    assert_int_equal(error.line, 1);
    assert_string_equal(error.path, path + strlen("--points="));
    assert_string_equal(error.message, "workload 'contention': this program runs 'exchange'");
    folder_add(&folder, "plan.jsonl",
               "{\"point\":\"a\",\"workload\":\"links\",\"ranks\":2,"
               "\"params\":{\"sizes\":1}}\n");
    assert_null(points_of(&nuce_workload_links, 2, WORDS(path, records), &error));
    assert_int_equal(error.line, 1);
    assert_says(&error, "sizes");
    folder_add(&folder, "plan.jsonl", "{\"point\":\"a\",\"work");
    check_no_points(&nuce_workload_links, 2, WORDS(path, records), "", "cut off in its last line");
    folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),          cmocka_unit_test(test_compared),
        cmocka_unit_test(test_lists_are_values), cmocka_unit_test(test_measure),
        cmocka_unit_test(test_bad_values),       cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_bad_words),        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_bad_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
