/* irregular: switches linked in any way, with explicit up-down routes.
 *
 * The header of a message between nodes with switches h links apart takes startup + 2 interfaces
 * + (h + 1) switches + (h + 2) links, as in nuce_placement_delay. The cables of the two nodes
 * carry the startup and the interfaces. Each link carries the delay of the switch that it leads
 * to, and each of the two cables half of a switch. The paper sends headers only and names no
 * bandwidth. The bandwidth here is that of a Myrinet link, 1.28 Gb/s each way (Boden et al.,
 * IEEE Micro 15(1), 1995); Myrinet links and routes its switches like this.
 *
 * A switch and its nodes are a zone, so routes are written for pairs of switches. The way back
 * uses the same links, which is legal if the way there is. Source: Moh et al., section 5.1. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mapping/placement.h"
#include "programs/platform.h"

#define BANDWIDTH 160e6 /* bytes per second of a link, each way */

static nuce_status irregular_check(int ranks, struct nuce_error *error)
{
    if (ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%d nodes: expected at most %d", ranks,
                              NUCE_NETWORK_MAX_RANKS);
    return NUCE_OK;
}

/* One zone for each switch with nodes: hosts, the switch as their router, and their cables. */
static void print_switches(const struct nuce_topology *topology, const int *nodes,
                           const char *speed, FILE *stream)
{
    double latency = nuce_platform_latency(nuce_placement_delay(0), BANDWIDTH) / 2;

    for (int s = 0; s < topology->switches; s++) {
        if (nodes[s] == 0)
            continue;
        fprintf(stream, "    <zone id=\"zone-%d\" routing=\"Floyd\">\n", s);
        for (int i = 0; i < topology->nodes; i++) {
            if (topology->home[i] == s)
                fprintf(stream, "      <host id=\"node-%d\" speed=\"%s\"/>\n", i, speed);
        }
        fprintf(stream, "      <router id=\"switch-%d\"/>\n", s);
        for (int i = 0; i < topology->nodes; i++) {
            if (topology->home[i] == s)
                nuce_platform_print_duplex("cable-", i, BANDWIDTH, latency, stream);
        }
        for (int i = 0; i < topology->nodes; i++) {
            if (topology->home[i] == s)
                fprintf(stream,
                        "      <route src=\"node-%d\" dst=\"switch-%d\">"
                        "<link_ctn id=\"cable-%d\" direction=\"UP\"/></route>\n",
                        i, s, i);
        }
        fprintf(stream, "    </zone>\n");
    }
}

/* The number of the link between a and its neighbour b: links are numbered by their lower
 * switch, then by the higher. first[s] is the number of the first link with lower switch s. */
static int link_number(const struct nuce_topology *topology, const int *first, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a, number = first[low];

    for (int64_t k = topology->start[low]; topology->neighbor[k] != high; k++)
        number += topology->neighbor[k] > low;
    return number;
}

/* The topology behind the routes, for placing processes on the machine. Switches come first by
 * number, which decides between trees of one height. */
static void print_topology(const struct nuce_topology *topology, FILE *stream)
{
    fprintf(stream, "%s\n", NUCE_TOPOLOGY_COMMENT);
    for (int s = 0; s < topology->switches; s++)
        fprintf(stream, "switch switch-%d\n", s);
    for (int s = 0; s < topology->switches; s++) {
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (topology->neighbor[k] > s)
                fprintf(stream, "switch switch-%d switch-%d\n", s, topology->neighbor[k]);
        }
    }
    for (int i = 0; i < topology->nodes; i++)
        fprintf(stream, "node node-%d switch-%d\n", i, topology->home[i]);
    fprintf(stream, "-->\n");
}

/* Links are numbered as in link_number. The routes follow, link by link: a link's UP direction
 * is from its lower switch to its higher. */
static void irregular_print(const struct nuce_platform_ops *ops,
                            const struct nuce_platform_input *input, FILE *stream)
{
    const struct nuce_topology *topology = input->routing->topology;
    double latency = NUCE_DELAY_SWITCH_S + NUCE_DELAY_LINK_S;
    int switches = topology->switches, number = 0, hops;
    int *nodes = nuce_allocate(switches, sizeof *nodes);
    int *first = nuce_allocate(switches, sizeof *first);
    int *way = nuce_allocate(switches, sizeof *way);

    for (int i = 0; i < topology->nodes; i++)
        nodes[topology->home[i]]++;
    print_topology(topology, stream);
    fprintf(stream, "  <zone id=\"irregular\" routing=\"Full\">\n");
    print_switches(topology, nodes, ops->speed, stream);
    for (int s = 0; s < switches; s++) {
        first[s] = number;
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (topology->neighbor[k] > s)
                nuce_platform_print_duplex("link-", number++, BANDWIDTH, latency, stream);
        }
    }
    for (int a = 0; a < switches; a++) {
        for (int b = a + 1; b < switches; b++) {
            if (nodes[a] == 0 || nodes[b] == 0)
                continue;
            nuce_routing_way(input->routing, a, b, way, &hops);
            fprintf(stream,
                    "    <zoneRoute src=\"zone-%d\" dst=\"zone-%d\" gw_src=\"switch-%d\" "
                    "gw_dst=\"switch-%d\">",
                    a, b, a, b);
            for (int i = 0; i < hops; i++)
                fprintf(stream, "<link_ctn id=\"link-%d\" direction=\"%s\"/>",
                        link_number(topology, first, way[i], way[i + 1]),
                        way[i] < way[i + 1] ? "UP" : "DOWN");
            fprintf(stream, "</zoneRoute>\n");
        }
    }
    fprintf(stream, "  </zone>\n");
    free(nodes);
    free(first);
    free(way);
}

const struct nuce_platform_ops nuce_platform_irregular = {
    .name = "irregular",
    .summary = "switches linked at random, or as a topology file says, with up and down routing",
    .source = "Moh et al., section 5.1 (startup 2 us, interface and switch 300 ns, link 20 ns); "
              "bandwidth: Boden et al., Myrinet, 1995",
    .ranks = 0,
    .is_routed = 1,
    .speed = "1Gf",
    .poll_s = 1e-7,
    .check = irregular_check,
    .print = irregular_print,
};
