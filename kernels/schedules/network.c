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

/* The papers' machines as uniform networks, from the numbers that they print.
 *
 * A preset is a row; the papers' phi is seconds per byte, a network's bandwidth its inverse. */

static const struct {
    const char *name;
    double startup;          /* seconds */
    double seconds_per_byte; /* phi, as printed */
} presets[] = {
    {"cm5", 0.299e-3, 0.2389e-6}, /* Ranka, Wang and Kumar, 3.2 */
};

#define PRESETS (sizeof presets / sizeof presets[0])

int nuce_network_is_preset(const char *name)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) == 0)
            return 1;
    }
    return 0;
}

const char *nuce_network_preset_name(size_t index)
{
    return index < PRESETS ? presets[index].name : NULL;
}

nuce_status nuce_network_preset(const char *name, int ranks, struct nuce_network *out,
                                struct nuce_error *error)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) == 0)
            return nuce_network_uniform(ranks, presets[i].startup, 1 / presets[i].seconds_per_byte,
                                        out, error);
    }
    return nuce_error_refuse(error, "network", "'%s': expected cm5 or a NETWORK FILE", name);
}

/* A file called like a preset is reached by a path, ./cm5. */
nuce_status nuce_network_named(const char *name, int ranks, struct nuce_network *out,
                               struct nuce_error *error)
{
    if (nuce_network_is_preset(name))
        return nuce_network_preset(name, ranks, out, error);
    return nuce_network_read(name, ranks, out, error);
}

/* Random networks: what the redistribution paper varies (Bhat, Prasanna and Raghavendra, section
 * 5).
 *
 * O(ranks^2) draws and 16 ranks^2 bytes. Order and number of draws are part of the format of
 * results: with the same seed an older record means the same network. */

/* Options are named as users write them, startup and bandwidth. Ends may be alike; infinity and NaN
 * are refused by comparisons that these fail. */
static nuce_status draw_check(int ranks, const struct nuce_network_ranges *ranges,
                              struct nuce_error *error)
{
    const struct nuce_range *startup = &ranges->startup, *bandwidth = &ranges->bandwidth;

    if (ranks < 1 || ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a drawn network of %d ranks: expected 1 to %d ranks", ranks,
                              NUCE_NETWORK_MAX_RANKS);
    if (!(startup->low >= 0) || !(startup->high >= startup->low) || !isfinite(startup->high))
        return nuce_error_refuse(error, "startup",
                                 "'%g..%g': expected LOW..HIGH, at least 0 seconds", startup->low,
                                 startup->high);
    if (!(bandwidth->low > 0) || !(bandwidth->high >= bandwidth->low) || !isfinite(bandwidth->high))
        return nuce_error_refuse(error, "bandwidth",
                                 "'%g..%g': expected LOW..HIGH, more than 0 bytes per second",
                                 bandwidth->low, bandwidth->high);
    return NUCE_OK;
}

/* One draw even where both ends are alike: what follows is then the same. */
static double draw_value(struct nuce_range range, struct nuce_rng *rng)
{
    return range.low + nuce_rng_uniform(rng) * (range.high - range.low);
}

/* Draws, or, of a symmetric network, copies what was drawn for the pair the other way round. */
static void draw_pair(struct nuce_network *network, int source, int destination,
                      const struct nuce_network_ranges *ranges, struct nuce_rng *rng)
{
    size_t pair = (size_t)source * (size_t)network->ranks + (size_t)destination;
    size_t reverse = (size_t)destination * (size_t)network->ranks + (size_t)source;

    if (ranges->symmetric && source > destination) {
        network->pair_startup[pair] = network->pair_startup[reverse];
        network->pair_bandwidth[pair] = network->pair_bandwidth[reverse];
        return;
    }
    network->pair_startup[pair] = draw_value(ranges->startup, rng);
    network->pair_bandwidth[pair] = draw_value(ranges->bandwidth, rng);
}

nuce_status nuce_network_draw(int ranks, const struct nuce_network_ranges *ranges,
                              struct nuce_rng *rng, struct nuce_network *out,
                              struct nuce_error *error)
{
    struct nuce_network network = {.ranks = ranks};

    if (draw_check(ranks, ranges, error) != NUCE_OK)
        return error->status;
    if (!(ranges->startup.low < ranges->startup.high) &&
        !(ranges->bandwidth.low < ranges->bandwidth.high))
        return nuce_network_uniform(ranks, ranges->startup.low, ranges->bandwidth.low, out, error);
    if (nuce_network_allocate_pairs(&network, error) != NUCE_OK) {
        nuce_network_fini(&network);
        return error->status;
    }
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j)
                draw_pair(&network, i, j, ranges, rng);
        }
    }
    *out = network;
    return NUCE_OK;
}

/* *out has both: pairs, for schedules that know no ports, and ports, for the cost model, which
 * makes transfers of one port share it. */
nuce_status nuce_network_draw_ports(int ranks, const struct nuce_network_ranges *ranges,
                                    struct nuce_rng *rng, struct nuce_network *out,
                                    struct nuce_error *error)
{
    struct nuce_network network = {.ranks = ranks};
    nuce_status status = draw_check(ranks, ranges, error);

    if (status == NUCE_OK)
        status = nuce_network_allocate_pairs(&network, error);
    for (int i = 0; status == NUCE_OK && i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j)
                draw_pair(&network, i, j, ranges, rng);
        }
    }
    if (status == NUCE_OK) {
        /* The ports, and with them the bandwidths of the pairs, whose startups stand. */
        network.out = nuce_allocate(network.ranks, sizeof *network.out);
        network.in = nuce_allocate(network.ranks, sizeof *network.in);
        for (int i = 0; i < network.ranks; i++)
            network.out[i] = network.in[i] = draw_value(ranges->bandwidth, rng);
        for (int i = 0; i < network.ranks; i++) {
            for (int j = 0; j < network.ranks; j++) {
                if (i != j)
                    network.pair_bandwidth[(size_t)i * (size_t)network.ranks + (size_t)j] =
                        fmin(network.out[i], network.in[j]);
            }
        }
    }
    if (status == NUCE_OK)
        *out = network;
    else
        nuce_network_fini(&network);
    return status;
}
