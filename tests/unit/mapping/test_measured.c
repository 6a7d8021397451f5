/* Measured networks as switches: made up with noise, from leaves that are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "networks.h"

enum { MOST_NODES = 64 };

/* What a pair of nodes with so many levels between them has: 0 on one leaf. */
struct layer {
    double startup, bandwidth;
};

struct cluster {
    int nodes, levels;        /* levels of switches below the top */
    int group[3][MOST_NODES]; /* of each level from the leaves up: where nodes are */
    struct layer layer[4];
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
    struct nuce_topology topology = parse_topology(text);
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
    nuce_topology_fini(&topology);
    free(text);
}

/* As slurm/virtual/two-leaves.tsv's cluster: 4 MB/s within a leaf, 1 MB/s between them, startups
 * that are a processor's and not the network's. */
static void test_two_leaves(void **state)
{
    struct cluster cluster = {
        .nodes = 8,
        .levels = 1,
        .group = {{0, 0, 0, 0, 1, 1, 1, 1}},
        .layer = {{3e-4, 4e6}, {3e-4, 1e6}},
        .startup_noise = 0.5,
        .bandwidth_noise = 0.03,
    };

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
    /* Known by the startups alone, on a network whose links are all alike. */
    cluster.layer[0] = (struct layer){1.0e-6, 12e9};
    cluster.layer[1] = (struct layer){1.5e-6, 12e9};
    cluster.startup_noise = 0.04;
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
    /* Startups that could not be told from 0. */
    cluster.layer[0] = (struct layer){0, 4e6};
    cluster.layer[1] = (struct layer){0, 1e6};
    for (uint64_t seed = 0; seed < 10; seed++)
        check(&cluster, seed);
}

static void test_three_leaves(void **state)
{
    struct cluster cluster = {
        .nodes = 11,
        .levels = 1,
        .group = {{0, 1, 2, 0, 1, 2, 0, 1, 2, 2, 2}},
        .layer = {{2e-6, 10e9}, {5e-6, 5e9}},
        .startup_noise = 0.1,
        .bandwidth_noise = 0.1,
    };

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
}

static void test_two_levels(void **state)
{
    struct cluster cluster = {
        .nodes = 24,
        .levels = 2,
        .layer = {{1e-6, 12e9}, {2e-6, 6e9}, {4e-6, 2e9}},
        .startup_noise = 0.05,
        .bandwidth_noise = 0.05,
    };

    (void)state;
    for (int i = 0; i < cluster.nodes; i++) {
        cluster.group[0][i] = i / 4;
        cluster.group[1][i] = i / 12;
    }
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
}

static void test_uniform(void **state)
{
    static const double noises[] = {0, 0.02, 0.1, 0.3};
    struct cluster cluster = {.levels = 0, .layer = {{1e-5, 1e9}}};

    (void)state;
    for (size_t k = 0; k < sizeof noises / sizeof *noises; k++) {
        cluster.startup_noise = cluster.bandwidth_noise = noises[k];
        for (uint64_t seed = 0; seed < 20; seed++) {
            cluster.nodes = 4 + (int)(3 * seed);
            check(&cluster, seed);
        }
    }
    for (cluster.nodes = 1; cluster.nodes < 3; cluster.nodes++)
        check(&cluster, 1);
}

/* A pair has the lesser of its ports: that parts no nodes. */
static void test_ports(void **state)
{
    static const double port[] = {50e6, 6e6, 20e6, 45e6, 12e6, 30e6};
    enum { NODES = sizeof port / sizeof *port };
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    struct nuce_topology topology;

    (void)state;
    assert_non_null(stream);
    fprintf(stream, "ranks %d\n", NODES);
    for (int i = 0; i < NODES; i++) {
        for (int j = 0; j < NODES; j++) {
            if (i != j)
                fprintf(stream, "%d %d 1e-5 %g\n", i, j, fmin(port[i], port[j]));
        }
    }
    fclose(stream);
    topology = parse_topology(text);
    assert_int_equal(topology.switches, 1);
    assert_string_equal(topology.switch_name[0], "switch");
    assert_string_equal(topology.node_name[5], "rank 5");
    nuce_topology_fini(&topology);
    free(text);
}

/* A node at a switch of its own is near to nobody: it's known by what it is farther from those that
 * are near to each other, in startups, in bytes, or in both. */
static void test_alone(void **state)
{
    struct cluster cluster = {
        .nodes = 6,
        .levels = 1,
        .group = {{0, 0, 0, 1, 1, 2}},
        .layer = {{1e-6, 1e9}, {4.5e-6, 1e9}},
        .startup_noise = 0.03,
        .bandwidth_noise = 0.03,
    };

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
    cluster.layer[1].bandwidth = 0.3e9;
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
    cluster.layer[1].startup = 1e-6;
    cluster.startup_noise = 0.5;
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
}

/* The same at other levels and with more of them: nodes 3 and 4, and 5, hang from one switch; then
 * all three of a network, of which two are together. */
static void test_alone_below(void **state)
{
    struct cluster cluster = {
        .nodes = 8,
        .levels = 2,
        .group = {{0, 0, 0, 1, 1, 2, 3, 3}, {0, 0, 0, 1, 1, 1, 1, 1}},
        .layer = {{1e-6, 1e9}, {4.5e-6, 1e9}, {9e-6, 1e9}},
        .startup_noise = 0.02,
        .bandwidth_noise = 0.02,
    };
    static const char three[] = "ranks 3\n0 1 1e-6 1e9\n1 0 1e-6 1e9\n0 2 4.4e-6 1e9\n"
                                "2 0 4.4e-6 1e9\n1 2 4.6e-6 1e9\n2 1 4.6e-6 1e9\n";
    struct nuce_topology topology = parse_topology(three);

    (void)state;
    assert_int_equal(topology.switches, 3);
    assert_int_equal(topology.home[0], topology.home[1]);
    assert_int_not_equal(topology.home[0], topology.home[2]);
    nuce_topology_fini(&topology);
    for (uint64_t seed = 0; seed < 50; seed++)
        check(&cluster, seed);
}

/* Slow nodes are not far: half of them have slower processors, which is in all their startups, and
 * slower ports. */
static void test_slow(void **state)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    struct nuce_topology topology;

    (void)state;
    assert_non_null(stream);
    fprintf(stream, "ranks 8\n");
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            int slow = (i % 2) + (j % 2);

            if (i != j)
                fprintf(stream, "%d %d %g %g\n", i, j, 1e-6 * (1 + slow),
                        i / 4 != j / 4 ? 1e8
                        : slow > 0     ? 1e9
                                       : 3e9);
        }
    }
    fclose(stream);
    topology = parse_topology(text);
    assert_int_equal(topology.switches, 3);
    for (int i = 0; i < 8; i++)
        assert_int_equal(topology.home[i], 1 + i / 4);
    nuce_topology_fini(&topology);
    free(text);
}

/* Ranks of one host are one node; what is within it does not count. */
static void test_hosts(void **state)
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
    struct nuce_topology topology = parse_topology(text);
    static const char *const names[] = {"d", "a", "b", "c", "rank 9"};
    static const int leaf[] = {0, 0, 1, 1, 0};

    (void)state;
    assert_int_equal(topology.nodes, 5);
    assert_int_equal(topology.switches, 3);
    assert_string_equal(topology.switch_name[0], "top");
    for (int i = 0; i < 5; i++) {
        assert_string_equal(topology.node_name[i], names[i]);
        assert_int_equal(topology.home[i], 1 + leaf[i]);
    }
    nuce_topology_fini(&topology);
    free(text);
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

/* Numbers at the ends of what there is. */
static void test_extremes(void **state)
{
    struct nuce_topology topology =
        parse_topology("ranks 3\n0 1 1e308 1e308\n1 0 1e308 5e-324\n0 2 0 5e-324\n"
                       "2 0 1e-320 1e-320\n1 2 1e308 1\n2 1 5e-324 1e308\n");

    (void)state;
    assert_int_equal(topology.nodes, 3);
    nuce_topology_fini(&topology);
}

static void test_bad(void **state)
{
    (void)state;
    refuse("ranks 0\n", "t:1:7:");
    refuse("ranks\n", "t:1:6:");
    refuse("ranks 2\n0 1 0 1\n", "t: no line for the pair 1 0");
    refuse("# a\nranks 2\n0 1 0 1\n1 0 0 -1\n", "t:4:7: '-1'");
    refuse("ranks 2\n0 1 0 1\n1 0 0 1\nnode a b\n", "t:4:6:");
    refuse("rank 2\n", "t:1:1: 'rank': expected 'switch A B'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_leaves), cmocka_unit_test(test_three_leaves),
        cmocka_unit_test(test_two_levels), cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_ports),      cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_extremes),   cmocka_unit_test(test_bad),
        cmocka_unit_test(test_alone),      cmocka_unit_test(test_alone_below),
        cmocka_unit_test(test_slow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
