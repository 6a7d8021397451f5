/* From sweeps to points: how many, which, in what order. */
#include "../folder.h"
#include "../test.h"
#include "base/text.h"
#include "plan_of.h"
#include "points/point.h"

#define HEAD "name: s\nworkload: exchange\nranks: 8\n"
#define AC HEAD "sweep: {schedule: ac, pattern: uniform"
#define BOTH HEAD "sweep: {schedule: [ac, lp], pattern: uniform"

static struct nuce_plan good_plan(const char *text)
{
    struct nuce_plan plan;
    char *said = plan_of(text, &plan);

    assert_string_equal(said, "");
    free(said);
    return plan;
}

/* How many points, and notes on what is good. The same value twice, however it is written, is told
 * and measured once. A rule that leaves out nothing is told, and no other: of two that match the
 * same both do. A key that none of the points has is told, as it would be taken for an answer; one
 * that some have is not. */
static void test_counts(void **state)
{
    static const struct {
        const char *text, *said;
        int64_t points, excluded, repeated;
    } cases[] = {
        {AC ", unit: [1024, 1KiB, 1024B]}",
         "s.yaml:4:54: note: unit: listed twice, and measured once\n"
         "s.yaml:4:60: note: unit: listed twice, and measured once\n",
         1, 0, 2},
        {BOTH ", unit: [8B, 16B]}\n"
              "exclude: [{schedule: lp, unit: 8B}, {schedule: lp}, {unit: 32B},\n"
              "          {schedule: lp, unit: 16B}, {ranks: 99, unit: 8B}]",
         "s.yaml:5:53: note: exclude: matches none of the combinations, and leaves out nothing\n"
         "s.yaml:6:38: note: exclude: matches none of the combinations, and leaves out nothing\n",
         2, 2, 0},
        {AC ", radix: [2, 4]}",
         "s.yaml:4:49: note: radix: means nothing for any of these points, and varies nothing\n", 1,
         0, 1},
        {HEAD "sweep: {schedule: [ac, tuna], pattern: uniform, radix: [2, 4]}", "", 3, 0, 1},
        /* a range whose end is passed by little is taken, and told of */
        {HEAD
         "sweep: {pattern: uniform, density: 2, schedule: ac, unit: {from: 64B, to: 64kB, times: 4}"
         "}\n",
         "s.yaml:4:75: note: unit: the range ends at 16384: the next value, 65536, is above its "
         "'to', 64000\n",
         5, 0, 0},
        {HEAD "sweep: {pattern: uniform, density: 2, schedule: ac, unit: {from: 64B, to: 64KiB, "
              "times: 4}"
              "}\n",
         "", 6, 0, 0},
        {HEAD
         "sweep: {pattern: uniform, density: 2, schedule: ac, unit: {from: 64B, to: 200, times: 2}"
         "}\n",
         "", 2, 0, 0},
        {HEAD "sweep: {pattern: uniform, density: 2, schedule: ac, unit: {from: 1, to: 9, step: 3}"
              "}\n",
         "", 3, 0, 0},
        /* scalars, lists, products, several products */
        {AC "}", "", 1, 0, 0},
        {BOTH ", unit: [1, 2, 3]}", "", 6, 0, 0},
        {HEAD "sweep: [{schedule: [ac, lp], pattern: uniform}, {schedule: ac, pattern: uniform, "
              "density: [1, 2]}]",
         "", 4, 0, 0},
        {"name: s\nworkload: exchange\nranks: [8, 12, 16]\nsweep: {schedule: ac, pattern: uniform}",
         "", 3, 0, 0},
        {"name: s\nworkload: exchange\nranks: {from: 8, to: 33, times: 2}\nsweep: {schedule: ac, "
         "pattern: uniform}",
         "", 3, 0, 0},
        /* the same point twice */
        {HEAD "sweep: [{schedule: [ac, lp], pattern: uniform}, {schedule: ac, pattern: uniform}]",
         "", 2, 0, 1},
        /* ranges: by factors and by steps, ends included, rounded without repetition */
        {AC ", unit: {from: 16B, to: 4KiB, times: 2}}", "", 9, 0, 0},
        {AC ", unit: {from: 16, to: 47, step: 16B}}", "", 2, 0, 0},
        {AC ", unit: {from: 1, to: 4, times: 1.2}}", "", 4, 0, 0},
        {AC ", seed: {from: 0, to: 9, step: 3}}", "", 4, 0, 0},
        /* how processes are started */
        {AC ", environment: {UCX_TLS: [tcp, ~], FI_X: 1}}", "", 2, 0, 0},
        {AC ", nodes: [1, 2], ntasks-per-node: [4, 8]}\n"
            "exclude: [{nodes: 2, ntasks-per-node: 8}]",
         "", 3, 1, 0},
        {AC ", environment: {A: [1, 2]}}\n"
            "exclude: [{A: 2}]",
         "", 1, 1, 0},
        {AC "}\ntogether: [{nodes: [1, 2], unit: [1, 2]}]", "", 2, 0, 0},
        /* counted options */
        {AC ", instances: 20}", "", 20, 0, 0},
        {AC "}\n"
            "together: [{density: [2, 4], instances: [5, 2]}]",
         "", 7, 0, 0},
        /* two groups in step are a product of both */
        {AC "}\n"
            "together: [{density: [2, 4], unit: [1, 2]}, {instance: [0, 1, 2], seed: [1, 2, 3]}]",
         "", 6, 0, 0},
        /* exclusion: all keys of one must match; ranks too; values are compared as values */
        {BOTH ", unit: [1, 1KiB]}\n"
              "exclude: [{schedule: lp, unit: 1024B}]",
         "", 3, 1, 0},
        {"name: s\nworkload: exchange\nranks: [8, 16]\nsweep: {schedule: [ac, lp], pattern: "
         "uniform}\nexclude: [{schedule: lp, ranks: 8}, {schedule: ac, ranks: 16}]",
         "", 2, 2, 0},
        {BOTH "}\nexclude: []", "", 2, 0, 0},
        /* a list, or a range, of values: any of them */
        {BOTH ", density: [1, 2, 3, 4]}\n"
              "exclude: [{schedule: lp, density: {from: 2, to: 7, step: 1}}]",
         "", 5, 3, 0},
        {HEAD "sweep: {schedule: [ac, lp, rs-n], pattern: uniform, density: [1, 2, 3]}\n"
              "exclude: [{density: [1, 3], schedule: [lp, ac]}]",
         "", 5, 4, 0},
        /* what is excluded need not make sense */
        {AC ", density: [4, 99]}\nexclude: [{density: 99}]", "", 1, 1, 0},
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
                                         "together: [{density: [2, 4], unit: [10, 20]}]");

    assert_int_equal(plan.count, 2);
    for (int i = 0; i < 2; i++) {
        json_int_t density = json_integer_value(param(&plan.points[i], "density"));

        assert_true(density == 2 || density == 4);
        assert_int_equal(json_integer_value(param(&plan.points[i], "unit")), 5 * density);
    }
    nuce_plan_fini(&plan);
}

/* Whether points a and b share the parameter. */
static int shares(const struct nuce_planned *a, const struct nuce_planned *b, const char *name)
{
    return json_equal(param(a, name), param(b, name));
}

#define ORDERED                                                                                    \
    "name: s\nworkload: exchange\nranks: [8, 4]\nsweep: {schedule: [ac, lp, rs-n], mesh: "         \
    "wing-2800, partition: [rcb, kway], unit: [8, 16, 24, 32]}\n"

/* Ranks ascend; points that share mesh and partition are neighbours; so are, within them, the
 * algorithms of one instance. */
static void test_blocks(void **state)
{
    struct nuce_plan plan = good_plan(ORDERED);

    assert_int_equal(plan.count, 48);
    for (int64_t i = 0; i < plan.count; i++) {
        const struct nuce_planned *first = &plan.points[i / 12 * 12];

        assert_int_equal(plan.points[i].ranks, i < 24 ? 4 : 8);
        assert_true(shares(&plan.points[i], first, "partition"));
        assert_true(shares(&plan.points[i], &plan.points[i / 3 * 3], "unit"));
    }
    nuce_plan_fini(&plan);
}

static int same_order(const struct nuce_plan *a, const struct nuce_plan *b)
{
    for (int64_t i = 0; i < a->count; i++) {
        if (strcmp(a->points[i].id, b->points[i].id) != 0)
            return 0;
    }
    return a->count == b->count;
}

/* Whether contender number k of each instance of ORDERED runs under the k-th of three schedules. */
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
    struct nuce_plan turned =
        good_plan("name: s\nworkload: exchange\nranks: [4, 8]\nsweep: {unit: [32, 24, 16, 8], "
                  "partition: [kway, rcb], mesh: wing-2800, schedule: [rs-n, lp, ac]}\n");

    assert_true(same_order(&plan, &again));
    assert_false(same_order(&plan, &other));
    assert_true(has_order(&plan, listed));
    assert_true(has_order(&turned, reversed));
    assert_int_equal(turned.count, plan.count);
    for (int64_t i = 0; i < plan.count; i++) {
        assert_true(shares(&plan.points[i], &turned.points[i], "unit"));
        assert_true(shares(&plan.points[i], &turned.points[i], "partition"));
    }
    nuce_plan_fini(&plan);
    nuce_plan_fini(&again);
    nuce_plan_fini(&other);
    nuce_plan_fini(&turned);
}

/* The line of the plan leads back to the point, and its id is the hash of the canonical text. */
static void test_lines(void **state)
{
    struct nuce_plan plan = good_plan(ORDERED);
    struct nuce_error error;

    for (int64_t i = 0; i < plan.count; i++) {
        const struct nuce_planned *planned = &plan.points[i];
        char hex[NUCE_HASH_BYTES], *text;

        text = nuce_point_canonical_text(&nuce_workload_exchange, planned->ranks,
                                         planned->canonical, &error);
        assert_non_null(text);
        assert_ok(nuce_hash(text, strlen(text), hex, &error));
        assert_string_equal(hex, planned->id);
        assert_string_equal(json_string_value(json_object_get(planned->line, "point")), hex);
        free(text);
    }
    nuce_plan_fini(&plan);
}

/* The number of heats of the plan, and of the points of the largest. */
static void expect_heats(const char *text, int heats, int most)
{
    struct nuce_plan plan = good_plan(text);
    int found = 0, largest = 0, count = 0;

    for (int64_t i = 0; i < plan.count; i++) {
        count = i > 0 && nuce_point_is_of_heat(plan.points[i].line, plan.points[i - 1].line)
                    ? count + 1
                    : 1;
        found += count == 1;
        largest = count > largest ? count : largest;
    }
    assert_int_equal(found, heats);
    assert_int_equal(largest, most);
    nuce_plan_fini(&plan);
}

#define STENCIL                                                                                    \
    "name: s\nworkload: stencil\nranks: 4\nsweep: {decomposition: [xy2, rb2, grid], schedule: "    \
    "[ac, "                                                                                        \
    "rs-n], overlap: [true, false], rows: 40, columns: 40}\n"

/* What is compared is in one heat; all else makes others. */
static void test_compare(void **state)
{
    expect_heats(STENCIL, 4, 3);
    expect_heats(STENCIL "compare: decomposition\n", 4, 3);
    expect_heats(STENCIL "compare: [schedule]\n", 6, 2);
    expect_heats(STENCIL "compare: [decomposition, overlap, schedule]\n", 1, 12);
    expect_heats(HEAD "sweep: {schedule: [ac, greedy], depth: [1, 2], pattern: uniform}", 1, 3);
    expect_heats(HEAD "sweep: {schedule: [ac, greedy], depth: [1, 2], pattern: uniform}\n"
                      "compare: [schedule, depth]",
                 1, 3);
    expect_heats(HEAD "sweep: {schedule: [ac, greedy], depth: [1, 2], pattern: uniform}\n"
                      "compare: [depth]",
                 2, 2);
}

/* What is compared by default need not be said, and is not. */
static void test_compare_is_usual(void **state)
{
    struct nuce_plan plan = good_plan(BOTH "}\n"
                                           "compare: [schedule]");
    struct nuce_plan other = good_plan(BOTH "}\n"
                                            "compare: [placement, schedule]");
    char *text;

    assert_null(json_object_get(plan.points[0].line, "compare"));
    text = json_dumps(json_object_get(other.points[0].line, "compare"), JSON_COMPACT);
    assert_string_equal(text, "[\"placement\",\"schedule\",\"tau\",\"phi\",\"lambda\",\"depth\","
                              "\"radix\",\"node-ranks\",\"leaders\",\"group-ranks\",\"group-"
                              "topology\",\"window\",\"within\",\"between\",\"choices\"]");
    free(text);
    nuce_plan_fini(&plan);
    nuce_plan_fini(&other);
}

/* The reference stands before the others of its heat, whose order stays. */
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

#define RACE HEAD "sweep: {schedule: [ac, greedy], depth: [1, 2], pattern: uniform}\n"

static void test_bad_heats(void **state)
{
    static const char *const cases[][2] = {
        {RACE "compare: [nosuch]", "s.yaml:5:11: unknown key 'nosuch'"},
        {RACE "compare: [schedul]", "(did you mean 'schedule'?)"},
        {RACE "compare: [schedule, unit]",
         "s.yaml:5:21: compare: 'unit' makes another instance, which contenders of one heat cannot "
         "have: expected overlap, schedule, "},
        {RACE "compare: [schedule, schedule]", "s.yaml:5:21: compare: 'schedule' is listed"},
        {RACE "compare: []", "s.yaml:5:10: compare: an empty list"},
        {RACE "compare: {schedule: ac}", "s.yaml:5:10: compare: expected names of options"},
        {RACE "compare: warmup", "'warmup' belongs under 'measure'"},
        {RACE "reference: nobody", "s.yaml:5:12: unknown schedule 'nobody'"},
        {RACE "reference: lp",
         "s.yaml:5:12: reference: not among the contenders of 1 of 1 heats: 'lp' is not there: "
         "expected a schedule that each has, of ac, greedy"},
        {RACE "reference: {schedule: greedy, depth: 4}",
         "reference: not among the contenders of 1 of 1 heats: expected one that each"},
        {RACE "compare: [schedule, depth]\nreference: {depth: 4}",
         "'4' is not there: expected a depth that each has, of 1, 2"},
        {RACE "reference: {unit: 16B}", "s.yaml:5:13: reference: 'unit' is not compared"},
        {RACE "reference: [ac]", "s.yaml:5:12: schedule: expected a single value"},
        {RACE "reference: {}", "s.yaml:5:12: reference: an empty mapping"},
        {"name: s\nworkload: links\nranks: 4\nsweep: {sizes: 3}\nreference: ac",
         "s.yaml:5:12: reference: this workload compares nothing"},
        {"name: s\nworkload: links\nranks: 4\nsweep: {sizes: 3}\ncompare: sizes",
         "heat cannot have: this workload compares nothing"},
        {RACE "measure: {launches: 0}", "s.yaml:5:21: launches: '0': expected at least 1"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_plan plan;
        char *said = plan_of(cases[i][0], &plan);

        if (strstr(said, cases[i][1]) == NULL)
            fail_msg("%s: no '%s'", said, cases[i][1]);
        nuce_plan_fini(&plan);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),   cmocka_unit_test(test_compare_is_usual),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_bad_heats),
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_blocks),    cmocka_unit_test(test_seed),
        cmocka_unit_test(test_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
