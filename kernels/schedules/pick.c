/* The network of some ranks of another: its pairs, ports, nodes and groups.
 *
 * O(ranks^2) for the pairs, 16 ranks^2 bytes; everything else is a copy by slot. What belongs to
 * nodes and groups of which no rank was chosen is left out, since a network has no empty ones. On
 * failure what was made so far is freed. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "schedules/network.h"

/* Of one value a rank; NULL stays NULL. */
static void pick_values(const double *values, const int *slot, int ranks, double **out)
{
    if (values == NULL)
        return;
    *out = nuce_allocate(ranks, sizeof **out);
    for (int i = 0; i < ranks; i++)
        (*out)[i] = values[slot[i]];
}

/* The startups and bandwidths of the chosen ranks' pairs. */
static nuce_status pick_pairs(const struct nuce_network *from, const int *slot,
                              struct nuce_network *out, struct nuce_error *error)
{
    if (nuce_network_allocate_pairs(out, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < out->ranks; i++) {
        for (int j = 0; j < out->ranks; j++) {
            size_t pair = (size_t)i * (size_t)out->ranks + (size_t)j;

            if (i == j)
                continue;
            out->pair_startup[pair] = nuce_network_startup(from, slot[i], slot[j]);
            out->pair_bandwidth[pair] = nuce_network_bandwidth(from, slot[i], slot[j]);
        }
    }
    return NUCE_OK;
}

/* The groups of the chosen nodes, out->tiers.nodes of them, numbered anew from 0 in the order of
 * their first: number[n] - 1 is what node n of from is now, 0 of those that are not chosen. */
static void pick_groups(const struct nuce_tiers *tiers, const int *number, struct nuce_network *out)
{
    int *seen, groups = 0;

    if (tiers->groups == 0)
        return;
    seen = nuce_allocate(tiers->groups, sizeof *seen);
    nuce_network_allocate_groups(out, tiers->groups);
    for (int n = 0; n < tiers->nodes; n++) {
        int group = tiers->group_of[n];

        if (number[n] == 0)
            continue;
        if (seen[group] == 0) {
            out->tiers.uplink_out[groups] = tiers->uplink_out[group];
            out->tiers.uplink_in[groups] = tiers->uplink_in[group];
            seen[group] = ++groups;
        }
        out->tiers.group_of[number[n] - 1] = seen[group] - 1;
    }
    out->tiers.groups = groups;
    free(seen);
}

/* The nodes of the chosen ranks, numbered anew from 0 in the order of their first. */
static void pick_tiers(const struct nuce_network *from, const int *slot, struct nuce_network *out)
{
    const struct nuce_tiers *tiers = &from->tiers;
    int *number, nodes = 0;

    if (tiers->nodes == 0)
        return;
    number = nuce_allocate(tiers->nodes, sizeof *number);
    nuce_network_allocate_tiers(out, tiers->nodes);
    for (int i = 0; i < out->ranks; i++) {
        int node = tiers->node_of[slot[i]];

        if (number[node] == 0) {
            out->tiers.node_out[nodes] = tiers->node_out[node];
            out->tiers.node_in[nodes] = tiers->node_in[node];
            number[node] = ++nodes;
        }
        out->tiers.node_of[i] = number[node] - 1;
        out->tiers.rail_out[i] = tiers->rail_out[slot[i]];
        out->tiers.rail_in[i] = tiers->rail_in[slot[i]];
        out->tiers.inside_out[i] = tiers->inside_out[slot[i]];
        out->tiers.inside_in[i] = tiers->inside_in[slot[i]];
    }
    out->tiers.nodes = nodes;
    pick_groups(tiers, number, out);
    free(number);
}

nuce_status nuce_network_pick(const struct nuce_network *from, const int *slot, int ranks,
                              struct nuce_network *out, struct nuce_error *error)
{
    struct nuce_network network = {
        .ranks = ranks, .startup = from->startup, .bandwidth = from->bandwidth, .gap = from->gap};

    memcpy(network.measured, from->measured, sizeof network.measured);
    if (pick_pairs(from, slot, &network, error) != NUCE_OK) {
        nuce_network_fini(&network);
        return error->status;
    }
    if (from->host != NULL) {
        network.host = nuce_allocate(ranks, sizeof *network.host);
        for (int i = 0; i < ranks; i++)
            network.host[i] = from->host[slot[i]];
    }
    pick_tiers(from, slot, &network);
    pick_values(from->out, slot, ranks, &network.out);
    pick_values(from->in, slot, ranks, &network.in);
    pick_values(from->speed, slot, ranks, &network.speed);
    /* The curve is of a rank and its partners, whoever they are: taken over as it is. */
    if (from->contentions > 0) {
        network.contention = nuce_allocate(from->contentions, sizeof *network.contention);
        network.contentions = from->contentions;
        memcpy(network.contention, from->contention,
               (size_t)from->contentions * sizeof *network.contention);
    }
    *out = network;
    return NUCE_OK;
}
