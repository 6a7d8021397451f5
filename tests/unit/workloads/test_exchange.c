/* The workload exchange: which parameters count, what is refused, and its patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../folder.h"
#include "points.h"

#include "points/exchange_instance.h"
#include "schedules/generator.h"

static const struct nuce_workload_ops *const exchange = &nuce_workload_exchange;

/* Three ranks in a circle. */
static const char circle[] = "3\n0 1 100\n1 2 50\n2 0 7\n";

/* A path of its square, five nodes: 0 - 1 - 2 - 3 - 0 and 4 beside 0. */
static const char square[] = "5 5\n2 4 5\n1 3\n2 4\n1 3\n1\n";

struct scene {
    struct folder folder;
    char com[128], graph[128];
};

static struct scene scene_make(void)
{
    struct scene scene = {.folder = folder_make()};

    folder_add(&scene.folder, "circle.com", circle);
    folder_add(&scene.folder, "square.graph", square);
    snprintf(scene.com, sizeof scene.com, "%s/circle.com", scene.folder.path);
    snprintf(scene.graph, sizeof scene.graph, "%s/square.graph", scene.folder.path);
    return scene;
}

/* What means nothing is not part of a point: the lists are worked out from the help of options. */
static void test_keys(void **state)
{
    struct scene scene = scene_make();

    (void)state;
    point_has_keys(exchange, 3, SETTINGS({"schedule", "ac"}, {"com", scene.com}),
                   "com pattern schedule seed");
    point_has_keys(exchange, 3, SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}),
                   "mesh overlap partition pattern schedule seed unit");
    point_has_keys(exchange, 3,
                   SETTINGS({"schedule", "ac"}, {"pattern", "uniform"}, {"density", "2"}),
                   "density instance pattern schedule seed unit");
    point_has_keys(exchange, 8, SETTINGS({"schedule", "ac"}, {"pattern", "skewed"}),
                   "instance pattern schedule seed unit");
    point_has_keys(exchange, 3,
                   SETTINGS({"schedule", "greedy"}, {"com", scene.com}, {"bandwidth", "1MB..2MB"}),
                   "bandwidth com depth instance network pattern schedule seed");
    point_has_keys(exchange, 3,
                   SETTINGS({"schedule", "rs-nh"}, {"com", scene.com}, {"tau", "1ms"},
                            {"phi", "1e-9"}, {"network", "emulated"}, {"bandwidth", "1MB"},
                            {"startup", "1us"}, {"symmetric", "true"}),
                   "bandwidth com instance link-bandwidth network pattern phi schedule seed "
                   "startup symmetric tau");
    point_has_keys(exchange, 3, SETTINGS({"schedule", "ac"}, {"pattern", "moe"}),
                   "imbalance instance pattern schedule seed tokens top-k unit");
    folder_add(&scene.folder, "square.graph", "switch a b\nnode n0 a\nnode n1 b\n");
    point_has_keys(exchange, 3,
                   SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"placement", "rm"},
                            {"topology", scene.graph}, {"topology-nodes", "by-name"}),
                   "com pattern placement schedule seed topology");
    folder_remove(&scene.folder);
}

/* Tuning that the schedule doesn't look at, words for what follows, and where a file lies. */
static void test_identity(void **state)
{
    struct scene scene = scene_make(), other = scene_make();

    (void)state;
    points_are_same(exchange, 3, 1, SETTINGS({"schedule", "ac"}, {"com", scene.com}),
                    SETTINGS({"schedule", "ac"}, {"com", other.com}, {"pattern", "com"}));
    points_are_same(exchange, 3, 1, SETTINGS({"schedule", "ac"}, {"com", scene.com}),
                    SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"depth", "4"},
                             {"lambda", "0.5"}, {"choices", "ac,lp"}));
    points_are_same(exchange, 3, 0, SETTINGS({"schedule", "greedy"}, {"com", scene.com}),
                    SETTINGS({"schedule", "greedy"}, {"com", scene.com}, {"depth", "4"}));
    points_are_same(exchange, 3, 1,
                    SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"bandwidth", "1MB"}),
                    SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"bandwidth", "1e6"},
                             {"network", "random"}));
    points_are_same(exchange, 3, 1, SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}),
                    SETTINGS({"schedule", "ac"}, {"mesh", other.graph}, {"partition", "kway"}));
    points_are_same(exchange, 3, 0, SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}),
                    SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}, {"overlap", "true"}));
    folder_add(&other.folder, "circle.com", "3\n0 1 100\n1 2 50\n2 0 8\n");
    points_are_same(exchange, 3, 0, SETTINGS({"schedule", "ac"}, {"com", scene.com}),
                    SETTINGS({"schedule", "ac"}, {"com", other.com}));
    folder_remove(&scene.folder);
    folder_remove(&other.folder);
}

static void test_bad(void **state)
{
    static const struct {
        struct setting settings[6];
        const char *subject, *says;
    } cases[] = {
        {{{"pattern", "uniform"}}, "schedule", "not given: expected one of 'nuce list schedules'"},
        {{{"schedule", "ac"}}, "pattern", "not given: expected a mesh, a com file, or a pattern"},
        {{{"schedule", "ac"}, {"pattern", "capture"}}, "capture", "pattern capture needs a file"},
        {{{"schedule", "ac"}, {"mesh", "wing-2800"}, {"call", "2"}}, "call", "means nothing"},
        {{{"schedule", "ac"}, {"capture", "x"}, {"call", "../x"}}, "call", "expected ID"},
        {{{"schedule", "ac"}, {"pattern", "mesh"}}, "mesh", "not given: pattern mesh needs one"},
        {{{"schedule", "ac"}, {"pattern", "com"}}, "com", "not given: pattern com needs a file"},
        {{{"schedule", "ac"}, {"com", "x"}, {"density", "3"}},
         "density",
         "means nothing for pattern com: leave it out"},
        {{{"schedule", "ac"}, {"com", "x"}, {"unit", "3B"}},
         "unit",
         "means nothing for pattern com"},
        {{{"schedule", "ac"}, {"com", "x"}, {"mesh", "y"}},
         "mesh",
         "means nothing for pattern com"},
        {{{"schedule", "ac"}, {"mesh", "x"}, {"unit", "12B"}},
         "unit",
         "'12B': on a mesh expected a multiple of 8 bytes"},
        {{{"schedule", "ac"}, {"mesh", "x"}, {"network", "emulated"}, {"bandwidth", "1MB"}},
         "network",
         "'emulated': changes the messages, and those of a mesh are"},
        {{{"schedule", "ac"}, {"pattern", "uniform"}, {"density", "4"}}, "density", "4"},
        {{{"schedule", "ac"},
          {"pattern", "uniform"},
          {"density", "2"},
          {"network", "cm5"},
          {"bandwidth", "1MB"}},
         "network",
         "'cm5': expected random or emulated along with a bandwidth"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"network", "random"}},
         "bandwidth",
         "not given: the network 'random' is drawn from it"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"startup", "1us"}},
         "startup",
         "expected bandwidth along with it"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"symmetric", "true"}},
         "symmetric",
         "expected bandwidth along with it"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"lambda", "1.5"}},
         "lambda",
         "'1.5': expected more than 0 and at most 1"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"tau", "1us"}},
         "phi",
         "tau and phi go together"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"phi", "1e-9"}},
         "tau",
         "tau and phi go together"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"depth", "3e9"}},
         "depth",
         "'3000000000': expected at most 2147483647"},
        {{{"schedule", "pdgemr2d"}, {"pattern", "skewed"}},
         "",
         "pdgemr2d: moves block-cyclic arrays: expected the workload redistribute"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"topology", "x"}},
         "topology",
         "'x': expected a placement along with it"},
        {{{"schedule", "ac"}, {"pattern", "skewed"}, {"topology-nodes", "in-order"}},
         "topology-nodes",
         "'in-order': expected a topology along with it"},
        {{{"schedule", "ac"}, {"com", "/nowhere.com"}}, "com", "/nowhere.com"},
        {{{"schedule", "ac"}, {"mesh", "/nowhere.graph"}}, "mesh", "/nowhere.graph"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        point_is_refused(exchange, 3, cases[i].settings, cases[i].subject, cases[i].says);
}

/* Files are of so many ranks, or parts, and have what these are cut by. */
static void test_ranks(void **state)
{
    struct scene scene = scene_make();

    (void)state;
    point_is_refused(exchange, 4, SETTINGS({"schedule", "ac"}, {"com", scene.com}), "ranks",
                     "circle.com is for 3 ranks, expected as many");
    point_is_refused(exchange, 6, SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}), "ranks",
                     "'6': more than the 5 nodes of mesh");
    point_is_refused(exchange, 3,
                     SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}, {"partition", "rcb"}),
                     "partition", "'rcb': needs coordinates, which this mesh has not");
    folder_add(&scene.folder, "four.net", "ranks 2\n0 1 1e-6 1e6\n1 0 1e-6 1e6\n");
    snprintf(scene.graph, sizeof scene.graph, "%s/four.net", scene.folder.path);
    point_is_refused(exchange, 3,
                     SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"network", scene.graph}),
                     "ranks", "four.net is for 2 ranks, expected as many");
    folder_remove(&scene.folder);
}

static struct nuce_pattern pattern_of(int ranks, const struct setting *settings)
{
    struct nuce_point point = point_of(exchange, ranks, settings);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    if (exchange->pattern(point.params, ranks, &pattern, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    nuce_point_fini(&point);
    return pattern;
}

static int64_t bytes_between(const struct nuce_pattern *pattern, int source, int destination)
{
    int64_t entry = nuce_pattern_find(pattern, source, destination);

    return entry < 0 ? 0 : pattern->bytes[entry];
}

/* A COM file is in bytes, whatever the unit of others. */
static void test_com(void **state)
{
    struct scene scene = scene_make();
    struct nuce_pattern pattern = pattern_of(3, SETTINGS({"schedule", "ac"}, {"com", scene.com}));

    (void)state;
    assert_int_equal(pattern.messages, 3);
    assert_int_equal(bytes_between(&pattern, 0, 1), 100);
    assert_int_equal(bytes_between(&pattern, 1, 2), 50);
    assert_int_equal(bytes_between(&pattern, 2, 0), 7);
    nuce_pattern_fini(&pattern);
    folder_remove(&scene.folder);
}

/* One node a rank: each edge is a message of a unit in either direction. */
static void test_mesh(void **state)
{
    static const int edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}};
    struct scene scene = scene_make();
    struct nuce_pattern pattern = pattern_of(
        5, SETTINGS({"schedule", "ac"}, {"mesh", scene.graph}, {"unit", "24B"}, {"seed", "3"}));
    int of_degree[4] = {0};

    (void)state;
    assert_int_equal(pattern.messages, 2 * sizeof edges / sizeof *edges);
    for (int i = 0; i < 5; i++) {
        assert_in_range(pattern.row[i + 1] - pattern.row[i], 1, 3);
        of_degree[pattern.row[i + 1] - pattern.row[i]]++;
        for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++)
            assert_int_equal(bytes_between(&pattern, pattern.destination[k], i), 24);
    }
    /* Which rank has which node is the partition's choice; their degrees are not. */
    assert_int_equal(of_degree[1], 1);
    assert_int_equal(of_degree[2], 3);
    assert_int_equal(of_degree[3], 1);
    nuce_pattern_fini(&pattern);
    folder_remove(&scene.folder);
}

/* Units are a factor and nothing else; another instance is another pattern, the same the same. */
static void test_drawn(void **state)
{
    static const char *const names[] = {"uniform", "power-law"};

    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct nuce_pattern unit = pattern_of(8, SETTINGS({"schedule", "ac"}, {"pattern", names[n]},
                                                          {"density", "3"}, {"unit", "1B"}));
        struct nuce_pattern many = pattern_of(8, SETTINGS({"schedule", "lp"}, {"pattern", names[n]},
                                                          {"density", "3"}, {"unit", "3KiB"}));
        struct nuce_pattern next =
            pattern_of(8, SETTINGS({"schedule", "ac"}, {"pattern", names[n]}, {"density", "3"},
                                   {"unit", "1B"}, {"instance", "1"}));
        int differ = unit.messages != next.messages;

        assert_int_equal(unit.messages, many.messages);
        assert_true(unit.messages > 0);
        for (int64_t k = 0; k < unit.messages; k++) {
            assert_int_equal(unit.destination[k], many.destination[k]);
            assert_int_equal(3072 * unit.bytes[k], many.bytes[k]);
            differ = differ || unit.bytes[k] != next.bytes[k] ||
                     unit.destination[k] != next.destination[k];
        }
        assert_true(differ);
        nuce_pattern_fini(&unit);
        nuce_pattern_fini(&many);
        nuce_pattern_fini(&next);
    }
}

/* That the row of each rank, made alone, is the one of the whole pattern. */
static void rows_are_of_whole(const char *generator, int ranks, const struct setting *settings)
{
    struct nuce_point point = point_of(exchange, ranks, settings);
    struct nuce_pattern whole = pattern_of(ranks, settings);
    struct nuce_error error = {0};

    for (int rank = 0; rank < ranks; rank++) {
        struct nuce_pattern row;

        if (nuce_exchange_row(point.params, rank, ranks, &row, &error) != NUCE_OK ||
            nuce_exchange_scale(point.params, &row, &error) != NUCE_OK)
            fail_msg("%s: %s", generator, nuce_error_flatten(&error));
        assert_int_equal(row.messages, whole.row[rank + 1] - whole.row[rank]);
        for (int64_t k = 0; k < row.messages; k++) {
            int64_t entry = nuce_pattern_find(&whole, rank, row.destination[k]);

            assert_true(entry >= 0);
            assert_int_equal(row.bytes[k], whole.bytes[entry]);
        }
        assert_int_equal(row.row[rank + 1] - row.row[rank], row.messages);
        nuce_pattern_fini(&row);
    }
    nuce_pattern_fini(&whole);
    nuce_point_fini(&point);
}

/* A row that is made alone is that of the whole pattern, in every generator that has rows. */
static void test_rows(void **state)
{
    static const int ranks[] = {1, 4, 9, 16};

    (void)state;
    for (size_t g = 0; nuce_generators[g] != NULL; g++) {
        int tried = 0;

        for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
            int is_dense = nuce_generator_uses(nuce_generators[g], "density");
            const struct setting *settings =
                SETTINGS({"schedule", "ac"}, {"pattern", nuce_generators[g]->name},
                         {is_dense ? "density" : NULL, "4"});
            struct nuce_point point;
            struct nuce_error error;

            if (nuce_generators[g]->row != NULL &&
                point_make(exchange, ranks[i], settings, &point, &error) == NUCE_OK) {
                assert_true(nuce_exchange_has_rows(point.params));
                rows_are_of_whole(nuce_generators[g]->name, ranks[i], settings);
                tried++;
            }
            if (nuce_generators[g]->row != NULL)
                nuce_point_fini(&point);
        }
        if (nuce_generators[g]->row != NULL && tried < 2)
            fail_msg("%s: tried at %d numbers of ranks", nuce_generators[g]->name, tried);
    }
}

/* Startup costs are weighed in units of COM: tau / phi bytes. */
static void check_tuning(const struct setting *settings, double unit, double startup_units)
{
    struct nuce_point point = point_of(exchange, 3, settings);
    struct nuce_tuning tuning = exchange->tuning(point.params);

    assert_true(tuning.unit >= unit && tuning.unit <= unit);
    assert_true(tuning.startup_units > 0.999999 * startup_units &&
                tuning.startup_units < 1.000001 * startup_units);
    nuce_point_fini(&point);
}

static void test_tuning(void **state)
{
    struct scene scene = scene_make();

    (void)state;
    check_tuning(SETTINGS({"schedule", "rs-nh"}, {"pattern", "uniform"}, {"density", "2"},
                          {"unit", "4KiB"}, {"tau", "1ms"}, {"phi", "1e-8"}),
                 4096, 1e5 / 4096);
    check_tuning(
        SETTINGS({"schedule", "rs-nh"}, {"com", scene.com}, {"tau", "1ms"}, {"phi", "1e-8"}), 1,
        1e5);
    check_tuning(SETTINGS({"schedule", "rs-nh"}, {"com", scene.com}), 1, 32);
    folder_remove(&scene.folder);
}

static void check_random(int is_random, const struct setting *settings)
{
    struct nuce_point point = point_of(exchange, 3, settings);

    assert_int_equal(exchange->is_random(point.params) != 0, is_random);
    nuce_point_fini(&point);
}

static void test_random(void **state)
{
    struct scene scene = scene_make();

    (void)state;
    check_random(0, SETTINGS({"schedule", "ac"}, {"com", scene.com}));
    check_random(0, SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"network", "cm5"}));
    check_random(1, SETTINGS({"schedule", "ac"}, {"com", scene.com}, {"bandwidth", "1MB..2MB"}));
    check_random(1, SETTINGS({"schedule", "ac"}, {"pattern", "uniform"}, {"density", "2"}));
    folder_remove(&scene.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),   cmocka_unit_test(test_identity),
        cmocka_unit_test(test_bad),    cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_com),    cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_drawn),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_tuning), cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
