/* What a rank finds out of the machine, and how it waits. */
#include "../test.h"

#include "../folder.h"
#include "run/nodes.h"
#include "run/placed_world.h"
#include "run/wait.h"

/* Numbers go by first ranks, whatever the order of the names; a prefix is another name. */
static void test_group(void **state)
{
    static const char names[][5] = {"b", "a", "b", "", "aa", "a", "bbbb", ""};
    static const int expected[] = {0, 1, 0, 2, 3, 1, 4, 2};
    int node_of[8];

    nuce_nodes_group(names[0], 5, 8, node_of);
    assert_memory_equal(node_of, expected, sizeof expected);
    nuce_nodes_group(names[0], 5, 1, node_of);
    assert_int_equal(node_of[0], 0);
}

/* Which way of waiting a policy is, on machines with processors to spare and without. */

static void check_policy(const struct nuce_wait *machine, const char *policy, const char *wanted)
{
    struct nuce_wait wait = nuce_wait_under(machine, policy);

    assert_string_equal(nuce_wait_name(&wait), wanted);
    assert_int_equal(wait.oversubscribed, machine->oversubscribed);
    assert_int_equal(wait.block, machine->block);
    assert_int_equal(wait.sleep, strcmp(wanted, "sleep") == 0);
}

static void test_policies(void **state)
{
    const struct nuce_wait roomy = {0}, crowded = {.yield = 1, .oversubscribed = 1};
    const struct nuce_wait simulated = {.block = 1};

    check_policy(&roomy, "auto", "spin");
    check_policy(&crowded, "auto", "yield");
    check_policy(&roomy, "yield", "yield");
    check_policy(&crowded, "spin", "spin");
    check_policy(&roomy, "sleep", "sleep");
    check_policy(&crowded, "sleep", "sleep");
    check_policy(&simulated, "sleep", "block");
    check_policy(&simulated, "auto", "block");
    check_policy(&simulated, "spin", "block");
    check_policy(&simulated, "yield", "block");
}

/* A few polls come before the first yield; without leave to yield they only count. */
static void test_pause(void **state)
{
    const struct nuce_wait ways[] = {{0}, {.yield = 1}, {.yield = 1, .sleep = 1}};
    unsigned polls = 0;

    for (unsigned i = 1; i <= 3 * NUCE_POLLS_BEFORE_YIELD; i++) {
        nuce_wait_pause(&ways[i % 3], &polls);
        assert_int_equal(polls, i);
    }
}

/* Who has begun the fewest activities keeps the others waiting: each one counts, a detail does
 * not. */
static void test_watch(void **state)
{
    struct nuce_watch watch = {.rank = 2};

    nuce_watch_set(&watch, NUCE_ACTIVITY_BARRIER, 5, 1);
    nuce_watch_set(&watch, NUCE_ACTIVITY_EXCHANGE, -1, 3);
    nuce_watch_detail(&watch, 4, 9);
    assert_int_equal(atomic_load(&watch.steps), 2);
    assert_int_equal(atomic_load(&watch.activity), NUCE_ACTIVITY_EXCHANGE);
    assert_int_equal(atomic_load(&watch.peer), 4);
    assert_int_equal(atomic_load(&watch.detail), 9);
    assert_int_equal(watch.rank, 2);
}

/* Which file tells of the switches, and which of its nodes the ranks run on. No MPI is started. */

#define TREE                                                                                       \
    "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n2.cluster\nSwitchName=top Switches=s[0-1]\n"

static struct nuce_placing placing_of(const char *topology, const char *nodes)
{
    struct nuce_placing placing = {.placement = "rm"};

    strcpy(placing.topology, topology);
    strcpy(placing.topology_nodes, nodes);
    return placing;
}

/* The file that is given; in a job that which lies beside Slurm's configuration; else none. */
static void test_path(void **state)
{
    const struct folder *folder = *state;
    struct nuce_placing given = placing_of("some.conf", "by-name"),
                        none = placing_of("", "by-name");
    struct nuce_error error = {0};
    char configuration[200], wanted[200], *path;

    unsetenv("SLURM_JOB_ID");
    path = nuce_placed_world_topology_path(&given, &error);
    assert_string_equal(path, "some.conf");
    free(path);
    assert_null(nuce_placed_world_topology_path(&none, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "topology");
    assert_says(&error, "not given: expected a file along with a placement");
    file_write("topology.conf", TREE);
    snprintf(configuration, sizeof configuration, "%s/slurm.conf", folder->path);
    snprintf(wanted, sizeof wanted, "%s/topology.conf", folder->path);
    setenv("SLURM_JOB_ID", "7", 1);
    setenv("SLURM_CONF", configuration, 1);
    path = nuce_placed_world_topology_path(&none, &error);
    assert_string_equal(path, wanted);
    free(path);
    unsetenv("SLURM_JOB_ID");
    unsetenv("SLURM_CONF");
}

/* The nodes of four ranks on these hosts. */
static nuce_status find(const char *hosts, const struct nuce_placing *placing, int *node,
                        struct nuce_error *error)
{
    json_t *names = json_loads(hosts, 0, NULL);
    struct nuce_world world = {.size = (int)json_array_size(names), .hosts = names};
    struct nuce_topology topology;
    nuce_status status =
        nuce_placed_world_topology(&world, placing, placing->topology, &topology, node, error);

    if (status == NUCE_OK) {
        assert_int_equal(topology.nodes, 3);
        nuce_topology_fini(&topology);
    }
    json_decref(names);
    return status;
}

static void test_by_name(void **state)
{
    struct nuce_placing placing = placing_of("topology.conf", "by-name");
    struct nuce_error error = {0};
    int node[4];

    file_write("topology.conf", TREE);
    assert_ok(find("[\"n2\", \"n0\", \"n2.cluster\", \"n1.cluster\"]", &placing, node, &error));
    assert_int_equal(node[0], 2);
    assert_int_equal(node[1], 0);
    assert_int_equal(node[2], 2);
    assert_int_equal(node[3], 1);
    assert_int_equal(find("[\"n0\", \"n9\"]", &placing, node, &error), NUCE_BAD_INPUT);
    assert_says(&error, "no node 'n9', on which rank 1 runs");
    assert_says(&error, "topology.conf");
}

/* Rank I on node I, whatever its host is called. */
static void test_in_order(void **state)
{
    struct nuce_placing placing = placing_of("topology.conf", "in-order");
    struct nuce_error error = {0};
    int node[4];

    file_write("topology.conf", TREE);
    assert_ok(find("[\"a\", \"a\", \"b\"]", &placing, node, &error));
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(node[rank], rank);
    assert_int_equal(find("[\"a\", \"a\", \"b\", \"c\"]", &placing, node, &error), NUCE_BAD_INPUT);
    assert_says(&error, "3 nodes for 4 ranks");
}

/* Where in the file it stands is told. */
static void test_bad_file(void **state)
{
    struct nuce_placing placing = placing_of("topology.conf", "by-name");
    struct nuce_error error = {0};
    int node[4];

    file_write("topology.conf", "switch a b\nnode n0 a\nnods n1 b\n");
    assert_int_equal(find("[\"n0\"]", &placing, node, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "topology");
    assert_says(&error, "topology.conf:3:1: 'nods'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_watch),
        cmocka_unit_test_setup_teardown(test_path, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_by_name, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_in_order, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_bad_file, folder_setup, folder_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
