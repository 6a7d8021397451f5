/* Sweeps: refused input with its whole message; and points of sweeps: their number, values and
 * order. */
#include "../folder.h"
#include "campaigns/expand.h"
#include "campaigns/profile_keys.h"
#include "points/point.h"

#define HEAD "name: s\nworkload: exchange\nranks: 4\n"
#define BODY "sweep: {schedule: ac, pattern: uniform, degree: 2}\n"
#define RANKS(value) "name: s\nworkload: exchange\nranks: " value "\n" BODY
#define SWEEP(text) HEAD "sweep: {pattern: uniform, degree: 2, " text "}\n"
#define UNITS                                                                                      \
    HEAD "sweep: {pattern: uniform, degree: 2, schedule: ac, item-bytes: [1, 2, 3, 4, 5, 6, 7, "   \
         "8]}\n"
#define EIGHT "name: s\nworkload: exchange\nranks: 8\n"
#define AC EIGHT "sweep: {schedule: ac, pattern: uniform"
#define BOTH EIGHT "sweep: {schedule: [ac, lp], pattern: uniform"
#define RACE EIGHT "sweep: {schedule: [ac, greedy], in-flight: [1, 2], pattern: uniform}\n"

/* Parses and expands text as the file s.yaml; returns its problems, one per line, "" for none. The
 * caller frees *plan and the returned text in either case. */
static char *plan_of(const char *text, struct nuce_plan *plan)
{
    struct nuce_problems problems;
    struct nuce_sweep sweep = {0};
    struct nuce_facts *facts = nuce_facts_create();
    size_t size = 0;
    char *said = NULL;
    FILE *stream = open_memstream(&said, &size);

    *plan = (struct nuce_plan){0};
    nuce_problems_init(&problems, "s.yaml");
    nuce_sweep_parse(text, strlen(text), &nuce_slurm_judge, &sweep, &problems);
    if (nuce_problems_none(&problems))
        nuce_sweep_expand(&sweep, facts, plan, &problems);
    nuce_problems_print(&problems, stream);
    fclose(stream);
    nuce_sweep_fini(&sweep);
    nuce_problems_fini(&problems);
    nuce_facts_destroy(facts);
    return said;
}

/* The whole output, or a part of it if the line end is missing. An error that shows only in a
 * complete point has the place of the option, or of the product. */
static void test_refused(void **state)
{
    static const char *const cases[][2] = {
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
        {HEAD BODY "\tseed: 1\n", "s.yaml:5:1: YAML does not allow tabs for indentation\n"},
        {"seed: 1\n", "s.yaml:1:1: no 'name' given\n"
                      "s.yaml:1:1: no 'ranks' given\n"
                      "s.yaml:1:1: no 'sweep' given\n"
                      "s.yaml:1:1: no 'workload' given\n"},
        {HEAD BODY "mesure: {}\n", "s.yaml:5:1: unknown key 'mesure' (did you mean 'measure'?)\n"},
        {HEAD BODY "slurm: {via: x, job-name: y}\n",
         "s.yaml:5:9: slurm: 'via' is not an option of sbatch: a profile sets how jobs and ranks "
         "start "
         "(--profile)\n"
         "s.yaml:5:17: slurm: 'job-name' is set by nuce\n"},
        {HEAD BODY "frobnication: 1\n",
         "s.yaml:5:1: unknown key 'frobnication': expected name, workload, ranks, zip, sweep, "
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
         "s.yaml:7:10: slurm: nodes: '2-4': expected a whole number from 1 to 16777216 (nodes per "
         "job)\n"
         "s.yaml:8:9: slurm: time: '1h': expected a time limit: minutes, minutes:seconds, "
         "hours:minutes:seconds or days-hours[:minutes[:seconds]]\n"
         "s.yaml:9:12: slurm: comment: a control character in the value: expected one line\n"},
        {HEAD BODY "measure: 3\n",
         "s.yaml:5:10: measure: expected a mapping, got a single value\n"},
        {HEAD BODY "measure: {warmpu: 3}\n",
         "s.yaml:5:11: unknown key 'warmpu' (did you mean 'warmup'?)\n"},
        {HEAD BODY "measure: {min-samples: [1, 2]}\n",
         "s.yaml:5:24: min-samples: expected a single value, got a list\n"},
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
        {SWEEP("algorithm: ac"),
         "s.yaml:4:38: algorithm: removed: say schedule, decomposition or placement\n"},
        {SWEEP("schedule: ac") "exclude: [{algorithm: ac}]\n",
         "s.yaml:5:12: algorithm: removed: say schedule, decomposition or placement\n"},
        {SWEEP("schedule: ac, item-byte: 16B"),
         "s.yaml:4:52: unknown key 'item-byte' (did you mean 'item-bytes'?)\n"},
        {SWEEP("schedule: ac, warmup: 3"), "s.yaml:4:52: 'warmup' belongs under 'measure'\n"},
        {SWEEP("schedule: []"), "s.yaml:4:48: schedule: an empty list\n"},
        {HEAD "sweep: {schedule: ac, pattern: {mesh: airfoil}}\n",
         "s.yaml:4:32: pattern: expected a value or a list, got a mapping; 'mesh' is a key of its "
         "own\n"},
        {SWEEP("schedule: {from: ac, to: lp, step: 1}"),
         "s.yaml:4:48: schedule: expected a value or a list, got a mapping (a range needs "
         "numbers)\n"},
        {SWEEP("schedule: ac, item-bytes: 0"),
         "s.yaml:4:64: item-bytes: '0': expected at least 1\n"},
        {SWEEP("schedule: ac, instances: [1, 2]"),
         "s.yaml:4:63: instances: 'a list': expected one number from 1 to 200000\n"},
        {SWEEP("schedule: ac, instances: 0"),
         "s.yaml:4:63: instances: '0': expected one number from 1 to 200000\n"},
        {SWEEP("schedule: ac, instance: 0, instances: 2"),
         "s.yaml:4:65: 'instances' is set already, on line 4\n"},
        {SWEEP("schedule: ac") "zip: [{item-bytes: [1, 2], seed: [1]}]\n",
         "s.yaml:5:34: zip: 'seed' has 1 values, the keys before it 2\n"},
        {SWEEP("schedule: ac") "zip: [{item-bytes: 1}]\n",
         "s.yaml:5:20: zip: expected a list, got a single value\n"},
        {SWEEP("schedule: ac") "zip: {item-bytes: [1]}\n",
         "s.yaml:5:6: zip: expected a list of mappings, got a mapping\n"},
        {SWEEP("schedule: ac") "zip: [{degree: [1, 2]}]\n",
         "s.yaml:4:27: 'degree' is set already, on line 5\n"},
        {SWEEP("schedule: ac") "zip: [{item-bytes: [1]}, {item-bytes: [2]}]\n",
         "s.yaml:5:27: 'item-bytes' is set already, on line 5\n"},
        {SWEEP("schedule: ac") "exclude: {schedule: lp}\n",
         "s.yaml:5:10: exclude: expected a list of mappings, got a mapping\n"},
        {SWEEP("schedule: ac") "exclude: [{schedule: [ac, [lp]]}]\n",
         "s.yaml:5:27: schedule: expected a single value, got a list\n"},
        {SWEEP("schedule: ac") "exclude: [{ranks: [1, [2]]}]\n",
         "s.yaml:5:23: ranks: expected a single value, got a list\n"},
        {SWEEP("schedule: ac") "zip: [{environment: [1]}]\n",
         "s.yaml:5:8: zip: variables cannot be zipped: expected 'environment' below sweep\n"},
        {SWEEP("schedule: ac") "compare:\n",
         "s.yaml:5:9: compare: expected names of options, got nothing\n"},
        {"# \xc3\xa9\n\tname: s\n", "s.yaml:2:1: YAML does not allow tabs for indentation\n"},
        {SWEEP("schedule: ac") "exclude: [{instances: 3}]\n",
         "s.yaml:5:12: 'instances' cannot be excluded; use 'instance'\n"},
        {SWEEP("schedule: ac") "exclude: [{shedule: ac}]\n",
         "s.yaml:5:12: unknown key 'shedule' (did you mean 'schedule'?)\n"},
        {SWEEP("schedule: ac") "exclude: [{schedule: ac}]\n",
         "s.yaml:4:8: no points: all 1 combinations are excluded\n"},
        {HEAD "sweep:\n  schedule: ac\n  pattern: uniform\n  degree: [4, 5, 6]\n",
         "s.yaml:7:15: degree: '5': expected at most the number of ranks, 4\n"
         "s.yaml:7:18: degree: '6': expected at most the number of ranks, 4\n"},
        {HEAD "sweep:\n  schedule: ac\n  item-bytes: 1\n",
         "s.yaml:5:3: pattern: not given: expected a mesh, a com file, or a pattern of "
         "'nuce list patterns'\n"},
        {HEAD "sweep:\n  schedule: ac\n  pattern: skewed\n  degree: 4\n",
         "s.yaml:7:11: degree: has no effect on pattern skewed: leave it out\n"},
        {HEAD "sweep:\n  schedule: ac\n  seed: {from: 1, to: 100000, step: 1}\n"
              "  item-bytes: [1, 2, 3]\n  pattern: skewed\n",
         "s.yaml:5:3: 300000 combinations: expected at most 200000 points in a sweep\n"},
        {HEAD "sweep:\n  schedule: ac\n  pattern: uniform\n  instances: 120000\n"
              "  seed: {from: 1, to: 120000, step: 1}\n",
         "s.yaml:8:9: more than 200000 values in one sweep\n"},
        {RACE "compare: [nosuch]", "s.yaml:5:11: unknown key 'nosuch'"},
        {RACE "compare: [schedul]", "(did you mean 'schedule'?)"},
        {RACE "compare: [schedule, item-bytes]",
         "s.yaml:5:21: compare: 'item-bytes' changes the instance, which all contenders of a race "
         "share: expected overlap, schedule, "},
        {RACE "compare: [schedule, schedule]", "s.yaml:5:21: compare: 'schedule' is listed"},
        {RACE "compare: []", "s.yaml:5:10: compare: an empty list"},
        {RACE "compare: {schedule: ac}", "s.yaml:5:10: compare: expected names of options"},
        {RACE "compare: warmup", "'warmup' belongs under 'measure'"},
        {RACE "reference: nobody", "s.yaml:5:12: unknown schedule 'nobody'"},
        {RACE "reference: lp",
         "s.yaml:5:12: reference: not among the contenders of 1 of 1 races: 'lp' is not there: "
         "expected one that each has, of ac, greedy"},
        {RACE "reference: {schedule: greedy, in-flight: 4}",
         "reference: not among the contenders of 1 of 1 races: expected one that each"},
        {RACE "compare: [schedule, in-flight]\nreference: {in-flight: 4}",
         "'4' is not there: expected one that each has, of 1, 2"},
        {RACE "reference: {item-bytes: 16B}",
         "s.yaml:5:13: reference: 'item-bytes' is not compared"},
        {RACE "reference: [ac]", "s.yaml:5:12: schedule: expected a single value"},
        {RACE "reference: {}", "s.yaml:5:12: reference: an empty mapping"},
        {"name: s\nworkload: links\nranks: 4\nsweep: {sizes: 3}\nreference: ac",
         "s.yaml:5:12: reference: this workload has no keys to compare"},
        {"name: s\nworkload: links\nranks: 4\nsweep: {sizes: 3}\ncompare: sizes",
         "race share: this workload has no keys to compare"},
        {RACE "measure: {launches: 0}", "s.yaml:5:21: launches: '0': expected at least 1"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_plan plan;
        const char *wanted = cases[i][1];
        char *said = plan_of(cases[i][0], &plan);

        if (wanted[strlen(wanted) - 1] == '\n' ? strcmp(said, wanted) != 0
                                               : strstr(said, wanted) == NULL)
            fail_msg("%s: no '%s'", said, wanted);
        assert_int_equal(plan.count, 0);
        free(said);
        nuce_plan_fini(&plan);
    }
}

/* A file of many mistakes: all are reported; those beyond the room are counted. */
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

static struct nuce_plan good_plan(const char *text)
{
    struct nuce_plan plan;
    char *said = plan_of(text, &plan);

    assert_string_equal(said, "");
    free(said);
    return plan;
}

/* The number of points, and notes on valid sweeps. A repeated value, in whatever form, gets a note
 * and is measured once. An exclude rule without effect gets a note, and no other: two rules that
 * match the same points both have an effect. A key that none of the points has gets a note, because
 * it would look effective; one that some have gets none. */
static void test_counts(void **state)
{
    static const struct {
        const char *text, *said;
        int64_t points, excluded, repeated;
    } cases[] = {
        {AC ", item-bytes: [1024, 1KiB, 1024B]}",
         "s.yaml:4:60: note: item-bytes: listed twice, measured once\n"
         "s.yaml:4:66: note: item-bytes: listed twice, measured once\n",
         1, 0, 2},
        {BOTH ", item-bytes: [8B, 16B]}\n"
              "exclude: [{schedule: lp, item-bytes: 8B}, {schedule: lp}, {item-bytes: 32B},\n"
              "          {schedule: lp, item-bytes: 16B}, {ranks: 99, item-bytes: 8B}]",
         "s.yaml:5:59: note: exclude: matches none of the combinations\n"
         "s.yaml:6:44: note: exclude: matches none of the combinations\n",
         2, 2, 0},
        {AC ", radix: [2, 4]}", "s.yaml:4:49: note: radix: has no effect on any of these points\n",
         1, 0, 1},
        {EIGHT "sweep: {schedule: [ac, tuna], pattern: uniform, radix: [2, 4]}", "", 3, 0, 1},
        /* a range that passes its end by little is accepted, with a note */
        {EIGHT "sweep: {pattern: uniform, degree: 2, schedule: ac, item-bytes: {from: 64B, to: "
               "64kB, times: 4}"
               "}\n",
         "s.yaml:4:80: note: item-bytes: the range ends at 16384: the next value, 65536, is above "
         "its "
         "'to', 64000\n",
         5, 0, 0},
        {EIGHT
         "sweep: {pattern: uniform, degree: 2, schedule: ac, item-bytes: {from: 64B, to: 64KiB, "
         "times: 4}"
         "}\n",
         "", 6, 0, 0},
        {EIGHT "sweep: {pattern: uniform, degree: 2, schedule: ac, item-bytes: {from: 64B, to: "
               "200, times: 2}"
               "}\n",
         "", 2, 0, 0},
        {EIGHT
         "sweep: {pattern: uniform, degree: 2, schedule: ac, item-bytes: {from: 1, to: 9, step: 3}"
         "}\n",
         "", 3, 0, 0},
        /* scalars, lists, products, several products */
        {AC "}", "", 1, 0, 0},
        {BOTH ", item-bytes: [1, 2, 3]}", "", 6, 0, 0},
        {EIGHT "sweep: [{schedule: [ac, lp], pattern: uniform}, {schedule: ac, pattern: uniform, "
               "degree: [1, 2]}]",
         "", 4, 0, 0},
        {"name: s\nworkload: exchange\nranks: [8, 12, 16]\nsweep: {schedule: ac, pattern: uniform}",
         "", 3, 0, 0},
        {"name: s\nworkload: exchange\nranks: {from: 8, to: 33, times: 2}\nsweep: {schedule: ac, "
         "pattern: uniform}",
         "", 3, 0, 0},
        /* the same point twice */
        {EIGHT "sweep: [{schedule: [ac, lp], pattern: uniform}, {schedule: ac, pattern: uniform}]",
         "", 2, 0, 1},
        /* ranges: by factors and by steps, ends included, rounded without repetition */
        {AC ", item-bytes: {from: 16B, to: 4KiB, times: 2}}", "", 9, 0, 0},
        {AC ", item-bytes: {from: 16, to: 47, step: 16B}}", "", 2, 0, 0},
        {AC ", item-bytes: {from: 1, to: 4, times: 1.2}}", "", 4, 0, 0},
        {AC ", seed: {from: 0, to: 9, step: 3}}", "", 4, 0, 0},
        /* how processes are started */
        {AC ", environment: {UCX_TLS: [tcp, ~], FI_X: 1}}", "", 2, 0, 0},
        /* what is not set, and a text */
        {AC ", environment: {UCX_TLS: [~, '~', null]}}",
         "s.yaml:4:73: note: UCX_TLS: listed twice, measured once\n", 2, 0, 1},
        {AC ", nodes: [1, 2], ntasks-per-node: [4, 8]}\n"
            "exclude: [{nodes: 2, ntasks-per-node: 8}]",
         "", 3, 1, 0},
        {AC ", environment: {A: [1, 2]}}\n"
            "exclude: [{A: 2}]",
         "", 1, 1, 0},
        {AC "}\nzip: [{nodes: [1, 2], item-bytes: [1, 2]}]", "", 2, 0, 0},
        /* counted options */
        {AC ", instances: 20}", "", 20, 0, 0},
        {AC "}\n"
            "zip: [{degree: [2, 4], instances: [5, 2]}]",
         "", 7, 0, 0},
        /* two groups in step are a product of both */
        {AC "}\n"
            "zip: [{degree: [2, 4], item-bytes: [1, 2]}, {instance: [0, 1, 2], seed: [1, 2, 3]}]",
         "", 6, 0, 0},
        /* exclusion: all keys of one must match; ranks too; values are compared as values */
        {BOTH ", item-bytes: [1, 1KiB]}\n"
              "exclude: [{schedule: lp, item-bytes: 1024B}]",
         "", 3, 1, 0},
        {"name: s\nworkload: exchange\nranks: [8, 16]\nsweep: {schedule: [ac, lp], pattern: "
         "uniform}\nexclude: [{schedule: lp, ranks: 8}, {schedule: ac, ranks: 16}]",
         "", 2, 2, 0},
        {"name: s\nworkload: exchange\nranks: [8, 16, 32]\nsweep: {schedule: [ac, lp], pattern: "
         "uniform}\nexclude: [{schedule: lp, ranks: [8, 32]}, {ranks: {from: 16, to: 17, step: "
         "1}}]",
         "", 2, 4, 0},
        {BOTH "}\nexclude: []", "", 2, 0, 0},
        /* a list, or a range, of values: any of them */
        {BOTH ", degree: [1, 2, 3, 4]}\n"
              "exclude: [{schedule: lp, degree: {from: 2, to: 7, step: 1}}]",
         "", 5, 3, 0},
        {EIGHT "sweep: {schedule: [ac, lp, rs-n], pattern: uniform, degree: [1, 2, 3]}\n"
               "exclude: [{degree: [1, 3], schedule: [lp, ac]}]",
         "", 5, 4, 0},
        /* excluded combinations need not be valid */
        {AC ", degree: [4, 99]}\nexclude: [{degree: 99}]", "", 1, 1, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_plan plan;
        char *said = plan_of(cases[i].text, &plan);

        assert_string_equal(said, cases[i].said);
        assert_int_equal(plan.count, cases[i].points);
        assert_int_equal(plan.excluded, cases[i].excluded);
        assert_int_equal(plan.repeated, cases[i].repeated);
        if (*said == '\0')
            assert_int_equal(plan.combinations, plan.count + plan.excluded + plan.repeated);
        nuce_plan_fini(&plan);
        free(said);
    }
}

static json_t *param(const struct nuce_planned *planned, const char *name)
{
    return json_object_get(planned->canonical, name);
}

/* Keys in step give pairs, not products. */
static void test_pairs(void **state)
{
    struct nuce_plan plan = good_plan(AC "}\n"
                                         "zip: [{degree: [2, 4], item-bytes: [10, 20]}]");

    assert_int_equal(plan.count, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(json_integer_value(param(&plan.points[i], "item-bytes")),
                         5 * json_integer_value(param(&plan.points[i], "degree")));
    nuce_plan_fini(&plan);
}

/* Nonzero if points a and b share the parameter. */
static int shares(const struct nuce_planned *a, const struct nuce_planned *b, const char *name)
{
    return json_equal(param(a, name), param(b, name));
}

#define ORDERED                                                                                    \
    "name: s\nworkload: exchange\nranks: [8, 4]\nsweep: {schedule: [ac, lp, rs-n], mesh: "         \
    "wing-2800, partition: [rcb, kway], item-bytes: [8, 16, 24, 32]}\n"

/* Ranks ascend; points that share mesh and partition are neighbours; so are, within them, the
 * algorithms of one instance. */
static void test_blocks(void **state)
{
    OWNED(plan) plan = good_plan(ORDERED);

    assert_int_equal(plan.count, 48);
    for (int64_t i = 0; i < plan.count; i++) {
        const struct nuce_planned *first = &plan.points[i / 12 * 12];

        assert_int_equal(plan.points[i].ranks, i < 24 ? 4 : 8);
        assert_true(shares(&plan.points[i], first, "partition"));
        assert_true(shares(&plan.points[i], &plan.points[i / 3 * 3], "item-bytes"));
    }
}

static int same_order(const struct nuce_plan *a, const struct nuce_plan *b)
{
    for (int64_t i = 0; i < a->count; i++) {
        if (strcmp(a->points[i].id, b->points[i].id) != 0)
            return 0;
    }
    return a->count == b->count;
}

/* Nonzero if contender number k of each instance of ORDERED runs under the k-th of three schedules.
 */
static int has_order(const struct nuce_plan *plan, const char *const schedules[3])
{
    for (int64_t i = 0; i < plan->count; i++) {
        if (strcmp(json_string_value(param(&plan->points[i], "schedule")), schedules[i % 3]) != 0)
            return 0;
    }
    return 1;
}

/* The order of the instances is the seed's, not that of the file; that of the contenders is the
 * file's: the first is the reference. */
static void test_seed(void **state)
{
    static const char *const listed[] = {"ac", "lp", "rs-n"}, *const reversed[] = {"rs-n", "lp",
                                                                                   "ac"};
    struct nuce_plan plan = good_plan(ORDERED), again = good_plan(ORDERED "seed: 1\n"),
                     other = good_plan(ORDERED "seed: 2\n");
    struct nuce_plan turned = good_plan(
        "name: s\nworkload: exchange\nranks: [4, 8]\nsweep: {item-bytes: [32, 24, 16, 8], "
        "partition: [kway, rcb], mesh: wing-2800, schedule: [rs-n, lp, ac]}\n");

    assert_true(same_order(&plan, &again));
    assert_false(same_order(&plan, &other));
    assert_true(has_order(&plan, listed));
    assert_true(has_order(&turned, reversed));
    assert_int_equal(turned.count, plan.count);
    for (int64_t i = 0; i < plan.count; i++) {
        assert_true(shares(&plan.points[i], &turned.points[i], "item-bytes"));
        assert_true(shares(&plan.points[i], &turned.points[i], "partition"));
    }
    nuce_plan_fini(&plan);
    nuce_plan_fini(&again);
    nuce_plan_fini(&other);
    nuce_plan_fini(&turned);
}

/* The number of races of the plan, and of the points of the largest. */
static void expect_races(const char *text, int races, int most)
{
    OWNED(plan) plan = good_plan(text);
    int found = 0, largest = 0, count = 0;

    for (int64_t i = 0; i < plan.count; i++) {
        count = i > 0 && nuce_point_is_of_race(plan.points[i].line, plan.points[i - 1].line)
                    ? count + 1
                    : 1;
        found += count == 1;
        largest = count > largest ? count : largest;
    }
    assert_int_equal(found, races);
    assert_int_equal(largest, most);
}

#define STENCIL                                                                                    \
    "name: s\nworkload: stencil\nranks: 4\nsweep: {decomposition: [xy2, rb2, grid], schedule: "    \
    "[ac, "                                                                                        \
    "rs-n], overlap: [true, false], rows: 40, columns: 40}\n"

/* Contenders that are compared are in one race; all other values make others. */
static void test_compare(void **state)
{
    expect_races(STENCIL, 4, 3);
    expect_races(STENCIL "compare: decomposition\n", 4, 3);
    expect_races(STENCIL "compare: [schedule]\n", 6, 2);
    expect_races(STENCIL "compare: [decomposition, overlap, schedule]\n", 1, 12);
    expect_races(EIGHT "sweep: {schedule: [lp, greedy], in-flight: [1, 2], pattern: uniform}", 1,
                 3);
    expect_races(EIGHT "sweep: {schedule: [lp, greedy], in-flight: [1, 2], pattern: uniform}\n"
                       "compare: [schedule, in-flight]",
                 1, 3);
    expect_races(EIGHT "sweep: {schedule: [lp, greedy], in-flight: [1, 2], pattern: uniform}\n"
                       "compare: [in-flight]",
                 2, 2);
}

/* The key that is compared by default need not be named, and is not. */
static void test_compare_is_usual(void **state)
{
    struct nuce_plan plan = good_plan(BOTH "}\n"
                                           "compare: [schedule]");
    struct nuce_plan other = good_plan(BOTH "}\n"
                                            "compare: [placement, schedule]");
    json_t *wanted = json_pack("[s, s]", "placement", "schedule");

    assert_null(json_object_get(plan.points[0].line, "compare"));
    for (const struct nuce_option *row = nuce_workload_exchange.options; row->name != NULL; row++) {
        if (row->flags & NUCE_OPTION_TUNING)
            json_array_append_new(wanted, json_string(row->name));
    }
    assert_true(json_equal(json_object_get(other.points[0].line, "compare"), wanted));
    json_decref(wanted);
    nuce_plan_fini(&plan);
    nuce_plan_fini(&other);
}

/* The reference stands before the others of its race, whose order stays. */
static void test_reference(void **state)
{
    static const struct {
        const char *text, *schedules[3];
    } cases[] = {
        {ORDERED "reference: rs-n\n", {"rs-n", "ac", "lp"}},
        {ORDERED "reference: {schedule: lp}\n", {"lp", "ac", "rs-n"}},
        {ORDERED "reference: ac\n", {"ac", "lp", "rs-n"}},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_plan plan = good_plan(cases[i].text);

        assert_true(has_order(&plan, cases[i].schedules));
        nuce_plan_fini(&plan);
    }
}

/* A sweep without a seed runs its points in the order of the documented default seed. */
static void test_preset(void **state)
{
    struct nuce_sweep_key_help key;
    OWNED(plan) none = good_plan(UNITS), preset;
    char text[256];
    size_t index = 0;

    while (nuce_sweep_key_help(index, &key) && strcmp(key.name, "seed") != 0)
        index++;
    assert_string_equal(key.name, "seed");
    snprintf(text, sizeof text, UNITS "seed: %s\n", key.preset);
    preset = good_plan(text);
    assert_int_equal(none.count, 8);
    assert_true(same_order(&none, &preset));
}

/* Launches share 1.5 s of sampling without a limit; precise sweeps and simulations do not. */
static void test_shared_limit(void **state)
{
    static const struct {
        const char *text;
        double limit_s;
    } cases[] = {
        {HEAD BODY, 1.5 / 12},
        {HEAD BODY "measure: {launches: 5}\n", 0.3},
        {HEAD BODY "measure: {launches: 5, time-limit: 3s}\n", 3},
        {HEAD BODY "measure: {launches: 1}\n", 1.5},
        {HEAD BODY "measure: {precise: true}\n", 90},
        {HEAD BODY "platform: cm5-32\n", 15},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_plan plan = good_plan(cases[i].text);
        const json_t *measure = json_object_get(plan.points[0].line, "measure");

        assert_near(json_number_value(json_object_get(measure, "time-limit")), cases[i].limit_s,
                    1e-12);
        nuce_plan_fini(&plan);
    }
}

RUN(test_refused, test_many, test_preset, test_shared_limit, test_compare, test_compare_is_usual,
    test_reference, test_counts, test_pairs, test_blocks, test_seed)
