/* Both bounds in one pass over the messages: the papers' single-port bound, which a rank can beat
 * that does several transfers at once, and the port bound, which nothing beats. Cost: O(ranks +
 * messages), and O(ranks^2) where pairs differ, which are looked through for the fastest. Limits: a
 * bound need not be reached; it knows nothing of the order in which messages go. */
#include "schedules/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"

/* Of one rank, in one direction. */
struct load {
    double seconds; /* one transfer after the other */
    double bytes;
    double off; /* of the bytes those from, or for, other nodes */
    double far; /* of these those from, or for, other groups */
};

/* Of one node, in one direction. */
struct node_load {
    double off;
    double rails; /* what those of its ranks carry together */
    double far;   /* of a group: off its own */
};

static double bounds_larger(double a, double b)
{
    return a > b ? a : b;
}

/* out and in: ranks each, zeroed. Returns the longest message alone. */
static double add_up(const struct nuce_pattern *pattern, const struct nuce_network *network,
                     struct load *out, struct load *in)
{
    double longest = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int j = pattern->destination[k];
            double seconds = nuce_network_seconds(network, i, j, pattern->bytes[k]);

            if (i == j)
                continue;
            longest = bounds_larger(longest, seconds);
            out[i].seconds += seconds;
            in[j].seconds += seconds;
            out[i].bytes += (double)pattern->bytes[k];
            in[j].bytes += (double)pattern->bytes[k];
            if (nuce_network_node(network, i) == nuce_network_node(network, j))
                continue;
            out[i].off += (double)pattern->bytes[k];
            in[j].off += (double)pattern->bytes[k];
            if (nuce_network_group(network, i) == nuce_network_group(network, j))
                continue;
            out[i].far += (double)pattern->bytes[k];
            in[j].far += (double)pattern->bytes[k];
        }
    }
    return longest;
}

/* Seconds that the longest message that needs a wire takes by the least startup and the widest
 * bandwidth of all pairs: whatever way it goes, its last byte passes one of them. */
static double fastest_way(const struct nuce_pattern *pattern, const struct nuce_network *network)
{
    double startup = network->startup, bandwidth = network->bandwidth;
    int64_t pairs = (int64_t)network->ranks * network->ranks, longest = 0;

    for (int64_t k = 0; network->pair_startup != NULL && k < pairs; k++) {
        int is_wire = k / network->ranks != k % network->ranks, is_first = k == 1;

        if (is_wire && (is_first || network->pair_startup[k] < startup))
            startup = network->pair_startup[k];
        if (is_wire && (is_first || network->pair_bandwidth[k] > bandwidth))
            bandwidth = network->pair_bandwidth[k];
    }
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (pattern->destination[k] != i && pattern->bytes[k] > longest)
                longest = pattern->bytes[k];
        }
    }
    return longest > 0 ? startup + (double)longest / bandwidth : 0;
}

/* The limits of one direction; NULL: none. */
struct side_limits {
    const double *rail, *inside; /* ranks */
    const double *node;          /* nodes */
    const double *uplink;        /* groups */
};

static double bounds_limit(const double *limits, int i)
{
    return limits == NULL ? INFINITY : limits[i];
}

/* What rails, insides, nodes and uplinks of one direction take. A rank's rail is a bound of what it
 * sends to other nodes itself; where others may send it on, those of its node together are, and a
 * rank's rail and inside together of all that it sends. node: a zeroed scratch. */
static void tier_bounds(const struct nuce_tiers *tiers, const struct side_limits *limits,
                        const struct load *loads, int ranks, struct node_load *node,
                        struct nuce_bounds *bounds)
{
    for (int i = 0; i < ranks; i++) {
        double rail = bounds_limit(limits->rail, i), inside = bounds_limit(limits->inside, i);

        bounds->port = bounds_larger(bounds->port, loads[i].off / rail);
        bounds->port = bounds_larger(bounds->port, (loads[i].bytes - loads[i].off) / inside);
        bounds->forwarded = bounds_larger(bounds->forwarded, loads[i].bytes / (rail + inside));
        node[tiers->node_of[i]].off += loads[i].off;
        node[tiers->node_of[i]].rails += rail;
        if (tiers->groups > 0)
            node[tiers->group_of[tiers->node_of[i]]].far += loads[i].far;
    }
    for (int n = 0; n < tiers->nodes; n++) {
        double least = fmin(bounds_limit(limits->node, n), node[n].rails);

        bounds->port = bounds_larger(bounds->port, node[n].off / bounds_limit(limits->node, n));
        bounds->forwarded = bounds_larger(bounds->forwarded, node[n].off / least);
    }
    for (int g = 0; g < tiers->groups; g++) {
        double seconds = node[g].far / bounds_limit(limits->uplink, g);

        bounds->port = bounds_larger(bounds->port, seconds);
        bounds->forwarded = bounds_larger(bounds->forwarded, seconds);
    }
}

/* One scratch of nodes serves nodes and groups: no group is without a node, so there are no more of
 * them. Nothing is added where no nodes are known. */
static void add_tiers(const struct nuce_network *network, const struct load *sent,
                      const struct load *received, struct nuce_bounds *bounds)
{
    const struct nuce_tiers *tiers = &network->tiers;
    const struct side_limits out = {tiers->rail_out, tiers->inside_out, tiers->node_out,
                                    tiers->uplink_out};
    const struct side_limits in = {tiers->rail_in, tiers->inside_in, tiers->node_in,
                                   tiers->uplink_in};
    struct node_load *nodes;

    if (tiers->nodes == 0)
        return;
    nodes = nuce_allocate(2 * (int64_t)tiers->nodes, sizeof *nodes);
    tier_bounds(tiers, &out, sent, network->ranks, nodes, bounds);
    tier_bounds(tiers, &in, received, network->ranks, nodes + tiers->nodes, bounds);
    free(nodes);
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
    struct load *sent = loads, *received;
    struct nuce_bounds bounds = {0};
    double longest;

    received = loads + pattern->ranks;
    longest = add_up(pattern, network, sent, received);
    for (int i = 0; i < pattern->ranks; i++) {
        bounds.single_port = bounds_larger(bounds.single_port, sent[i].seconds);
        bounds.single_port = bounds_larger(bounds.single_port, received[i].seconds);
        bounds.forwarded =
            bounds_larger(bounds.forwarded, sent[i].bytes / nuce_network_port_out(network, i));
        bounds.forwarded =
            bounds_larger(bounds.forwarded, received[i].bytes / nuce_network_port_in(network, i));
    }
    /* What a message takes on its own pair bounds only who must use that pair; who may go another
     * way is bounded by the fastest pair of all. */
    bounds.port = bounds_larger(bounds.forwarded, longest);
    bounds.forwarded = bounds_larger(bounds.forwarded, fastest_way(pattern, network));
    add_tiers(network, sent, received, &bounds);
    free(loads);
    *out = bounds;
}
