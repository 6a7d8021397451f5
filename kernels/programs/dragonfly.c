/* dragonfly: a current machine in groups of routers that are all linked to each other.
 *
 * G groups of G routers with 4 hosts each, P = 4 G^2. Each pair of routers of a group has a
 * cable. Each pair of groups has as many cables as spread a group's traffic evenly over the
 * others, rounded down. SimGrid uses the minimal route, the same for every message of a pair, so
 * all messages between two groups meet at one router of each. SimGrid needs a router in each
 * chassis for every group: 3.32 looks its cables up by the group's number, and crashes
 * otherwise. A group is therefore one chassis. Speeds as of fat-tree, 25 GB/s and 250 ns a
 * cable: up to 1.25 us over five cables. They were not measured on one machine. Source: SimGrid
 * 3.32, Platform examples, dragonfly; Kim, Dally, Scott and Abts, ISCA 2008 (groups and their
 * balance). */
#include "programs/platform.h"

#define BANDWIDTH 25e9 /* bytes per second of a cable, each way */
#define LATENCY 250e-9 /* seconds of a cable */
#define ROUTER_HOSTS 4 /* as in the Cray XC */

/* The number of groups, and of routers in a group; 0: no such machine exists. */
static int groups_of(int ranks)
{
    for (int groups = 4; groups <= 16; groups *= 2) {
        if (ROUTER_HOSTS * groups * groups == ranks)
            return groups;
    }
    return 0;
}

static nuce_status dragonfly_check(int ranks, struct nuce_error *error)
{
    if (groups_of(ranks) > 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': expected 64, 256 or 1024", ranks);
}

static void dragonfly_print(const struct nuce_platform_ops *ops,
                            const struct nuce_platform_input *input, FILE *stream)
{
    int groups = groups_of(input->ranks);
    char topology[128];

    /* Number, and cables of each pair: groups; chassis; routers of a chassis; hosts of a router. */
    snprintf(topology, sizeof topology,
             "topology=\"DRAGONFLY\" topo_parameters=\"%d,%d;1,1;%d,1;%d\"", groups,
             ROUTER_HOSTS * groups / (groups - 1), groups, ROUTER_HOSTS);
    nuce_platform_print_cluster(ops, input->ranks, BANDWIDTH, LATENCY, topology, stream);
}

const struct nuce_platform_ops nuce_platform_dragonfly = {
    .name = "dragonfly",
    .summary = "a machine of today: groups of linked routers, 25 GB/s, 1.25 us across",
    .source = "SimGrid 3.32, Platform examples; Kim, Dally, Scott and Abts, ISCA 2008",
    .ranks = 64,
    .speed = "1Gf",
    .poll_s = 1e-7,
    .check = dragonfly_check,
    .print = dragonfly_print,
};
