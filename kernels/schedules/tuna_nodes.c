/* TuNA in two levels: store and forward inside the nodes, then directly from node to node.
 *
 * Problem: a startup is expensive between nodes and cheap inside them. So all bytes between two
 * nodes should go in few transfers, shared by all ranks of a node.
 * Steps: a node's ranks are numbered from 0; b is the number of a message's destination.
 *   1. Inside the source's node the message goes to rank number b mod Q of its Q ranks, by the
 *      digits of the distance of the numbers (store_forward.h). Messages that stay on the node have
 *      then arrived.
 *   2. In the phase of distance k of the nodes, 1 .. N - 1, each rank sends its messages for the
 *      ranks of that node with its number, one transfer each. That is one transfer if nodes have
 *      the same number of ranks.
 * Cost: (radix - 1) ceil(log_radix Q) rounds inside the nodes, then N - 1 between them. There are Q
 * (N - 1) startups per node between nodes, against Q Q (N - 1) of ac; each byte is sent once
 * between nodes.
 * Radix: of the level inside the nodes, 2 to the ranks of the largest, or (auto) the best by the
 * model.
 * Nodes: as given (node_ranks), else those of the network, else those that the ranks run on. If
 * none is known each rank is a node, and only lp-cyclic remains.
 * Limits: nodes of different sizes send in more phases, since a rank of a small node has several
 * numbers of a large one.
 * Source: Fan, Domke, Ba and Kumar, "Configurable non-uniform all-to-all algorithms", 2024 (arXiv
 * 2411.02581), section IV: hierarchical TuNA, coalesced, with scattered exchange between nodes. */
#include "schedules/groups.h"
#include "schedules/store_forward.h"

static void tuna_nodes_add(const struct nuce_schedule_input *input, int64_t radix,
                           const void *context, struct nuce_schedule_builder *builder)
{
    const struct nuce_groups *nodes = context;
    const struct nuce_pattern *pattern = input->pattern;
    int inside = nuce_store_forward_rounds(nodes->largest, radix);
    /* Phases for each distance of nodes: a rank of the smallest node may have this many numbers. */
    int phases = (nodes->largest + nodes->smallest - 1) / nodes->smallest;
    struct nuce_hops hops = {0};

    NUCE_EACH_MESSAGE (pattern, i, k) {
        struct nuce_parcel parcel = {i, pattern->destination[k], pattern->bytes[k], 0};
        int node = nodes->group_of[i], size = nuce_groups_size(nodes, node);
        int number = nodes->number[parcel.destination];
        int distance = (nodes->group_of[parcel.destination] - node + nodes->count) % nodes->count;
        const int *rank = nodes->rank + nodes->start[node];

        if (parcel.destination == i)
            continue;
        nuce_hops_add_digits(&hops, size, rank, radix, nodes->number[i], number % size, &parcel);
        if (distance > 0)
            nuce_hops_add(&hops, inside + (distance - 1) * phases + number / size,
                          rank[number % size], parcel.destination, &parcel);
    }
    nuce_hops_schedule(pattern, inside + (nodes->count - 1) * phases, &hops, builder);
    nuce_hops_fini(&hops);
}

static nuce_status tuna_nodes_build(const struct nuce_schedule_input *input,
                                    struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int64_t radix = input->tuning->radix;
    struct nuce_groups nodes;
    nuce_status status = nuce_groups_init(input, &nodes, error);

    if (status == NUCE_OK && radix > (nodes.largest > 2 ? nodes.largest : 2))
        status = nuce_error_refuse(error, "radix",
                                   "'%lld': expected 2 to the ranks of the largest node, %d",
                                   (long long)radix, nodes.largest);
    if (status == NUCE_OK && radix == 0)
        radix = nuce_store_forward_choose(input, nodes.largest, tuna_nodes_add, &nodes, builder);
    if (status == NUCE_OK)
        tuna_nodes_add(input, radix, &nodes, builder);
    nuce_groups_fini(&nodes);
    return status;
}

const struct nuce_schedule_ops nuce_schedule_tuna_nodes = {
    .name = "tuna-nodes",
    .label = "store and forward in nodes",
    .summary = "store and forward inside the nodes, then one transfer for each rank and pair of "
               "nodes",
    .source = "Fan, Domke, Ba and Kumar, arXiv 2411.02581, 2024",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_RADIX | NUCE_USES_NODES,
    .build = tuna_nodes_build,
};
