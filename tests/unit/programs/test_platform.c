#include "../test.h"

#include <stdlib.h>

#include "programs/platform.h"

static const char three[] = "ranks 3\n0 1 1e-3 1e6\n0 2 0 2e6\n1 0 0 3e6\n1 2 0 4e6\n2 0 0 5e6\n"
                            "2 1 0 6e6\nport 1 inf 5e5\nspeed 2 0.5\n";

/* A switch with two nodes, one with none, and one with one, in a row; and a link that closes a ring
 * of four. */
static const char ring[] = "switch a b\nswitch b c\nswitch c d\nswitch d a\n"
                           "node x a\nnode y a\nnode z c\n";

/* The file, freed by the caller. */
static char *print(const char *name, const struct nuce_platform_input *input)
{
    const struct nuce_platform_ops *ops;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    assert_ok(nuce_platform_find(name, &ops, ANY_ERROR));
    assert_ok(nuce_platform_print(ops, input, stream, ANY_ERROR));
    fclose(stream);
    return text;
}

static int count(const char *text, const char *what)
{
    int found = 0;

    while ((text = strstr(text, what)) != NULL) {
        found++;
        text += strlen(what);
    }
    return found;
}

/* A reader of the platform finds the topology that it was made of, numbered alike. */
static void check_topology(const char *text, const struct nuce_topology *expected)
{
    OWNED(topology) found;

    assert_ok(nuce_topology_parse("t", text, strlen(text), &found, ANY_ERROR));
    assert_int_equal(found.switches, expected->switches);
    assert_int_equal(found.nodes, expected->nodes);
    assert_string_equal(found.node_name[1], "node-1");
    for (int s = 0; s <= found.switches; s++)
        assert_int_equal(found.start[s], expected->start[s]);
    for (int k = 0; k < 2 * found.links; k++)
        assert_int_equal(found.neighbor[k], expected->neighbor[k]);
    for (int i = 0; i < found.nodes; i++)
        assert_int_equal(found.home[i], expected->home[i]);
}

/* Half of 2.94 us - 16 B / 160 MB/s on each cable, 0.32 us on a link; a way of its own for the one
 * pair of switches that have nodes, over the lower of the two between them. */
static void test_irregular(void **state)
{
    OWNED(topology) topology;
    OWNED(routing) routing;
    struct nuce_platform_input input = {.routing = &routing};
    char *text;

    assert_ok(nuce_topology_parse("ring", ring, sizeof ring - 1, &topology, ANY_ERROR));
    nuce_routing_create(nuce_routing_find("updown"), &topology, &routing);
    text = print("irregular", &input);
    assert_non_null(strstr(text, "<!-- nuce-model platform irregular -t FILE -->"));
    check_topology(text, &topology);
    assert_int_equal(count(text, "<host "), 3);
    assert_int_equal(count(text, "<link "), 3 + 4);
    assert_int_equal(count(text, "<router "), 2);
    assert_int_equal(count(text, "<zoneRoute "), 1);
    assert_non_null(strstr(text, "<host id=\"node-2\""));
    assert_non_null(
        strstr(text, "<link id=\"cable-0\" bandwidth=\"1.6e+08Bps\" latency=\"1.42e-06s\""));
    assert_int_equal(count(text, "latency=\"3.2e-07s\""), 4);
    /* Links by their lower end: a-b, a-d, b-c, c-d. */
    assert_non_null(strstr(text, "gw_src=\"switch-0\" gw_dst=\"switch-2\">"
                                 "<link_ctn id=\"link-0\" direction=\"UP\"/>"
                                 "<link_ctn id=\"link-2\" direction=\"UP\"/></zoneRoute>"));
    free(text);
    input.drawn = "-r 3 -s 4";
    text = print("irregular", &input);
    assert_non_null(strstr(text, "<!-- nuce-model platform irregular -r 3 -s 4 -->"));
    free(text);
}

static void test_uneven(void **state)
{
    OWNED(network) network;
    struct nuce_platform_input input = {.network = &network, .network_name = "three.network"};
    char *text;

    assert_ok(nuce_network_parse("three", three, sizeof three - 1, 0, &network, ANY_ERROR));
    text = print("uneven", &input);
    assert_non_null(strstr(text, "<!-- nuce-model platform uneven -n three.network -->"));
    assert_int_equal(count(text, "<host "), 3);
    assert_non_null(strstr(text, "<host id=\"node-2\" speed=\"5e+08f\"/>"));
    /* One port has a finite rate, one way. */
    assert_int_equal(count(text, "<link "), 6 + 1);
    assert_non_null(strstr(text, "<link id=\"port-4\" bandwidth=\"5e+05Bps\" latency=\"0s\""));
    assert_non_null(
        strstr(text, "<link id=\"pair-0-1\" bandwidth=\"1e+06Bps\" latency=\"0.000968s\""));
    assert_non_null(strstr(text, "dst=\"node-1\" symmetrical=\"NO\"><link_ctn id=\"pair-0-1\"/>"
                                 "<link_ctn id=\"port-4\"/></route>"));
    assert_non_null(strstr(text, "<link_ctn id=\"pair-1-0\"/></route>"));
    assert_int_equal(count(text, "<route "), 6);
    /* The five pairs without a startup, beside one that has it. */
    assert_int_equal(count(text, "latency=\"1e-09s\""), 5);
    free(text);
    /* A word that would end the comment, or is one of a shell, is not in it. */
    input.network_name = "a--b.network";
    text = print("uneven", &input);
    assert_non_null(strstr(text, "<!-- nuce-model platform uneven -n FILE -->"));
    free(text);
}

/* The tree has all of its nodes, also where the last groups are not full. */
static void test_cm5(void **state)
{
    static const int ranks[] = {1, 4, 5, 17, 32, 1024};

    for (size_t i = 0; i < COUNT(ranks); i++) {
        struct nuce_platform_input input = {.ranks = ranks[i]};
        int fours = (ranks[i] + 3) / 4, sixteens = (ranks[i] + 15) / 16;
        char *text = print("cm5", &input);

        assert_int_equal(count(text, "<host "), ranks[i]);
        assert_int_equal(count(text, "<router "), fours + sixteens + 1);
        assert_int_equal(count(text, "<route "), ranks[i] + fours + sixteens);
        assert_int_equal(count(text, "<link "), 2 * ranks[i] + fours + sixteens);
        /* Half of 40 us - 16 B x 0.133 us/B, on a link that both ways share. */
        assert_int_equal(
            count(text, "latency=\"1.8936000000000003e-05s\" sharing_policy=\"SHARED\""), ranks[i]);
        free(text);
    }
}

/* down x leaves = hosts, and as many cables leave a leaf switch as hosts are on it. */
static void test_fat_tree(void **state)
{
    for (int ranks = 32; ranks <= 2048; ranks *= 2) {
        struct nuce_platform_input input = {.ranks = ranks};
        char *text = print("fat-tree", &input);
        int down, leaves, up, cables;

        assert_int_equal(sscanf(strstr(text, "topo_parameters=\"2;") + 19, "%d,%d;1,%d;1,%d", &down,
                                &leaves, &up, &cables),
                         4);
        assert_int_equal(down * leaves, ranks);
        assert_int_equal(up * cables, down);
        assert_true(leaves * cables <= (ranks <= 512 ? 32 : 64));
        free(text);
    }
}

static void test_dragonfly(void **state)
{
    static const int ranks[] = {64, 256, 1024};

    for (size_t i = 0; i < COUNT(ranks); i++) {
        struct nuce_platform_input input = {.ranks = ranks[i]};
        char *text = print("dragonfly", &input);
        int groups, cables, chassis, routers, hosts;

        assert_int_equal(sscanf(strstr(text, "topo_parameters=\"") + 17, "%d,%d;%d,1;%d,1;%d",
                                &groups, &cables, &chassis, &routers, &hosts),
                         5);
        assert_int_equal(groups * chassis * routers * hosts, ranks[i]);
        /* SimGrid takes the router of a chassis that has the other group's number. */
        assert_true(groups <= routers);
        free(text);
    }
}

RUN(test_irregular, test_uneven, test_cm5, test_fat_tree, test_dragonfly)
