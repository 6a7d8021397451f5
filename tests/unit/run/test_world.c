/* A rank's knowledge of the machine, and how it waits. */

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

static void test_policies(void **state)
{
    static const struct nuce_wait roomy = {0}, crowded = {.yield = 1, .oversubscribed = 1};
    static const struct nuce_wait simulated = {.block = 1};
    static const struct {
        const struct nuce_wait *machine;
        const char *policy, *wanted;
    } cases[] = {
        {&roomy, "auto", "spin"},       {&crowded, "auto", "yield"},
        {&roomy, "yield", "yield"},     {&crowded, "spin", "spin"},
        {&roomy, "sleep", "sleep"},     {&crowded, "sleep", "sleep"},
        {&simulated, "sleep", "block"}, {&simulated, "auto", "block"},
        {&simulated, "spin", "block"},  {&simulated, "yield", "block"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nuce_wait *machine = cases[i].machine;
        struct nuce_wait wait = nuce_wait_under(machine, cases[i].policy);

        assert_string_equal(nuce_wait_name(&wait), cases[i].wanted);
        assert_int_equal(wait.oversubscribed, machine->oversubscribed);
        assert_int_equal(wait.block, machine->block);
        assert_int_equal(wait.sleep, strcmp(cases[i].wanted, "sleep") == 0);
    }
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
    assert_says(&error, "not given: expected a file with a placement");
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

/* By name, or rank I on node I, whatever its host's name; the message has the place in the file.
 */
static void test_nodes(void **state)
{
    static const struct {
        const char *file, *way, *hosts;
        int node[4];
        const char *says; /* NULL: they are found */
    } cases[] = {
        {TREE, "by-name", "[\"n2\", \"n0\", \"n2.cluster\", \"n1.cluster\"]", {2, 0, 2, 1}, NULL},
        {TREE,
         "by-name",
         "[\"n0\", \"n9\"]",
         {0},
         "topology.conf: no node 'n9', on which rank 1 runs"},
        {TREE, "in-order", "[\"a\", \"a\", \"b\"]", {0, 1, 2}, NULL},
        {TREE, "in-order", "[\"a\", \"a\", \"b\", \"c\"]", {0}, "3 nodes for 4 ranks"},
        {"switch a b\nnode n0 a\nnods n1 b\n",
         "by-name",
         "[\"n0\"]",
         {0},
         "topology: topology.conf:3:1: 'nods'"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_placing placing = placing_of("topology.conf", cases[i].way);
        struct nuce_error error = {0};
        int node[4] = {0};

        file_write("topology.conf", cases[i].file);
        assert_int_equal(find(cases[i].hosts, &placing, node, &error),
                         cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].says == NULL)
            assert_memory_equal(node, cases[i].node, sizeof node);
        else
            assert_says(&error, cases[i].says);
    }
}

RUN_EACH(folder_setup, folder_teardown, test_group, test_policies, test_path, test_nodes)
