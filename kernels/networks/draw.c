#include "network.h"

#include <math.h>

static nuce_status check(int ranks, const struct nuce_network_ranges *ranges,
                         struct nuce_error *error)
{
    const struct nuce_range *startup = &ranges->startup, *bandwidth = &ranges->bandwidth;

    if (ranks < 1 || ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a drawn network of %d ranks: expected 1 to %d ranks", ranks,
                              NUCE_NETWORK_MAX_RANKS);
    if (!(startup->low >= 0) || !(startup->high >= startup->low) || !isfinite(startup->high))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "startup: '%g..%g': expected LOW..HIGH, at least 0 seconds",
                              startup->low, startup->high);
    if (!(bandwidth->low > 0) || !(bandwidth->high >= bandwidth->low) || !isfinite(bandwidth->high))
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "bandwidth: '%g..%g': expected LOW..HIGH, more than 0 bytes per second", bandwidth->low,
            bandwidth->high);
    return NUCE_OK;
}

static double draw(struct nuce_range range, struct nuce_rng *rng)
{
    return range.low + nuce_rng_uniform(rng) * (range.high - range.low);
}

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
    network->pair_startup[pair] = draw(ranges->startup, rng);
    network->pair_bandwidth[pair] = draw(ranges->bandwidth, rng);
}

nuce_status nuce_network_draw(int ranks, const struct nuce_network_ranges *ranges,
                              struct nuce_rng *rng, struct nuce_network *out,
                              struct nuce_error *error)
{
    struct nuce_network network = {.ranks = ranks};

    if (check(ranks, ranges, error) != NUCE_OK)
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
