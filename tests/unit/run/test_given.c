/* From a command line to points: lists combined, files of plan lines, and what is refused. */
#include "../folder.h"
#include "../holds.h"
#include "../workloads/points.h"
#include "run/arguments.h"

/* What a command line gives; the words after the program's name, with blanks between. */
static nuce_status parse(const struct nuce_workload_ops *workload, const char *words,
                         struct nuce_arguments *out, struct nuce_error *error)
{
    static char text[8192]; /* arguments stay where they are */
    char program[] = "nuce-test", *argv[16] = {program}, *next = text;
    int argc = 1;

    snprintf(text, sizeof text, "%s", words);
    while (next != NULL)
        argv[argc++] = strsep(&next, " ");
    return nuce_arguments_parse(workload, argc, argv, out, error);
}

/* The points of a command line; NULL with *error. */
static json_t *points_of(const struct nuce_workload_ops *workload, int ranks, const char *words,
                         struct nuce_error *error)
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

static void test_points(void **state)
{
    static const struct {
        const struct nuce_workload_ops *workload;
        int ranks;
        const char *words, *keys[4];
        const char *wanted; /* values of the keys of each point, "a b, a b, ..." */
    } cases[] = {
        /* The last list runs fastest, what is not given by hand is a list of its own. */
        {&nuce_workload_contention,
         4,
         "--size=1KiB,3B",
         {"direction", "size", "partners"},
         "\"to-one\" 1024 1, \"to-one\" 1024 2, \"to-one\" 1024 3, "
         "\"to-one\" 3 1, \"to-one\" 3 2, \"to-one\" 3 3, "
         "\"from-one\" 1024 1, \"from-one\" 1024 2, \"from-one\" 1024 3, "
         "\"from-one\" 3 1, \"from-one\" 3 2, \"from-one\" 3 3"},
        {&nuce_workload_contention,
         4,
         "--size=1KiB --direction to-one --partners=2",
         {"direction", "size", "partners"},
         "\"to-one\" 1024 2"},
        /* What is compared runs fastest, wherever it stands in the table and on the command line.
         */
        {&nuce_workload_exchange,
         4,
         "--schedule=lp,ac --pattern=uniform --density=1,3 --seed=7,8",
         {"density", "seed", "schedule"},
         "1 7 \"lp\", 1 7 \"ac\", 1 8 \"lp\", 1 8 \"ac\", "
         "3 7 \"lp\", 3 7 \"ac\", 3 8 \"lp\", 3 8 \"ac\""},
        /* A list of a point is one value, with its commas. */
        {&nuce_workload_speeds,
         2,
         "--emulate-speeds=1,2 --side=9,8",
         {"emulate-speeds", "side"},
         "\"1,2\" 9, \"1,2\" 8"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error = {0};
        json_t *points = points_of(cases[i].workload, cases[i].ranks, cases[i].words, &error),
               *point;
        char found[4096] = "";
        size_t index;

        json_array_foreach(points, index, point)
        {
            for (int k = 0; cases[i].keys[k] != NULL; k++) {
                json_t *params = json_object_get(point, "params");
                char *value =
                    json_dumps(json_object_get(params, cases[i].keys[k]), JSON_ENCODE_ANY);

                snprintf(found + strlen(found), 64, "%s%s", k > 0 ? " " : (index > 0 ? ", " : ""),
                         value);
                free(value);
            }
        }
        assert_string_equal(found, cases[i].wanted);
        json_decref(points);
    }
}

static void test_measure(void **state)
{
    struct nuce_error error;
    json_t *points = points_of(&nuce_workload_links, 2, "--min=3 --limit=2min", &error);

    holds(points, "[{\"measure\":{\"min\":3,\"max\":50,\"limit\":120}}]");
    json_decref(points);
}

static void check_no_points(const struct nuce_workload_ops *workload, int ranks, const char *words,
                            const char *subject, const char *says)
{
    struct nuce_error error = {0};

    assert_null(points_of(workload, ranks, words, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.subject, subject);
    assert_says(&error, says);
}

/* The option is named, but for the ranks, which are no option. */
static void test_bad_values(void **state)
{
    static const struct {
        int ranks;
        const char *words, *subject, *says;
    } cases[] = {
        {4, "--size=1KiB,0", "size", "'0'"},
        {4, "--size=1KiB,", "size", "''"},
        {4, "--partners=3,4", "partners", "'4': expected 1 .. 3"},
        {1, "--partners=1", "", "ranks: '1': contention is between one rank and others"},
        {4, "--min=0", "min", "'0'"},
        {4, "--min=300", "max", "50 samples are less than min, 300"},
    };
    static const char *const bad_words[][2] = {
        {"--points=x", "--points and --records go together"},
        {"--records=x", "--points and --records go together"},
        {"--algorithm=ac", "ended: say schedule, decomposition or placement"},
        {"--format=xml", "xml"},
    };
    char words[8192] = "--size=1";
    struct nuce_arguments arguments;
    struct nuce_error error = {0};

    for (size_t i = 0; i < COUNT(cases); i++)
        check_no_points(&nuce_workload_contention, cases[i].ranks, cases[i].words, cases[i].subject,
                        cases[i].says);
    for (size_t i = 0; i < COUNT(bad_words); i++) {
        assert_int_equal(parse(&nuce_workload_exchange, bad_words[i][0], &arguments, &error),
                         NUCE_BAD_INPUT);
        assert_says(&error, bad_words[i][1]);
    }
    /* 400 x 400. */
    for (int i = 2; i <= 800; i++)
        snprintf(words + strlen(words), 32, i == 401 ? " --partners=%d" : ",%d", 1 + (i - 1) % 400);
    check_no_points(&nuce_workload_contention, 500, words, "",
                    "the lists make more than 100000 points");
}

/* Of a plan, the points for as many ranks as there are; where in the plan it stands is told. */
static void test_plan(void **state)
{
    static const int ranks[] = {2, 4, 2, 3};
    static const char words[] = "--points=plan.jsonl --records=new.jsonl";
    FILE *plan = fopen("plan.jsonl", "w");
    struct nuce_error error = {0};
    json_t *points;

    assert_non_null(plan);
    for (size_t i = 0; i < COUNT(ranks); i++) {
        struct nuce_point point = point_of("contention %d partners=1", ranks[i]);
        json_t *line = nuce_point_to_json(&point, &error);

        assert_int_equal(json_dumpf(line, plan, JSON_COMPACT), 0);
        assert_true(fputc('\n', plan) != EOF);
        json_decref(line);
        nuce_point_fini(&point);
    }
    assert_int_equal(fclose(plan), 0);
    for (int i = 2; i <= 4; i++) {
        points = points_of(&nuce_workload_contention, i, words, &error);
        assert_int_equal(json_array_size(points), i == 2 ? 2 : 1);
        json_decref(points);
    }
    check_no_points(&nuce_workload_contention, 7, words, "",
                    "plan.jsonl: has no point for 7 ranks");
    assert_null(points_of(&nuce_workload_exchange, 4, words, &error));
    assert_int_equal(error.line, 1);
    assert_string_equal(error.path, "plan.jsonl");
    assert_says(&error, "workload 'contention': this program runs 'exchange'");
    file_write("plan.jsonl", "{\"point\":\"a\",\"workload\":\"links\",\"ranks\":2,"
                             "\"params\":{\"sizes\":1}}\n");
    error = (struct nuce_error){0};
    assert_null(points_of(&nuce_workload_links, 2, words, &error));
    assert_int_equal(error.line, 1);
    assert_says(&error, "sizes");
    file_write("plan.jsonl", "{\"point\":\"a\",\"work");
    check_no_points(&nuce_workload_links, 2, words, "", "cut off in its last line");
}

RUN_TESTS(NULL, NULL, CASE(test_points), CASE(test_measure), CASE(test_bad_values),
          cmocka_unit_test_setup_teardown(test_plan, folder_setup, folder_teardown))
