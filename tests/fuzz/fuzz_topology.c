/* The topology file reader: whatever the bytes, it returns a network as topology.h promises and
 * whose largest island can be routed, or a message that names the place. */
#include <string.h>

#include "base/error.h"
#include "fuzz.h"
#include "mapping/routing.h"
#include "mapping/topology.h"

/* Routing takes the square of the switches. */
#define ROUTED_SWITCHES 64

static void check_links(const struct nuce_topology *topology)
{
    NUCE_ASSERT(topology->start[topology->switches] == 2 * (int64_t)topology->links);
    for (int s = 0; s < topology->switches; s++) {
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            int other = topology->neighbor[k];

            NUCE_ASSERT(other >= 0 && other < topology->switches && other != s);
            NUCE_ASSERT(k == topology->start[s] || topology->neighbor[k - 1] < other);
            NUCE_ASSERT(nuce_topology_has_link(topology, other, s));
        }
    }
}

static void check_routing(const struct nuce_topology *topology)
{
    struct nuce_routing routing;

    nuce_routing_create(nuce_routings[0], topology, &routing);
    for (int a = 0; a < topology->switches; a++) {
        for (int b = 0; b < topology->switches; b++)
            NUCE_ASSERT(nuce_routing_hops(&routing, a, b) < topology->switches);
    }
    nuce_routing_fini(&routing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nuce_topology topology;
    struct nuce_error error = {0};
    int island, nodes;

    if (nuce_topology_parse("fuzz", (const char *)data, size, &topology, &error) != NUCE_OK) {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT);
        NUCE_ASSERT(strncmp(nuce_error_flatten(&error), "fuzz:", strlen("fuzz:")) == 0);
        return 0;
    }
    NUCE_ASSERT(topology.nodes >= 1 && topology.switches >= 1);
    for (int i = 0; i < topology.nodes; i++) {
        NUCE_ASSERT(topology.home[i] >= 0 && topology.home[i] < topology.switches);
        NUCE_ASSERT(topology.node_name[i][0] != '\0');
    }
    check_links(&topology);
    nuce_topology_largest(&topology, &island, &nodes);
    nuce_topology_keep(&topology, island, NULL, 0);
    NUCE_ASSERT(topology.islands == 1 && topology.nodes == nodes);
    check_links(&topology);
    if (topology.switches <= ROUTED_SWITCHES)
        check_routing(&topology);
    nuce_topology_fini(&topology);
    return 0;
}
