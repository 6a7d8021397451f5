/* Networks in memory: either one startup and bandwidth for all pairs, or an array of each by
 * source.
 *
 * A uniform network needs no arrays for its equal pairs, so it may have any number of ranks. All
 * queries go through the functions below, which handle both forms. */
#include "schedules/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "schedules/words.h"

/* This share of the best throughput of a contention curve counts as the best. */
#define DEPTH_SHARE 0.95

void nuce_network_fini(struct nuce_network *network)
{
    free(network->pair_startup);
    free(network->pair_bandwidth);
    free(network->out);
    free(network->in);
    free(network->tiers.node_of);
    free(network->tiers.group_of);
    for (int k = 0; k < NUCE_TIER_LIMITS; k++)
        free(network->tiers.limit[k]);
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

/* The number of ranks, nodes or groups that have a limit of that kind. */
static int limits_of(const struct nuce_network *network, int kind)
{
    return kind < NUCE_NODE     ? network->ranks
           : kind < NUCE_UPLINK ? network->tiers.nodes
                                : network->tiers.groups;
}

/* The initial INFINITY means that no limit is known, so a place without a line limits nothing. */
static void allocate_limits(struct nuce_network *network, int kind, int end)
{
    for (; kind < end; kind++) {
        network->tiers.limit[kind] = nuce_allocate(limits_of(network, kind), sizeof(double));
        for (int i = 0; i < limits_of(network, kind); i++)
            network->tiers.limit[kind][i] = INFINITY;
    }
}

/* The arrays belong to the network; nuce_network_fini frees them, also after a failure. */
void nuce_network_allocate_tiers(struct nuce_network *network, int nodes)
{
    network->tiers.nodes = nodes;
    network->tiers.node_of = nuce_allocate(network->ranks, sizeof(int));
    allocate_limits(network, 0, NUCE_UPLINK);
}

void nuce_network_allocate_groups(struct nuce_network *network, int groups)
{
    network->tiers.groups = groups;
    network->tiers.group_of = nuce_allocate(network->tiers.nodes, sizeof(int));
    allocate_limits(network, NUCE_UPLINK, NUCE_TIER_LIMITS);
}

/* The index of a pair in the arrays. */
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

/* Places are ports out, ports in, then the limits of tiers in the order of their kinds. */
int nuce_network_places(const struct nuce_network *network)
{
    return (network->tiers.nodes == 0 ? 2 : 2 + NUCE_NODE) * network->ranks +
           2 * network->tiers.nodes + 2 * network->tiers.groups;
}

/* Goes through the kinds in the order of their places. */
double nuce_network_capacity(const struct nuce_network *network, int place)
{
    int kind = 0;

    if (place < network->ranks)
        return nuce_network_port_out(network, place);
    place -= network->ranks;
    if (place < network->ranks)
        return nuce_network_port_in(network, place);
    place -= network->ranks;
    for (; place >= limits_of(network, kind); kind++)
        place -= limits_of(network, kind);
    return network->tiers.limit[kind] == NULL ? INFINITY : network->tiers.limit[kind][place];
}

/* Adds a place if it has a limit. Most tiers of most networks are not known, so most paths are
 * short. */
static void add_place(const struct nuce_network *network, int place, struct nuce_way *way)
{
    if (isfinite(nuce_network_capacity(network, place)))
        way->place[way->count++] = place;
}

/* Within a node: the insides of source and destination. Between nodes: the rails of both ranks,
 * then both nodes, and if the groups differ both uplinks. */
void nuce_network_way(const struct nuce_network *network, int source, int destination,
                      struct nuce_way *out)
{
    const struct nuce_tiers *tiers = &network->tiers;
    int ranks = network->ranks, nodes = (2 + NUCE_NODE) * ranks, groups = nodes + 2 * tiers->nodes;

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
    add_place(network, nodes + tiers->node_of[source], out);
    add_place(network, nodes + tiers->nodes + tiers->node_of[destination], out);
    if (nuce_network_group(network, source) == nuce_network_group(network, destination))
        return;
    add_place(network, groups + nuce_network_group(network, source), out);
    add_place(network, groups + tiers->groups + nuce_network_group(network, destination), out);
}

/* Nodes without limits do not count, as they change no time. */
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

/* The papers' machines as uniform networks, from their printed numbers.
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

/* Returns PRESETS if there is none. */
static size_t find_preset(const char *name)
{
    size_t i = 0;

    while (i < PRESETS && strcmp(presets[i].name, name) != 0)
        i++;
    return i;
}

int nuce_network_is_preset(const char *name)
{
    return find_preset(name) < PRESETS;
}

nuce_status nuce_network_preset(const char *name, int ranks, struct nuce_network *out,
                                struct nuce_error *error)
{
    size_t i = find_preset(name);

    if (i == PRESETS)
        return nuce_error_refuse(error, "network", "'%s': expected cm5 or a NETWORK FILE", name);
    return nuce_network_uniform(ranks, presets[i].startup, 1 / presets[i].seconds_per_byte, out,
                                error);
}

/* A file named like a preset is reached by a path, ./cm5. */
nuce_status nuce_network_named(const char *name, int ranks, struct nuce_network *out,
                               struct nuce_error *error)
{
    if (nuce_network_is_preset(name))
        return nuce_network_preset(name, ranks, out, error);
    return nuce_network_read(name, ranks, out, error);
}

/* Random networks, as the redistribution paper varies them (Bhat, Prasanna and Raghavendra, section
 * 5).
 *
 * O(ranks^2) draws and 16 ranks^2 bytes. Order and number of draws are part of the format of
 * results: with the same seed an older record means the same network. */

/* Errors name the options startup and bandwidth, as users write them. Both ends of a range may be
 * equal. The comparisons also refuse infinity and NaN. */
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

/* Draws once even if both ends are equal, so that the following draws are the same. */
static double draw_value(struct nuce_range range, struct nuce_rng *rng)
{
    return range.low + nuce_rng_uniform(rng) * (range.high - range.low);
}

/* Draws all pairs. In a symmetric network it copies the value of the opposite direction. */
static nuce_status draw_pairs(struct nuce_network *network,
                              const struct nuce_network_ranges *ranges, struct nuce_rng *rng,
                              struct nuce_error *error)
{
    if (nuce_network_allocate_pairs(network, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            size_t pair = pair_index(network, i, j), reverse = pair_index(network, j, i);

            if (i == j)
                continue;
            if (ranges->symmetric && i > j) {
                network->pair_startup[pair] = network->pair_startup[reverse];
                network->pair_bandwidth[pair] = network->pair_bandwidth[reverse];
            } else {
                network->pair_startup[pair] = draw_value(ranges->startup, rng);
                network->pair_bandwidth[pair] = draw_value(ranges->bandwidth, rng);
            }
        }
    }
    return NUCE_OK;
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
    if (draw_pairs(&network, ranges, rng, error) != NUCE_OK)
        return error->status;
    *out = network;
    return NUCE_OK;
}

/* *out has both: pairs, for schedules that use no ports, and ports, for the cost model, in which
 * transfers of one port share it. */
nuce_status nuce_network_draw_ports(int ranks, const struct nuce_network_ranges *ranges,
                                    struct nuce_rng *rng, struct nuce_network *out,
                                    struct nuce_error *error)
{
    struct nuce_network network = {.ranks = ranks};

    if (draw_check(ranks, ranges, error) != NUCE_OK ||
        draw_pairs(&network, ranges, rng, error) != NUCE_OK)
        return error->status;
    /* Draws the ports, and sets the bandwidths of the pairs from them. The pairs' startups stay. */
    network.out = nuce_allocate(ranks, sizeof *network.out);
    network.in = nuce_allocate(ranks, sizeof *network.in);
    for (int i = 0; i < ranks; i++)
        network.out[i] = network.in[i] = draw_value(ranges->bandwidth, rng);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j)
                network.pair_bandwidth[pair_index(&network, i, j)] =
                    fmin(network.out[i], network.in[j]);
        }
    }
    *out = network;
    return NUCE_OK;
}

/* Networks with a special word as name, instead of a file or a preset: made when a program
 * starts. */

static const char *const words[] = {NUCE_NETWORK_RANDOM, NUCE_NETWORK_EMULATED,
                                    NUCE_NETWORK_MEASURED, NULL};

int nuce_network_is_word(const char *name)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], name) == 0)
            return 1;
    }
    return 0;
}

/* The presets come first, so a list of the words alone is the rest. */
const char *nuce_network_name(size_t index)
{
    return index < PRESETS ? presets[index].name : words[index - PRESETS];
}

/* Part of a network: pairs, ports, nodes and groups of some of its ranks.
 *
 * O(ranks^2) for the pairs, 16 ranks^2 bytes; everything else is a copy by slot. Nodes and groups
 * without a chosen rank are dropped, since a network has no empty ones. */

/* Picks from an array of one value per rank; NULL stays NULL. */
static void pick_values(const double *values, const int *slot, int ranks, double **out)
{
    if (values == NULL)
        return;
    *out = nuce_allocate(ranks, sizeof **out);
    for (int i = 0; i < ranks; i++)
        (*out)[i] = values[slot[i]];
}

/* Copies the two limits of one rank, node or group. */
static void pick_limit(const struct nuce_tiers *from, struct nuce_tiers *out, int kind, int which,
                       int now)
{
    out->limit[kind][now] = from->limit[kind][which];
    out->limit[kind + 1][now] = from->limit[kind + 1][which];
}

/* The nodes of the chosen ranks, and the groups of these, both numbered again from 0 in the order
 * of their first ranks. */
static void pick_tiers(const struct nuce_network *from, const int *slot, struct nuce_network *out)
{
    const struct nuce_tiers *tiers = &from->tiers;
    int *node, *group, nodes = 0, groups = 0; /* new numbers, from 1; 0: not chosen */

    if (tiers->nodes == 0)
        return;
    node = nuce_allocate(tiers->nodes, sizeof *node);
    group = nuce_allocate(tiers->groups, sizeof *group);
    nuce_network_allocate_tiers(out, tiers->nodes);
    for (int i = 0; i < out->ranks; i++) {
        int of = tiers->node_of[slot[i]];

        if (node[of] == 0) {
            pick_limit(tiers, &out->tiers, NUCE_NODE, of, nodes);
            node[of] = ++nodes;
        }
        out->tiers.node_of[i] = node[of] - 1;
        pick_limit(tiers, &out->tiers, NUCE_RAIL, slot[i], i);
        pick_limit(tiers, &out->tiers, NUCE_INSIDE, slot[i], i);
    }
    out->tiers.nodes = nodes;
    if (tiers->groups > 0)
        nuce_network_allocate_groups(out, tiers->groups);
    for (int n = 0; tiers->groups > 0 && n < tiers->nodes; n++) {
        int of = tiers->group_of[n];

        if (node[n] == 0)
            continue;
        if (group[of] == 0) {
            pick_limit(tiers, &out->tiers, NUCE_UPLINK, of, groups);
            group[of] = ++groups;
        }
        out->tiers.group_of[node[n] - 1] = group[of] - 1;
    }
    out->tiers.groups = groups;
    free(node);
    free(group);
}

nuce_status nuce_network_pick(const struct nuce_network *from, const int *slot, int ranks,
                              struct nuce_network *out, struct nuce_error *error)
{
    struct nuce_network network = {
        .ranks = ranks, .startup = from->startup, .bandwidth = from->bandwidth, .gap = from->gap};

    memcpy(network.measured, from->measured, sizeof network.measured);
    if (nuce_network_allocate_pairs(&network, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            size_t pair = pair_index(&network, i, j);

            if (i == j)
                continue;
            network.pair_startup[pair] = nuce_network_startup(from, slot[i], slot[j]);
            network.pair_bandwidth[pair] = nuce_network_bandwidth(from, slot[i], slot[j]);
        }
    }
    if (from->host != NULL)
        network.host = nuce_allocate(ranks, sizeof *network.host);
    for (int i = 0; from->host != NULL && i < ranks; i++)
        network.host[i] = from->host[slot[i]];
    pick_tiers(from, slot, &network);
    pick_values(from->out, slot, ranks, &network.out);
    pick_values(from->in, slot, ranks, &network.in);
    pick_values(from->speed, slot, ranks, &network.speed);
    /* The curve holds for a rank with any partners: it is copied unchanged. */
    if (from->contentions > 0) {
        network.contention = nuce_allocate(from->contentions, sizeof *network.contention);
        network.contentions = from->contentions;
        memcpy(network.contention, from->contention,
               (size_t)from->contentions * sizeof *network.contention);
    }
    *out = network;
    return NUCE_OK;
}
