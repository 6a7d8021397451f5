/* Networks in memory: either one startup and bandwidth for all pairs, or an array of each by
 * source.
 *
 * A uniform network takes no memory but itself: pairs that are alike are not written out, so it may
 * have any number of ranks. All questions go through the functions below, which know which form
 * there is. */
#include "schedules/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Of the best throughput of a contention curve: what is as good as that. */
#define DEPTH_SHARE 0.95

void nuce_network_fini(struct nuce_network *network)
{
    free(network->pair_startup);
    free(network->pair_bandwidth);
    free(network->out);
    free(network->in);
    free(network->tiers.node_of);
    free(network->tiers.rail_out);
    free(network->tiers.rail_in);
    free(network->tiers.inside_out);
    free(network->tiers.inside_in);
    free(network->tiers.node_out);
    free(network->tiers.node_in);
    free(network->tiers.group_of);
    free(network->tiers.uplink_out);
    free(network->tiers.uplink_in);
    free(network->speed);
    free(network->host);
    free(network->contention);
    memset(network, 0, sizeof *network);
}

nuce_status nuce_network_uniform(int ranks, double startup, double bandwidth,
                                 struct nuce_network *out, struct nuce_error *error)
{
    if (!(startup >= 0) || !isfinite(startup))
        return nuce_error_set(error, NUCE_BAD_INPUT, "startup: '%g': expected 0 seconds or more",
                              startup);
    if (!(bandwidth > 0) || !isfinite(bandwidth))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "bandwidth: '%g': expected more than 0 bytes per second", bandwidth);
    *out = (struct nuce_network){.ranks = ranks, .startup = startup, .bandwidth = bandwidth};
    return NUCE_OK;
}

/* A pair that has not been set yet has bandwidth 0. */
nuce_status nuce_network_allocate_pairs(struct nuce_network *network, struct nuce_error *error)
{
    int64_t pairs = (int64_t)network->ranks * network->ranks;

    if (nuce_allocate_check(pairs, 2 * sizeof(double), error) != NUCE_OK)
        return error->status;
    network->pair_startup = nuce_allocate(pairs, sizeof(double));
    network->pair_bandwidth = nuce_allocate(pairs, sizeof(double));
    return NUCE_OK;
}

/* INFINITY: no limit is known, so a place of which no line tells limits nothing. */
static void allocate_unlimited(int count, double **out)
{
    *out = nuce_allocate(count, sizeof **out);
    for (int i = 0; i < count; i++)
        (*out)[i] = INFINITY;
}

/* Arrays stay with the network, which nuce_network_fini frees, also behind a failure. */
void nuce_network_allocate_tiers(struct nuce_network *network, int nodes)
{
    struct nuce_tiers *tiers = &network->tiers;

    tiers->nodes = nodes;
    tiers->node_of = nuce_allocate(network->ranks, sizeof *tiers->node_of);
    allocate_unlimited(network->ranks, &tiers->rail_out);
    allocate_unlimited(network->ranks, &tiers->rail_in);
    allocate_unlimited(network->ranks, &tiers->inside_out);
    allocate_unlimited(network->ranks, &tiers->inside_in);
    allocate_unlimited(nodes, &tiers->node_out);
    allocate_unlimited(nodes, &tiers->node_in);
}

void nuce_network_allocate_groups(struct nuce_network *network, int groups)
{
    struct nuce_tiers *tiers = &network->tiers;

    tiers->groups = groups;
    tiers->group_of = nuce_allocate(tiers->nodes, sizeof *tiers->group_of);
    allocate_unlimited(groups, &tiers->uplink_out);
    allocate_unlimited(groups, &tiers->uplink_in);
}

/* Where a pair stands in the arrays. */
static size_t pair_index(const struct nuce_network *network, int source, int destination)
{
    return (size_t)source * (size_t)network->ranks + (size_t)destination;
}

double nuce_network_startup(const struct nuce_network *network, int source, int destination)
{
    if (network->pair_startup == NULL)
        return network->startup;
    return network->pair_startup[pair_index(network, source, destination)];
}

double nuce_network_bandwidth(const struct nuce_network *network, int source, int destination)
{
    if (network->pair_bandwidth == NULL)
        return network->bandwidth;
    return network->pair_bandwidth[pair_index(network, source, destination)];
}

double nuce_network_seconds(const struct nuce_network *network, int source, int destination,
                            int64_t bytes)
{
    if (source == destination)
        return 0;
    return nuce_network_startup(network, source, destination) +
           (double)bytes / nuce_network_bandwidth(network, source, destination);
}

double nuce_network_port_out(const struct nuce_network *network, int rank)
{
    return network->out == NULL ? INFINITY : network->out[rank];
}

double nuce_network_port_in(const struct nuce_network *network, int rank)
{
    return network->in == NULL ? INFINITY : network->in[rank];
}

int nuce_network_node(const struct nuce_network *network, int rank)
{
    return network->tiers.nodes == 0 ? rank : network->tiers.node_of[rank];
}

int nuce_network_group(const struct nuce_network *network, int rank)
{
    return network->tiers.groups == 0 ? 0 : network->tiers.group_of[network->tiers.node_of[rank]];
}

/* Places are ports out, ports in, rails out, rails in, insides out, insides in, nodes out, nodes
 * in, uplinks out, uplinks in; the first six kinds have one for each rank. */
#define RANK_KINDS 6

int nuce_network_places(const struct nuce_network *network)
{
    return (network->tiers.nodes == 0 ? 2 : RANK_KINDS) * network->ranks +
           2 * network->tiers.nodes + 2 * network->tiers.groups;
}

/* Walks through the kinds in the order of their places. Where a tier is not known its kinds have no
 * place, so its arrays, NULL, are never asked. */
double nuce_network_capacity(const struct nuce_network *network, int place)
{
    const struct nuce_tiers *t = &network->tiers;
    int ranks = network->ranks;
    const struct {
        const double *capacity;
        int count;
    } kinds[] = {
        {network->out, ranks},     {network->in, ranks},   {t->rail_out, ranks},
        {t->rail_in, ranks},       {t->inside_out, ranks}, {t->inside_in, ranks},
        {t->node_out, t->nodes},   {t->node_in, t->nodes}, {t->uplink_out, t->groups},
        {t->uplink_in, t->groups},
    };
    int kind = 0;

    for (; place >= kinds[kind].count; kind++)
        place -= kinds[kind].count;
    return kinds[kind].capacity == NULL ? INFINITY : kinds[kind].capacity[place];
}

/* Most tiers of most networks are not known: a way is as short as what limits it. */
static void add_place(const struct nuce_network *network, int place, struct nuce_way *way)
{
    if (isfinite(nuce_network_capacity(network, place)))
        way->place[way->count++] = place;
}

/* Within a node: what leaves the source and reaches the destination inside it. Between nodes: rails
 * of both ranks, then both nodes, and where groups differ both uplinks. */
void nuce_network_way(const struct nuce_network *network, int source, int destination,
                      struct nuce_way *out)
{
    const struct nuce_tiers *tiers = &network->tiers;
    int ranks = network->ranks, from, to;

    *out = (struct nuce_way){2, {source, ranks + destination}};
    if (tiers->nodes == 0)
        return;
    if (tiers->node_of[source] == tiers->node_of[destination]) {
        add_place(network, 4 * ranks + source, out);
        add_place(network, 5 * ranks + destination, out);
        return;
    }
    add_place(network, 2 * ranks + source, out);
    add_place(network, 3 * ranks + destination, out);
    add_place(network, RANK_KINDS * ranks + tiers->node_of[source], out);
    add_place(network, RANK_KINDS * ranks + tiers->nodes + tiers->node_of[destination], out);
    from = nuce_network_group(network, source);
    to = nuce_network_group(network, destination);
    if (from == to)
        return;
    add_place(network, RANK_KINDS * ranks + 2 * tiers->nodes + from, out);
    add_place(network, RANK_KINDS * ranks + 2 * tiers->nodes + tiers->groups + to, out);
}

/* Not whether nodes are known: nodes that limit nothing change no time. */
int nuce_network_has_tiers(const struct nuce_network *network)
{
    int places = nuce_network_places(network);

    for (int place = 2 * network->ranks; place < places; place++) {
        if (isfinite(nuce_network_capacity(network, place)))
            return 1;
    }
    return network->gap > 0;
}

int nuce_network_has_ports(const struct nuce_network *network)
{
    for (int i = 0; i < network->ranks; i++) {
        if (isinf(nuce_network_port_out(network, i)) || isinf(nuce_network_port_in(network, i)))
            return 0;
    }
    return network->ranks > 0;
}

int nuce_network_depth(const struct nuce_network *network)
{
    double best = 0;

    for (int i = 0; i < network->contentions; i++)
        best = fmax(best, network->contention[i].relative);
    for (int i = 0; i < network->contentions; i++) {
        if (network->contention[i].relative >= DEPTH_SHARE * best)
            return network->contention[i].partners;
    }
    return 1;
}
