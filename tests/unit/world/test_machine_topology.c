/* Which file tells of the switches, and which of its nodes the ranks run on. No MPI is started. */
#include "../folder.h"

#include "run/machine_topology.h"

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
    path = nuce_machine_topology_path(&given, &error);
    assert_string_equal(path, "some.conf");
    free(path);
    assert_null(nuce_machine_topology_path(&none, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "topology");
    assert_non_null(strstr(error.message, "not given: expected a file along with a placement"));
    file_write("topology.conf", TREE);
    snprintf(configuration, sizeof configuration, "%s/slurm.conf", folder->path);
    snprintf(wanted, sizeof wanted, "%s/topology.conf", folder->path);
    setenv("SLURM_JOB_ID", "7", 1);
    setenv("SLURM_CONF", configuration, 1);
    path = nuce_machine_topology_path(&none, &error);
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
        nuce_machine_topology(&world, placing, placing->topology, &topology, node, error);

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

    (void)state;
    file_write("topology.conf", TREE);
    assert_int_equal(
        find("[\"n2\", \"n0\", \"n2.cluster\", \"n1.cluster\"]", &placing, node, &error), NUCE_OK);
    assert_int_equal(node[0], 2);
    assert_int_equal(node[1], 0);
    assert_int_equal(node[2], 2);
    assert_int_equal(node[3], 1);
    assert_int_equal(find("[\"n0\", \"n9\"]", &placing, node, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "no node 'n9', on which rank 1 runs"));
    assert_non_null(strstr(error.message, "topology.conf"));
}

/* Rank I on node I, whatever its host is called. */
static void test_in_order(void **state)
{
    struct nuce_placing placing = placing_of("topology.conf", "in-order");
    struct nuce_error error = {0};
    int node[4];

    (void)state;
    file_write("topology.conf", TREE);
    assert_int_equal(find("[\"a\", \"a\", \"b\"]", &placing, node, &error), NUCE_OK);
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(node[rank], rank);
    assert_int_equal(find("[\"a\", \"a\", \"b\", \"c\"]", &placing, node, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "3 nodes for 4 ranks"));
}

/* Where in the file it stands is told. */
static void test_bad_file(void **state)
{
    struct nuce_placing placing = placing_of("topology.conf", "by-name");
    struct nuce_error error = {0};
    int node[4];

    (void)state;
    file_write("topology.conf", "switch a b\nnode n0 a\nnods n1 b\n");
    assert_int_equal(find("[\"n0\"]", &placing, node, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "topology");
    assert_non_null(strstr(nuce_error_flatten(&error), "topology.conf:3:1: 'nods'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_path, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_by_name, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_in_order, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_bad_file, folder_setup, folder_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
