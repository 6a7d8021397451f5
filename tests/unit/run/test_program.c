/* A program's input, and its messages: from a command line to points, combined lists, files of plan
 * lines, and refused input; the plan of a schedule, transfer by transfer, on a network computed by
 * hand; files with facts of a launch between harness and program. */
#include "../folder.h"
#include "../holds.h"
#include "../workloads/points.h"
#include "base/hash.h"
#include "base/jsonl.h"
#include "run/arguments.h"
#include "run/communication.h"
#include "run/environment.h"
#include "run/point_loop.h"

/* The arguments of a command line; the words after the program's name, with blanks between. */
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
        /* The last list runs fastest, a default is a list of one. */
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
        /* The compared option runs fastest, wherever it stands in the table and on the command
         * line. */
        {&nuce_workload_exchange,
         4,
         "--schedule=lp,ac --pattern=uniform --degree=1,3 --seed=7,8",
         {"degree", "seed", "schedule"},
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
    json_t *points =
        points_of(&nuce_workload_links, 2, "--min-samples=3 --time-limit=2min", &error);

    holds(points, "[{\"measure\":{\"min-samples\":3,\"max-samples\":50,\"time-limit\":120}}]");
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
        {1, "--partners=1", "", "ranks: '1': expected at least 2 ranks to measure contention"},
        {4, "--min-samples=0", "min-samples", "'0'"},
        {4, "--min-samples=300", "max-samples", "50 is less than min-samples, 300"},
    };
    static const char *const bad_words[][2] = {
        {"--points=x", "--points and --records go together"},
        {"--records=x", "--points and --records go together"},
        {"--algorithm=ac", "removed: say schedule, decomposition or placement"},
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

/* The points of a plan for as many ranks as there are; an error tells its line in the plan. */
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

/* Between any two of the ranks: a second, and another for each 10 bytes. */
static struct nuce_network network_of(int ranks)
{
    struct nuce_network network;

    assert_ok(nuce_network_uniform(ranks, 1, 10, &network, ANY_ERROR));
    return network;
}

static struct nuce_schedule schedule_of(const char *name, int ranks,
                                        const struct nuce_message *messages, int64_t count)
{
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};

    assert_ok(nuce_pattern_init(ranks, messages, count, &pattern, ANY_ERROR));
    assert_ok(nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, ANY_ERROR));
    nuce_pattern_fini(&pattern);
    return schedule;
}

static json_t *planned(const struct nuce_schedule *schedule, const struct nuce_network *network,
                       int64_t most)
{
    return nuce_communication_events(schedule, network, most);
}

/* [rank, direction, peer, phase, bytes, start, end]; both ways at once: 10 bytes take 2 seconds, 20
 * bytes 3. */
static void test_pair(void **state)
{
    static const struct nuce_message both[] = {{0, 1, 10}, {1, 0, 20}};
    OWNED(schedule) schedule = schedule_of("lp", 2, both, 2);
    OWNED(network) network = network_of(2);
    json_t *events = planned(&schedule, &network, 4);
    int64_t phase = schedule.sends[0].phase;
    char text[512];

    snprintf(text, sizeof text,
             "[[0,\"send\",1,%lld,10,0.0,2.0],[0,\"receive\",1,%lld,20,0.0,3.0],"
             "[1,\"send\",0,%lld,20,0.0,3.0],[1,\"receive\",0,%lld,10,0.0,2.0]]",
             (long long)phase, (long long)phase, (long long)phase, (long long)phase);
    holds(events, text);
    json_decref(events);
}

/* A chain of one rank: its second message waits for the first. */
static void test_queue(void **state)
{
    static const struct nuce_message two[] = {{0, 1, 10}, {0, 2, 10}};
    OWNED(schedule) schedule = schedule_of("greedy", 3, two, 2);
    OWNED(network) network = network_of(3);
    json_t *events = planned(&schedule, &network, 100), *event;
    double ends = 0;
    size_t index;

    assert_int_equal(json_array_size(events), 4);
    json_array_foreach(events, index, event)
    {
        double start = json_number_value(json_array_get(event, 5));
        double end = json_number_value(json_array_get(event, 6));

        assert_near(end - start, 2, 1e-12);
        assert_true(fabs(start) < 1e-12 || fabs(start - 2) < 1e-12);
        ends += end;
    }
    assert_true(fabs(ends - (2 + 4 + 2 + 4)) < 1e-12);
    json_decref(events);
}

/* In radix 2 on 4 ranks, without padding: a message over distance 3 goes 1 first, then 2. */
static void test_forwards(void **state)
{
    static const struct nuce_message two[] = {{0, 3, 10}, {1, 3, 20}};
    OWNED(pattern) pattern;
    struct nuce_tuning tuning = nuce_tuning_preset;
    OWNED(network) network = network_of(4);
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    OWNED(schedule) schedule;
    json_t *events;

    tuning.radix = 2;
    assert_ok(nuce_pattern_init(4, two, 2, &pattern, ANY_ERROR));
    assert_ok(nuce_schedule_create(nuce_schedule_find("tuna"), &input, &schedule, ANY_ERROR));
    assert_null(planned(&schedule, &network, 4));
    events = planned(&schedule, &network, 5);
    holds(events, "[[0,\"send\",1,0,10,0.0,2.0],[1,\"send\",3,1,30,2.0,6.0],"
                  "[1,\"forward\",3,1,10,2.0,6.0],[1,\"receive\",0,0,10,0.0,2.0],"
                  "[3,\"receive\",1,1,30,2.0,6.0]]");
    json_decref(events);
}

/* Too many to be kept; posted all at once; decided while it runs. */
static void test_no_plan(void **state)
{
    static const struct nuce_message both[] = {{0, 1, 10}, {1, 0, 20}};
    static const char *const unplanned[] = {"ac", "alltoallv"};
    OWNED(network) network = network_of(2);
    struct nuce_schedule schedule = schedule_of("lp", 2, both, 2);

    assert_null(planned(&schedule, &network, 3));
    nuce_schedule_fini(&schedule);
    for (int i = 0; i < 2; i++) {
        schedule = schedule_of(unplanned[i], 2, both, 2);
        assert_null(planned(&schedule, &network, 100));
        nuce_schedule_fini(&schedule);
    }
}

/* Two ranks on these hosts, under a file of this text: hosts that are equal, and valid files of
 * host names. */
static void test_hosts(void **state)
{
#define TEXT(text) text, sizeof(text) - 1
    static const struct {
        const char *first, *second, *text;
        size_t length;
        nuce_status status;
        const char *says;
    } cases[] = {
        {"n1", "n3", TEXT("n1\nn3\n"), NUCE_OK, NULL},
        {"n1.site", "n3", TEXT("n1\nn3.site\n"), NUCE_OK, NULL},
        {"n1.site", "n3.site", TEXT("n1.site\nn3.site"), NUCE_OK, NULL},
        {"n1", "n3", TEXT("n1\nn3\n\n\n"), NUCE_OK, NULL},
        {"n1.site", "n3", TEXT("n1.elsewhere\nn3\n"), NUCE_FAILED,
         "hosts:1: rank 0 runs on n1.site, expected n1.elsewhere"},
        /* One name that begins another is not a short form of it. */
        {"n1", "n3", TEXT("n1\nn30\n"), NUCE_FAILED, "hosts:2: rank 1 runs on n3, expected n30"},
        {"n1", "n30.site", TEXT("n1\nn3\n"), NUCE_FAILED, ""},
        {"n3", "n1", TEXT("n1\nn3\n"), NUCE_FAILED, "hosts:1: rank 0 runs on n3, expected n1"},
        {"n1", "n3", TEXT("n1\n\n\nn3\n"), NUCE_BAD_INPUT,
         "hosts:2: the line is empty; expected a host name"},
        {"n1", "n3", TEXT("n1\nn3 n4\n"), NUCE_BAD_INPUT,
         "hosts:2: 'n3 n4': expected one host name"},
        {"n1", "n3", TEXT("n1\r\nn3\r\n"), NUCE_BAD_INPUT, ""},
        {"n1", "n3", TEXT("n1\0\nn3\n"), NUCE_BAD_INPUT, ""},
        {"n1", "n3", TEXT(""), NUCE_FAILED, "hosts: 0 host names; expected 2, one per rank"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *hosts = json_pack("[s, s]", cases[i].first, cases[i].second);
        struct nuce_error error = {0};
        FILE *file = fopen("hosts", "w");

        assert_non_null(file);
        assert_int_equal(fwrite(cases[i].text, 1, cases[i].length, file), cases[i].length);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(nuce_launch_check_hosts("hosts", hosts, &error), cases[i].status);
        if (cases[i].status != NUCE_OK)
            assert_says(&error, cases[i].says);
        json_decref(hosts);
    }
}

/* Reals with more figures than a record holds: a reader of the record must find the same hash. */
static void test_figures(void **state)
{
    static const char text[] =
        "{\"cluster\": {\"share\": 0.1234567890123456789, \"list\": [1e-9]}}";
    struct nuce_error error;
    json_t *facts, *read;
    char *line;

    file_write("facts", text);
    facts = nuce_launch_read_facts("facts", &error);
    assert_non_null(facts);
    line = json_dumps(facts, JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    read = json_loads(line, 0, NULL);
    assert_true(json_equal(facts, read));
    assert_string_equal(line, "{\"cluster\": {\"share\": 0.123456789012, \"list\": [1e-9]}}");
    json_decref(read);
    json_decref(facts);
    free(line);
}

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* The file that says whose turn it is outlives a process that dies, and goes with one that does
 * not. */
static void test_turns(void **state)
{
    static const char *const ids[] = {"", A, B};
    struct nuce_turn turn = {NULL, NULL};

    assert_ok(nuce_turn_open("0001.jsonl", &turn, ANY_ERROR));
    for (size_t i = 0; i < COUNT(ids); i++) {
        char text[2 * NUCE_HASH_BYTES] = "";
        FILE *file = fopen("0001.jsonl.turn", "r");

        if (i > 0)
            nuce_turn_set(&turn, ids[i]);
        assert_non_null(file);
        assert_int_equal(fread(text, 1, sizeof text - 1, file), NUCE_HASH_BYTES);
        assert_int_equal(fclose(file), 0);
        assert_string_equal(text, ids[i]);
    }
    nuce_turn_close(&turn);
    assert_int_equal(access("0001.jsonl.turn", F_OK), -1);
}

static void test_none(void **state)
{
    struct nuce_turn turn = {NULL, NULL};
    struct nuce_error error;

    nuce_turn_set(NULL, A);
    nuce_turn_set(&turn, A);
    nuce_turn_close(&turn);
    assert_int_equal(nuce_turn_open("/nowhere/0001.jsonl", &turn, &error), NUCE_FAILED);
    assert_says(&error, "/nowhere/0001.jsonl.turn: No such file");
    assert_null(turn.path);
}

RUN_IN(folder_setup, folder_teardown, test_points, test_measure, test_bad_values, test_plan,
       test_pair, test_queue, test_forwards, test_no_plan, test_hosts, test_figures, test_turns,
       test_none)
