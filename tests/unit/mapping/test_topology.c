#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/rng.h"
#include "networks.h"

static void test_lines(void **state)
{
    struct nuce_topology topology = parse_topology("# a line\nswitch left right # two\n\n"
                                                   "node n0 left\n node n1 right\r\nnode n2 left");

    (void)state;
    assert_int_equal(topology.switches, 2);
    assert_int_equal(topology.links, 1);
    assert_int_equal(topology.nodes, 3);
    assert_string_equal(topology.switch_name[1], "right");
    assert_string_equal(topology.node_name[2], "n2");
    assert_int_equal(topology.home[0], 0);
    assert_int_equal(topology.home[1], 1);
    assert_int_equal(topology.home[2], 0);
    assert_true(nuce_topology_has_link(&topology, 0, 1));
    assert_false(nuce_topology_has_link(&topology, 1, 1));
    nuce_topology_fini(&topology);
}

/* A line may name switches that come later; brackets, leading zeros, several of them in a name. */
static void test_slurm(void **state)
{
    struct nuce_topology topology =
        parse_topology("# Slurm\nSwitchName=top Switches=leaf[1-2],odd LinkSpeed=100\n"
                       "switchname=leaf1 NODES=n[08-11,3]\nSwitchName=leaf2 Nodes=r[0-1]c[0-2]x\n"
                       "SwitchName=odd Nodes=login,n12\n");

    (void)state;
    assert_int_equal(topology.switches, 4);
    assert_int_equal(topology.links, 3);
    assert_int_equal(topology.nodes, 5 + 6 + 2);
    assert_string_equal(topology.node_name[0], "n08");
    assert_string_equal(topology.node_name[2], "n10");
    assert_string_equal(topology.node_name[4], "n3");
    assert_string_equal(topology.node_name[5], "r0c0x");
    assert_string_equal(topology.node_name[10], "r1c2x");
    assert_string_equal(topology.node_name[11], "login");
    assert_string_equal(topology.switch_name[topology.home[12]], "odd");
    assert_true(nuce_topology_has_link(&topology, 0, 3));
    nuce_topology_fini(&topology);
}

/* What each switch and node hangs on, and how many islands: "s0-top(n1 n2) s1(n3); 2". */
static void assert_topology(const char *text, const char *expected)
{
    struct nuce_topology topology = parse_topology(text);
    char found[512] = "";

    for (int s = 0; s < topology.switches; s++) {
        char *end = found + strlen(found);

        end += sprintf(end, "%s%s", s > 0 ? " " : "", topology.switch_name[s]);
        for (int64_t k = topology.start[s]; k < topology.start[s + 1]; k++)
            end += sprintf(end, "-%s", topology.switch_name[topology.neighbor[k]]);
        end += sprintf(end, "(");
        for (int i = 0; i < topology.nodes; i++) {
            if (topology.home[i] == s)
                end += sprintf(end, "%s%s", end[-1] == '(' ? "" : " ", topology.node_name[i]);
        }
        sprintf(end, ")");
    }
    sprintf(found + strlen(found), "; %d", topology.islands);
    assert_string_equal(found, expected);
    nuce_topology_fini(&topology);
}

/* What Slurm's own parser takes. */
static void test_slurm_syntax(void **state)
{
    static const char tree[] = "s0-top(n1 n2) s1-top(n3 n4) top-s0-s1(); 1";

    (void)state;
    assert_topology("SwitchName = s0 Nodes= n[1-2]\nSWITCHNAME =s1\tNODES = n[3-4] # end\n"
                    "SwitchName=top Switches=\"s[0-1]\"\n",
                    tree);
    assert_topology("\xef\xbb\xbfSwitchName=\"s0\" Nodes=\"n1, n2\"\r"
                    "SwitchName=s1 Nodes=\"n3 n4\"\r\rSwitchName=top Switches=s0,s1\r",
                    tree);
    /* Lines that go on: between settings, within a list, a name and brackets. */
    assert_topology(
        "SwitchName=s0 \\\n  Nodes=n1,\\\nn2\nSwitchName=s1\\\n Nodes=n[3,\\  \r\n  4]\n"
        "SwitchName=top Switches=s\\\n0,\\\n s[\\\n1\\\n]",
        tree);
    /* What scontrol prints: all nodes below a switch, and one that has none. */
    assert_topology("SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=s[0-1]\n"
                    "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
                    "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
                    "SwitchName=s2 Level=0 LinkSpeed=1\n",
                    "top-s0-s1() s0-top(n1 n2) s1-top(n3 n4) s2(); 2");
    assert_topology(
        "AllowEmptySwitch=YES\nSwitchName=a Level=1 Nodes=n1 Switches=b\nSwitchName=b Nodes=n2\n",
        "a-b(n1) b-a(n2); 1");
    assert_topology("BlockName=b1 Nodes=n[01-02]\nBlockName=b2 Nodes=n03\nBlockSizes=2,4\n",
                    "b1-(all blocks)(n01 n02) b2-(all blocks)(n03) (all blocks)-b1-b2(); 1");
    assert_topology("BlockName=b1 BlockIndex=0 Nodes=n1 BlockSize=2\n"
                    "AggregatedBlock=b1 BlockIndex=1 Nodes=n1 BlockSize=4\n",
                    "b1(n1); 1");
}

/* Roots without a common one, and what is left for ranks on one of them. */
static void test_islands(void **state)
{
    struct nuce_topology topology =
        parse_topology("SwitchName=r Nodes=a\nSwitchName=s1 Nodes=n[1-2]\nSwitchName=q Nodes=b\n"
                       "SwitchName=s2 Nodes=n3,n1\nSwitchName=t Switches=s1,s2\n");
    int island, nodes, node[] = {4, 1, 2};

    (void)state;
    assert_int_equal(topology.islands, 3);
    assert_non_null(strstr(topology.note, "several switches")); /* n1 */
    nuce_topology_largest(&topology, &island, &nodes);
    assert_int_equal(island, 1);
    assert_int_equal(nodes, 3);
    nuce_topology_keep(&topology, island, node, 3);
    assert_int_equal(topology.islands, 1);
    assert_int_equal(topology.switches, 3);
    assert_int_equal(topology.links, 2);
    assert_int_equal(topology.nodes, 3);
    assert_string_equal(topology.node_name[node[0]], "n3");
    assert_string_equal(topology.node_name[node[1]], "n1");
    assert_string_equal(topology.switch_name[topology.home[node[0]]], "s2");
    assert_true(nuce_topology_has_link(&topology, 0, 2));
    assert_false(nuce_topology_has_link(&topology, 0, 1));
    nuce_topology_fini(&topology);
}

static void refuse(const char *text, const char *message)
{
    struct nuce_topology topology;
    struct nuce_error error;

    assert_int_equal(nuce_topology_parse("t", text, strlen(text), &topology, &error),
                     NUCE_BAD_INPUT);
    if (strstr(nuce_error_flatten(&error), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, nuce_error_flatten(&error));
}

static void test_bad_lines(void **state)
{
    (void)state;
    refuse("", "t:1:1: no node in the file");
    refuse("switch a b\n", "no node in the file");
    refuse("switch a b\nnode n c\n", "t:2:8: switch 'c' cannot be reached from switch 'a'");
    refuse("switch a a\nnode n a\n", "t:1:1: a link from switch 'a' to itself");
    refuse("switch a b\nnode n a\nswitch b a\n", "t:3:1: a second link between");
    refuse("switch a b\nnode n a\nnode n b\n", "t:3:6: node 'n' a second time");
    refuse("switch a\n", "no node in the file");
    refuse("switch a\nswitch b\nnode n a\n", "t:2:8: switch 'b' cannot be reached from");
    refuse("switch\n", "t:1:7: the line ends; expected a switch");
    refuse("node n a b\n", "t:1:10:");
    refuse("link a b\n", "t:1:1: 'link': expected 'switch A B'");
}

/* The lines in the comment, and no others; places are those of the file. */
static void test_platform(void **state)
{
    struct nuce_topology topology =
        parse_topology("<?xml version='1.0'?>\n<!-- switch x y -->\n<!-- topology\nswitch a\n"
                       "switch c\nswitch b c\nswitch a b\nnode n c\n-->\n<platform/>\n");

    (void)state;
    assert_int_equal(topology.switches, 3);
    assert_string_equal(topology.switch_name[1], "c");
    assert_int_equal(topology.nodes, 1);
    assert_int_equal(topology.home[0], 1);
    nuce_topology_fini(&topology);
    refuse("<platform>\n", "t:1:1: no comment '<!-- topology'");
    refuse("<!-- topology\nnode n a\n", "t:2:1: expected '-->' after the topology");
    refuse("<!-- topology\nlink a\n-->\n", "t:2:1: 'link': expected 'switch A B'");
}

static void test_hosts(void **state)
{
    static const char text[] =
        "node n1 s\nnode n10 s\nnode big.a s\nnode big.b s\nnode c.x.org s\n";
    static const char *const hosts[] = {"n10", "n1.a.b", "big.b", "c", "c.x.org", "n1", "big"};
    static const int expected[] = {1, 0, 3, 4, 4, 0, 2};
    static const char *const strangers[] = {"n1", "c.y.org", NULL};
    struct nuce_topology topology = parse_topology(text);
    struct nuce_error error;
    int node[7];

    (void)state;
    assert_int_equal(nuce_topology_find_hosts(&topology, hosts, 7, node, &error), NUCE_OK);
    assert_memory_equal(node, expected, sizeof expected);
    assert_int_equal(nuce_topology_find_hosts(&topology, strangers, 2, node, &error),
                     NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "no node 'c.y.org', on which rank 1 runs"));
    nuce_topology_fini(&topology);
}

static void test_bad_slurm(void **state)
{
    (void)state;
    refuse("SwitchName=a Switches=b\n", "t:1:23: 'b': unknown switch");
    refuse("SwitchName=a Switches=b\nSwitchName=b Switches=a\n",
           "t:2:23: switch 'a' is below itself");
    refuse("SwitchName=a Switches=a\n", "'a' is below itself");
    refuse("SwitchName=a Switches=c\nSwitchName=b Switches=c\nSwitchName=c Nodes=n\n",
           "t:2:23: switch 'c' is below 'a' already");
    refuse("SwitchName=a Nodes=n\nSwitchName=a Nodes=m\n", "t:2:12: switch 'a' a second time");
    refuse("SwitchName=a Nodes=n Switches=b\n", "either Switches or Nodes");
    refuse("SwitchName=a\n", "either Switches or Nodes");
    refuse("SwitchName=a Nodes= Switches=b\n", "t:1:14: 'Nodes=': expected KEY=VALUE");
    refuse("SwitchName=a Nodes\n", "t:1:14: 'Nodes': expected KEY=VALUE");
    refuse("SwitchName=a Nodes=\"n\nSwitchName=b Nodes=m\n", "t:1:20: a value without a '\"'");
    refuse("SwitchName=\"a b\" Nodes=n\n", "t:1:13: a blank or backslash in 'a b'");
    refuse("Include other.conf\n", "t:1:1: 'Include' is not followed");
    refuse("SwitchName=a Nodes=n\ninclude other.conf\n", "t:2:1: 'include' is not followed");
    refuse("BlockName=b Switches=a\n", "t:1:1: block 'b': expected Nodes alone");
    refuse("BlockName=b Nodes=n\nSwitchName=a Nodes=m\n", "t:2:12: 'a': expected switches alone");
    refuse("---\n- topology: t\n  block:\n", "t:1:1: Slurm's topology.yaml is not read");
    refuse("- topology: t\n", "t:1:1: Slurm's topology.yaml is not read");
    refuse("Nodes=n\nSwitchName=a Nodes=m\n", "no SwitchName");
    refuse("SwitchName=a Node=n\n", "t:1:14: 'Node': expected SwitchName, Switches");
    refuse("SwitchName=a Nodes=n Nodes=m\n", "each once a line");
    refuse("SwitchName=a Nodes=\n", "'Nodes=': expected KEY=VALUE");
    refuse("SwitchName=a Nodes=n[3-1]\n", "'3-1]': expected numbers in brackets");
    refuse("SwitchName=a Nodes=n[1\n", "expected a ']'");
    refuse("SwitchName=a Nodes=n1]\n", "expected a '['");
    refuse("SwitchName=a Nodes=n,,m\n", "expected a name");
    refuse("SwitchName=a Nodes=n[0-999999999]\n", "at most 1048576 nodes");
    refuse("SwitchName=a Nodes=n[0-9999999999]\n", "expected numbers in brackets");
}

static void test_ports(void **state)
{
    struct nuce_topology topology = parse_topology("switch a b\nnode n a\nnode m a\nnode o b\n");
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_topology_check_ports(&topology, 3, &error), NUCE_OK);
    assert_int_equal(nuce_topology_check_ports(&topology, 2, &error), NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_flatten(&error),
                        "switch 'a' has 1 links and 2 nodes: expected at most 2 ports");
    nuce_topology_fini(&topology);
}

/* Both readings of the paper's 75 per cent. */
static void test_draw(void **state)
{
    struct nuce_topology_recipe recipe = {
        .switches = 75, .ports = 8, .nodes = 256, .connectivity = 0.75};
    struct nuce_error error;

    (void)state;
    for (int reading = 0; reading < 2; reading++) {
        struct nuce_rng rng = nuce_rng_create(3, 0), again = nuce_rng_create(3, 0);
        struct nuce_topology topology, same;

        recipe.reading = reading == 0 ? NUCE_CONNECTIVITY_FREE : NUCE_CONNECTIVITY_ALL;
        assert_int_equal(nuce_topology_draw(&recipe, &rng, &topology, &error), NUCE_OK);
        assert_int_equal(nuce_topology_draw(&recipe, &again, &same, &error), NUCE_OK);
        assert_int_equal(topology.links, reading == 0 ? 129 : 97);
        assert_int_equal(topology.nodes, 256);
        assert_int_equal(nuce_topology_check_ports(&topology, 8, &error), NUCE_OK);
        assert_memory_equal(topology.neighbor, same.neighbor, 2 * 97 * sizeof(int));
        for (int s = 0; s < 75; s++)
            assert_true(topology.start[s] < topology.start[s + 1]);
        for (int i = 1; i < 256; i++)
            assert_true(topology.home[i - 1] <= topology.home[i]);
        nuce_topology_fini(&topology);
        nuce_topology_fini(&same);
    }
}

static void refuse_recipe(struct nuce_topology_recipe recipe, const char *message)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_topology topology;
    struct nuce_error error;
    char said[NUCE_ERROR_TEXT_BYTES];

    assert_int_equal(nuce_topology_draw(&recipe, &rng, &topology, &error), NUCE_BAD_INPUT);
    if (strstr(nuce_error_text(&error, NUCE_ERROR_OPTIONS, said), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, said);
}

static void test_bad_recipes(void **state)
{
    (void)state;
    refuse_recipe(
        (struct nuce_topology_recipe){.switches = 75, .ports = 8, .nodes = 526, .connectivity = 1},
        "--nodes: '526': expected 1 to 525");
    refuse_recipe(
        (struct nuce_topology_recipe){
            .switches = 75, .ports = 8, .nodes = 256, .connectivity = 0.2},
        "34 links between 75 switches: expected at least 74");
    refuse_recipe(
        (struct nuce_topology_recipe){.switches = 3, .ports = 100, .nodes = 3, .connectivity = 1},
        "148 links between 3 switches: expected at most 3");
    refuse_recipe(
        (struct nuce_topology_recipe){.switches = 4, .ports = 8, .nodes = 3, .connectivity = 1.5},
        "--connectivity: '1.5': expected 0 to 1");
    refuse_recipe((struct nuce_topology_recipe){.ports = 8, .nodes = 3}, "--switches: '0'");
}

/* As tight as can be: two ports for a link of the tree and none more. */
static void test_tight(void **state)
{
    struct nuce_topology_recipe recipe = {
        .switches = 12, .ports = 3, .nodes = 14, .connectivity = 1};
    struct nuce_error error;

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct nuce_rng rng = nuce_rng_create(seed, 0);
        struct nuce_topology topology;

        assert_int_equal(nuce_topology_draw(&recipe, &rng, &topology, &error), NUCE_OK);
        assert_int_equal(topology.links, 11);
        assert_int_equal(nuce_topology_check_ports(&topology, 3, &error), NUCE_OK);
        nuce_topology_fini(&topology);
    }
}

/* By the switch that a node hangs on, in the order of the ranks; the root has nodes as well. */
static void test_groups(void **state)
{
    static const int expected[] = {0, 0, 1, 2, 1};
    struct nuce_topology topology = parse_topology(
        "switch r a\nswitch r b\nnode n0 a\nnode n1 a\nnode n2 b\nnode n3 b\nnode io r\n");
    struct nuce_error error = {0};
    int node[] = {3, 2, 0, 4, 1};

    (void)state;
    assert_int_equal(nuce_topology_groups(&topology, node, 5, node, &error), NUCE_OK);
    assert_memory_equal(node, expected, sizeof node);
    node[0] = 1; /* ranks on one switch of several: one group */
    assert_int_equal(nuce_topology_groups(&topology, node, 1, node, &error), NUCE_OK);
    assert_int_equal(node[0], 0);
    nuce_topology_fini(&topology);
    topology = parse_topology("SwitchName=a Nodes=n[0-1]\nSwitchName=r Switches=a\n");
    assert_int_equal(nuce_topology_groups(&topology, node, 1, node, &error), NUCE_BAD_INPUT);
    assert_string_equal(
        error.message,
        "has no groups: all of its nodes are on one switch: expected nodes on several");
    nuce_topology_fini(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_slurm),
        cmocka_unit_test(test_bad_lines), cmocka_unit_test(test_bad_slurm),
        cmocka_unit_test(test_ports),     cmocka_unit_test(test_draw),
        cmocka_unit_test(test_tight),     cmocka_unit_test(test_bad_recipes),
        cmocka_unit_test(test_platform),  cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_groups),    cmocka_unit_test(test_slurm_syntax),
        cmocka_unit_test(test_islands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
