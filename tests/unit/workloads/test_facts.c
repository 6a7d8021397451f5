/* What files, lists and numbers tell, once for each, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>

#include "../folder.h"
#include "points.h"
#include "points/facts.h"
#include "points/scheduling.h"

/* What is remembered of files: read once, named by their content. */

#define TEXT "3\n0 1 100\n1 2 50\n"

struct scene {
    struct folder folder;
    struct nuce_facts *facts;
    char path[128];
};

static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);

    assert_non_null(scene);
    scene->folder = folder_make();
    scene->facts = nuce_facts_create();
    snprintf(scene->path, sizeof scene->path, "%s/file", scene->folder.path);
    *state = scene;
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    nuce_facts_destroy(scene->facts);
    folder_remove(&scene->folder);
    free(scene);
    return 0;
}

/* BASENAME@SHA-256, as sha256sum prints it. */
static void test_identity(void **state)
{
    struct scene *scene = *state;
    const char *identity = NULL;
    struct nuce_error error;

    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_file_identity(scene->facts, scene->path, &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity,
                        "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3");
}

/* A file that changes behind its back stays what it was: thousands of points see one content. */
static void test_read_once(void **state)
{
    struct scene *scene = *state;
    const char *first = NULL, *second = NULL;
    struct nuce_error error;

    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_file_identity(scene->facts, scene->path, &first, &error), NUCE_OK);
    assert_int_equal(nuce_facts_com(scene->facts, scene->path, &error)->size, 3);
    folder_add(&scene->folder, "file", "5\n0 1 100\n");
    assert_int_equal(nuce_facts_file_identity(scene->facts, scene->path, &second, &error), NUCE_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(nuce_facts_com(scene->facts, scene->path, &error)->size, 3);
}

/* What fails is tried again. */
static void test_failure(void **state)
{
    struct scene *scene = *state;
    const char *identity = "untouched";
    struct nuce_error error;

    assert_int_not_equal(nuce_facts_file_identity(scene->facts, scene->path, &identity, &error),
                         NUCE_OK);
    assert_string_equal(identity, "untouched");
    folder_add(&scene->folder, "file", "3\n0 3 100\n");
    assert_null(nuce_facts_com(scene->facts, scene->path, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.path, scene->path);
    assert_int_equal(error.line, 2);
    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_com(scene->facts, scene->path, &error)->size, 3);
}

static void test_sizes(void **state)
{
    static const struct {
        const struct nuce_fact *(*look)(struct nuce_facts *, const char *, struct nuce_error *);
        const char *name, *text; /* of a file; NULL: nuce ships it */
        int size, has_coordinates;
    } cases[] = {
        {nuce_facts_mesh, "ring.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n", 4, 0},
        {nuce_facts_mesh, "wing-2800", NULL, 2778, 1},
        {nuce_facts_network, "links.net",
         "ranks 3\n0 1 0 1e6\n0 2 0 1e6\n1 0 0 1e6\n1 2 0 1e6\n2 0 0 1e6\n2 1 0 1e6\n", 3, 0},
        {nuce_facts_network, "cm5", NULL, 0, 0},
        {nuce_facts_topology, "tree.conf", "switch a b\nnode n0 a\nnode n1 b\n", 2, 0},
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct nuce_fact *fact;
        struct nuce_error error;
        char path[160];

        snprintf(path, sizeof path, "%s/%s", scene->folder.path, cases[i].name);
        if (cases[i].text != NULL)
            folder_add(&scene->folder, cases[i].name, cases[i].text);
        fact = cases[i].look(scene->facts, cases[i].text != NULL ? path : cases[i].name, &error);
        assert_non_null(fact);
        assert_int_equal(fact->size, cases[i].size);
        assert_int_equal(fact->has_coordinates, cases[i].has_coordinates);
    }
}

/* What has a name of its own keeps it; any other is a file. */
static void test_names(void **state)
{
    struct scene *scene = *state;
    const char *identity = NULL;
    struct nuce_error error;

    assert_int_equal(nuce_facts_network_identity(scene->facts, "cm5", &identity, &error), NUCE_OK);
    assert_string_equal(identity, "cm5");
    assert_int_equal(nuce_facts_network_identity(scene->facts, "emulated", &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity, "emulated");
    assert_int_not_equal(nuce_facts_network_identity(scene->facts, "cm6", &identity, &error),
                         NUCE_OK);
    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_network_identity(scene->facts, scene->path, &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity,
                        "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3");
    assert_int_equal(nuce_facts_mesh_identity(scene->facts, scene->path, &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity,
                        "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3");
}

/* More names than the memory begins with. */
static void test_many(void **state)
{
    struct scene *scene = *state;
    const char *first = NULL, *identity = NULL;
    char name[32], path[160];
    struct nuce_error error;

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof name, "file%d", i);
            folder_add(&scene->folder, name, name);
            snprintf(path, sizeof path, "%s/%s", scene->folder.path, name);
            assert_int_equal(nuce_facts_file_identity(scene->facts, path, &identity, &error),
                             NUCE_OK);
            assert_memory_equal(identity, name, strlen(name));
            first = i == 0 && round == 0 ? identity : first;
            if (i == 0)
                assert_ptr_equal(identity, first);
        }
    }
}

/* What files, lists and numbers of an instance tell of its ranks, and what they refuse. */

struct told_scene {
    struct folder folder;
    struct nuce_facts *facts;
    char com[96], network[96], any[96], topology[96];
};

static void add_file(struct told_scene *scene, const char *name, const char *text, char path[96])
{
    folder_add(&scene->folder, name, text);
    snprintf(path, 96, "%s/%s", scene->folder.path, name);
}

static int told_scene_enter(void **state)
{
    struct told_scene *scene = calloc(1, sizeof *scene);

    assert_non_null(scene);
    scene->folder = folder_make();
    scene->facts = nuce_facts_create();
    add_file(scene, "some.com", "5\n0 1 100\n", scene->com);
    add_file(scene, "two.network", "ranks 2\nbetween 1 1\n", scene->network);
    add_file(scene, "any.network", "ranks any\nbetween 1 1\n", scene->any);
    add_file(scene, "three.topology", "switch a b\nnode n0 a\nnode n1 b\nnode n2 a\n",
             scene->topology);
    *state = scene;
    return scene->facts == NULL;
}

static int told_scene_leave(void **state)
{
    struct told_scene *scene = *state;

    nuce_facts_destroy(scene->facts);
    folder_remove(&scene->folder);
    free(scene);
    return 0;
}

/* The ranks that a point tells which is not complete; -1: nothing, -2: it is refused, with the
 * option that is to blame in *error. */
static int ranks_told(const struct told_scene *scene, const struct nuce_workload_ops *workload,
                      const struct setting *settings, struct nuce_error *error)
{
    struct nuce_point point;
    int ranks = -1;

    nuce_point_init(workload, 1, &point);
    for (; settings->key != NULL; settings++) {
        json_t *value = json_string(settings->value);

        assert_int_equal(nuce_point_set(&point, settings->key, value, error), NUCE_OK);
        json_decref(value);
    }
    if (workload->ranks(point.params, scene->facts, &ranks, error) != NUCE_OK)
        ranks = -2;
    nuce_point_fini(&point);
    return ranks;
}

static void test_ranks(void **state)
{
    const struct told_scene *scene = *state;
    const struct {
        const struct nuce_workload_ops *workload;
        struct setting settings[MOST_SETTINGS];
        int ranks;
    } cases[] = {
        {&nuce_workload_exchange, {{"com", scene->com}}, 5},
        {&nuce_workload_exchange, {{"network", scene->network}}, 2},
        {&nuce_workload_exchange, {{"com", scene->com}, {"network", scene->network}}, 5},
        {&nuce_workload_exchange, {{"network", scene->any}}, -1},
        {&nuce_workload_exchange, {{"network", "cm5"}}, -1},
        {&nuce_workload_exchange, {{"network", "random"}}, -1},
        {&nuce_workload_exchange, {{"network", "measured"}}, -1},
        {&nuce_workload_exchange, {{"pattern", "uniform"}}, -1},
        {&nuce_workload_redistribute, {{"network", scene->network}}, 2},
        {&nuce_workload_redistribute, {{"elements", "12"}}, -1},
        {&nuce_workload_stencil, {{"weights", "1,2,3"}}, 3},
        {&nuce_workload_stencil, {{"weights", "7"}}, 1},
        {&nuce_workload_stencil, {{"weights", "equal"}}, -1},
        {&nuce_workload_stencil, {{"weights", "measured"}}, -1},
        {&nuce_workload_stencil, {{"ratio", "4"}}, -1},
        {&nuce_workload_mapping, {{"mesh", "3x4"}}, 12},
        {&nuce_workload_mapping, {{"mesh", "2x3x4"}}, 24},
        {&nuce_workload_mapping, {{"com", scene->com}}, 5},
        {&nuce_workload_mapping, {{"topology", scene->topology}}, -1},
        {&nuce_workload_mapping, {{"mesh", "99999x99999x99999"}}, -2},
        {&nuce_workload_mapping, {{"mesh", "1024x1025"}}, -2},
        {&nuce_workload_mapping, {{"mesh", "4y3"}}, -2},
        {&nuce_workload_mapping, {{"com", "/none"}}, -2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_error error = {0};
        int ranks = ranks_told(scene, cases[i].workload, cases[i].settings, &error);

        if (ranks != cases[i].ranks)
            fail_msg("case %zu: %d ranks, expected %d %s", i, ranks, cases[i].ranks,
                     nuce_error_flatten(&error));
        if (ranks == -2)
            assert_int_equal(error.status, NUCE_BAD_INPUT);
    }
}

/* Numbers that count ranks are held against them, where the schedule looks at them; NULL: good. */
static void test_counts(void **state)
{
    static const struct {
        const char *schedule, *key, *value, *says;
    } cases[] = {
        {"multi-leader", "node-ranks", "8", NULL},
        {"multi-leader", "node-ranks", "9", "expected 1 to the number of ranks, 8"},
        {"ac", "node-ranks", "9", NULL},
        {"multi-leader", "leaders", "8", NULL},
        {"multi-leader", "leaders", "9", "expected 1 to the ranks of the largest node, 8"},
        {"ac", "leaders", "9", NULL},
        {"tuna", "radix", "8", NULL},
        {"tuna", "radix", "9", "expected 2 to the number of ranks, 8"},
        {"ac", "radix", "9", NULL},
        {"twill", "group-ranks", "9", "expected 1 to the number of ranks, 8"},
        {"twill", "group-ranks", "4", NULL},
        {"ac", "group-ranks", "9", NULL},
    };
    const struct told_scene *scene = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_scheduling scheduling = {.samples = 1};
        struct nuce_error error = {0};
        nuce_status status;

        strcpy(scheduling.schedule, cases[i].schedule);
        assert_int_equal(
            nuce_option_set(nuce_option_find(nuce_workload_exchange.options, cases[i].key),
                            &scheduling, cases[i].value, &error),
            NUCE_OK);
        status = nuce_scheduling_inspect(&scheduling, 8, scene->facts, &error);
        assert_int_equal(status, cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].says != NULL) {
            assert_string_equal(error.subject, cases[i].key);
            assert_non_null(strstr(error.message, cases[i].says));
        }
    }
}

/* Leaders are of a node: of blocks of four there are four at most. */
static void test_leaders(void **state)
{
    const struct told_scene *scene = *state;
    struct nuce_scheduling scheduling = {.tuning = {.node_ranks = 4, .leaders = 4}};
    struct nuce_error error = {0};

    strcpy(scheduling.schedule, "multi-leader");
    assert_int_equal(nuce_scheduling_inspect(&scheduling, 8, scene->facts, &error), NUCE_OK);
    scheduling.tuning.leaders = 5;
    assert_int_equal(nuce_scheduling_inspect(&scheduling, 8, scene->facts, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "leaders");
    assert_int_equal(nuce_scheduling_inspect(&scheduling, 3, scene->facts, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "node-ranks"); /* which comes first */
}

/* The groups that a topology tells: rank i is on the i-th node, groups by their first ranks. */
static void test_groups(void **state)
{
    static const int expected[] = {0, 1, 0};
    struct told_scene *scene = *state;
    struct nuce_scheduling scheduling = {.samples = 1};
    struct nuce_error error = {0};
    int *group_of = NULL;

    strcpy(scheduling.schedule, "twill");
    assert_int_equal(nuce_scheduling_groups(&scheduling, 3, &group_of, &error), NUCE_OK);
    assert_null(group_of); /* no file */
    strcpy(scheduling.tuning.group_topology, scene->topology);
    assert_true(nuce_scheduling_wants_groups(&scheduling));
    assert_int_equal(nuce_scheduling_groups(&scheduling, 3, &group_of, &error), NUCE_OK);
    assert_memory_equal(group_of, expected, sizeof expected);
    free(group_of);
    assert_int_equal(nuce_scheduling_groups(&scheduling, 4, &group_of, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "group-topology");
    assert_non_null(strstr(error.message, "3 nodes for 4 ranks"));
    assert_null(group_of);
    add_file(scene, "one.topology", "switch a\nnode n0 a\nnode n1 a\n",
             scheduling.tuning.group_topology);
    assert_int_equal(nuce_scheduling_groups(&scheduling, 2, &group_of, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "one.topology"));
    scheduling.tuning.group_ranks = 2; /* they are told */
    assert_false(nuce_scheduling_wants_groups(&scheduling));
    assert_int_equal(nuce_scheduling_groups(&scheduling, 4, &group_of, &error), NUCE_OK);
    assert_null(group_of);
    scheduling.tuning.group_ranks = 0;
    strcpy(scheduling.schedule, "ac");
    assert_false(nuce_scheduling_wants_groups(&scheduling));
    assert_int_equal(nuce_scheduling_groups(&scheduling, 4, &group_of, &error), NUCE_OK);
    assert_null(group_of);
}

/* Files that are not there, by the option that names them. */
static void test_missing(void **state)
{
    const struct told_scene *scene = *state;
    struct nuce_scheduling scheduling = {.samples = 1};
    struct nuce_error error = {0};
    int *group_of;

    strcpy(scheduling.schedule, "twill");
    strcpy(scheduling.tuning.group_topology, "/none");
    assert_int_equal(nuce_scheduling_inspect(&scheduling, 3, scene->facts, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "group-topology");
    error = (struct nuce_error){0};
    assert_int_equal(nuce_scheduling_groups(&scheduling, 3, &group_of, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "group-topology");
    error = (struct nuce_error){0};
    scheduling.tuning.group_topology[0] = '\0';
    strcpy(scheduling.network, "/none");
    assert_int_equal(nuce_scheduling_inspect(&scheduling, 3, scene->facts, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "network");
}

/* A mapping is of a mesh or of a COM, and that of as many ranks. */
static void test_mapping(void **state)
{
    const struct told_scene *scene = *state;

    point_is_refused(&nuce_workload_mapping, 5, SETTINGS({"com", scene->com}, {"mesh", "1x5"}),
                     "mesh", "expected either a mesh or com");
    point_is_refused(&nuce_workload_mapping, 4, SETTINGS({"com", scene->com}), "ranks",
                     "some.com is for 5 ranks, expected as many");
    point_is_refused(&nuce_workload_mapping, 4, SETTINGS({"com", "/none"}), "com", "No such file");
    point_is_refused(&nuce_workload_mapping, 4, SETTINGS({"mesh", "2x2"}, {"topology", "/none"}),
                     "", "No such file");
    point_is_refused(&nuce_workload_mapping, 4, SETTINGS({"mesh", "2x2"}, {"switches", "40000"}),
                     "switches", "'40000': expected 1 to 32768");
    point_is_refused(&nuce_workload_mapping, 4, SETTINGS({"mesh", "2x2"}, {"ports", "5000"}),
                     "ports", "'5000': expected 1 to 4096");
    points_are_same(&nuce_workload_mapping, 8, 1, SETTINGS({"mesh", "2x4x1"}),
                    SETTINGS({"mesh", "2x4"}));
    points_are_same(&nuce_workload_mapping, 8, 0, SETTINGS({"mesh", "2x2x2"}),
                    SETTINGS({"mesh", "2x4"}));
}

/* How to measure, held against itself. */
static void test_measure(void **state)
{
    static const struct nuce_measure good = {
        .min = 10, .max = 100, .launches = 1, .ci = 0.05, .limit = 3};
    struct nuce_measure measure = good;
    struct nuce_error error = {0};
    double of_five;

    (void)state;
    assert_int_equal(nuce_measure_settle(&measure, &error), NUCE_OK);
    assert_memory_equal(&measure, &good, sizeof good);
#define REFUSED(member, value, option)                                                             \
    do {                                                                                           \
        measure = good;                                                                            \
        measure.member = (value);                                                                  \
        error = (struct nuce_error){0};                                                            \
        assert_int_equal(nuce_measure_settle(&measure, &error), NUCE_BAD_INPUT);                   \
        assert_string_equal(error.subject, option);                                                \
    } while (0)
    REFUSED(ci, 1, "ci");
    REFUSED(max, 9, "max");
    REFUSED(max, 1000001, "max");
    REFUSED(launches, NUCE_MEASURE_LAUNCHES_MOST + 1, "launches");
    REFUSED(batch, 1000001, "batch");
    REFUSED(trace_events, 10000001, "trace-events");
#undef REFUSED
    /* Launches share the time of sampling, unless more effort was asked for. */
    measure = good;
    nuce_measure_share_limit(&measure);
    assert_float_equal(measure.limit, 3, 0);
    measure.launches = 5;
    measure.precise = 1;
    nuce_measure_share_limit(&measure);
    assert_float_equal(measure.limit, 3, 0);
    measure.precise = 0;
    nuce_measure_share_limit(&measure);
    assert_true(measure.limit > 0 && 5 * measure.limit < 3);
    of_five = measure.limit;
    measure.launches = 10;
    nuce_measure_share_limit(&measure);
    assert_float_equal((2 * measure.limit), of_five, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_identity, enter, leave),
        cmocka_unit_test_setup_teardown(test_read_once, enter, leave),
        cmocka_unit_test_setup_teardown(test_failure, enter, leave),
        cmocka_unit_test_setup_teardown(test_sizes, enter, leave),
        cmocka_unit_test_setup_teardown(test_names, enter, leave),
        cmocka_unit_test_setup_teardown(test_many, enter, leave),
        cmocka_unit_test_setup_teardown(test_ranks, told_scene_enter, told_scene_leave),
        cmocka_unit_test_setup_teardown(test_counts, told_scene_enter, told_scene_leave),
        cmocka_unit_test_setup_teardown(test_leaders, told_scene_enter, told_scene_leave),
        cmocka_unit_test_setup_teardown(test_groups, told_scene_enter, told_scene_leave),
        cmocka_unit_test_setup_teardown(test_missing, told_scene_enter, told_scene_leave),
        cmocka_unit_test_setup_teardown(test_mapping, told_scene_enter, told_scene_leave),
        cmocka_unit_test(test_measure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
