/* Facts of files, lists and numbers, read once each, and refused ones; networks by name, messages
 * that emulate other links, and random numbers. */
#include "../folder.h"
#include "points.h"

#include <limits.h>

#include "points/facts.h"
#include "points/placing.h"
#include "points/scheduling.h"

#define TEXT "3\n0 1 100\n1 2 50\n"
/* As sha256sum prints it. */
#define IDENTITY "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3"

static int facts_setup(void **state)
{
    folder_setup(state);
    file_write("file", TEXT);
    file_write("some.com", "5\n0 1 100\n");
    file_write("two.network", "ranks 2\nbetween 1 1\n");
    file_write("any.network", "ranks any\nbetween 1 1\n");
    file_write("three.topology", "switch a b\nnode n0 a\nnode n1 b\nnode n2 a\n");
    return 0;
}

/* A file that changes meanwhile keeps its first content: thousands of points see the same. A
 * read that fails is tried again. */
static void test_read_once(void **state)
{
    struct nuce_facts *facts = nuce_facts_create();
    const char *first = NULL, *second = NULL, *none = "untouched";
    struct nuce_error error;

    assert_ok(nuce_facts_file_identity(facts, "file", &first, &error));
    assert_string_equal(first, IDENTITY);
    assert_int_equal(nuce_facts_com(facts, "file", &error)->size, 3);
    file_write("file", "5\n0 1 100\n");
    assert_ok(nuce_facts_file_identity(facts, "file", &second, &error));
    assert_ptr_equal(first, second);
    assert_int_equal(nuce_facts_com(facts, "file", &error)->size, 3);
    file_write("file", TEXT);

    assert_int_not_equal(nuce_facts_file_identity(facts, "late", &none, &error), NUCE_OK);
    assert_string_equal(none, "untouched");
    file_write("late", "3\n0 3 100\n");
    assert_null(nuce_facts_com(facts, "late", &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.path, "late");
    assert_int_equal(error.line, 2);
    file_write("late", TEXT);
    assert_int_equal(nuce_facts_com(facts, "late", &error)->size, 3);
    nuce_facts_destroy(facts);
}

static const struct nuce_fact *look_nodal(struct nuce_facts *facts, const char *name,
                                          struct nuce_error *error)
{
    return nuce_facts_mesh(facts, name, 0, error);
}

static void test_sizes(void **state)
{
    static const struct {
        const struct nuce_fact *(*look)(struct nuce_facts *, const char *, struct nuce_error *);
        const char *name, *text; /* of a file; NULL: nuce ships it */
        int size, has_coordinates;
    } cases[] = {
        {look_nodal, "ring.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n", 4, 0},
        {look_nodal, "wing-2800", NULL, 2778, 1},
        {nuce_facts_network, "links.net",
         "ranks 3\n0 1 0 1e6\n0 2 0 1e6\n1 0 0 1e6\n1 2 0 1e6\n2 0 0 1e6\n2 1 0 1e6\n", 3, 0},
        {nuce_facts_network, "cm5", NULL, 0, 0},
        {nuce_facts_topology, "tree.conf", "switch a b\nnode n0 a\nnode n1 b\n", 2, 0},
    };
    struct nuce_facts *facts = nuce_facts_create();

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nuce_fact *fact;
        struct nuce_error error;

        if (cases[i].text != NULL)
            file_write(cases[i].name, cases[i].text);
        fact = cases[i].look(facts, cases[i].name, &error);
        assert_non_null(fact);
        assert_int_equal(fact->size, cases[i].size);
        assert_int_equal(fact->has_coordinates, cases[i].has_coordinates);
    }
    nuce_facts_destroy(facts);
}

/* A network or mesh with a name of its own keeps it; any other is a file. */
static void test_names(void **state)
{
    static const char *const cases[][2] = {
        {"cm5", "cm5"}, {"emulated", "emulated"}, {"file", IDENTITY}};
    struct nuce_facts *facts = nuce_facts_create();
    const char *identity = NULL;
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_ok(nuce_facts_network_identity(facts, cases[i][0], &identity, &error));
        assert_string_equal(identity, cases[i][1]);
    }
    assert_int_not_equal(nuce_facts_network_identity(facts, "cm6", &identity, &error), NUCE_OK);
    assert_ok(nuce_facts_mesh_identity(facts, "file", &identity, &error));
    assert_string_equal(identity, IDENTITY);
    nuce_facts_destroy(facts);
}

/* The ranks that a point tells which is not complete; -1: nothing, -2: it is refused. */
static void test_ranks(void **state)
{
    static const struct {
        const char *point;
        int ranks;
    } cases[] = {
        {"exchange 1 com=some.com", 5},
        {"exchange 1 network=two.network", 2},
        {"exchange 1 com=some.com network=two.network", 5},
        {"exchange 1 network=any.network", -1},
        {"exchange 1 network=cm5", -1},
        {"exchange 1 network=random", -1},
        {"exchange 1 network=measured", -1},
        {"exchange 1 pattern=uniform", -1},
        {"redistribute 1 network=two.network", 2},
        {"redistribute 1 elements=12", -1},
        {"stencil 1 weights=1,2,3", 3},
        {"stencil 1 weights=7", 1},
        {"stencil 1 weights=equal", -1},
        {"stencil 1 weights=measured", -1},
        {"stencil 1 ratio=4", -1},
        {"mapping 1 mesh=3x4", 12},
        {"mapping 1 mesh=2x3x4", 24},
        {"mapping 1 com=some.com", 5},
        {"mapping 1 topology=three.topology", -1},
        {"mapping 1 mesh=99999x99999x99999", -2},
        {"mapping 1 mesh=1024x1025", -2},
        {"mapping 1 mesh=4y3", -2},
        {"mapping 1 com=/none", -2},
    };
    struct nuce_facts *facts = nuce_facts_create();

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) point;
        struct nuce_error error = {0};
        int ranks = -1;

        assert_ok(point_begin(cases[i].point, &point, &error));
        if (point.workload->ranks(point.params, facts, &ranks, &error) != NUCE_OK) {
            assert_int_equal(error.status, NUCE_BAD_INPUT);
            ranks = -2;
        }
        if (ranks != cases[i].ranks)
            fail_msg("%s: %d ranks %s", cases[i].point, ranks, nuce_error_flatten(&error));
    }
    nuce_facts_destroy(facts);
}

/* The groups that a topology tells: rank i is on the i-th node, groups by their first ranks. */
static void test_groups(void **state)
{
    static const int expected[] = {0, 1, 0};
    struct nuce_scheduling scheduling = {.samples = 1};
    struct nuce_error error = {0};
    int *group_of = NULL;

    strcpy(scheduling.schedule, "twill");
    assert_ok(nuce_scheduling_groups(&scheduling, 3, &group_of, &error));
    assert_null(group_of); /* no file */
    strcpy(scheduling.tuning.group_topology, "three.topology");
    assert_true(nuce_scheduling_wants_groups(&scheduling));
    assert_ok(nuce_scheduling_groups(&scheduling, 3, &group_of, &error));
    assert_memory_equal(group_of, expected, sizeof expected);
    free(group_of);
    assert_int_equal(nuce_scheduling_groups(&scheduling, 4, &group_of, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "group-topology");
    assert_says(&error, "3 nodes for 4 ranks");
    assert_null(group_of);
    file_write("one.topology", "switch a\nnode n0 a\nnode n1 a\n");
    strcpy(scheduling.tuning.group_topology, "one.topology");
    assert_int_equal(nuce_scheduling_groups(&scheduling, 2, &group_of, &error), NUCE_BAD_INPUT);
    assert_says(&error, "one.topology");
    scheduling.tuning.group_ranks = 2; /* they are told */
    assert_false(nuce_scheduling_wants_groups(&scheduling));
    assert_ok(nuce_scheduling_groups(&scheduling, 4, &group_of, &error));
    assert_null(group_of);
    scheduling.tuning.group_ranks = 0;
    strcpy(scheduling.schedule, "ac");
    assert_false(nuce_scheduling_wants_groups(&scheduling));
    assert_ok(nuce_scheduling_groups(&scheduling, 4, &group_of, &error));
    assert_null(group_of);
    strcpy(scheduling.schedule, "twill");
    strcpy(scheduling.tuning.group_topology, "/none");
    error = (struct nuce_error){0};
    assert_int_equal(nuce_scheduling_groups(&scheduling, 3, &group_of, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "group-topology");
}

#define RANKS 5
#define LINKS 1e7 /* bytes per second of the links that there are */

/* Every rank sends to every other, and 100 bytes to itself. */
static struct nuce_pattern draw_pattern(struct nuce_rng *rng)
{
    struct nuce_message messages[RANKS * RANKS];
    struct nuce_pattern pattern;

    for (int k = 0; k < RANKS * RANKS; k++)
        messages[k] = (struct nuce_message){
            k / RANKS, k % RANKS,
            k / RANKS == k % RANKS ? 100 : 1 + (int64_t)nuce_rng_below(rng, 100000)};
    assert_ok(nuce_pattern_init(RANKS, messages, RANKS * RANKS, &pattern, ANY_ERROR));
    return pattern;
}

static struct nuce_network draw_network(struct nuce_rng *rng, double low, double high)
{
    struct nuce_network_ranges ranges = {.startup = {1e-6, 5e-6}, .bandwidth = {low, high}};
    struct nuce_network network;

    assert_ok(nuce_network_draw(RANKS, &ranges, rng, &network, ANY_ERROR));
    return network;
}

static struct nuce_scheduling emulated(double link_bandwidth)
{
    struct nuce_scheduling scheduling = {.link_bandwidth = link_bandwidth};

    strcpy(scheduling.network, NUCE_NETWORK_EMULATED);
    return scheduling;
}

/* On the real links each message takes as long as on the emulated network, to half a byte, and none
 * vanishes; a rank's message to itself crosses no link. */
static void check_emulated(struct nuce_rng *rng, double low, double high)
{
    struct nuce_scheduling scheduling = emulated(LINKS);
    OWNED(pattern) pattern = draw_pattern(rng), before;
    OWNED(network) network = draw_network(rng, low, high);
    double bandwidth[RANKS * RANKS], startup[RANKS * RANKS];

    assert_ok(nuce_pattern_transpose(&pattern, &before, ANY_ERROR));
    for (int k = 0; k < RANKS * RANKS; k++) {
        bandwidth[k] = nuce_network_bandwidth(&network, k / RANKS, k % RANKS);
        startup[k] = nuce_network_startup(&network, k / RANKS, k % RANKS);
    }
    assert_ok(nuce_scheduling_emulate(&scheduling, &pattern, &network, ANY_ERROR));
    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++) {
            int64_t is = pattern.bytes[nuce_pattern_find(&pattern, i, j)];
            int64_t was = before.bytes[nuce_pattern_find(&before, j, i)];
            double wanted_s = (double)was / bandwidth[i * RANKS + j];

            if (i == j) {
                assert_int_equal(is, was);
                continue;
            }
            assert_true(is >= 1);
            assert_true(is == 1 || fabs((double)is / LINKS - wanted_s) <= 0.5001 / LINKS);
            assert_near(nuce_network_bandwidth(&network, i, j), LINKS, 0);
            assert_true(fabs(nuce_network_startup(&network, i, j) - startup[i * RANKS + j]) <= 0);
        }
    }
}

static void test_emulated(void **state)
{
    struct nuce_rng rng = nuce_rng_create(2, 0);

    for (int draw = 0; draw < 50; draw++) {
        check_emulated(&rng, 1e6, 2e7);
        check_emulated(&rng, 1e11, 1e12);
    }
}

/* More bytes than a double counts: nothing changes. */
static void test_too_long(void **state)
{
    struct nuce_rng rng = nuce_rng_create(2, 1);
    struct nuce_scheduling scheduling = emulated(1e30);
    OWNED(pattern) pattern = draw_pattern(&rng);
    OWNED(network) network = draw_network(&rng, 1e6, 2e6);
    int64_t first = pattern.bytes[1];
    const double *pairs = network.pair_bandwidth;
    struct nuce_error error;

    assert_int_equal(nuce_scheduling_emulate(&scheduling, &pattern, &network, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "link-bandwidth");
    assert_int_equal(pattern.bytes[1], first);
    assert_ptr_equal(network.pair_bandwidth, pairs);
}

/* A record's name of a network: the same file has the same name wherever it lies. */
static void test_network_names(void **state)
{
    static const char text[] = "ranks 2\n0 1 1e-6 1e6\n1 0 2e-6 3e6\n";
    /* sha256sum of it */
    static const char wanted[] = "two.net@"
                                 "2181aa4e1299844bf9b0410c091cb6524b47f63638f03c848a625e7f8cf4df63";
    struct nuce_scheduling scheduling = {.network = ""};
    OWNED(network) network;
    char *name;

    assert_ok(nuce_scheduling_network(&scheduling, 2, NULL, &network, &name, ANY_ERROR));
    assert_null(name);
    assert_int_equal(network.ranks, 0);
    strcpy(scheduling.network, "cm5");
    assert_ok(nuce_scheduling_network(&scheduling, 3, NULL, &network, &name, ANY_ERROR));
    assert_string_equal(name, "cm5");
    assert_int_equal(network.ranks, 3);
    assert_near(nuce_network_startup(&network, 0, 1), 0.299e-3, 1e-12);
    assert_near(1 / nuce_network_bandwidth(&network, 0, 1), 0.2389e-6, 1e-15);
    free(name);
    nuce_network_fini(&network);
    file_write("two.net", text);
    strcpy(scheduling.network, "two.net");
    assert_ok(nuce_scheduling_network(&scheduling, 2, NULL, &network, &name, ANY_ERROR));
    assert_string_equal(name, wanted);
    assert_near(nuce_network_bandwidth(&network, 1, 0), 3e6, 1e-6);
    free(name);
}

/* Patterns, networks, schedules and placements of one seed do not share their numbers; a schedule
 * is the same for every instance. */
static void test_streams(void **state)
{
    struct nuce_scheduling first = {.seed = 4, .instance = 0}, second = {.seed = 4, .instance = 1};
    struct nuce_rng streams[] = {nuce_rng_create(4, 0), nuce_scheduling_network_rng(&first),
                                 nuce_scheduling_rng(&first), nuce_placing_rng(4)};
    struct nuce_rng again = nuce_scheduling_rng(&second);
    uint64_t begins[4];

    for (int i = 0; i < 4; i++) {
        begins[i] = nuce_rng_next(&streams[i]);
        for (int j = 0; j < i; j++)
            assert_true(begins[i] != begins[j]);
    }
    assert_true(nuce_rng_next(&again) == begins[2]);
}

/* All placements, then the library's, then the end; the same with schedules. */
static void test_lists(void **state)
{
    size_t count = 0;

    while (nuce_placing_name(count) != NULL)
        count++;
    assert_true(count > 2);
    assert_string_equal(nuce_placing_name(count - 1), "mpi-reorder");
    assert_string_equal(nuce_placing_name(0), "rm");
    assert_null(nuce_placing_name(count + 1));
    for (count = 0; nuce_schedule_name(count) != NULL; count++)
        assert_string_equal(nuce_schedule_name(count), nuce_schedules[count]->name);
    assert_null(nuce_schedules[count]);
}

RUN_IN(facts_setup, folder_teardown, test_read_once, test_sizes, test_names, test_ranks,
       test_groups, test_emulated, test_too_long, test_network_names, test_streams, test_lists)
