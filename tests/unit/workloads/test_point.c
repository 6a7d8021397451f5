/* Points: their identity, comma lists of them, and how their processes are started. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "points.h"
#include "points/launch_factors.h"
#include "points/point.h"

/* A point's identity, its line in a plan, and what is refused. */

#define KNOWN_ID "e91503c43a0869b1fb9921fe4cd7578a0322bf24c39ccf1fc7665ab099fb1e72"

static const struct nuce_workload_ops *const contention = &nuce_workload_contention;

/* What users can check with sha256sum: printf '%s' TEXT | sha256sum. */
static void test_known_id(void **state)
{
    static const char wanted[] =
        "{\"params\":{\"direction\":\"to-one\",\"partners\":2,\"size\":4096},"
        "\"ranks\":3,\"workload\":\"contention\"}";
    struct nuce_point point = point_of(contention, 3, SETTINGS({"partners", "2"}));
    struct nuce_error error;
    char *text = nuce_point_canonical_text(point.workload, point.ranks, point.canonical, &error);

    (void)state;
    assert_string_equal(text, wanted);
    assert_string_equal(point.id, KNOWN_ID);
    free(text);
    nuce_point_fini(&point);
}

/* How it is measured is not what it is; how many ranks it has is. */
static void test_identity(void **state)
{
    struct nuce_point three = point_of(contention, 3, SETTINGS({"partners", "2"}));
    struct nuce_point four = point_of(contention, 4, SETTINGS({"partners", "2"}));

    (void)state;
    assert_string_not_equal(three.id, four.id);
    nuce_point_fini(&three);
    nuce_point_fini(&four);
    points_are_same(contention, 3, 1, SETTINGS({"partners", "2"}),
                    SETTINGS({"partners", "2"}, {"min", "3"}, {"max", "1e3"}, {"wait", "spin"}));
    points_are_same(contention, 3, 1, SETTINGS({"partners", "2"}, {"size", "4KiB"}),
                    SETTINGS({"size", "4096"}, {"partners", "2"}, {"direction", "to-one"}));
    points_are_same(contention, 3, 0, SETTINGS({"partners", "2"}, {"size", "4KiB"}),
                    SETTINGS({"partners", "2"}, {"size", "4KB"}));
}

/* Options of the workload come before those of measuring; a number is as good as a text. */
static void test_set(void **state)
{
    struct nuce_point point;
    struct nuce_error error;
    json_t *seven = json_integer(7);

    (void)state;
    nuce_point_init(contention, 9, &point);
    assert_int_equal(nuce_point_set(&point, "partners", seven, &error), NUCE_OK);
    assert_int_equal(nuce_point_set(&point, "warmup", seven, &error), NUCE_OK);
    assert_int_equal(((struct nuce_contention_params *)point.params)->partners, 7);
    assert_int_equal(point.measure.warmup, 7);
    assert_int_equal(nuce_point_set(&point, "sise", seven, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "unknown option 'sise' for workload contention");
    assert_int_equal(nuce_point_set(&point, "algorithm", seven, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message,
                        "algorithm: ended: say schedule, decomposition or placement");
    assert_int_equal(nuce_point_set(&point, "direction", seven, &error), NUCE_BAD_INPUT);
    assert_string_equal(point.id, "");
    assert_null(point.canonical);
    json_decref(seven);
    nuce_point_fini(&point);
}

static void test_copy(void **state)
{
    struct nuce_point point = point_of(contention, 3, SETTINGS({"partners", "2"})), copy;

    (void)state;
    nuce_point_copy(&point, &copy);
    ((struct nuce_contention_params *)copy.params)->partners = 1;
    assert_int_equal(((struct nuce_contention_params *)point.params)->partners, 2);
    nuce_point_fini(&point);
    assert_int_equal(json_integer_value(json_object_get(copy.canonical, "partners")), 2);
    assert_int_equal(copy.ranks, 3);
    nuce_point_fini(&copy);
}

/* A point of each workload that needs no file. */
static const struct {
    const struct nuce_workload_ops *workload;
    struct setting settings[MOST_SETTINGS];
} points[] = {
    {&nuce_workload_exchange,
     {{"schedule", "rs-nh"},
      {"pattern", "uniform"},
      {"density", "3"},
      {"tau", "1ms"},
      {"phi", "2e-9"},
      {"bandwidth", "10MB..20MB"},
      {"startup", "1us..2us"}}},
    {&nuce_workload_redistribute,
     {{"schedule", "greedy"},
      {"elements", "1000"},
      {"block", "3"},
      {"to-block", "5"},
      {"bandwidth", "1MB"},
      {"symmetric", "true"}}},
    {&nuce_workload_stencil,
     {{"schedule", "ac"}, {"weights", "1,2,3,4"}, {"emulate-speeds", "1,1,1,.5"}}},
    {&nuce_workload_contention, {{"partners", "3"}, {"timeout", "7.5s"}, {"papi", "A,B"}}},
    {&nuce_workload_permutations, {{"permutation", "xor-2"}}},
    {&nuce_workload_links, {{"sizes", "3"}}},
    {&nuce_workload_speeds, {{"emulate-speeds", "1,2,3,4"}, {"network", "cm5"}}},
    {&nuce_workload_mapping, {{"nodes", "8"}, {"switches", "16"}, {"layout", "true"}}},
};

/* A line of a plan gives the same point, parameters and measure, here and where no file is read. */
static void check_line(const struct nuce_point *point, json_t *line, struct nuce_facts *facts)
{
    struct nuce_point again;
    struct nuce_error error = {0};
    json_t *other;

    if (nuce_point_from_json(line, facts, &again, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_ptr_equal(again.workload, point->workload);
    assert_int_equal(again.ranks, point->ranks);
    assert_string_equal(again.id, facts == NULL ? "" : point->id);
    strcpy(again.id, point->id);
    other = nuce_point_to_json(&again, &error);
    assert_true(json_equal(line, other));
    json_decref(other);
    nuce_point_fini(&again);
}

static void test_lines(void **state)
{
    struct nuce_error error;
    struct nuce_facts *facts = nuce_facts_create();

    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        struct nuce_point point = point_of(points[i].workload, 4, points[i].settings);
        json_t *line = nuce_point_to_json(&point, &error);

        assert_non_null(line);
        check_line(&point, line, facts);
        check_line(&point, line, NULL);
        json_decref(line);
        nuce_point_fini(&point);
    }
    nuce_facts_destroy(facts);
}

/* All workloads are among them. */
static void test_all_there(void **state)
{
    size_t count = 0;

    (void)state;
    while (nuce_workloads[count] != NULL)
        count++;
    assert_int_equal(count, sizeof points / sizeof *points);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(nuce_workload_find(points[i].workload->name), points[i].workload);
    assert_null(nuce_workload_find("exchanges"));
}

static void check_refused(const char *text, const char *says)
{
    struct nuce_point point;
    struct nuce_error error = {0};
    struct nuce_facts *facts = nuce_facts_create();
    json_t *line = json_loads(text, 0, NULL);

    assert_non_null(line);
    assert_int_equal(nuce_point_from_json(line, facts, &point, &error), NUCE_BAD_INPUT);
    if (strstr(nuce_error_flatten(&error), says) == NULL)
        fail_msg("'%s' does not say '%s'", nuce_error_flatten(&error), says);
    json_decref(line);
    nuce_facts_destroy(facts);
}

#define LINE(point, workload, ranks, params)                                                       \
    "{\"point\":\"" point "\",\"workload\":\"" workload "\",\"ranks\":" ranks                      \
    ",\"params\":{" params "},\"measure\":{}}"

static void test_bad_lines(void **state)
{
    (void)state;
    check_refused("{}", "not a line of a plan: expected point, workload and ranks");
    check_refused(LINE("a", "contention", "0", ""), "not a line of a plan");
    check_refused(LINE("a", "contention", "2147483648", ""), "not a line of a plan");
    check_refused(LINE("a", "contention", "\"3\"", ""), "not a line of a plan");
    check_refused(LINE("a", "contentions", "3", ""), "unknown workload 'contentions'");
    check_refused(LINE("a", "contention", "3", "\"x\":1"), "unknown option 'x'");
    check_refused(LINE("a", "contention", "3", "\"algorithm\":\"ac\""), "algorithm: ended");
    check_refused(LINE("a", "contention", "3", "\"partners\":3"), "partners: '3': expected 1 .. 2");
    check_refused(LINE("a", "contention", "3", "\"partners\":\"many\""), "many");
    check_refused(LINE("abc", "contention", "3", "\"partners\":2"),
                  "point abc: this program and its files make it " KNOWN_ID);
}

static void test_measure(void **state)
{
    static const struct {
        struct setting setting[2];
        const char *subject, *says;
    } cases[] = {
        {{{"min", "300"}}, "max", "50 samples are less than min, 300"},
        {{{"max", "1000001"}}, "max", "'1000001': expected at most 1000000"},
        {{{"trace-events", "10000001"}}, "trace-events", "expected at most 10000000"},
        {{{"min", "0"}}, "min", "'0': expected at least 1"},
        {{{"warmup", "-1"}}, "warmup", "'-1'"},
        {{{"timeout", "1ms"}}, "timeout", "'1ms'"},
        {{{"wait", "spni"}}, "", "unknown wait 'spni' (did you mean 'spin'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        point_is_refused(contention, 3, SETTINGS({"partners", "2"}, cases[i].setting[0]),
                         cases[i].subject, cases[i].says);
}

/* More effort where less was asked for, and never less. */
static void test_precise(void **state)
{
    struct nuce_measure measure = {.launches = 5,
                                   .min = 10,
                                   .max = 20,
                                   .ci = 0.1,
                                   .limit = 30,
                                   .precise = 1,
                                   .trace_events = 1};
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_measure_settle(&measure, &error), NUCE_OK);
    assert_true(measure.launches == 30 && measure.min == 60 && measure.max == 100);
    assert_true(measure.ci < 0.021 && measure.limit > 89);
    measure = (struct nuce_measure){.launches = 50,
                                    .min = 100,
                                    .max = 200,
                                    .ci = 0.001,
                                    .limit = 100,
                                    .precise = 1,
                                    .trace_events = 1};
    assert_int_equal(nuce_measure_settle(&measure, &error), NUCE_OK);
    assert_true(measure.launches == 50 && measure.min == 100 && measure.max == 200);
    assert_true(measure.ci < 0.0011 && measure.limit > 99);
}

/* What a run measured stands in for `measured`, in what is computed and not in the identity; a
 * value that was planned stays. */
static void test_taken(void **state)
{
    static const char *const planned[] = {"measured", "1,2,3"}, *const used[] = {"3,1,4", "1,2,3"};
    struct nuce_facts *facts;
    struct nuce_error error;

    (void)state;
    facts = nuce_facts_create();
    for (int i = 0; i < 2; i++) {
        json_t *weights = json_string(planned[i]);
        struct nuce_point point;
        char id[NUCE_HASH_BYTES];

        nuce_point_init(&nuce_workload_stencil, 3, &point);
        assert_int_equal(nuce_point_set(&point, "weights", weights, &error), NUCE_OK);
        assert_int_equal(nuce_point_complete(&point, facts, &error), NUCE_OK);
        memcpy(id, point.id, sizeof id);
        assert_int_equal(nuce_point_take_measured(&point, "weights", "3,1,4", &error), NUCE_OK);
        assert_string_equal(((struct nuce_stencil_params *)point.params)->weights, used[i]);
        assert_string_equal(point.id, id);
        assert_int_equal(nuce_point_take_measured(&point, "wieghts", "3,1,4", &error),
                         NUCE_BAD_INPUT);
        json_decref(weights);
        nuce_point_fini(&point);
    }
    nuce_facts_destroy(facts);
}

/* Combinations of comma lists, and the instances of a mean. */

/* What combination number of given, JSON, sets of an exchange. */
static struct nuce_exchange_params combine(const char *given, size_t number, size_t expected)
{
    json_t *json = json_loads(given, 0, NULL);
    struct nuce_given_lists lists;
    struct nuce_exchange_params params;
    struct nuce_point point;
    struct nuce_error error;

    assert_int_equal(nuce_given_lists_init(&nuce_workload_exchange, json, 0, &lists, &error),
                     NUCE_OK);
    assert_int_equal(lists.count, expected);
    nuce_point_init(&nuce_workload_exchange, 4, &point);
    assert_int_equal(nuce_given_lists_set(&lists, number, &point, &error), NUCE_OK);
    params = *(struct nuce_exchange_params *)point.params;
    nuce_point_fini(&point);
    nuce_given_lists_fini(&lists);
    json_decref(json);
    return params;
}

/* What is compared runs fastest, whatever the order on the line; a LIST is one value. */
static void test_order(void **state)
{
    static const char given[] = "{\"schedule\": \"ac,lp,greedy\", \"unit\": \"1KiB,2KiB\", "
                                "\"choices\": \"ac,lp\"}";
    struct nuce_exchange_params params = combine(given, 0, 6);

    (void)state;
    assert_string_equal(params.scheduling.schedule, "ac");
    assert_int_equal(params.unit, 1024);
    assert_string_equal(params.scheduling.tuning.choices, "ac,lp");
    params = combine(given, 2, 6);
    assert_string_equal(params.scheduling.schedule, "greedy");
    assert_int_equal(params.unit, 1024);
    params = combine(given, 4, 6);
    assert_string_equal(params.scheduling.schedule, "lp");
    assert_int_equal(params.unit, 2048);
    params = combine("{}", 0, 1);
    assert_int_equal(params.density, 8);
}

static void test_refuses(void **state)
{
    json_t *json = json_loads("{\"unit\": \"1KiB,many\"}", 0, NULL);
    struct nuce_given_lists lists;
    struct nuce_point point;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_given_lists_init(&nuce_workload_exchange, json, 0, &lists, &error),
                     NUCE_OK);
    nuce_point_init(&nuce_workload_exchange, 4, &point);
    assert_int_equal(nuce_given_lists_set(&lists, 1, &point, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "unit");
    nuce_point_fini(&point);
    nuce_given_lists_fini(&lists);
    json_decref(json);
}

/* A mean over 3 instances from number 5 on. */
static void test_samples(void **state)
{
    struct nuce_exchange_params params = combine(
        "{\"schedule\": \"ac\", \"pattern\": \"uniform\", \"samples\": \"3\", \"instance\": \"5\"}",
        0, 1);
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_workload_exchange.complete(&params, 16, &error), NUCE_OK);
    assert_true(nuce_workload_is_mean(&nuce_workload_exchange, &params));
    assert_int_equal(nuce_workload_samples(&nuce_workload_exchange, &params), 3);
    nuce_workload_choose_sample(&nuce_workload_exchange, &params, 2);
    assert_int_equal(params.scheduling.instance, 7);
    assert_false(nuce_workload_is_mean(&nuce_workload_exchange, &params));

    params = combine("{\"schedule\": \"ac\", \"pattern\": \"mesh\", \"mesh\": \"wing-2800\", "
                     "\"samples\": \"3\"}",
                     0, 1);
    assert_int_equal(nuce_workload_exchange.complete(&params, 16, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "samples");
}

/* What a sweep may say of how processes are started. */

/* Names of variables, and whether a sweep may set them. */
static void test_variables(void **state)
{
    static const struct {
        const char *name;
        int is_good;
    } cases[] = {
        {"UCX_TLS", 1},      {"A", 1},      {"_own", 1},
        {"Mixed_Case9", 1},  {"SLURM", 1},  {"SLURMX", 1},
        {"SLURM_NTASKS", 0}, {"SLURM_", 0}, {"ranks", 0},
        {"9LIVES", 0},       {"", 0},       {"A B", 0},
        {"A=B", 0},          {"A-B", 0},    {"\xc3\x84", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_error error = {0};
        nuce_status status = nuce_launch_check_variable(cases[i].name, &error);

        if ((status == NUCE_OK) != cases[i].is_good)
            fail_msg("'%s': %s", cases[i].name, error.message);
        if (!cases[i].is_good)
            assert_non_null(strstr(error.message, cases[i].name));
    }
}

/* 64 letters are a name, 65 are not. */
static void test_long(void **state)
{
    char name[NUCE_NAME_BYTES + 1];
    struct nuce_error error;

    (void)state;
    memset(name, 'X', sizeof name);
    name[NUCE_NAME_BYTES] = '\0';
    assert_int_equal(nuce_launch_check_variable(name, &error), NUCE_BAD_INPUT);
    name[NUCE_NAME_BYTES - 1] = '\0';
    assert_int_equal(nuce_launch_check_variable(name, &error), NUCE_OK);
}

/* Factors as a line of a plan has them; NULL: they are good, else a part of what is said. */
static void test_factors(void **state)
{
    static const struct {
        const char *factors, *says;
    } cases[] = {
        {"{}", NULL},
        {"{\"nodes\":2,\"ntasks-per-node\":64,\"mpi\":\"openmpi\",\"UCX_TLS\":\"sm\"}", NULL},
        {"{\"UCX_TLS\":null}", NULL},
        {"[]", "launch: expected an object"},
        {"{\"nodes\":0}", "launch: nodes: expected a whole number of at least 1"},
        {"{\"nodes\":-3}", "launch: nodes"},
        {"{\"nodes\":1.5}", "launch: nodes"},
        {"{\"nodes\":\"2\"}", "launch: nodes"},
        {"{\"nodes\":null}", "launch: nodes"},
        {"{\"ntasks-per-node\":0}", "launch: ntasks-per-node: expected a whole number"},
        {"{\"mpi\":1}", "launch: mpi: expected a text"},
        {"{\"mpi\":null}", "launch: mpi: expected a text"}, /* only variables may be unset */
        {"{\"UCX_TLS\":1}", "launch: UCX_TLS: expected a text"},
        {"{\"ucx\":\"x\"}", "environment: 'ucx'"},
        {"{\"SLURM_X\":\"x\"}", "Slurm sets its own"},
        {"{\"nodes\":1,\"mpi\":\"mpich\",\"UCX_TLS\":[]}", "launch: UCX_TLS"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *factors = json_loads(cases[i].factors, 0, NULL);
        struct nuce_error error = {0};
        nuce_status status = nuce_launch_check(factors, &error);

        assert_int_equal(status, cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].says != NULL && strstr(error.message, cases[i].says) == NULL)
            fail_msg("%s: '%s' does not say '%s'", cases[i].factors, error.message, cases[i].says);
        json_decref(factors);
    }
}

/* Counts that are not said are 0; what is said in another order is the same; nothing is not an
 * empty object. */
static void test_same(void **state)
{
    json_t *one = json_loads("{\"nodes\":2,\"A\":null}", 0, NULL);
    json_t *other = json_loads("{\"A\":null,\"nodes\":2}", 0, NULL);
    json_t *less = json_loads("{\"nodes\":2}", 0, NULL);
    json_t *empty = json_object();

    (void)state;
    assert_int_equal(nuce_launch_count(one, "nodes"), 2);
    assert_int_equal(nuce_launch_count(one, "ntasks-per-node"), 0);
    assert_int_equal(nuce_launch_count(NULL, "nodes"), 0);
    assert_true(nuce_launch_is_same(one, other));
    assert_true(nuce_launch_is_same(NULL, NULL));
    assert_false(nuce_launch_is_same(one, less)); /* unset is not what it was before */
    assert_false(nuce_launch_is_same(NULL, empty));
    assert_false(nuce_launch_is_same(empty, NULL));
    json_decref(one);
    json_decref(other);
    json_decref(less);
    json_decref(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_id),  cmocka_unit_test(test_identity),
        cmocka_unit_test(test_set),       cmocka_unit_test(test_copy),
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_all_there),
        cmocka_unit_test(test_bad_lines), cmocka_unit_test(test_measure),
        cmocka_unit_test(test_precise),   cmocka_unit_test(test_taken),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_samples),   cmocka_unit_test(test_variables),
        cmocka_unit_test(test_long),      cmocka_unit_test(test_factors),
        cmocka_unit_test(test_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
