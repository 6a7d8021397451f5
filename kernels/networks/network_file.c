/* The lines of a NETWORK FILE that tell of nodes, and what follows from them for pairs. */
#include "networks/network_file.h"

#include <stdlib.h>

#include "support/allocate.h"
#include "support/int.h"

/* The tiers of as many nodes as there are ranks, on first use; no rank has a node yet. */
static nuce_status want_tiers(struct nuce_network_file *file, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;

    if (network->tiers.nodes > 0)
        return NUCE_OK;
    if (nuce_network_allocate_tiers(network, network->ranks, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < network->ranks; i++)
        network->tiers.node_of[i] = -1;
    return NUCE_OK;
}

nuce_status nuce_network_file_on(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                 struct nuce_error *error)
{
    int first = 0, end = 0;
    int64_t node = 0;

    if (nuce_network_file_which(scanner, "the rank on a node", file, file->network.ranks, &first,
                                &end, error) != NUCE_OK ||
        nuce_scanner_integer(scanner, "its node", 0, file->network.ranks - 1, &node, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, "a rank's node", error) != NUCE_OK ||
        want_tiers(file, error) != NUCE_OK)
        return error->status;
    for (int i = first; i < end; i++)
        file->network.tiers.node_of[i] = nuce_int(node);
    return NUCE_OK;
}

nuce_status nuce_network_file_block(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error)
{
    int64_t size = 0;

    if (nuce_scanner_integer(scanner, "the ranks of each node", 1, NUCE_NETWORK_MAX_RANKS, &size,
                             error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "the ranks of each node", error) != NUCE_OK ||
        want_tiers(file, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < file->network.ranks; i++)
        file->network.tiers.node_of[i] = (int)(i / size);
    return NUCE_OK;
}

static nuce_status read_way(struct nuce_scanner *scanner, struct nuce_network_file *file,
                            const char *whose, const char *what, double **outs, double **ins,
                            struct nuce_error *error)
{
    double out = 0, in = 0;
    int first = 0, end = 0;

    if (nuce_network_file_which(scanner, whose, file, file->network.ranks, &first, &end, error) !=
            NUCE_OK ||
        nuce_network_file_capacities(scanner, what, &out, &in, error) != NUCE_OK ||
        want_tiers(file, error) != NUCE_OK)
        return error->status;
    for (int i = first; i < end; i++) {
        (*outs)[i] = out;
        (*ins)[i] = in;
    }
    return NUCE_OK;
}

nuce_status nuce_network_file_rail(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error)
{
    return read_way(scanner, file, "the rank of a rail", "a rail", &file->network.tiers.rail_out,
                    &file->network.tiers.rail_in, error);
}

nuce_status nuce_network_file_inside(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error)
{
    return read_way(scanner, file, "the rank of an inside", "an inside",
                    &file->network.tiers.inside_out, &file->network.tiers.inside_in, error);
}

nuce_status nuce_network_file_node(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error)
{
    double out = 0, in = 0;
    int first = 0, end = 0;

    if (nuce_network_file_which(scanner, "the number of a node", file, file->network.ranks, &first,
                                &end, error) != NUCE_OK ||
        nuce_network_file_capacities(scanner, "a node", &out, &in, error) != NUCE_OK ||
        want_tiers(file, error) != NUCE_OK)
        return error->status;
    if (end == first + 1 && first > file->most_node)
        file->most_node = first;
    for (int n = first; n < end; n++) {
        file->network.tiers.node_out[n] = out;
        file->network.tiers.node_in[n] = in;
    }
    return NUCE_OK;
}

static nuce_status read_cost(struct nuce_scanner *scanner, const char *of,
                             struct nuce_network_cost *out, struct nuce_error *error)
{
    const char *place = scanner->at;
    struct nuce_network_cost cost = {.is_given = 1};

    if (nuce_network_file_quantity(scanner, "the startup in seconds", 0, &cost.startup, error) !=
            NUCE_OK ||
        nuce_network_file_quantity(scanner, "the bandwidth in bytes per second", 1, &cost.bandwidth,
                                   error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, of, error) != NUCE_OK)
        return error->status;
    if (out->is_given)
        return nuce_scanner_fail(scanner, place, error, "a second line of %s", of);
    *out = cost;
    return NUCE_OK;
}

nuce_status nuce_network_file_within(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error)
{
    return read_cost(scanner, "the pairs within a node", &file->within, error);
}

nuce_status nuce_network_file_between(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                      struct nuce_error *error)
{
    return read_cost(scanner, "the pairs between nodes", &file->between, error);
}

/* Every rank has a node, every node a rank; their number becomes what it is. */
static nuce_status check_tiers(const char *name, struct nuce_network_file *file,
                               struct nuce_error *error)
{
    struct nuce_tiers *tiers = &file->network.tiers;
    int most = file->most_node, empty = 0;
    int *count;

    if (tiers->nodes == 0)
        return NUCE_OK;
    count = nuce_allocate(tiers->nodes, sizeof *count, error);
    if (count == NULL)
        return error->status;
    for (int i = 0; i < file->network.ranks; i++) {
        if (tiers->node_of[i] < 0) {
            free(count);
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s: rank %d is on no node: expected a line 'on %d NODE', or "
                                  "'block K'",
                                  name, i, i);
        }
        count[tiers->node_of[i]]++;
        most = tiers->node_of[i] > most ? tiers->node_of[i] : most;
    }
    while (empty <= most && count[empty] > 0)
        empty++;
    free(count);
    if (empty <= most)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no rank is on node %d: expected nodes from 0 on, none left out",
                              name, empty);
    tiers->nodes = most + 1;
    return NUCE_OK;
}

/* What a pair without a line of its own costs; NULL: not told. */
static const struct nuce_network_cost *cost_of_pair(const struct nuce_network_file *file, int i,
                                                    int j)
{
    const struct nuce_network_cost *cost =
        nuce_network_node(&file->network, i) == nuce_network_node(&file->network, j)
            ? &file->within
            : &file->between;

    return cost->is_given ? cost : NULL;
}

static nuce_status set_pairs(const char *name, struct nuce_network_file *file,
                             struct nuce_error *error)
{
    struct nuce_network *network = &file->network;

    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            size_t pair = (size_t)i * (size_t)network->ranks + (size_t)j;
            const struct nuce_network_cost *cost = cost_of_pair(file, i, j);

            if (i == j || network->pair_bandwidth[pair] > 0)
                continue;
            if (cost == NULL)
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "%s: no line for the pair %d %d: expected one for every "
                                      "ordered pair, or 'within' and 'between'",
                                      name, i, j);
            network->pair_startup[pair] = cost->startup;
            network->pair_bandwidth[pair] = cost->bandwidth;
        }
    }
    return NUCE_OK;
}

/* Whether all pairs are those of `between`: no nodes, and no line of any pair. */
static int has_pairs_alike(const struct nuce_network_file *file)
{
    return !file->has_pairs && file->between.is_given && file->network.tiers.nodes == 0;
}

nuce_status nuce_network_file_end(const char *name, struct nuce_network_file *file,
                                  struct nuce_error *error)
{
    if (file->within.is_given && file->network.tiers.nodes == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: 'within', and no nodes: expected lines 'on RANK NODE', or "
                              "'block K'",
                              name);
    if (check_tiers(name, file, error) != NUCE_OK)
        return error->status;
    if (has_pairs_alike(file)) {
        file->network.startup = file->between.startup;
        file->network.bandwidth = file->between.bandwidth;
        return NUCE_OK;
    }
    if (!file->has_pairs && nuce_network_allocate_pairs(&file->network, error) != NUCE_OK)
        return error->status;
    return set_pairs(name, file, error);
}
