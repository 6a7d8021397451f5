/* The options by which ranks are placed on the nodes of a network of switches: their names, the
 * ones that apply, and the excluded combinations. */
#include "points/placing.h"

#include <string.h>

#include "base/int.h"
#include "mapping/placement.h"
#include "schedules/network.h"
#include "schedules/words.h"

static const char in_order[] = "in-order";

/* The placements of kernels/mapping, followed by the MPI library's. */
const char *nuce_placing_name(size_t index)
{
    size_t count = 0;

    while (count < index && nuce_placements[count] != NULL)
        count++;
    if (nuce_placements[count] != NULL)
        return nuce_placements[count]->name;
    return count == index ? NUCE_PLACEMENT_MPI : NULL;
}

const char *nuce_placing_nodes(size_t index)
{
    static const char *const names[] = {"by-name", in_order, NULL};

    return names[index];
}

int nuce_placing_is_in_order(const struct nuce_placing *placing)
{
    return strcmp(placing->topology_nodes, in_order) == 0;
}

/* A network of links is known by rank; renumbered ranks would use the wrong links. */
nuce_status nuce_placing_complete(const struct nuce_placing *placing, const char *network,
                                  struct nuce_error *error)
{
    int is_of_links =
        network[0] != '\0' && !nuce_network_is_preset(network) &&
        (!nuce_network_is_word(network) || strcmp(network, NUCE_NETWORK_MEASURED) == 0);

    if (placing->placement[0] == '\0' && placing->topology[0] != '\0')
        return nuce_error_refuse(error, "topology", "'%.80s': expected a placement with it",
                                 placing->topology);
    if (placing->topology[0] == '\0' && nuce_placing_is_in_order(placing))
        return nuce_error_refuse(error, "topology-nodes", "'%s': expected a topology with it",
                                 in_order);
    if (placing->placement[0] != '\0' && is_of_links)
        return nuce_error_refuse(error, "network",
                                 "'%.80s': has the links of the ranks as launched, and a placement "
                                 "renumbers them: expected none, or a network without links",
                                 network);
    return NUCE_OK;
}

nuce_status nuce_placing_inspect(const struct nuce_placing *placing, int ranks,
                                 struct nuce_facts *facts, struct nuce_error *error)
{
    const struct nuce_fact *fact;

    if (placing->topology[0] == '\0')
        return NUCE_OK;
    fact = nuce_facts_topology(facts, placing->topology, error);
    if (fact == NULL)
        return nuce_error_about(error, "topology");
    if (nuce_placing_is_in_order(placing) && fact->size < ranks)
        return nuce_error_refuse(
            error, "topology",
            "%s: %d nodes for %d ranks: expected at least as many, one per rank, in their order",
            placing->topology, nuce_int(fact->size), ranks);
    return NUCE_OK;
}

/* Another stream than those of patterns, networks and schedules, whose numbers have the same
 * seed. */
struct nuce_rng nuce_placing_rng(int64_t seed)
{
    return nuce_rng_create((uint64_t)seed, UINT64_MAX - 1);
}
