/* What the sweep parser refuses, word by word. */
#include "../folder.h"
#include "../test.h"
#include "plan_of.h"

#define HEAD "name: s\nworkload: exchange\nranks: 4\n"
#define BODY "sweep: {schedule: ac, pattern: uniform, density: 2}\n"

struct bad {
    const char *text;
    const char *said;
};

static void check_all(const struct bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct nuce_plan plan;
        char *said = plan_of(cases[i].text, &plan);

        assert_string_equal(said, cases[i].said);
        assert_true(plan.count == 0 || *said == '\0');
        free(said);
        nuce_plan_fini(&plan);
    }
}

#define CHECK_ALL(cases) check_all(cases, COUNT(cases))

static void test_documents(void **state)
{
    static const struct bad cases[] = {
        {"", "s.yaml:1:1: empty: expected a sweep\n"},
        {"# nothing\n", "s.yaml:1:1: empty: expected a sweep\n"},
        {"- a\n- b\n",
         "s.yaml:1:1: expected a mapping (name, workload, ranks, sweep ...), got a list\n"},
        {"text\n",
         "s.yaml:1:1: expected a mapping (name, workload, ranks, sweep ...), got a single value\n"},
        {HEAD BODY "---\nname: t\n", "s.yaml:5:1: a second document: expected exactly one\n"},
        {HEAD BODY "seed: &a 1\n", "s.yaml:5:7: anchors and aliases are not allowed\n"},
        {HEAD BODY "slurm: {mem: &a 1, qos: *a}\n",
         "s.yaml:5:14: anchors and aliases are not allowed\n"
         "s.yaml:5:25: anchors and aliases are not allowed\n"},
        {HEAD BODY "seed: !!int 1\n", "s.yaml:5:7: tags are not allowed\n"},
        {HEAD BODY "seed: 1\nseed: 2\n", "s.yaml:6:1: duplicate key 'seed' (first on line 5)\n"},
        {HEAD BODY "slurm: {mem: 1, qos: 2, mem: 3}\n",
         "s.yaml:5:25: duplicate key 'mem' (first on line 5)\n"},
        {HEAD BODY "? [a, b]\n: c\n", "s.yaml:5:3: expected a name as key, got a list\n"},
        {HEAD BODY "seed: \"1\\0\"\n", "s.yaml:5:7: a value with a zero byte in it\n"},
        {HEAD BODY "seed: [1\n", "s.yaml:6:1: did not find expected ',' or ']'\n"},
        {HEAD BODY "seed: \xff\n", "s.yaml:5:7: invalid leading UTF-8 octet\n"},
        {HEAD BODY "\tseed: 1\n", "s.yaml:5:1: found character that cannot start any token\n"},
    };

    CHECK_ALL(cases);
}

static void test_keys(void **state)
{
    static const struct bad cases[] = {
        {"seed: 1\n", "s.yaml:1:1: no 'name' given\n"
                      "s.yaml:1:1: no 'ranks' given\n"
                      "s.yaml:1:1: no 'sweep' given\n"
                      "s.yaml:1:1: no 'workload' given\n"},
        {HEAD BODY "mesure: {}\n", "s.yaml:5:1: unknown key 'mesure' (did you mean 'measure'?)\n"},
        {HEAD BODY "slurm: {via: x, job-name: y}\n",
         "s.yaml:5:9: slurm: 'via' is no option of sbatch: how jobs and ranks are started stands "
         "in a profile (--profile)\n"
         "s.yaml:5:17: slurm: 'job-name' is set by nuce\n"},
        {HEAD BODY "frobnication: 1\n",
         "s.yaml:5:1: unknown key 'frobnication': expected name, workload, ranks, together, sweep, "
         "exclude, compare, reference, measure, slurm, platform, precision or seed\n"},
        {"name: [s]\nworkload: exchange\nranks: 4\n" BODY,
         "s.yaml:1:7: name: expected a single value, got a list\n"},
        {"name: ../s\nworkload: exchange\nranks: 4\n" BODY,
         "s.yaml:1:7: name: '../s': expected 1 to 57 letters, digits, dots, dashes or "
         "underscores, not beginning with a dot or dash\n"},
        {"name: s\nworkload: exchagne\nranks: 4\n" BODY,
         "s.yaml:2:11: unknown workload 'exchagne' (did you mean 'exchange'?) (nuce list "
         "workloads)\n"},
        {"name: s\nworkload: {}\nranks: 4\n" BODY,
         "s.yaml:2:11: workload: expected a name, got a mapping\n"},
        {HEAD "sweep: {}\n", "s.yaml:4:8: sweep: empty: nothing to measure\n"},
        {HEAD "sweep: []\n", "s.yaml:4:8: sweep: empty: nothing to measure\n"},
        {HEAD "sweep:\n",
         "s.yaml:4:7: sweep: expected a mapping of options to values, got nothing\n"},
        {HEAD "sweep: [3]\n",
         "s.yaml:4:9: sweep: expected a mapping of options to values, got a single value\n"},
        {HEAD BODY "seed: -1\n", "s.yaml:5:7: seed: '-1': expected at least 0\n"},
        {HEAD BODY "seed: [1, 2]\n", "s.yaml:5:7: seed: expected a single value, got a list\n"},
        {HEAD BODY "slurm: 3\n", "s.yaml:5:8: slurm: expected a mapping, got a single value\n"},
        {HEAD BODY "slurm: {nodes: [1]}\n",
         "s.yaml:5:16: slurm: nodes: expected a single value, got a list\n"},
        {HEAD BODY "slurm:\n  job-name: x\n  nodes: 2-4\n  time: 1h\n  comment: \"a\\nb\"\n",
         "s.yaml:6:3: slurm: 'job-name' is set by nuce\n"
         "s.yaml:7:10: slurm: nodes: '2-4': expected a whole number from 1 to 16777216 (nodes of a "
         "job)\n"
         "s.yaml:8:9: slurm: time: '1h': expected a time limit: minutes, minutes:seconds, "
         "hours:minutes:seconds or days-hours[:minutes[:seconds]]\n"
         "s.yaml:9:12: slurm: comment: a control character in the value: expected one line\n"},
        {HEAD BODY "measure: 3\n",
         "s.yaml:5:10: measure: expected a mapping, got a single value\n"},
        {HEAD BODY "measure: {warmpu: 3}\n",
         "s.yaml:5:11: unknown key 'warmpu' (did you mean 'warmup'?)\n"},
        {HEAD BODY "measure: {min: [1, 2]}\n",
         "s.yaml:5:16: min: expected a single value, got a list\n"},
    };

    CHECK_ALL(cases);
}

static void test_ranks(void **state)
{
#define RANKS(value) "name: s\nworkload: exchange\nranks: " value "\n" BODY
    static const struct bad cases[] = {
        {RANKS("0"), "s.yaml:3:8: ranks: '0': expected at least 1\n"},
        {RANKS("[8, -1]"), "s.yaml:3:12: ranks: '-1': expected at least 1\n"},
        {RANKS("16777217"), "s.yaml:3:8: ranks: '16777217': expected at most 16777216\n"},
        {RANKS("[]"), "s.yaml:3:8: ranks: an empty list\n"},
        {RANKS("[[2]]"), "s.yaml:3:9: ranks: expected a single value, got a list\n"},
        {RANKS("{from: 8, to: 2, times: 2}"),
         "s.yaml:3:8: ranks: a range that ends before it begins: 'to' is 2, expected 'from', 8, or "
         "more\n"},
        {RANKS("{from: 2, to: 8, times: 1}"),
         "s.yaml:3:32: ranks: times: '1': expected a number greater than 1\n"},
        {RANKS("{from: 2, to: 8, step: 0}"), "s.yaml:3:31: ranks: step: expected more than 0\n"},
        {RANKS("{from: 2, to: 8}"),
         "s.yaml:3:8: ranks: a range has either 'times' or 'step': {from: 1, to: 8, times: 2}\n"},
        {RANKS("{from: 2, step: 2}"), "s.yaml:3:8: ranks: a range without 'to'\n"},
        {RANKS("{from: 2, too: 8, to: 8, step: 2}"),
         "s.yaml:3:18: unknown key 'too' (did you mean 'to'?)\n"},
        {RANKS("{from: 1, to: 1e15, step: 1}"),
         "s.yaml:3:8: more than 200000 values in one sweep\n"},
        {RANKS("{from: 1, to: 9e18, times: 2}"), "s.yaml:3:22: ranks: '9e18': expected a whole "
                                                 "number, such as 64, 1e6 or 4M, below 2^53\n"},
    };

    CHECK_ALL(cases);
}

static void test_options(void **state)
{
#define SWEEP(text) HEAD "sweep: {pattern: uniform, density: 2, " text "}\n"
    static const struct bad cases[] = {
        {SWEEP("algorithm: ac"),
         "s.yaml:4:39: algorithm: ended: say schedule, decomposition or placement\n"},
        {SWEEP("schedule: ac") "exclude: [{algorithm: ac}]\n",
         "s.yaml:5:12: algorithm: ended: say schedule, decomposition or placement\n"},
        {SWEEP("schedule: ac, unti: 16B"),
         "s.yaml:4:53: unknown key 'unti' (did you mean 'unit'?)\n"},
        {SWEEP("schedule: ac, warmup: 3"), "s.yaml:4:53: 'warmup' belongs under 'measure'\n"},
        {SWEEP("schedule: []"), "s.yaml:4:49: schedule: an empty list\n"},
        {HEAD "sweep: {schedule: ac, pattern: {mesh: airfoil}}\n",
         "s.yaml:4:32: pattern: expected a value or a list, got a mapping; 'mesh' is a key of its "
         "own\n"},
        {SWEEP("schedule: {from: ac, to: lp, step: 1}"),
         "s.yaml:4:49: schedule: expected a value or a list, got a mapping (a range needs "
         "numbers)\n"},
        {SWEEP("schedule: ac, unit: 0"), "s.yaml:4:59: unit: '0': expected at least 1\n"},
        {SWEEP("schedule: ac, instances: [1, 2]"),
         "s.yaml:4:64: instances: 'a list': expected one number from 1 to 200000\n"},
        {SWEEP("schedule: ac, instances: 0"),
         "s.yaml:4:64: instances: '0': expected one number from 1 to 200000\n"},
        {SWEEP("schedule: ac, instance: 0, instances: 2"),
         "s.yaml:4:66: 'instances' is set already, on line 4\n"},
        {SWEEP("schedule: ac") "together: [{unit: [1, 2], seed: [1]}]\n",
         "s.yaml:5:33: together: 'seed' has 1 values, the keys before it 2\n"},
        {SWEEP("schedule: ac") "together: [{unit: 1}]\n",
         "s.yaml:5:19: together: expected a list, got a single value\n"},
        {SWEEP("schedule: ac") "together: {unit: [1]}\n",
         "s.yaml:5:11: together: expected a list of mappings, got a mapping\n"},
        {SWEEP("schedule: ac") "together: [{density: [1, 2]}]\n",
         "s.yaml:4:27: 'density' is set already, on line 5\n"},
        {SWEEP("schedule: ac") "together: [{unit: [1]}, {unit: [2]}]\n",
         "s.yaml:5:26: 'unit' is set already, on line 5\n"},
        {SWEEP("schedule: ac") "exclude: {schedule: lp}\n",
         "s.yaml:5:10: exclude: expected a list of mappings, got a mapping\n"},
        {SWEEP("schedule: ac") "exclude: [{schedule: [ac, [lp]]}]\n",
         "s.yaml:5:27: schedule: expected a single value, got a list\n"},
        {SWEEP("schedule: ac") "exclude: [{ranks: [1]}]\n",
         "s.yaml:5:19: ranks: expected a single value, got a list\n"},
        {SWEEP("schedule: ac") "exclude: [{instances: 3}]\n",
         "s.yaml:5:12: 'instances' cannot be excluded; use 'instance'\n"},
        {SWEEP("schedule: ac") "exclude: [{shedule: ac}]\n",
         "s.yaml:5:12: unknown key 'shedule' (did you mean 'schedule'?)\n"},
        {SWEEP("schedule: ac") "exclude: [{schedule: ac}]\n",
         "s.yaml:4:8: no points: all 1 combinations are excluded\n"},
    };

    CHECK_ALL(cases);
}

/* What is wrong only once a point is put together points at the option, or at the product. */
static void test_points(void **state)
{
    static const struct bad cases[] = {
        {HEAD "sweep:\n  schedule: ac\n  pattern: uniform\n  density: [4, 5, 6]\n",
         "s.yaml:7:16: density: '5': expected at most the number of ranks, 4\n"
         "s.yaml:7:19: density: '6': expected at most the number of ranks, 4\n"},
        {HEAD "sweep:\n  schedule: ac\n  unit: 1\n",
         "s.yaml:5:3: pattern: not given: expected a mesh, a com file, or a pattern of "
         "'nuce list patterns'\n"},
        {HEAD "sweep:\n  schedule: ac\n  pattern: skewed\n  density: 4\n",
         "s.yaml:7:12: density: means nothing for pattern skewed: leave it out\n"},
        {HEAD "sweep:\n  schedule: ac\n  seed: {from: 1, to: 100000, step: 1}\n"
              "  unit: [1, 2, 3]\n  pattern: skewed\n",
         "s.yaml:5:3: 300000 combinations: expected at most 200000 points in a sweep\n"},
        {HEAD "sweep:\n  schedule: ac\n  pattern: uniform\n  instances: 120000\n"
              "  seed: {from: 1, to: 120000, step: 1}\n",
         "s.yaml:8:9: more than 200000 values in one sweep\n"},
    };

    CHECK_ALL(cases);
}

/* A sweep without a seed runs its points in the order of the seed that is said to be its preset. */
static void test_seed(void **state)
{
#define EIGHT                                                                                      \
    HEAD "sweep: {pattern: uniform, density: 2, schedule: ac, unit: [1, 2, 3, 4, 5, 6, 7, 8]}\n"
    struct nuce_sweep_key_help key;
    struct nuce_plan none, preset;
    char text[256], *said;
    size_t index = 0;

    while (nuce_sweep_key_help(index, &key) && strcmp(key.name, "seed") != 0)
        index++;
    assert_string_equal(key.name, "seed");
    snprintf(text, sizeof text, EIGHT "seed: %s\n", key.preset);
    free(plan_of(EIGHT, &none));
    said = plan_of(text, &preset);
    assert_string_equal(said, "");
    free(said);
    assert_int_equal(none.count, 8);
    assert_int_equal(preset.count, 8);
    for (int i = 0; i < 8; i++)
        assert_string_equal(none.points[i].id, preset.points[i].id);
    nuce_plan_fini(&none);
    nuce_plan_fini(&preset);
}

/* Seconds of sampling that the first point of a plan has in each launch. */
static double limit_of(const char *text)
{
    struct nuce_plan plan;
    char *said = plan_of(text, &plan);
    const json_t *measure;
    double limit_s;

    assert_string_equal(said, "");
    free(said);
    measure = json_object_get(plan.points[0].line, "measure");
    limit_s = json_number_value(json_object_get(measure, "limit"));
    nuce_plan_fini(&plan);
    return limit_s;
}

/* Launches share 1.5 s where no limit is said; one alone, what is precise, and a simulation do not.
 */
static void test_shared_limit(void **state)
{
    assert_float_equal(limit_of(HEAD BODY), 1.5 / 12, 1e-12);
    assert_float_equal(limit_of(HEAD BODY "measure: {launches: 5}\n"), 0.3, 1e-12);
    assert_float_equal(limit_of(HEAD BODY "measure: {launches: 5, limit: 3s}\n"), 3, 1e-12);
    assert_float_equal(limit_of(HEAD BODY "measure: {launches: 1}\n"), 15, 1e-12);
    assert_float_equal(limit_of(HEAD BODY "measure: {precise: true}\n"), 90, 1e-12);
    assert_float_equal(limit_of(HEAD BODY "platform: cm5-32\n"), 15, 1e-12);
}

/* A file of many mistakes: all are said, those that cannot be kept are counted. */
static void test_many(void **state)
{
    char *text = malloc(100000), *said, *end = text;
    struct nuce_plan plan;

    end += sprintf(end, HEAD BODY);
    for (int i = 0; i < 300; i++)
        end += sprintf(end, "key%d: 1\n", i);
    said = plan_of(text, &plan);
    assert_non_null(strstr(said, "s.yaml:5:1: unknown key 'key0': "));
    assert_non_null(strstr(said, "s.yaml:24:1: unknown key 'key19': "));
    assert_null(strstr(said, "key20"));
    assert_non_null(strstr(said, "s.yaml: 280 more problems\n"));
    free(said);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents), cmocka_unit_test(test_keys),
        cmocka_unit_test(test_ranks),     cmocka_unit_test(test_options),
        cmocka_unit_test(test_points),    cmocka_unit_test(test_many),
        cmocka_unit_test(test_seed),      cmocka_unit_test(test_shared_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
