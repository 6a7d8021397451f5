/* Networks: read, written, drawn, and those that were measured, from which the hosts choose. */
#include "../folder.h"
#include "../test.h"
#include "base/text_file.h"
#include "schedules/network.h"

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
    OWNED(network) network;

    assert_ok(parse(text, 2, &network, ANY_ERROR));
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
}

/* tau 0.299 ms and phi 0.2389 us per byte. */
static void test_preset(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    assert_ok(nuce_network_preset("cm5", 32, &network, &error));
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
    OWNED(network) network;
    struct nuce_way way;

    assert_ok(parse(text, 5, &network, ANY_ERROR));
    assert_true(network.is_any);
    assert_int_equal(network.tiers.nodes, 3);
    assert_int_equal(nuce_network_node(&network, 3), 1);
    assert_int_equal(nuce_network_node(&network, 4), 2);
    assert_near(nuce_network_seconds(&network, 2, 3, 8000), 2e-6, 1e-15);
    assert_near(nuce_network_seconds(&network, 1, 2, 1000), 3e-6, 1e-15);
    assert_near(network.gap, 1e-7, 0);
    assert_true(nuce_network_has_tiers(&network));
    nuce_network_way(&network, 2, 3, &way);
    assert_int_equal(way.count, 3); /* on one node: their ports, and rank 2's messages inside */
    assert_near(nuce_network_capacity(&network, way.place[2]), 7e9, 0);
    nuce_network_way(&network, 1, 4, &way);
    assert_int_equal(way.count, 5); /* messages to a node are not limited */
    assert_true(isinf(nuce_network_capacity(&network, way.place[0])));
    assert_near(nuce_network_capacity(&network, way.place[2]), 1e9, 0);
    assert_near(nuce_network_capacity(&network, way.place[3]), 2e9, 0);
    assert_near(nuce_network_capacity(&network, way.place[4]), 3e9, 0);
    for (int k = 0; k < way.count; k++)
        assert_true(way.place[k] < nuce_network_places(&network));
    nuce_network_fini(&network);
    assert_ok(parse(text, 0, &network, ANY_ERROR)); /* of 1, to be looked at */
    assert_int_equal(network.ranks, 1);
    nuce_network_fini(&network);
    assert_ok(parse("ranks 3\nbetween 1 1\nwithin 2 2\non all 0\non 2 1\n1 0 3 3\n", 3, &network,
                    ANY_ERROR));
    assert_near(nuce_network_startup(&network, 0, 1), 2, 0);
    assert_near(nuce_network_startup(&network, 1, 0), 3, 0);
    assert_near(nuce_network_startup(&network, 1, 2), 1, 0);
    assert_false(nuce_network_has_tiers(&network)); /* nodes are known, but limit nothing */
    nuce_network_fini(&network);
    assert_ok(parse("ranks 3\nbetween 1 2\n", 3, &network, ANY_ERROR));
    assert_null(network.pair_startup); /* all alike */
    assert_near(network.bandwidth, 2, 0);
}

/* Six ranks, nodes of one but the last, which has two, two nodes per group, one group with an
 * uplink: messages that leave a group use its uplink, others do not. */
static void test_groups(void **state)
{
    static const char text[] = "ranks 6\nbetween 0 9\nwithin 0 9\nblock 1\non 5 4\n"
                               "group 2\nuplink 1 3 inf\nuplink 2 inf 2\nunder 1 1\n";
    OWNED(network) network;
    struct nuce_way way;

    assert_ok(parse(text, 6, &network, ANY_ERROR));
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
    assert_ok(parse("ranks any\nbetween 0 9\nblock 2\nwithin 0 9\ngroup 2\nuplink all 4 5\n", 9,
                    &network, ANY_ERROR));
    assert_int_equal(network.tiers.groups, 3);
    assert_int_equal(nuce_network_group(&network, 8), 2);
    nuce_network_fini(&network);
    assert_ok(parse("ranks 2\nbetween 0 1\n", 2, &network, ANY_ERROR));
    assert_int_equal(nuce_network_group(&network, 1), 0);
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
    for (size_t i = 0; i < COUNT(bad_inputs); i++) {
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

    memset(text + start, 'h', NUCE_HOST_BYTES - 1);
    assert_ok(parse(text, 1, &network, &error));
    assert_int_equal(strlen(network.host[0].name), NUCE_HOST_BYTES - 1);
    nuce_network_fini(&network);
    text[start + NUCE_HOST_BYTES - 1] = 'h';
    assert_int_equal(parse(text, 1, &network, &error), NUCE_BAD_INPUT);
}

static void test_depth(void **state)
{
    struct nuce_contention curve[] = {{1, 1}, {2, 1.8}, {4, 2.86}, {8, 3}, {16, 2.7}};
    struct nuce_network network = {.ranks = 2, .contention = curve};

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

    assert_int_equal(nuce_network_uniform(4, -1, 1, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, NAN, 1, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, 0, 0, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, 0, INFINITY, &network, &error), NUCE_BAD_INPUT);
}

/* A network is written as it was read, to the bit: numbers of 17 digits and every kind of line;
 * and a second file takes the place of the first. */
static void test_round_trip(void **state)
{
    static const char *const texts[] = {
        "ranks 2\nport 0 inf 5\nport 1 inf 6\n0 1 0.10000000000000001 3000000\n"
        "1 0 0.10000000000000001 3000000\n",
        "ranks 3\nmeasured 2026-11-21T10:00:00.123Z\ncontention 1 1\n"
        "contention 3 0.33333333333333331\ngap 3.3333333333333334e-08\nhost 0 a\nhost 2 b.c\n"
        "port 0 333333333.33333331 1\nport 1 285714285.71428573 inf\nport 2 inf inf\non 0 0\n"
        "rail 0 inf 666666666.66666663\ninside 0 inf inf\non 1 1\nrail 1 inf inf\n"
        "inside 1 inf 1666666666.6666667\non 2 0\nrail 2 333333333.33333331 inf\n"
        "inside 2 inf inf\nnode 0 inf inf\nnode 1 inf 1333333333.3333333\nunder 0 1\n"
        "under 1 0\nuplink 0 inf 777777777.77777779\nuplink 1 857142857.14285719 inf\n"
        "speed 0 1\nspeed 1 0.33333333333333331\nspeed 2 2\n"
        "0 1 2.4999999999999999e-07 125000000\n0 2 1.9999999999999999e-07 111111111.1111111\n"
        "1 0 6.666666666666666e-07 142857142.85714287\n"
        "1 2 3.9999999999999998e-07 90909090.909090906\n"
        "2 0 9.9999999999999995e-07 142857142.85714287\n"
        "2 1 7.5000000000000002e-07 100000000\n",
    };
    struct folder folder = folder_make();
    char path[400];

    snprintf(path, sizeof path, "%s/a.network", folder.path);
    for (size_t i = 0; i < COUNT(texts); i++) {
        OWNED(network) network;
        size_t length;
        char *text;

        assert_ok(parse(texts[i], 0, &network, ANY_ERROR));
        assert_ok(nuce_network_write(&network, path, ANY_ERROR));
        assert_ok(nuce_text_read(path, &text, &length, ANY_ERROR));
        assert_string_equal(text, texts[i]);
        assert_int_equal(folder_count(&folder), 1); /* nothing temporary is left */
        free(text);
    }
    folder_remove(&folder);
}

static void test_no_folder(void **state)
{
    struct nuce_network network = {.ranks = 2, .startup = 0.1, .bandwidth = 3e6};
    struct nuce_error error;

    assert_int_equal(nuce_network_write(&network, "/nonexistent/a.network", &error), NUCE_FAILED);
    assert_says(&error, "/nonexistent/a.network: cannot write");
}

#define RANKS 40

static struct nuce_network draw_ranges(double startup_low, double startup_high, int symmetric,
                                       uint64_t seed)
{
    struct nuce_network_ranges ranges = {{startup_low, startup_high}, {10e6, 200e6}, symmetric};
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    struct nuce_network network;

    assert_ok(nuce_network_draw(RANKS, &ranges, &rng, &network, ANY_ERROR));
    return network;
}

/* 1560 draws: the mean of uniform ones is off by 1.4 MB/s (a standard error), that of 1 / B uniform
 * would be 63 MB/s instead of 105. */
static void test_uniform(void **state)
{
    OWNED(network) network = draw_ranges(10e-6, 50e-6, 0, 1);
    double sum = 0, low = INFINITY, high = 0, startups = 0;
    int differ = 0;

    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++) {
            double bandwidth = nuce_network_bandwidth(&network, i, j);
            double startup = nuce_network_startup(&network, i, j);

            if (i == j)
                continue;
            assert_true(startup >= 10e-6 && startup <= 50e-6);
            sum += bandwidth;
            startups += startup;
            low = fmin(low, bandwidth);
            high = fmax(high, bandwidth);
            differ += bandwidth != nuce_network_bandwidth(&network, j, i);
        }
    }
    assert_true(low >= 10e6 && low < 12e6 && high <= 200e6 && high > 198e6);
    assert_near(sum / (RANKS * (RANKS - 1)), 105e6, 6e6);
    assert_near(startups / (RANKS * (RANKS - 1)), 30e-6, 1.5e-6);
    assert_int_equal(differ, RANKS * (RANKS - 1));
}

static void test_symmetric(void **state)
{
    OWNED(network) network = draw_ranges(10e-6, 50e-6, 1, 1);

    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++) {
            assert_true(nuce_network_bandwidth(&network, i, j) ==
                        nuce_network_bandwidth(&network, j, i));
            assert_true(nuce_network_startup(&network, i, j) ==
                        nuce_network_startup(&network, j, i));
        }
    }
    assert_true(nuce_network_bandwidth(&network, 0, 1) != nuce_network_bandwidth(&network, 0, 2));
}

/* The same seed gives the same network on every rank, another one another; and the bandwidths do
 * not depend on how startups are drawn. */
static void test_seed(void **state)
{
    OWNED(network) a = draw_ranges(10e-6, 50e-6, 0, 7), b = draw_ranges(10e-6, 50e-6, 0, 7);
    OWNED(network) other = draw_ranges(10e-6, 50e-6, 0, 8), fixed = draw_ranges(0, 0, 0, 7);
    size_t bytes = RANKS * RANKS * sizeof(double);

    assert_memory_equal(a.pair_bandwidth, b.pair_bandwidth, bytes);
    assert_memory_equal(a.pair_startup, b.pair_startup, bytes);
    assert_memory_equal(a.pair_bandwidth, fixed.pair_bandwidth, bytes);
    assert_true(memcmp(a.pair_bandwidth, other.pair_bandwidth, bytes) != 0);
    assert_true(nuce_network_startup(&fixed, 0, 1) == 0);
}

static void test_single_values(void **state)
{
    struct nuce_network_ranges ranges = {{1e-6, 1e-6}, {5e6, 5e6}, 0};
    struct nuce_rng rng = nuce_rng_create(1, 0), untouched = rng;
    OWNED(network) network;
    struct nuce_error error;

    assert_int_equal(nuce_network_draw(1 << 20, &ranges, &rng, &network, &error), NUCE_BAD_INPUT);
    assert_ok(nuce_network_draw(3, &ranges, &rng, &network, &error));
    assert_null(network.pair_bandwidth);
    assert_true(nuce_network_bandwidth(&network, 2, 1) == 5e6);
    assert_true(nuce_network_startup(&network, 2, 1) == 1e-6);
    assert_memory_equal(&rng, &untouched, sizeof rng);
}

static void test_draw_bad(void **state)
{
    static const struct {
        struct nuce_network_ranges ranges;
        const char *message;
    } bad_ranges[] = {
        {{{-1, 1}, {1, 2}, 0}, "startup: '-1..1': expected LOW..HIGH, at least 0 seconds"},
        {{{2, 1}, {1, 2}, 0}, "startup: '2..1': expected LOW..HIGH, at least 0 seconds"},
        {{{0, 1}, {0, 2}, 0},
         "bandwidth: '0..2': expected LOW..HIGH, more than 0 bytes per second"},
        {{{0, 1}, {-3, 2}, 0},
         "bandwidth: '-3..2': expected LOW..HIGH, more than 0 bytes per second"},
        {{{0, 1}, {3, 2}, 0},
         "bandwidth: '3..2': expected LOW..HIGH, more than 0 bytes per second"},
        {{{0, 1}, {3, INFINITY}, 0},
         "bandwidth: '3..inf': expected LOW..HIGH, more than 0 bytes per second"},
    };

    for (size_t i = 0; i < COUNT(bad_ranges); i++) {
        struct nuce_rng rng = nuce_rng_create(1, 0);
        struct nuce_network network;
        struct nuce_error error;

        assert_int_equal(nuce_network_draw(4, &bad_ranges[i].ranges, &rng, &network, &error),
                         NUCE_BAD_INPUT);
        assert_string_equal(nuce_error_flatten(&error), bad_ranges[i].message);
    }
}

/* A pair is as fast as the slower of its two ports. */
static void test_ports(void **state)
{
    struct nuce_network_ranges ranges = {{0, 0}, {10e6, 200e6}, 0};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    OWNED(network) network;
    double low = INFINITY, high = 0;

    assert_ok(nuce_network_draw_ports(RANKS, &ranges, &rng, &network, ANY_ERROR));
    assert_true(nuce_network_has_ports(&network));
    for (int i = 0; i < RANKS; i++) {
        double port = nuce_network_port_out(&network, i);

        assert_true(port == nuce_network_port_in(&network, i));
        low = fmin(low, port);
        high = fmax(high, port);
        for (int j = 0; j < RANKS; j++) {
            if (i != j)
                assert_true(nuce_network_bandwidth(&network, i, j) ==
                            fmin(port, nuce_network_port_in(&network, j)));
        }
    }
    assert_true(low >= 10e6 && low < 40e6 && high <= 200e6 && high > 170e6);
}

/* The pair i j has bandwidth 100 + 10 i + j. */
#define PAIRS                                                                                      \
    "0 1 0 101\n0 2 0 102\n0 3 0 103\n1 0 0 110\n1 2 0 112\n1 3 0 113\n"                           \
    "2 0 0 120\n2 1 0 121\n2 3 0 123\n3 0 0 130\n3 1 0 131\n3 2 0 132\n"

#define AB "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n"
#define BAD_AB "ranks 2\n0 1 0 0\nhost 1 a\nhost 0 b\n"

static const char four[] = "ranks 4\n" PAIRS "host 0 a\nhost 1 b\nhost 2 a\nhost 3 c\n"
                           "measured 2026-11-21T10:00:00.123Z\nport 2 7 8\nspeed 3 2\n"
                           "contention 1 1\ncontention 2 1.9\n";

static nuce_status find_measured(const struct folder *folder, const char *const *hosts, int ranks,
                                 struct nuce_network *out, char **path, struct nuce_error *error)
{
    return nuce_network_measured(folder->path, hosts, ranks, out, path, error);
}

static void assert_found(const struct folder *folder, const char *const *hosts, int ranks,
                         const char *name)
{
    OWNED(network) network;
    struct nuce_error error;
    char *path;

    if (find_measured(folder, hosts, ranks, &network, &path, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_string_equal(strrchr(path, '/') + 1, name);
    free(path);
}

/* Fewer ranks in another order: c is 3, the ranks of a are 0, then 2. */
static void test_subset(void **state)
{
    static const char *const hosts[] = {"c", "a", "a"};
    struct folder folder = folder_make();
    struct nuce_network network;
    char *path;

    folder_add(&folder, "x.network", four);
    assert_ok(find_measured(&folder, hosts, 3, &network, &path, ANY_ERROR));
    assert_int_equal(network.ranks, 3);
    assert_true(nuce_network_bandwidth(&network, 0, 1) == 130);
    assert_true(nuce_network_bandwidth(&network, 1, 2) == 102);
    assert_true(nuce_network_bandwidth(&network, 2, 0) == 123);
    assert_true(network.out[2] == 7 && network.in[2] == 8);
    assert_true(network.speed[0] == 2 && network.speed[1] == 1);
    assert_string_equal(network.host[0].name, "c");
    assert_string_equal(network.measured, "2026-11-21T10:00:00.123Z");
    assert_int_equal(nuce_network_depth(&network), 2);
    nuce_network_fini(&network);
    free(path);
    folder_remove(&folder);
}

/* The newest that covers the hosts, whatever its name; of equal times the last name. */
static void test_newest(void **state)
{
    static const char *const hosts[] = {"a", "b"};
    struct folder folder = folder_make();

    folder_add(&folder, "m.network", four);
    folder_add(&folder, "a.network", AB "measured 2026-11-21T10:00:00.124Z\n");
    folder_add(&folder, "z.network", AB "measured 2025-12-31T10:00:00.124Z\n");
    assert_found(&folder, hosts, 2, "a.network");
    /* Newer, but elsewhere, without a time, hidden, or not a network by name. */
    folder_add(&folder, "n.network",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 d\n"
               "measured 2027-01-01T00:00:00.000Z\n");
    folder_add(&folder, "o.network", AB);
    folder_add(&folder, ".p.network", AB "measured 2027-01-01T00:00:00.000Z\n");
    folder_add(&folder, "q.networks", AB "measured 2027-01-01T00:00:00.000Z\n");
    assert_found(&folder, hosts, 2, "a.network");
    folder_add(&folder, "b.network", AB "measured 2026-11-21T10:00:00.124Z\n");
    assert_found(&folder, hosts, 2, "b.network");
    folder_remove(&folder);
}

/* Two ranks on a need two that were measured there. */
static void test_none(void **state)
{
    static const char *const hosts[] = {"b", "b", "x", "c"};
    struct folder folder = folder_make();
    struct nuce_network network;
    struct nuce_error error;
    char expected[400], *path;

    assert_int_equal(find_measured(&folder, hosts, 1, &network, &path, &error), NUCE_BAD_INPUT);
    folder_add(&folder, "x.network", four);
    assert_found(&folder, hosts, 1, "x.network");
    assert_int_equal(find_measured(&folder, hosts, 4, &network, &path, &error), NUCE_BAD_INPUT);
    snprintf(expected, sizeof expected,
             "%s: no network was measured for 4 ranks on b,x,c: run 'nuce-calibrate links' "
             "there",
             folder.path);
    assert_string_equal(nuce_error_flatten(&error), expected);
    assert_int_equal(find_measured(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_says(&error, "no network was measured for 2 ranks on b: ");
    folder_remove(&folder);
    assert_int_equal(find_measured(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_says(&error, "No such file or directory: expected a folder");
}

/* A file whose origin cannot be read is passed over, and named where nothing else fits; the chosen
 * one must be right in all. */
static void test_malformed(void **state)
{
    static const char *const hosts[] = {"a", "b"};
    struct folder folder = folder_make();
    struct nuce_network network;
    struct nuce_error error;
    char *path;

    folder_add(&folder, "bad.network", "ranks 2\nhost 9 a\n");
    assert_int_equal(find_measured(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_says(&error, "there (cannot be read: 1, the first: ");
    assert_says(&error, "bad.network:2:6: 9 is out of range");
    folder_add(&folder, "x.network", four);
    assert_found(&folder, hosts, 2, "x.network");
    folder_add(&folder, "old.network", BAD_AB "measured 2025-12-31T10:00:00.124Z\n");
    assert_found(&folder, hosts, 2, "x.network");
    folder_add(&folder, "new.network", BAD_AB "measured 2027-12-31T10:00:00.124Z\n");
    assert_int_equal(find_measured(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_says(&error, "new.network:2:7: '0': expected the bandwidth");
    folder_remove(&folder);
}

RUN(test_good, test_tiers, test_groups, test_preset, test_bad, test_long_host, test_depth,
    test_bad_uniform, test_round_trip, test_no_folder, test_uniform, test_symmetric, test_seed,
    test_single_values, test_ports, test_draw_bad, test_subset, test_newest, test_none,
    test_malformed)
