/* TuNA in two levels: store and forward inside the nodes, then straight from node to node.
 *
 * Problem: between nodes a startup is dear and inside them it is cheap, so that what goes between
 * two nodes is to go in few transfers, of which every rank of a node has its share.
 * Steps: a node's ranks are numbered from 0, b that of a message's destination.
 *   1. Inside the source's node the message goes to rank number b mod Q of its Q ranks, by the
 * digits of the distance of the numbers (store_forward.h); what stays on the node has arrived then.
 *   2. In the phase of distance k of the nodes, 1 .. N - 1, each rank sends what it has for the
 * ranks of that node with its number, one transfer each: where nodes have as many ranks that is
 * one. Cost: (radix - 1) ceil(log_radix Q) rounds inside the nodes, then N - 1 between them, where
 * ac has Q Q (N - 1) startups a node and here are Q (N - 1); each byte is sent once between nodes.
 * radix: of the level inside the nodes, 2 to the ranks of the largest, or (auto) the best by the
 * loose model. Nodes: as told (node_ranks), else those that the ranks run on; where neither is
 * known each rank is a node, and what is left is lp-cyclic. Limits: nodes of unlike sizes send in
 * more phases, since a rank of a small node stands for several numbers of a large one. Source: Fan,
 * Domke, Ba and Kumar, "Configurable non-uniform all-to-all algorithms", 2024 (arXiv 2411.02581),
 * section IV: hierarchical TuNA, coalesced, with scattered exchange between nodes. */
#include <stdlib.h>

#include "schedules/store_forward.h"
#include "support/allocate.h"

/* Who is where. */
struct tuna_nodes {
    int nodes, largest, smallest; /* ranks of a node */
    int *node_of, *number;        /* ranks */
    int *start, *rank;            /* node n has rank[start[n]] .., by number */
};

static void tuna_nodes_fini(struct tuna_nodes *nodes)
{
    free(nodes->node_of);
    free(nodes->number);
    free(nodes->start);
    free(nodes->rank);
}

static nuce_status tuna_nodes_allocate(int ranks, struct tuna_nodes *out, struct nuce_error *error)
{
    out->node_of = nuce_allocate(ranks, sizeof *out->node_of, error);
    out->number = nuce_allocate(ranks, sizeof *out->number, error);
    out->start = nuce_allocate((int64_t)ranks + 2, sizeof *out->start, error);
    out->rank = nuce_allocate(ranks, sizeof *out->rank, error);
    return out->node_of == NULL || out->number == NULL || out->start == NULL || out->rank == NULL
               ? error->status
               : NUCE_OK;
}

/* Freed with tuna_nodes_fini, also after failure. */
static nuce_status tuna_nodes_init(const struct nuce_schedule_input *input, struct tuna_nodes *out,
                                   struct nuce_error *error)
{
    int ranks = input->pattern->ranks;
    int64_t block = input->tuning->node_ranks;

    *out = (struct tuna_nodes){.smallest = ranks};
    if (block > ranks)
        return nuce_error_refuse(error, "node-ranks",
                                 "'%lld': expected 1 to the number of ranks, %d", (long long)block,
                                 ranks);
    if (tuna_nodes_allocate(ranks, out, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < ranks; i++) {
        out->node_of[i] = block > 0                ? (int)(i / block)
                          : input->node_of != NULL ? input->node_of[i]
                                                   : i;
        out->nodes = out->node_of[i] >= out->nodes ? out->node_of[i] + 1 : out->nodes;
        out->start[out->node_of[i] + 2]++;
    }
    for (int n = 0; n < out->nodes; n++) {
        int size = out->start[n + 2];

        out->largest = size > out->largest ? size : out->largest;
        out->smallest = size < out->smallest ? size : out->smallest;
        out->start[n + 2] += out->start[n + 1];
    }
    /* start[n + 1] is where node n begins and moves to its end as it is filled. */
    for (int i = 0; i < ranks; i++)
        out->rank[out->start[out->node_of[i] + 1]++] = i;
    for (int k = 0; k < ranks; k++)
        out->number[out->rank[k]] = k - out->start[out->node_of[out->rank[k]]];
    return NUCE_OK;
}

static int tuna_node_size(const struct tuna_nodes *nodes, int node)
{
    return nodes->start[node + 1] - nodes->start[node];
}

/* Phases for each distance of nodes: a rank of the smallest node may stand for so many numbers. */
static int phases_a_distance(const struct tuna_nodes *nodes)
{
    return (nodes->largest + nodes->smallest - 1) / nodes->smallest;
}

/* Both levels of one message. */
static nuce_status add_message_hops(const struct tuna_nodes *nodes, int64_t radix, int inside,
                                    const struct nuce_parcel *parcel, struct nuce_hops *hops,
                                    struct nuce_error *error)
{
    int node = nodes->node_of[parcel->source], other = nodes->node_of[parcel->destination];
    int size = tuna_node_size(nodes, node), number = nodes->number[parcel->destination];
    int distance = (other - node + nodes->nodes) % nodes->nodes;

    if (nuce_hops_add_digits(hops, size, nodes->rank + nodes->start[node], radix,
                             nodes->number[parcel->source], number % size, parcel,
                             error) != NUCE_OK)
        return error->status;
    if (distance == 0)
        return NUCE_OK;
    return nuce_hops_add(hops, inside + (distance - 1) * phases_a_distance(nodes) + number / size,
                         nodes->rank[nodes->start[node] + number % size], parcel->destination,
                         parcel, error);
}

static nuce_status tuna_nodes_add(const struct nuce_pattern *pattern,
                                  const struct tuna_nodes *nodes, int64_t radix,
                                  struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int inside = nuce_store_forward_rounds(nodes->largest, radix);
    int rounds = inside + (nodes->nodes - 1) * phases_a_distance(nodes);
    struct nuce_hops hops = {0};
    nuce_status status = NUCE_OK;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; status == NUCE_OK && k < pattern->row[i + 1]; k++) {
            struct nuce_parcel parcel = {i, pattern->destination[k], pattern->bytes[k]};

            if (parcel.destination != i)
                status = add_message_hops(nodes, radix, inside, &parcel, &hops, error);
        }
    }
    if (status == NUCE_OK)
        status = nuce_hops_schedule(pattern, rounds, &hops, builder, error);
    nuce_hops_fini(&hops);
    return status;
}

static nuce_status tuna_nodes_try(const struct nuce_schedule_input *input, int64_t radix,
                                  const void *context, struct nuce_schedule_builder *builder,
                                  struct nuce_error *error)
{
    return tuna_nodes_add(input->pattern, context, radix, builder, error);
}

static nuce_status tuna_nodes_build(const struct nuce_schedule_input *input,
                                    struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int64_t radix = input->tuning->radix;
    struct tuna_nodes nodes;
    nuce_status status = tuna_nodes_init(input, &nodes, error);

    if (status == NUCE_OK && radix > (nodes.largest > 2 ? nodes.largest : 2))
        status = nuce_error_refuse(error, "radix",
                                   "'%lld': expected 2 to the ranks of the largest node, %d",
                                   (long long)radix, nodes.largest);
    if (status == NUCE_OK && radix == 0)
        status = nuce_store_forward_choose(input, nodes.largest, tuna_nodes_try, &nodes, builder,
                                           &radix, error);
    if (status == NUCE_OK)
        status = tuna_nodes_add(input->pattern, &nodes, radix, builder, error);
    tuna_nodes_fini(&nodes);
    return status;
}

const struct nuce_schedule_ops nuce_schedule_tuna_nodes = {
    .name = "tuna-nodes",
    .summary = "store and forward inside the nodes, then one transfer for each rank and pair of "
               "nodes",
    .source = "Fan, Domke, Ba and Kumar, arXiv 2411.02581, 2024",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_RADIX | NUCE_USES_NODES,
    .build = tuna_nodes_build,
};
