/* Random networks: what the redistribution paper varies (Bhat, Prasanna and Raghavendra, section
 * 5).
 *
 * O(ranks^2) draws and 16 ranks^2 bytes. Order and number of draws are part of the format of
 * results: with the same seed an older record means the same network. */
#include "schedules/network.h"

#include <math.h>

#include "base/allocate.h"

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
