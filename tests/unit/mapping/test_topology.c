/* Topologies: our lines and Slurm's, drawn ones, and those that are found in measured networks. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "mapping/topology_file.h"
#include "networks.h"

/* The switch above each switch and node, and how many islands there are: "s0-top(n1 n2) s1(n3); 2".
 */
static void assert_topology(const char *text, const char *expected)
{
    OWNED(topology) topology = parse_topology(text);
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
}

/* Our own lines, and those that Slurm's parser accepts. */
static void test_syntax(void **state)
{
    static const char tree[] = "s0-top(n1 n2) s1-top(n3 n4) top-s0-s1(); 1";

    assert_topology("# a line\nswitch left right # two\n\nnode n0 left\n node n1 right\r\n"
                    "node n2 left",
                    "left-right(n0 n2) right-left(n1); 1");
    assert_topology("SwitchName = s0 Nodes= n[1-2]\nSWITCHNAME =s1\tNODES = n[3-4] # end\n"
                    "SwitchName=top Switches=\"s[0-1]\"\n",
                    tree);
    assert_topology("\xef\xbb\xbfSwitchName=\"s0\" Nodes=\"n1, n2\"\r"
                    "SwitchName=s1 Nodes=\"n3 n4\"\r\rSwitchName=top Switches=s0,s1\r",
                    tree);
    /* A line may name switches that come later; brackets, leading zeros, several of them in a name.
     */
    assert_topology("# Slurm\nSwitchName=top Switches=leaf[1-2],odd LinkSpeed=100\n"
                    "switchname=leaf1 NODES=n[08-11,3]\nSwitchName=leaf2 Nodes=r[0-1]c[0-2]x\n"
                    "SwitchName=odd Nodes=login,n12\n",
                    "top-leaf1-leaf2-odd() leaf1-top(n08 n09 n10 n11 n3) "
                    "leaf2-top(r0c0x r0c1x r0c2x r1c0x r1c1x r1c2x) odd-top(login n12); 1");
    /* Lines that go on: between settings, within a list, a name and brackets. */
    assert_topology(
        "SwitchName=s0 \\\n  Nodes=n1,\\\nn2\nSwitchName=s1\\\n Nodes=n[3,\\  \r\n  4]\n"
        "SwitchName=top Switches=s\\\n0,\\\n s[\\\n1\\\n]",
        tree);
    /* Output of scontrol: all nodes below a switch, and one that has none. */
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

/* Several roots, and the network left for ranks below one of them. */
static void test_islands(void **state)
{
    OWNED(topology)
    topology =
        parse_topology("SwitchName=r Nodes=a\nSwitchName=s1 Nodes=n[1-2]\nSwitchName=q Nodes=b\n"
                       "SwitchName=s2 Nodes=n3,n1\nSwitchName=t Switches=s1,s2\n");
    int island, nodes, node[] = {4, 1, 2};

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
    OWNED(topology) topology = parse_topology(text);
    struct nuce_error error;
    int node[7];

    assert_ok(nuce_topology_find_hosts(&topology, hosts, 7, node, &error));
    assert_memory_equal(node, expected, sizeof expected);
    assert_int_equal(nuce_topology_find_hosts(&topology, strangers, 2, node, &error),
                     NUCE_BAD_INPUT);
    assert_says(&error, "no node 'c.y.org', on which rank 1 runs");
}

static void test_bad_slurm(void **state)
{
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
    refuse("SwitchName=a Nodes=n Nodes=m\n", "each once per line");
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
    OWNED(topology) topology = parse_topology("switch a b\nnode n a\nnode m a\nnode o b\n");
    struct nuce_error error;

    assert_ok(nuce_topology_check_ports(&topology, 3, &error));
    assert_int_equal(nuce_topology_check_ports(&topology, 2, &error), NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_flatten(&error),
                        "switch 'a' has 1 links and 2 nodes: expected at most 2 ports");
}

/* Both readings of the paper's 75 per cent. */
static void test_draw(void **state)
{
    struct nuce_topology_recipe recipe = {
        .switches = 75, .ports = 8, .nodes = 256, .connectivity = 0.75};

    for (int reading = 0; reading < 2; reading++) {
        struct nuce_rng rng = nuce_rng_create(3, 0), again = nuce_rng_create(3, 0);
        OWNED(topology) topology, same;

        recipe.reading = reading == 0 ? NUCE_CONNECTIVITY_FREE : NUCE_CONNECTIVITY_ALL;
        assert_ok(nuce_topology_draw(&recipe, &rng, &topology, ANY_ERROR));
        assert_ok(nuce_topology_draw(&recipe, &again, &same, ANY_ERROR));
        assert_int_equal(topology.links, reading == 0 ? 129 : 97);
        assert_int_equal(topology.nodes, 256);
        assert_ok(nuce_topology_check_ports(&topology, 8, ANY_ERROR));
        assert_memory_equal(topology.neighbor, same.neighbor, 2 * 97 * sizeof(int));
        for (int s = 0; s < 75; s++)
            assert_true(topology.start[s] < topology.start[s + 1]);
        for (int i = 1; i < 256; i++)
            assert_true(topology.home[i - 1] <= topology.home[i]);
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

    for (uint64_t seed = 0; seed < 50; seed++) {
        struct nuce_rng rng = nuce_rng_create(seed, 0);
        OWNED(topology) topology;

        assert_ok(nuce_topology_draw(&recipe, &rng, &topology, ANY_ERROR));
        assert_int_equal(topology.links, 11);
        assert_ok(nuce_topology_check_ports(&topology, 3, ANY_ERROR));
    }
}

/* By the switch that a node hangs on, in the order of the ranks; the root has nodes as well. */
static void test_groups(void **state)
{
    static const int expected[] = {0, 0, 1, 2, 1};
    OWNED(topology)
    topology = parse_topology(
        "switch r a\nswitch r b\nnode n0 a\nnode n1 a\nnode n2 b\nnode n3 b\nnode io r\n");
    struct nuce_error error = {0};
    int node[] = {3, 2, 0, 4, 1};

    assert_ok(nuce_topology_groups(&topology, node, 5, node, &error));
    assert_memory_equal(node, expected, sizeof node);
    node[0] = 1; /* ranks on one switch of several: one group */
    assert_ok(nuce_topology_groups(&topology, node, 1, node, &error));
    assert_int_equal(node[0], 0);
    nuce_topology_fini(&topology);
    topology = parse_topology("SwitchName=a Nodes=n[0-1]\nSwitchName=r Switches=a\n");
    assert_int_equal(nuce_topology_groups(&topology, node, 1, node, &error), NUCE_BAD_INPUT);
    assert_string_equal(
        error.message,
        "has no groups: all of its nodes are on one switch: expected nodes on several");
}

/* Measured networks as switches: made up with noise, from leaves that are known. */

enum { MOST_NODES = 64 };

/* The startup and bandwidth of a pair of nodes with so many levels between them: 0 on one leaf. */
struct layer {
    double startup, bandwidth;
};

struct cluster {
    int nodes, levels;        /* levels of switches below the top */
    int group[2][MOST_NODES]; /* of each level from the leaves up: where nodes are */
    struct layer layer[3];
    double startup_noise, bandwidth_noise; /* standard deviations of logarithms */
};

static double normal(struct nuce_rng *rng)
{
    double sum = 0;

    for (int k = 0; k < 12; k++)
        sum += nuce_rng_uniform(rng);
    return sum - 6;
}

/* Levels between two nodes. */
static int apart(const struct cluster *cluster, int i, int j)
{
    int level = 0;

    while (level < cluster->levels && cluster->group[level][i] != cluster->group[level][j])
        level++;
    return level;
}

/* Freed by the caller. extra stands behind the header. */
static char *network_text(const struct cluster *cluster, uint64_t seed, const char *extra)
{
    struct nuce_rng rng = nuce_rng_create(11, seed);
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(stream);
    fprintf(stream, "# measured\n\n ranks %d\n%s", cluster->nodes, extra);
    for (int i = 0; i < cluster->nodes; i++) {
        for (int j = 0; j < cluster->nodes; j++) {
            const struct layer *layer = &cluster->layer[apart(cluster, i, j)];
            double startup = layer->startup * exp(cluster->startup_noise * normal(&rng));
            double bandwidth = layer->bandwidth * exp(cluster->bandwidth_noise * normal(&rng));

            if (i != j)
                fprintf(stream, "%d %d %.9g %.9g\n", i, j, startup, bandwidth);
        }
    }
    fclose(stream);
    return text;
}

/* Switches as they must be: links between two nodes are 2 for each level that they are apart. */
static void check(const struct cluster *cluster, uint64_t seed)
{
    char *text = network_text(cluster, seed, "");
    OWNED(topology) topology = parse_topology(text);
    int switches = 1;

    assert_int_equal(topology.nodes, cluster->nodes);
    for (int level = 0; level < cluster->levels; level++) {
        int most = 0;

        for (int i = 0; i < cluster->nodes; i++)
            most = cluster->group[level][i] > most ? cluster->group[level][i] : most;
        switches += most + 1;
    }
    if (topology.switches != switches || topology.links != switches - 1)
        fail_msg("seed %d: %d switches, %d links: expected %d", (int)seed, topology.switches,
                 topology.links, switches);
    for (int i = 0; i < cluster->nodes; i++) {
        for (int j = 0; j < cluster->nodes; j++) {
            int a = topology.home[i], b = topology.home[j], levels = 0;

            /* A leaf's only neighbour of a lower number is the one above it. */
            for (; a != b; levels++) {
                a = topology.neighbor[topology.start[a]];
                b = topology.neighbor[topology.start[b]];
            }
            if (levels != apart(cluster, i, j))
                fail_msg("seed %d: %d and %d are %d levels apart", (int)seed, i, j, levels);
        }
    }
    free(text);
}

/* Where each node is, a character per node, by leaves and by the switches above them; layers from
 * the leaves up. */
static const struct {
    const char *leaves, *above;
    struct layer layer[3];
    double startup_noise, bandwidth_noise;
} clusters[] = {
    /* As slurm/virtual/two-leaves.tsv's: 4 MB/s within a leaf, 1 MB/s between them, startups that
     * are a processor's and not the network's. */
    {"00001111", NULL, {{3e-4, 4e6}, {3e-4, 1e6}}, 0.5, 0.03},
    /* Known by the startups alone; startups indistinguishable from 0. */
    {"00001111", NULL, {{1.0e-6, 12e9}, {1.5e-6, 12e9}}, 0.04, 0.03},
    {"00001111", NULL, {{0, 4e6}, {0, 1e6}}, 0.04, 0.03},
    {"01201201222", NULL, {{2e-6, 10e9}, {5e-6, 5e9}}, 0.1, 0.1},
    {"000011112222333344445555",
     "000000000000111111111111",
     {{1e-6, 12e9}, {2e-6, 6e9}, {4e-6, 2e9}},
     0.05,
     0.05},
    /* A node at a switch of its own is near to no other: it is recognised by its distance from
     * those that are near to each other, in startups, in both, or in bytes. */
    {"000112", NULL, {{1e-6, 1e9}, {4.5e-6, 1e9}}, 0.03, 0.03},
    {"000112", NULL, {{1e-6, 1e9}, {4.5e-6, 0.3e9}}, 0.03, 0.03},
    {"000112", NULL, {{1e-6, 1e9}, {1e-6, 0.3e9}}, 0.5, 0.03},
    /* The same at other levels and with more of them. */
    {"00011233", "00011111", {{1e-6, 1e9}, {4.5e-6, 1e9}, {9e-6, 1e9}}, 0.02, 0.02},
    {"001", NULL, {{1e-6, 1e9}, {4.5e-6, 1e9}}, 0.01, 0},
    /* Nothing but noise. */
    {NULL, NULL, {{1e-5, 1e9}}, 0, 0},
    {NULL, NULL, {{1e-5, 1e9}}, 0.02, 0.02},
    {NULL, NULL, {{1e-5, 1e9}}, 0.1, 0.1},
    {NULL, NULL, {{1e-5, 1e9}}, 0.3, 0.3},
};

static void test_clusters(void **state)
{
    for (size_t k = 0; k < COUNT(clusters); k++) {
        struct cluster cluster = {
            .levels = (clusters[k].leaves != NULL) + (clusters[k].above != NULL),
            .startup_noise = clusters[k].startup_noise,
            .bandwidth_noise = clusters[k].bandwidth_noise,
        };

        memcpy(cluster.layer, clusters[k].layer, sizeof clusters[k].layer);
        cluster.nodes = cluster.levels > 0 ? (int)strlen(clusters[k].leaves) : 1;
        for (int i = 0; i < cluster.nodes && cluster.levels > 0; i++) {
            cluster.group[0][i] = clusters[k].leaves[i] - '0';
            cluster.group[1][i] = cluster.levels > 1 ? clusters[k].above[i] - '0' : 0;
        }
        for (uint64_t seed = 0; seed < (cluster.levels > 0 ? 50 : 20); seed++) {
            check(&cluster, seed);
            if (cluster.levels == 0)
                cluster.nodes = seed == 0 ? 2 : 4 + (int)(3 * seed);
        }
    }
}

/* A network of so many ranks, whose pairs have these. */
static struct nuce_topology topology_of(int ranks, void (*pair)(int i, int j, struct layer *out))
{
    struct nuce_topology topology;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(stream);
    fprintf(stream, "ranks %d\n", ranks);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            struct layer layer;

            pair(i, j, &layer);
            if (i != j)
                fprintf(stream, "%d %d %g %g\n", i, j, layer.startup, layer.bandwidth);
        }
    }
    fclose(stream);
    topology = parse_topology(text);
    free(text);
    return topology;
}

/* A pair has the lesser of its ports: that parts no nodes. */
static void lesser_port(int i, int j, struct layer *out)
{
    static const double port[] = {50e6, 6e6, 20e6, 45e6, 12e6, 30e6};

    *out = (struct layer){1e-5, fmin(port[i], port[j])};
}

/* Half of the nodes have slower processors, which is in all their startups, and slower ports. */
static void half_slow(int i, int j, struct layer *out)
{
    int slow = (i % 2) + (j % 2);

    *out = (struct layer){1e-6 * (1 + slow), i / 4 != j / 4 ? 1e8 : slow > 0 ? 1e9 : 3e9};
}

/* Slow nodes are not far. */
static void test_slow(void **state)
{
    OWNED(topology) topology = topology_of(6, lesser_port);

    assert_int_equal(topology.switches, 1);
    assert_string_equal(topology.switch_name[0], "switch");
    assert_string_equal(topology.node_name[5], "rank 5");
    nuce_topology_fini(&topology);
    topology = topology_of(8, half_slow);
    assert_int_equal(topology.switches, 3);
    for (int i = 0; i < 8; i++)
        assert_int_equal(topology.home[i], 1 + i / 4);
}

/* Ranks of one host are one node; links within it do not count. */
static void test_hosts_measured(void **state)
{
    struct cluster cluster = {
        .nodes = 10,
        .levels = 2,
        .group = {{3, 0, 0, 3, 1, 1, 2, 2, 2, 4}, {0, 0, 0, 0, 1, 1, 1, 1, 1, 0}},
        .layer = {{1e-7, 50e9}, {2e-6, 4e9}, {2e-6, 1e9}},
    };
    char *text = network_text(&cluster, 1,
                              "host 0 d\nhost 1 a\nhost 2 a\nhost 3 d\nhost 4 b\nhost 5 b\n"
                              "host 6 c\nhost 7 c\nhost 8 c\n");
    OWNED(topology) topology = parse_topology(text);
    static const char *const names[] = {"d", "a", "b", "c", "rank 9"};
    static const int leaf[] = {0, 0, 1, 1, 0};

    assert_int_equal(topology.nodes, 5);
    assert_int_equal(topology.switches, 3);
    assert_string_equal(topology.switch_name[0], "top");
    for (int i = 0; i < 5; i++) {
        assert_string_equal(topology.node_name[i], names[i]);
        assert_int_equal(topology.home[i], 1 + leaf[i]);
    }
    free(text);
}

/* Numbers at the ends of their range. */
static void test_extremes(void **state)
{
    OWNED(topology)
    topology = parse_topology("ranks 3\n0 1 1e308 1e308\n1 0 1e308 5e-324\n0 2 0 5e-324\n"
                              "2 0 1e-320 1e-320\n1 2 1e308 1\n2 1 5e-324 1e308\n");

    assert_int_equal(topology.nodes, 3);
}

static void test_bad(void **state)
{
    refuse("ranks 0\n", "t:1:7:");
    refuse("ranks\n", "t:1:6:");
    refuse("ranks 2\n0 1 0 1\n", "t: no line for the pair 1 0");
    refuse("# a\nranks 2\n0 1 0 1\n1 0 0 -1\n", "t:4:7: '-1'");
    refuse("ranks 2\n0 1 0 1\n1 0 0 1\nnode a b\n", "t:4:6:");
    refuse("rank 2\n", "t:1:1: 'rank': expected 'switch A B'");
}

RUN(test_clusters, test_slow, test_bad_lines, test_bad_slurm, test_ports, test_draw, test_tight,
    test_bad_recipes, test_platform, test_hosts, test_groups, test_syntax, test_islands,
    test_hosts_measured, test_extremes, test_bad)
