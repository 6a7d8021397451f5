/* node-aware: messages between nodes are gathered, sent as one for each pair of nodes, and spread.
 *
 * Problem: many small messages between the same two nodes pay for as many startups on the network.
 * Steps: (three-step node-aware communication)
 *   1. on node A, each rank gives its bytes for node B to A's agent for B;
 *   2. the agent sends all of A's bytes for B in one message to B's agent for A;
 *   3. that agent gives each rank of B its bytes.
 * Messages inside a node go directly, in step 1. All bytes of a rank for one other rank in one step
 * are one transfer. The agents of a node for the other nodes, numbered from the next one on, are
 * its ranks in turn. So all ranks of a node share the work and all pairs proceed at once.
 * Cost: on the network at most nodes - 1 messages per node and direction, for any number in the
 * pattern; each byte between nodes is copied over shared memory up to twice.
 * Limits: on one node, or with one rank per node, it is ac, and runs as ac. Large messages pay for
 * the copies.
 * Nodes: as given (node_ranks), else those of the network, else those that the ranks run on. If
 * none is known each rank is a node.
 * Source: Bienz, Gropp and Olson, "Node aware sparse matrix-vector multiplication", Journal of
 * Parallel and Distributed Computing 130, 2019, pages 166-178. */
#include "schedules/groups.h"
#include "schedules/plain.h"
#include "schedules/store_forward.h"

/* The rank of `node` that exchanges with `other`, a different node. */
static int agent_of(const struct nuce_groups *nodes, int node, int other)
{
    int distance = (other - node + nodes->count) % nodes->count;

    return nodes->rank[nodes->start[node] + (distance - 1) % nuce_groups_size(nodes, node)];
}

static nuce_status node_aware_build(const struct nuce_schedule_input *input,
                                    struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct nuce_groups nodes;
    struct nuce_hops hops = {0};

    if (nuce_groups_init(input, &nodes, error) != NUCE_OK)
        return error->status;
    if (nuce_groups_are_flat(&nodes)) {
        nuce_groups_fini(&nodes);
        return nuce_schedule_as_ac(input, builder, error);
    }
    NUCE_EACH_MESSAGE (pattern, i, k) {
        struct nuce_parcel message = {i, pattern->destination[k], pattern->bytes[k], 0};
        int node = nodes.group_of[i], other = nodes.group_of[message.destination];

        if (i == message.destination || !nuce_groups_make(&nodes, node, other))
            continue;
        if (node == other)
            nuce_hops_add(&hops, NUCE_RELAY_GATHER, i, message.destination, &message);
        else
            nuce_hops_add_relayed(&hops, agent_of(&nodes, node, other),
                                  agent_of(&nodes, other, node), &message);
    }
    nuce_hops_schedule(pattern, NUCE_RELAY_ROUNDS, &hops, builder);
    nuce_hops_fini(&hops);
    nuce_groups_fini(&nodes);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_node_aware = {
    .name = "node-aware",
    .summary = "between nodes one message for each pair of nodes, gathered and spread on the nodes",
    .source = "Bienz, Gropp and Olson, JPDC 130, 2019",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_NODES,
    .concern = NUCE_CONCERN_NODES,
    .build = node_aware_build,
};
