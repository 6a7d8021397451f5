#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "schedules/network.h"

/* cmocka compares floats only. */
static void assert_near(double found, double expected, double tolerance)
{
    assert_true(fabs(found - expected) <= tolerance);
}

static nuce_status parse(const char *text, int ranks, struct nuce_network *out,
                         struct nuce_error *error)
{
    return nuce_network_parse("x.net", text, strlen(text), ranks, out, error);
}

static void test_good(void **state)
{
    static const char text[] = "# links\nranks 2 # two\n0 1 1e-3 1e6\n1 0 2e-3 4e6\n"
                               "port 1 5e6 6e6\nspeed 0 0.5\n"
                               "host 1 n1.x-y_z\nmeasured 2026-11-21T10:00:00.123Z\n"
                               "contention 1 1\ncontention 4 2.5\n";
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(parse(text, 2, &network, &error), NUCE_OK);
    assert_int_equal(network.ranks, 2);
    assert_near(nuce_network_seconds(&network, 0, 1, 1000), 2e-3, 1e-15);
    assert_near(nuce_network_seconds(&network, 1, 0, 8000), 4e-3, 1e-15);
    assert_true(nuce_network_seconds(&network, 1, 1, 8000) == 0);
    assert_true(isinf(nuce_network_port_out(&network, 0)));
    assert_near(nuce_network_port_out(&network, 1), 5e6, 0);
    assert_near(nuce_network_port_in(&network, 1), 6e6, 0);
    assert_near(network.speed[0], 0.5, 0);
    assert_near(network.speed[1], 1, 0);
    assert_string_equal(network.host[0].name, "");
    assert_string_equal(network.host[1].name, "n1.x-y_z");
    assert_string_equal(network.measured, "2026-11-21T10:00:00.123Z");
    assert_int_equal(network.contentions, 2);
    assert_int_equal(network.contention[1].partners, 4);
    assert_near(network.contention[1].relative, 2.5, 0);
    assert_false(nuce_network_has_ports(&network)); /* that of rank 0 is not known */
    nuce_network_fini(&network);
}

/* tau 0.299 ms and phi 0.2389 us per byte. */
static void test_preset(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_network_preset("cm5", 32, &network, &error), NUCE_OK);
    assert_near(nuce_network_seconds(&network, 3, 4, 1024), 0.299e-3 + 1024 * 0.2389e-6, 1e-12);
    nuce_network_fini(&network);
    assert_int_equal(nuce_network_preset("cm6", 32, &network, &error), NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_flatten(&error),
                        "network: 'cm6': expected cm5 or a NETWORK FILE");
    assert_true(nuce_network_is_preset("cm5"));
    assert_false(nuce_network_is_preset("cm55"));
}

/* Four ranks on two nodes of two, from `all` and single lines; a pair's own line comes first. */
static void test_tiers(void **state)
{
    static const char text[] = "ranks any\nblock 2\nwithin 1e-6 8e9\nbetween 2e-6 1e9\n"
                               "rail all 1e9 2e9\nnode all 3e9 inf\ngap 1e-7\ninside all 7e9 inf\n";
    struct nuce_network network;
    struct nuce_error error = {0};
    struct nuce_way way;

    (void)state;
    assert_int_equal(parse(text, 5, &network, &error), NUCE_OK);
    assert_true(network.is_any);
    assert_int_equal(network.tiers.nodes, 3);
    assert_int_equal(nuce_network_node(&network, 3), 1);
    assert_int_equal(nuce_network_node(&network, 4), 2);
    assert_near(nuce_network_seconds(&network, 2, 3, 8000), 2e-6, 1e-15);
    assert_near(nuce_network_seconds(&network, 1, 2, 1000), 3e-6, 1e-15);
    assert_near(network.gap, 1e-7, 0);
    assert_true(nuce_network_has_tiers(&network));
    nuce_network_way(&network, 2, 3, &way);
    assert_int_equal(way.count, 3); /* on one node: their ports, and what rank 2 sends inside */
    assert_near(nuce_network_capacity(&network, way.place[2]), 7e9, 0);
    nuce_network_way(&network, 1, 4, &way);
    assert_int_equal(way.count, 5); /* what reaches a node is not limited */
    assert_true(isinf(nuce_network_capacity(&network, way.place[0])));
    assert_near(nuce_network_capacity(&network, way.place[2]), 1e9, 0);
    assert_near(nuce_network_capacity(&network, way.place[3]), 2e9, 0);
    assert_near(nuce_network_capacity(&network, way.place[4]), 3e9, 0);
    for (int k = 0; k < way.count; k++)
        assert_true(way.place[k] < nuce_network_places(&network));
    nuce_network_fini(&network);
    assert_int_equal(parse(text, 0, &network, &error), NUCE_OK); /* of 1, to be looked at */
    assert_int_equal(network.ranks, 1);
    nuce_network_fini(&network);
    assert_int_equal(
        parse("ranks 3\nbetween 1 1\nwithin 2 2\non all 0\non 2 1\n1 0 3 3\n", 3, &network, &error),
        NUCE_OK);
    assert_near(nuce_network_startup(&network, 0, 1), 2, 0);
    assert_near(nuce_network_startup(&network, 1, 0), 3, 0);
    assert_near(nuce_network_startup(&network, 1, 2), 1, 0);
    assert_false(nuce_network_has_tiers(&network)); /* nodes are known, but limit nothing */
    nuce_network_fini(&network);
    assert_int_equal(parse("ranks 3\nbetween 1 2\n", 3, &network, &error), NUCE_OK);
    assert_null(network.pair_startup); /* all alike */
    assert_near(network.bandwidth, 2, 0);
    nuce_network_fini(&network);
}

/* Six ranks, nodes of one but the last, which has two, two nodes a group, uplinks of one of them:
 * what leaves a group knows its uplink, and what stays does not. */
static void test_groups(void **state)
{
    static const char text[] = "ranks 6\nbetween 0 9\nwithin 0 9\nblock 1\non 5 4\n"
                               "group 2\nuplink 1 3 inf\nuplink 2 inf 2\nunder 1 1\n";
    struct nuce_network network;
    struct nuce_error error = {0};
    struct nuce_way way;

    (void)state;
    assert_int_equal(parse(text, 6, &network, &error), NUCE_OK);
    assert_int_equal(network.tiers.nodes, 5);
    assert_int_equal(network.tiers.groups, 3);
    assert_int_equal(nuce_network_group(&network, 0), 0);
    assert_int_equal(nuce_network_group(&network, 1), 1);
    assert_int_equal(nuce_network_group(&network, 3), 1);
    assert_int_equal(nuce_network_group(&network, 5), 2);
    assert_true(nuce_network_has_tiers(&network));
    nuce_network_way(&network, 1, 3, &way);
    assert_int_equal(way.count, 2);
    nuce_network_way(&network, 3, 5, &way);
    assert_int_equal(way.count, 4);
    assert_near(nuce_network_capacity(&network, way.place[2]), 3, 0);
    assert_near(nuce_network_capacity(&network, way.place[3]), 2, 0);
    assert_true(way.place[3] < nuce_network_places(&network));
    nuce_network_way(&network, 5, 0, &way);
    assert_int_equal(way.count, 2);
    nuce_network_fini(&network);
    assert_int_equal(parse("ranks any\nbetween 0 9\nblock 2\nwithin 0 9\ngroup 2\nuplink all 4 5\n",
                           9, &network, &error),
                     NUCE_OK);
    assert_int_equal(network.tiers.groups, 3);
    assert_int_equal(nuce_network_group(&network, 8), 2);
    nuce_network_fini(&network);
    assert_int_equal(parse("ranks 2\nbetween 0 1\n", 2, &network, &error), NUCE_OK);
    assert_int_equal(nuce_network_group(&network, 1), 0);
    nuce_network_fini(&network);
}

static const struct bad {
    const char *text;
    const char *message;
} bad_inputs[] = {
    {"", "x.net:1:1: the file ends here: expected 'ranks P'"},
    {"2\n", "x.net:1:1: '2': expected 'ranks P'"},
    {"ranks 0\n", "x.net:1:7: 0 is out of range; expected the number of ranks, 1 to 16384"},
    {"ranks 3\n", "x.net:1:1: a network of 3 ranks: expected 2"},
    {"ranks 2\n0 1 1 1\n", "x.net: no line for the pair 1 0: expected one for every ordered pair, "
                           "or 'within' and 'between'"},
    {"ranks 2\n0 1 1 1\n0 1 1 1\n", "x.net:3:1: a second line for the pair 0 1"},
    {"ranks 2\n0 0 1 1\n", "x.net:2:1: rank 0 to itself: expected two different ranks"},
    {"ranks 2\n0 2 1 1\n", "x.net:2:3: 2 is out of range; expected the destination rank, 0 to 1"},
    {"ranks 2\n0 1 -1 1\n", "x.net:2:5: '-1': expected the startup in seconds, at least 0"},
    {"ranks 2\n0 1 1 0\n",
     "x.net:2:7: '0': expected the bandwidth in bytes per second, more than 0"},
    {"ranks 2\n0 1 1 1e999\n",
     "x.net:2:7: '1e999' is not a finite number; expected the bandwidth in bytes per second"},
    {"ranks 2\n0 1 1\n", "x.net:2:6: the line ends; expected the bandwidth in bytes per second"},
    {"ranks 2\n0 1 1 1 1\n", "x.net:2:9: '1' is too much; expected a pair only"},
    {"ranks 2\nport 0 1\n",
     "x.net:2:9: the line ends; expected the bytes per second that it receives"},
    {"ranks 2\nprot 0 1 1\n",
     "x.net:2:1: unknown line 'prot' (did you mean 'port'?); expected one of: port, speed, host, "
     "measured, contention, gap, on, block, rail, inside, node, under, group, uplink, within, "
     "between, or the ranks of a pair"},
    {"ranks 2\nspeed 0 0\n", "x.net:2:9: '0': expected the relative speed, more than 0"},
    {"ranks 2\nport 0 1 -inf\n",
     "x.net:2:10: '-inf' is not a finite number; expected the bytes per second that it receives"},
    {"ranks 2\nhost 2 a\n", "x.net:2:6: 2 is out of range; expected the rank of a host, 0 to 1"},
    {"ranks 2\nhost 0\n", "x.net:2:7: the line ends; expected the name of a host"},
    {"ranks 2\nhost 0 a/b\n",
     "x.net:2:8: 'a/b': expected the name of a host, 1 to 255 of A-Z a-z 0-9 . _ -"},
    {"ranks 2\nhost 0 a b\n", "x.net:2:10: 'b' is too much; expected a host only"},
    {"ranks 2\nhost 0 a\nhost 0 b\n", "x.net:3:8: a second host of rank 0"},
    {"ranks 2\nmeasured 2026-11-21T10:00:00Z\n",
     "x.net:2:10: '2026-11-21T10:00:00Z': expected a time, such as 2026-11-21T10:00:00.123Z"},
    {"ranks 2\nmeasured 2026-11-21 10:00:00.123Z\n",
     "x.net:2:10: '2026-11-21': expected a time, such as 2026-11-21T10:00:00.123Z"},
    {"ranks 2\nmeasured 2026-11-21T10:00:00.123Z\nmeasured 2026-11-22T10:00:00.123Z\n",
     "x.net:3:10: a second time of the measurement"},
    {"ranks 2\ncontention 2 1\n",
     "x.net:2:12: 2 is out of range; expected the number of partners, ascending from 1, 1 to 1"},
    {"ranks 2\ncontention 1 1\ncontention 1 1\n",
     "x.net:3:12: 1 is out of range; expected the number of partners, ascending from 1, 2 to "
     "16384"},
    {"ranks any\n0 1 1 1\n",
     "x.net:2:2: 0 in a file of any number of ranks: expected the source rank to be 'all'"},
    {"ranks any\nrail 1 1 1\n",
     "x.net:2:7: 1 in a file of any number of ranks: expected the rank of a rail to be 'all'"},
    {"ranks 2\nbetween 0 1\ngap 0\n", "x.net:3:5: '0': expected the gap in seconds, more than 0"},
    {"ranks 2\nbetween 0 1\ngap 1\ngap 1\n", "x.net:4:4: a second gap"},
    {"ranks 2\nbetween 0 1\nbetween 0 1\n", "x.net:3:8: a second line of the pairs between nodes"},
    {"ranks 2\nbetween 0\n",
     "x.net:2:10: the line ends; expected the bandwidth in bytes per second"},
    {"ranks 2\nwithin 0 1\nbetween 0 1\n",
     "x.net: 'within', and no nodes: expected lines 'on RANK NODE', or 'block K'"},
    {"ranks 2\nbetween 0 1\non 0 0\n",
     "x.net: rank 1 is on no node: expected a line 'on 1 NODE', or 'block K'"},
    {"ranks 2\nbetween 0 1\nblock 1\non 0 1\n",
     "x.net: no rank is on node 0: expected nodes from 0 on, none left out"},
    {"ranks 2\nbetween 0 1\nwithin 0 1\nblock 2\nnode 1 1 1\n",
     "x.net: no rank is on node 1: expected nodes from 0 on, none left out"},
    {"ranks 2\nbetween 0 1\ngroup 1\n",
     "x.net: rank 0 is on no node: expected a line 'on 0 NODE', or 'block K'"},
    {"ranks 2\nbetween 0 1\nblock 1\nuplink all 1 1\n",
     "x.net: node 0 is in no group: expected a line 'under 0 GROUP', or 'group K'"},
    {"ranks 2\nbetween 0 1\nblock 1\nunder all 1\n",
     "x.net: no node is in group 0: expected groups from 0 on, none left out"},
    {"ranks 2\nbetween 0 1\nblock 1\ngroup 2\nuplink 1 1 1\n",
     "x.net: no node is in group 1: expected groups from 0 on, none left out"},
    {"ranks 2\nbetween 0 1\nblock 2\nwithin 0 1\ngroup 1\nunder 1 0\n",
     "x.net: no rank is on node 1: expected nodes from 0 on, none left out"},
    {"ranks 2\nblock 1\nunder 0 2\n", "x.net:3:9: 2 is out of range; expected its group, 0 to 1"},
    {"ranks 2\nblock 1\ngroup 0\n",
     "x.net:3:7: 0 is out of range; expected the nodes of each group, 1 to 16384"},
    {"ranks any\nblock 1\nuplink 0 1 1\n",
     "x.net:3:9: 0 in a file of any number of ranks: expected the group of an uplink to be 'all'"},
    {"ranks 2\non 0 2\n", "x.net:2:6: 2 is out of range; expected its node, 0 to 1"},
    {"ranks 2\nblock 0\n",
     "x.net:2:7: 0 is out of range; expected the ranks of each node, 1 to 16384"},
    {"ranks 2\nbetween 0 1\nblock 2\n",
     "x.net: no line for the pair 0 1: expected one for every ordered pair, or 'within' and "
     "'between'"},
    {"ranks 2\nnode 0 1\n",
     "x.net:2:9: the line ends; expected the bytes per second that it receives"},
    {"ranks 2\ncontention 1 0\n",
     "x.net:2:14: '0': expected the throughput relative to one partner, more than 0"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_inputs / sizeof *bad_inputs; i++) {
        struct nuce_network network;
        struct nuce_error error = {0};

        assert_int_equal(parse(bad_inputs[i].text, 2, &network, &error), NUCE_BAD_INPUT);
        assert_string_equal(nuce_error_flatten(&error), bad_inputs[i].message);
    }
}

/* The longest name that fits, and one character more. */
static void test_long_host(void **state)
{
    char text[400] = "ranks 1\nhost 0 ";
    size_t start = strlen(text);
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    memset(text + start, 'h', NUCE_HOST_BYTES - 1);
    assert_int_equal(parse(text, 1, &network, &error), NUCE_OK);
    assert_int_equal(strlen(network.host[0].name), NUCE_HOST_BYTES - 1);
    nuce_network_fini(&network);
    text[start + NUCE_HOST_BYTES - 1] = 'h';
    assert_int_equal(parse(text, 1, &network, &error), NUCE_BAD_INPUT);
}

static void test_ports(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(
        parse("ranks 2\n0 1 0 1\n1 0 0 1\nport 0 1 2\nport 1 3 inf\n", 2, &network, &error),
        NUCE_OK);
    assert_true(isinf(nuce_network_port_in(&network, 1)));
    assert_false(nuce_network_has_ports(&network));
    network.in[1] = 4;
    assert_true(nuce_network_has_ports(&network));
    nuce_network_fini(&network);
}

static void test_depth(void **state)
{
    struct nuce_contention curve[] = {{1, 1}, {2, 1.8}, {4, 2.86}, {8, 3}, {16, 2.7}};
    struct nuce_network network = {.ranks = 2, .contention = curve};

    (void)state;
    assert_int_equal(nuce_network_depth(&network), 1);
    network.contentions = 1;
    assert_int_equal(nuce_network_depth(&network), 1);
    network.contentions = 5;
    assert_int_equal(nuce_network_depth(&network), 4); /* 2.86 of 3 */
    curve[2].relative = 2.84;
    assert_int_equal(nuce_network_depth(&network), 8);
    curve[0].relative = 2.9; /* 1 partner fills the port */
    assert_int_equal(nuce_network_depth(&network), 1);
}

static void test_bad_uniform(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_network_uniform(4, -1, 1, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, NAN, 1, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, 0, 0, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, 0, INFINITY, &network, &error), NUCE_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_groups),      cmocka_unit_test(test_preset),
        cmocka_unit_test(test_bad),         cmocka_unit_test(test_long_host),
        cmocka_unit_test(test_ports),       cmocka_unit_test(test_depth),
        cmocka_unit_test(test_bad_uniform),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
