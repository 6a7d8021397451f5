/* Both bounds in one pass over the messages. The papers' single-port bound can be beaten by a rank
 * with several transfers at once; nothing beats the port bound.
 * Cost: O(ranks + messages), and O(ranks^2) if pairs differ, to find the fastest.
 * Limits: a bound need not be reachable; it ignores the order of the messages. */
#include "schedules/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"

/* The load of one rank in one direction. */
struct load {
    double seconds; /* one transfer after the other */
    double bytes;
    double off; /* the part of bytes from, or for, other nodes */
    double far; /* the part of these from, or for, other groups */
};

/* The load of one node in one direction. */
struct node_load {
    double off;
    double rails; /* the rails of its ranks together */
    double far;   /* of a group: bytes from, or for, other groups */
};

/* Adds a message to the load that its rank sends, or receives. */
static void add_load(struct load *load, double seconds, double bytes, int is_off, int is_far)
{
    load->seconds += seconds;
    load->bytes += bytes;
    load->off += is_off ? bytes : 0;
    load->far += is_far ? bytes : 0;
}

/* Seconds for that many bytes with the least startup and the widest bandwidth of all pairs: on any
 * path the last byte passes one of them. */
static double fastest_way(const struct nuce_network *network, int64_t bytes)
{
    double startup = network->startup, bandwidth = network->bandwidth;
    int64_t pairs = (int64_t)network->ranks * network->ranks;

    for (int64_t k = 0; network->pair_startup != NULL && k < pairs; k++) {
        int is_wire = k / network->ranks != k % network->ranks, is_first = k == 1;

        if (is_wire && (is_first || network->pair_startup[k] < startup))
            startup = network->pair_startup[k];
        if (is_wire && (is_first || network->pair_bandwidth[k] > bandwidth))
            bandwidth = network->pair_bandwidth[k];
    }
    return bytes > 0 ? startup + (double)bytes / bandwidth : 0;
}

/* NULL: none. */
static double bounds_limit(const double *limits, int i)
{
    return limits == NULL ? INFINITY : limits[i];
}

/* The times that rails, insides, nodes and uplinks of one direction, 0 out or 1 in, require. A
 * rank's rail bounds the bytes that it sends to other nodes itself. If other ranks may forward
 * them, the rails of its node together are the bound, and a rank's rail and inside together for all
 * its bytes. One scratch array of nodes serves nodes and groups, because every group has a node. */
static void tier_bounds(const struct nuce_network *network, int side, const struct load *loads,
                        struct nuce_bounds *bounds)
{
    const struct nuce_tiers *tiers = &network->tiers;
    struct node_load *node = nuce_allocate(tiers->nodes, sizeof *node);

    for (int i = 0; i < network->ranks; i++) {
        double rail = bounds_limit(tiers->limit[NUCE_RAIL + side], i);
        double inside = bounds_limit(tiers->limit[NUCE_INSIDE + side], i);

        bounds->port = fmax(bounds->port, loads[i].off / rail);
        bounds->port = fmax(bounds->port, (loads[i].bytes - loads[i].off) / inside);
        bounds->forwarded = fmax(bounds->forwarded, loads[i].bytes / (rail + inside));
        node[tiers->node_of[i]].off += loads[i].off;
        node[tiers->node_of[i]].rails += rail;
        if (tiers->groups > 0)
            node[tiers->group_of[tiers->node_of[i]]].far += loads[i].far;
    }
    for (int n = 0; n < tiers->nodes; n++) {
        double limit = bounds_limit(tiers->limit[NUCE_NODE + side], n);

        bounds->port = fmax(bounds->port, node[n].off / limit);
        bounds->forwarded = fmax(bounds->forwarded, node[n].off / fmin(limit, node[n].rails));
    }
    for (int g = 0; g < tiers->groups; g++) {
        double seconds = node[g].far / bounds_limit(tiers->limit[NUCE_UPLINK + side], g);

        bounds->port = fmax(bounds->port, seconds);
        bounds->forwarded = fmax(bounds->forwarded, seconds);
    }
    free(node);
}

double nuce_bounds_of(const struct nuce_bounds *bounds, enum nuce_discipline discipline)
{
    int may_forward = discipline == NUCE_FORWARD || discipline == NUCE_DYNAMIC;

    return may_forward ? bounds->forwarded : bounds->port;
}

void nuce_bounds_compute(const struct nuce_pattern *pattern, const struct nuce_network *network,
                         struct nuce_bounds *out)
{
    struct load *loads = nuce_allocate(2 * (int64_t)pattern->ranks, sizeof *loads);
    struct load *sent = loads, *received = loads + pattern->ranks;
    struct nuce_bounds bounds = {0};
    double longest = 0;
    int64_t largest = 0;

    NUCE_EACH_MESSAGE (pattern, i, k) {
        int j = pattern->destination[k];
        int is_off = nuce_network_node(network, i) != nuce_network_node(network, j);
        int is_far = is_off && nuce_network_group(network, i) != nuce_network_group(network, j);
        double seconds = nuce_network_seconds(network, i, j, pattern->bytes[k]);

        if (i == j)
            continue;
        longest = fmax(longest, seconds);
        largest = pattern->bytes[k] > largest ? pattern->bytes[k] : largest;
        add_load(&sent[i], seconds, (double)pattern->bytes[k], is_off, is_far);
        add_load(&received[j], seconds, (double)pattern->bytes[k], is_off, is_far);
    }
    for (int i = 0; i < pattern->ranks; i++) {
        bounds.single_port = fmax(bounds.single_port, fmax(sent[i].seconds, received[i].seconds));
        bounds.forwarded =
            fmax(bounds.forwarded, sent[i].bytes / nuce_network_port_out(network, i));
        bounds.forwarded =
            fmax(bounds.forwarded, received[i].bytes / nuce_network_port_in(network, i));
    }
    /* The time of a message on its own pair is a bound only if it must use that pair. A message
     * that may take another path is bounded by the fastest pair of all. */
    bounds.port = fmax(bounds.forwarded, longest);
    bounds.forwarded = fmax(bounds.forwarded, fastest_way(network, largest));
    if (network->tiers.nodes > 0) {
        tier_bounds(network, 0, sent, &bounds);
        tier_bounds(network, 1, received, &bounds);
    }
    free(loads);
    *out = bounds;
}
